import { expect, test } from 'vitest';
import { queryTerms } from '../../../../src/context/search/query-terms.ts';
import { findSlices } from '../../../../src/store/search/search-find.ts';
import { SearchIndex } from '../../../../src/store/search/search-index.ts';
import { openTablesInMemory } from '../../../../src/store/search/search-tables.ts';
import { marksOf } from '../../../../src/store/search/text-analyzer.ts';

const NEW_ENTRIES = 10_500;

/** An old session and one with more places of a word than are all ranked. */
function indexOfCommonWord(): SearchIndex {
  const index = new SearchIndex(openTablesInMemory().db);
  const add = (session: string, count: number): void => {
    const source = { path: `/${session}/log.jsonl`, grp: 'main', session, folder: '/srv', stamp: '1', done: 1 };
    const id = index.addSource(source);
    const properties = { kind: 'user' as const, tool: '', failed: false };
    const entry = {
      source: id,
      part: -1,
      block: -1,
      key: '',
      kind: 'user' as const,
      tool: '',
      failed: 0,
      at: '2026-01-01T00:00:00.000Z',
      place: '',
    };
    for (let n = 1; n <= count; n++) index.addEntry({ ...entry, n, marks: marksOf(source, properties), terms: ['common'] });
  };
  index.write(() => {
    add('old', 5);
    add('new', NEW_ENTRIES);
  });
  return index;
}

test('of a word that is everywhere the newest places are found, and in an old session still all of them', () => {
  const index = indexOfCommonWord();
  const find = (wish: { readonly session?: string }) =>
    findSlices(index, { words: queryTerms('common'), group: 'main', limit: 10, ...wish }, () => undefined).map(({ entry }) => entry.n);
  expect(find({ session: 'old' })).toEqual([5, 4, 3, 2, 1]);
  expect(find({}).slice(0, 3)).toEqual([NEW_ENTRIES, NEW_ENTRIES - 1, NEW_ENTRIES - 2]);
  index.close();
});
