import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { undoOf } from '../../../../src/context/history/past.ts';
import { actorsOf, type ChangeSet, type Entry } from '../../../../src/domain/session/change.ts';

const file = (text: string): Entry => ({
  ...{ kind: 'file', mode: 0o644, size: text.length, mtime: 1, ctime: 1, ino: 1 },
  holds: `sha256:${text}`,
});

const ours = (n: number, before: string | null, after: string | null): ChangeSet => ({
  ...theirs(n, before, after),
  by: { id: `c${n}`, title: 'rm', record: n },
});
const theirs = (n: number, before: string | null, after: string | null): ChangeSet => ({
  ...{ n, at: '2026-03-04T05:06:07.000Z' },
  changes: [{ path: '/w/a', before: before === null ? null : file(before), after: after === null ? null : file(after) }],
});

const textOf = (entry: Entry | null | undefined): string | null | undefined =>
  entry === undefined || entry === null ? entry : entry.holds?.slice(7);

const undone = (sets: readonly ChangeSet[], from = 1) =>
  undoOf(sets, ({ n }) => n >= from).map(({ path, expected, target, earlier }) => [
    path,
    textOf(expected),
    textOf(target),
    textOf(earlier),
  ]);

describe('undoing acts', () => {
  test('leads to what stood there before the first of them, through all that followed', () => {
    expect(undone([ours(1, 'a', 'b'), ours(2, 'b', null), ours(3, null, 'c')])).toEqual([['/w/a', 'c', 'a', undefined]]);
    expect(undone([ours(1, 'a', 'b'), ours(2, 'b', null), ours(3, null, 'c')], 2)).toEqual([['/w/a', 'c', 'b', undefined]]);
  });

  test('goes on where git keeps what an act wrote, which has another name there', () => {
    const [committed, removed] = [ours(1, 'a', 'b'), ours(2, 'b', null)];
    const ofGit = (entry: Entry | null) => entry && { ...entry, holds: 'blob:b' as const };
    const changes = removed.changes.map((change) => ({ ...change, before: ofGit(change.before) }));
    expect(undone([committed, { ...removed, changes }])).toEqual([['/w/a', null, 'a', undefined]]);
    const touched = changes.map((change) => ({ ...change, before: change.before && { ...change.before, mtime: 2, ctime: 2 } }));
    expect(undone([committed, { ...removed, changes: touched }])).toEqual([['/w/a', null, '', 'a']]);
  });

  test('stops at what somebody else made between them, and tells what stood there first', () => {
    expect(undone([ours(1, 'a', 'b'), theirs(2, 'b', 'mine'), ours(3, 'mine', null)])).toEqual([['/w/a', null, 'mine', 'a']]);
  });

  test('leads to the same as before where somebody else brought that back, or an act never happened', () => {
    expect(undone([ours(1, 'a', 'b'), ours(2, 'b', 'c'), theirs(3, 'c', 'a'), ours(4, 'a', 'd')])).toEqual([['/w/a', 'd', 'a', undefined]]);
    expect(undone([ours(1, 'a', 'b'), ours(2, 'a', 'c')])).toEqual([['/w/a', 'c', 'a', undefined]]);
  });

  test('expects what the last act left, not what others made of it since', () => {
    expect(undone([ours(1, 'a', 'b'), theirs(2, 'b', 'mine')])).toEqual([['/w/a', 'b', 'a', undefined]]);
  });

  test('goes back through all that an act may have done, alone or with others, to the version that none of its own runs made', () => {
    const actors = fc.subarray(['a', 'b', 'c']);
    fc.assert(
      fc.property(fc.array(actors, { minLength: 1, maxLength: 8 }), fc.constantFrom('a', 'b', 'c'), (steps, who) => {
        const sets = steps.map(([by, ...also], i): ChangeSet => {
          const actor = (id: string) => ({ id, title: id, record: 1 });
          return { ...theirs(i + 1, `v${i}`, `v${i + 1}`), by: by === undefined ? undefined : actor(by), also: also.map(actor) };
        });
        const own = steps.flatMap((ids, i) => (ids.includes(who) ? [i] : []));
        const [first, last] = [own[0], own.at(-1)];
        const undos = undoOf(sets, (set) => actorsOf(set).some(({ id }) => id === who));
        const start = own.findLast((i) => !own.includes(i - 1));
        const expected = [`v${(last ?? 0) + 1}`, `v${start}`, start === first ? undefined : `v${first}`];
        expect(undos.map((undo) => [undo.expected, undo.target, undo.earlier].map(textOf))).toEqual(first === undefined ? [] : [expected]);
      }),
    );
  });

  test('of others is never done', () => {
    expect(undone([theirs(1, 'a', null)])).toEqual([]);
  });
});
