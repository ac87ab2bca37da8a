import { expect, test } from 'vitest';
import { queryTerms } from '../../../../src/context/search/query-terms.ts';
import { indexTerms } from '../../../../src/context/search/search-terms.ts';
import { findSlices } from '../../../../src/store/search/search-find.ts';
import { SearchIndex } from '../../../../src/store/search/search-index.ts';
import { openTablesInMemory } from '../../../../src/store/search/search-tables.ts';
import { marksOf } from '../../../../src/store/search/search-texts.ts';

const NEW_ENTRIES = 10_500;

/** An old session and one with more places of its terms than are all ranked. */
function indexOf(oldTerms: string, newTerms: string): SearchIndex {
  const index = new SearchIndex(openTablesInMemory().db);
  const add = (session: string, count: number, terms: string): void => {
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
    for (let n = 1; n <= count; n++) index.addEntry({ ...entry, n, marks: marksOf(source, properties), terms: [terms] });
  };
  index.write(() => {
    add('old', 5, oldTerms);
    add('new', NEW_ENTRIES, newTerms);
  });
  return index;
}

test('of a word that is everywhere the newest places are found, and in an old session still all of them', () => {
  const index = indexOf('common', 'common');
  const find = (wish: { readonly session?: string }) =>
    findSlices(index, { words: queryTerms('common'), group: 'main', limit: 10, ...wish }, () => undefined).map(({ entry }) => entry.n);
  expect(find({ session: 'old' })).toEqual([5, 4, 3, 2, 1]);
  expect(find({}).slice(0, 3)).toEqual([NEW_ENTRIES, NEW_ENTRIES - 1, NEW_ENTRIES - 2]);
  index.close();
});

test('a beginning is counted by what begins with it, so that many places of it are not all ranked either', () => {
  const index = indexOf('common', 'common');
  expect([index.countOfBeginning('comm'), index.countOfBeginning('come')]).toEqual([10_505, 0]);
  const found = findSlices(index, { words: queryTerms('comm*'), group: 'main', limit: 10 }, () => undefined);
  expect(found[0]?.entry.n).toBe(NEW_ENTRIES);
  expect(found.every(({ source }) => source.session === 'new')).toBe(true);
  index.close();
});

test('a whole path of an old session is found before the places where only its parts are', () => {
  const whole = indexTerms('see src/quay/lamp.ts')[0] ?? '';
  const parts = indexTerms('src quay lamp.ts')[0] ?? '';
  const index = indexOf(whole, parts);
  const found = findSlices(index, { words: queryTerms('src/quay/lamp.ts'), group: 'main', limit: 10 }, () => undefined);
  expect(found.slice(0, 5).map(({ source }) => source.session)).toEqual(['old', 'old', 'old', 'old', 'old']);
  expect(found.length).toBeGreaterThan(10);
  index.close();
});
