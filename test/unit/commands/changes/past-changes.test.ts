import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pastChanges } from '../../../../src/commands/changes/past-changes.ts';
import { changesText } from '../../../../src/context/history/changes-text.ts';
import { actsJson, actsTable } from '../../../../src/terminal/views/changes-text.ts';
import { openRecord } from '../../../support/change-records.ts';
import { run } from '../../../support/destructive.ts';
import { gitIn } from '../../../support/repositories.ts';
import { newFolder, worldOf } from '../../store/files/world.ts';

const NOTHING = { n: 0, at: '', changes: [] };

function world() {
  const { disk, paths } = worldOf({ now: () => new Date() });
  const cwd = join(realpathSync(newFolder()), 'w');
  mkdirSync(cwd);
  const changes = openRecord(disk, join(paths.home, 'changes'), { caps: { fileBytes: 1_000, sessionBytes: 1 << 20 } });
  let record = 0;
  const begin = (title: string) => changes.begin(cwd, { id: `call-${record}`, title, record: record++ });
  const past = () =>
    pastChanges(
      { session: { id: 's1', cwd, lastRecord: record }, deps: { disk: { past: () => [] } }, changes: async () => changes },
      { environment: { cwd: () => cwd, newId: disk.newId } },
    );
  return {
    ...{ cwd, begin, past, sets: changes.sets },
    put: (name: string, text: string) => writeFileSync(join(cwd, name), text),
    act: (command: string) => {
      const running = begin(command);
      run(cwd, command);
      running.end();
    },
    /** The differences of one act, or over all. */
    previews: async (number?: number) => {
      const { differences, total } = await past();
      return Promise.all((number === undefined ? total() : differences(number)).map(({ preview }) => preview()));
    },
  };
}

test('an act is shown with what it found and what it left, whatever stands there now', async () => {
  const { put, act, previews } = world();
  put('a.txt', 'one\n');
  put('b.txt', 'b\n');
  act('echo two > a.txt; rm b.txt');
  act('echo three > a.txt; echo c > c.txt; mkdir d');
  put('a.txt', 'by hand\n');
  act('echo five > a.txt');
  expect(await previews(1)).toEqual([expect.stringMatching(/-one\n\+two$/), expect.stringMatching(/^Deleted: b\.txt\n@@.*\n-b$/)]);
  // What was overwritten by hand before anybody looked again is known by its size alone.
  expect(await previews(2)).toEqual(['Change of a.txt: 4 bytes -> 6 bytes', 'New: c.txt\n+c', 'New: d/']);
  expect(await previews(3)).toEqual(['Change of a.txt: 6 bytes -> 8 bytes']);
  expect(await previews(4)).toEqual([expect.stringMatching(/-by hand\n\+five$/)]);
  expect(await previews()).toEqual([
    expect.stringMatching(/-one\n\+five$/),
    expect.stringMatching(/^Deleted: b\.txt/),
    'New: c.txt\n+c',
    'New: d/',
  ]);
});

test('in total, what came back to what it was is not shown, nor what only others changed', async () => {
  const { put, act, previews } = world();
  put('a.txt', 'one\n');
  act('echo two > a.txt; echo x > x.txt');
  put('others.txt', 'by hand\n');
  act('echo one > a.txt; rm x.txt');
  expect(await previews()).toEqual([]);
});

test('what could not be kept is told with the change, to the person and to the model', async () => {
  const { put, act, past, sets } = world();
  put('large.bin', 'x'.repeat(2_000));
  put('small.txt', 'small\n');
  act('mkfifo pipe; echo new > new.txt');
  act('echo > large.bin; rm small.txt pipe');
  expect((await past()).rows.map(({ note }) => note.en)).toEqual(['2 files new', '1 file changed, 2 deleted (2 cannot be brought back)']);
  expect(changesText(sets()[1] ?? NOTHING, '')).toMatch(
    /deleted: \S+pipe, \S+small\.txt; cannot be brought back: \S+large\.bin, \S+pipe\]$/,
  );
});

test('a repository is one thing, and its own state is told where no file changed', async () => {
  const { cwd, put, act, past, previews } = world();
  const git = gitIn(cwd);
  git('init', '-q');
  put('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-qm', 'one');
  act('git branch side');
  expect((await past()).rows).toMatchObject([{ n: 1, note: { en: "git's own state" } }]);
  expect(await previews(1)).toEqual([expect.stringMatching(/^\.git: branches, tags, the stash or the index \(\d+ files?\)$/)]);
});

test('what several did at once is said of all of them, and of others that it was not SanBot', async () => {
  const { cwd, begin, put, past } = world();
  put('a.txt', 'one\n');
  const [first, second] = [begin('sleep; touch'), begin('make')];
  put('b.txt', 'b');
  first.end();
  second.end();
  rmSync(join(cwd, 'a.txt'));
  begin('true').end();
  const { rows } = await past();
  const table = actsTable(rows.toReversed(), { now: new Date(), columns: 120 });
  expect(table).toMatch(/\n2 .* 1 file deleted {2}not SanBot\n1 .* 1 file new +\S.*, or meanwhile /);
  expect(JSON.parse(actsJson(rows))).toMatchObject([
    { number: 1, also: [expect.any(String)] },
    { number: 2, by: null, also: [] },
  ]);
  expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('b');
});
