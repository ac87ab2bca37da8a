import { expect, test } from 'vitest';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';
import { filesPreviewText, restoreFiles } from '../../../../src/terminal/views/file-restore.ts';
import { outcomesText, requireRestored } from '../../../../src/terminal/views/file-restore-text.ts';
import type { FileOutcome, RestorableFile, RestoreWay } from '../../../../src/terminal/views/restorable-file.ts';

const fileOf = (name: string, more: Partial<RestorableFile> = {}): RestorableFile => ({
  ...{ path: `/p/${name}`, name, does: 'write', changedSince: false, seen: [] },
  items: [{ path: `/p/${name}`, to: null }],
  preview: async () => `Change of ${name}`,
  ...more,
});

/** Answers each question so; what was shown and asked is noted. */
async function restored(files: readonly RestorableFile[], answer: (question: string) => RestoreWay = () => 'leave') {
  const [shown, asked]: [string[], string[]] = [[], []];
  const done: string[] = [];
  const restore = async (chosen: readonly RestorableFile[]) => {
    done.push(...chosen.map(({ name }) => name));
    return [];
  };
  await restoreFiles(
    { files, unrestorable: [{ path: '/p/gone', name: 'gone', why: sameInBoth('not kept') }], restore },
    {
      ...{ drawing: { paint: createPaint(false), columns: 60 }, show: (text: string) => void shown.push(text) },
      ask: async (question) => {
        asked.push(question);
        return true;
      },
      choose: async (question) => {
        asked.push(question);
        return answer(question);
      },
    },
  );
  return { shown: shown.join(''), asked, done };
}

const numbered = (count: number, more?: Partial<RestorableFile>) => Array.from({ length: count }, (_, i) => fileOf(`f${i}`, more));

test('of many files some are shown whole, what is to be removed is listed, and the result names the first of them', async () => {
  const { shown, asked } = await restored([...numbered(60), ...numbered(60, { does: 'remove', isFolder: true })]);
  expect(shown.match(/^Change of /gm)).toHaveLength(20 + 60);
  expect(shown).toContain('… and 40 more\n');
  expect(asked).toEqual(['Restore 60 files?', 'Remove 60 files and folders that did not exist then?']);
  expect(shown.match(/^removed {3}f/gm)).toHaveLength(50);
  expect(shown).toContain('removed   … and 70 more\n');
  expect(shown).toContain('left      gone (not kept)\n');
});

test('what changed while a command ran in the background is asked about by itself, since it may be the work of whoever is asked', async () => {
  const files = [fileOf('a'), ...numbered(2, { isUnwatched: true }), fileOf('new', { does: 'remove', isUnwatched: true })];
  const { asked, done } = await restored(files);
  const why = 'It changed while a command ran in the background, and may be your own work. ';
  expect(asked).toEqual(['Restore a?', `${why}Restore 2 files?`, `${why}Remove new (it did not exist then)?`]);
  expect(done).toEqual(['a', 'f0', 'f1', 'new']);
});

test('a preview names no more than a question does', async () => {
  const files = [...numbered(60), ...numbered(300, { does: 'remove' })];
  const shown = await filesPreviewText({ files, unrestorable: [], restore: async () => [] }, { paint: createPaint(false), columns: 60 });
  expect(shown.match(/^Change of /gm)).toHaveLength(20 + 200);
  expect(shown.match(/^… and .*$/gm)).toEqual(['… and 40 more', '… and 100 more']);
});

test('what somebody else changed is asked about one by one, until the rest is left together', async () => {
  const files = numbered(5, { changedSince: true });
  const { asked, done } = await restored(files, (question) => (question.startsWith('f0') ? 'restore' : 'leave_all'));
  expect(asked).toEqual(['f0: changed since, not by SanBot', 'f1: changed since, not by SanBot']);
  expect(done).toEqual(['f0']);
});

test('a reason that many share stands once, and what was to come back and did not is a failure', () => {
  const left = (name: string, why: string): FileOutcome => ({ path: name, name, outcome: 'left', why, failed: true });
  const outcomes = [left('a', 'no git'), left('b', 'no git'), left('c', 'too large')];
  expect(outcomesText(outcomes)).toBe('left      a\nleft      b\n          these 2: no git\nleft      c (too large)\n');
  expect(() => requireRestored(outcomes)).toThrow('3 files could not be brought back');
  expect(() => requireRestored([{ path: 'a', name: 'a', outcome: 'left', why: 'you said no' }])).not.toThrow();
});
