import { appendFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSearchContext } from '../../../../src/runtime/conversation/recall/recall.ts';
import { SearchIndex } from '../../../../src/store/search/search-index.ts';
import { indexLog } from '../../../../src/store/search/search-log.ts';
import type { NewEntry } from '../../../../src/store/search/search-rows.ts';
import { openTablesInMemory } from '../../../../src/store/search/search-tables.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { storeOf } from '../files/world.ts';
import { recallIn, session } from './recall-world.ts';

/** Indexes the first part of a log with these messages; at which line it ends, and what was found there. */
function partOf(messages: Parameters<typeof session>[2], maxBytes: (ends: readonly number[]) => number) {
  const made = storeOf();
  session(made, 's1', messages).close();
  const path = made.paths.log('s1');
  const lines = readFileSync(path).toString('latin1').split('\n');
  const ends = lines.map((_, i) => lines.slice(0, i + 1).join('\n').length + 1);
  const { analyzer } = createSearchContext(recallIn(made).place);
  const index = new SearchIndex(openTablesInMemory().db);
  const entries: NewEntry[] = [];
  const log = { path, sessionId: 's1', bodies: made.store.bodies('s1'), analyzer };
  const part = () => index.write(() => indexLog(index, log, { maxBytes: maxBytes(ends), add: (entry) => entries.push(entry) }));
  const { bytes, more } = part();
  return { line: ends.indexOf(bytes), more, kinds: entries.map(({ kind }) => kind), path, ends, part };
}

const talk = [user('one'), calls({ id: 'a' }), says('while it runs'), answers({ id: 'a' }), says('done')];

test('a part of a log ends with the line that fills it', () => {
  expect(partOf(talk, ([, user = 0]) => user)).toMatchObject({ line: 1, more: true, kinds: ['user'] });
  expect(partOf(talk, ([, user = 0]) => user + 1)).toMatchObject({ line: 4, more: true, kinds: ['user', 'assistant', 'tool'] });
  expect(partOf(talk, () => 1e9)).toMatchObject({ line: 5, more: false });
});

test('it goes on to the result of a call that is in it, but not without end', () => {
  expect(partOf(talk, ([, , call = 0]) => call)).toMatchObject({ line: 4, kinds: ['user', 'assistant', 'tool'] });
  const filler = Array.from({ length: 4 }, () => says('x'.repeat(400_000)));
  expect(partOf([...talk.slice(0, 2), ...filler], ([, , call = 0]) => call)).toMatchObject({ line: 5, more: true });
});

test('an unfinished line is read when it is finished', () => {
  const { path, part, ends } = partOf(talk, () => 1e9);
  const line = readFileSync(path, 'utf8').split('\n').at(-2) ?? '';
  appendFileSync(path, line);
  expect(part()).toEqual({ bytes: 0, more: false });
  appendFileSync(path, '\n');
  expect(part().bytes).toBe(line.length + 1);
  expect(ends.length).toBe(7);
});
