import { expect, test } from 'vitest';
import { forkedSets, stateBefore, undoOf } from '../../../../src/context/history/past.ts';
import type { ChangeSet, Entry } from '../../../../src/domain/session/change.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import type { LogRecord, NewRecord } from '../../../../src/domain/session/record.ts';
import { answers, calls, contextOf, says, user } from '../../../support/build.ts';

const at = (n: number): string => `2026-01-02T03:04:${String(n).padStart(2, '0')}.000Z`;
const logOf = (...records: readonly NewRecord[]): readonly LogRecord[] => records.map((record, n) => ({ ...record, n, at: at(n) }));
const said = (message: Message): NewRecord => ({ type: 'message', message });
const header = (messages: readonly Message[]): NewRecord => ({
  ...{ type: 'header', v: 1, sessionId: 's', group: 'main', cwd: '/w', model: 'm' },
  context: contextOf(messages),
});

const file = (text: string): Entry => ({
  ...{ kind: 'file', mode: 0o644, size: 1, mtime: 1, ctime: 1, ino: 1 },
  holds: `sha256:${text}`,
});
const set = (n: number, record: number): ChangeSet => ({
  ...{ n, at: at(record), by: { id: `c${n}`, title: 'run', record } },
  changes: [{ path: `/w/${n}`, before: file('a'), after: file('b') }],
});

/** A turn that asks, calls once and answers. */
const turn = (name: string) => {
  const [ask, call, result, done] = [user(name), calls({ id: name }), answers({ id: name }), says(name)] as const;
  return { ask, messages: [ask, call, result, done], records: [said(ask), said(call), said(result), said(done)] };
};

/** Which sets going back to before a message of the copy undoes. */
const undoneBefore = (messages: readonly Message[], sets: readonly ChangeSet[], message: Message): readonly string[] => {
  const n = stateBefore(logOf(header(messages)), message.id)?.n ?? Number.NaN;
  return undoOf(sets, ({ by }) => by !== undefined && by.record > n).map(({ path }) => path);
};

test('a copy goes back to before each message that it has, over what was done since that was said', () => {
  const [one, two, three] = [turn('one'), turn('two'), turn('three')];
  const parent = logOf(header([]), ...one.records, ...two.records, ...three.records);
  const messages = [...one.messages, ...two.messages, ...three.messages];
  const sets = forkedSets(parent, [set(1, 2), set(2, 6), set(3, 10)], messages);
  const undone = [one, two, three].map(({ ask }) => undoneBefore(messages, sets, ask).toSorted());
  expect(undone).toEqual([['/w/1', '/w/2', '/w/3'], ['/w/2', '/w/3'], ['/w/3']]);
  expect(sets.every(({ by }) => (by?.record ?? 0) < 0)).toBe(true);

  // And a copy of the copy, in which something was done too.
  const four = turn('four');
  const all = [...messages, ...four.messages];
  const again = forkedSets(logOf(header(messages), ...four.records), [...sets, set(4, 2)], all);
  expect(undoneBefore(all, again, three.ask).toSorted()).toEqual(['/w/3', '/w/4']);
  expect(undoneBefore(all, again, four.ask)).toEqual(['/w/4']);
});

test('what was done before a compaction is older than all that the copy has', () => {
  const [one, two] = [turn('one'), turn('two')];
  const summary = { ...user('summary'), origin: 'summary' as const };
  const checkpoint: NewRecord = { type: 'checkpoint', reason: 'compaction', context: contextOf([summary, ...two.messages]) };
  const messages = [summary, ...two.messages];
  const sets = forkedSets(logOf(header([]), ...one.records, ...two.records, checkpoint), [set(1, 2), set(2, 6)], messages);
  expect(undoneBefore(messages, sets, two.ask)).toEqual(['/w/2']);
});

test('what a log of before says of edits comes along, in order of time, and what others changed stays theirs', () => {
  const one = turn('one');
  const version = (fingerprint: string) => ({ fingerprint: fingerprint.repeat(64), bytes: 1, kept: true });
  const edit: NewRecord = { type: 'file', path: '/w/old', tool: 'edit_file', before: version('a'), after: version('b') };
  const [ask, call, ...rest] = one.records;
  if (ask === undefined || call === undefined) throw new Error('a turn has records');
  const theirs: ChangeSet = { n: 1, at: at(9), also: [{ id: 'j', title: 'job', record: 2 }], changes: [] };
  const sets = forkedSets(logOf(header([]), ask, call, edit, ...rest), [theirs], one.messages);
  expect(sets.map(({ n, by, also, changes }) => [n, by?.title, by?.record, also?.map(({ record }) => record), changes[0]?.path])).toEqual([
    [1, 'edit_file', -3, undefined, '/w/old'],
    [2, undefined, undefined, [-3], undefined],
  ]);
});
