import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../../../../src/store/changes/look/standing.ts';
import { gitIn } from '../../../support/repositories.ts';
import { actsIn, pathsOf, workFolders } from './world.ts';

const LOOK_MS = 1_000;
/** So long that the clock of the machine does not matter beside that of the test. */
const LONG_LOOK_MS = 60_000;
const FOLDERS = 60;
const BEGUN = Date.now();

/** As where twice as many want a processor as there are. */
const LOAD = 2;

/** So often a look before a command may ask for the time until it is told that it is late: it sees the top and git's own folder. */
const ASKED = 6;

/** A repository of folders in folders to which the look before a command does not come. */
function lateWorld(attributes?: string) {
  const { root } = workFolders();
  mkdirSync(join(root, 'data/deep/er'), { recursive: true });
  for (const name of ['db', 'log']) writeFileSync(join(root, 'data/deep', name), `${name}\n`);
  for (const [at, size] of [100, 10].entries()) writeFileSync(join(root, 'data/deep/er', `f${at}`), 'x'.repeat(size));
  const git = gitIn(root);
  git('init', '-q');
  writeFileSync(join(root, '.git/info/exclude'), 'data\n');
  if (attributes !== undefined) writeFileSync(join(root, '.gitattributes'), attributes);
  for (const folder of ['a/one', 'a/two', '深 层/文件 夹']) {
    mkdirSync(join(root, folder), { recursive: true });
    for (let i = 0; i < 4; i++) writeFileSync(join(root, folder, `f${i}`), `${folder} ${i}\n`);
  }
  chmodSync(join(root, 'a/one/f3'), 0o755);
  const listed = () =>
    git('ls-files', '-z')
      .split('\0')
      .filter((name) => name !== '');
  git('add', '-A');
  // Older than the index, so that nothing is in doubt.
  for (const name of listed()) utimesSync(join(root, name), 1e9, 1e9);
  git('add', '-A');
  git('commit', '-qm', 'all');
  let [asked, ending] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const now = (): Date => {
    asked += 1;
    // Later than it may walk, and not later than it may read.
    ending += 1;
    // As where a look takes longer than it may for what was missed, and not longer than for what was seen before.
    const late = ending > 1 ? 1.5 * LONG_LOOK_MS * LOAD : 0;
    return new Date(Date.now() + (asked > ASKED ? 0.5 * LONG_LOOK_MS * LOAD : 0) + late);
  };
  const acts = actsIn(root, { lookMs: LONG_LOOK_MS, now, load: () => LOAD });
  const act = (command: () => void, { isLate = false, names = [] }: { isLate?: boolean; names?: readonly string[] } = {}) => {
    asked = 0;
    const running = acts.begin('command', names);
    asked = Number.NEGATIVE_INFINITY;
    command();
    if (isLate) ending = 0;
    return running.end();
  };
  return { root, acts, act, at: (name: string): string => join(root, name) };
}

/** Ends when what is written is later, by the clock of the disk, than all that may count as written with what was written before. */
function passTicks(root: string): void {
  const written = (): number => {
    writeFileSync(join(root, '.git', 'tick'), '');
    return lstatSync(join(root, '.git', 'tick')).ctimeMs;
  };
  for (const first = written(); written() < first + 2 * TICK_MS; );
}

describe('the time of a look where others want the processor', () => {
  test.each([
    ['is what it works itself', 1, ['late']],
    ['is not what it waits', 0, []],
  ])('%s', (_, share, expected) => {
    const { root } = workFolders();
    mkdirSync(join(root, ...Array.from({ length: FOLDERS }, () => 'd')), { recursive: true });
    let passed = 0;
    // All of them take longer than the part for them, and less than twice that.
    const step = (0.4 * LOOK_MS * 4) / (3 * FOLDERS);
    const now = (): Date => new Date(BEGUN + ++passed * step);
    const acts = actsIn(root, { lookMs: LOOK_MS, now, load: () => LOAD, cpuMs: () => passed * step * share });
    const { uncovered } = acts.begin('command').end();
    expect([...new Set(uncovered.values())]).toEqual(expected);
  });
});

test.each([
  ['as the load of the last minute tells', { load: 14, waits: 0 }],
  ['as only the wait of this moment tells', { load: 0.5, waits: 13 / 14 }],
])('a machine so busy that all takes fourteen times as long loses nothing of an ordinary folder, %s', async (_, { load, waits }) => {
  const { root } = workFolders();
  const git = gitIn(root);
  git('init', '-q');
  for (let i = 0; i < FOLDERS; i++) {
    mkdirSync(join(root, `d${i}`));
    for (let n = 0; n < 3; n++) writeFileSync(join(root, `d${i}`, `f${n}`), `${i} ${n}\n`);
  }
  git('add', '-A');
  git('commit', '-qm', 'all');
  let asked = 0;
  // A look asks some hundred times: by the clock it takes ten times what it may, and 0.7 of that of the processor.
  const step = (10 * LOOK_MS) / 300;
  const acts = actsIn(root, {
    ...{ lookMs: LOOK_MS, now: () => new Date(BEGUN + ++asked * step), load: () => load },
    ...{ cpuMs: () => (asked * step) / 14, waitedMs: () => asked * step * waits },
  });
  const running = acts.begin('git rm');
  writeFileSync(join(root, 'd1/f1'), 'other\n');
  git('rm', '-rqf', `d${FOLDERS - 1}`);
  const { set, uncovered } = running.end();
  expect([...uncovered.values()]).toEqual([]);
  expect(pathsOf(root, set)).toEqual(expect.arrayContaining(['d1/f1', `d${FOLDERS - 1}/f0`]));
  expect(await acts.undo()).toEqual([]);
  expect(git('status', '--porcelain')).toBe('');
});

describe('a command in a folder to which no look before it came', () => {
  test('comes back where git tracks it: what was changed, deleted or replaced', async () => {
    const { acts, act, root, at } = lateWorld();
    const { set } = act(() => {
      gitIn(root)('rm', '-rqf', 'a/one');
      writeFileSync(at('a/two/f1'), 'other\n');
      writeFileSync(at('深 层/文件 夹/f0'), '');
    });
    expect(pathsOf(root, set)).toEqual(expect.arrayContaining(['a/one/f0', 'a/one/f3', 'a/two/f1', '深 层/文件 夹/f0']));
    expect(pathsOf(root, set)).not.toContain('a/two/f2');
    expect(await acts.undo()).toEqual([]);
    expect(readFileSync(at('a/one/f3'), 'utf8')).toBe('a/one 3\n');
    expect([readFileSync(at('a/two/f1'), 'utf8'), readFileSync(at('深 层/文件 夹/f0'), 'utf8')]).toEqual([
      'a/two 1\n',
      '深 层/文件 夹 0\n',
    ]);
    expect(gitIn(root)('status', '--porcelain')).toBe('');
  });

  test('is found first where names came or went, however many files there are', () => {
    const { act, at, root } = lateWorld();
    for (let i = 0; i < 300; i++) writeFileSync(at(`a/two/more-${i}`), `${i}\n`);
    gitIn(root)('add', '-A');
    gitIn(root)('commit', '-qm', 'more');
    passTicks(root);
    const { set } = act(() => gitIn(root)('rm', '-qf', '深 层/文件 夹/f1'), { isLate: true });
    expect(pathsOf(root, set)).toContain('深 层/文件 夹/f1');
  });

  test('comes back where the command names it, with all below it, though git knows nothing of it', async () => {
    const other = lateWorld();
    expect(pathsOf(other.root, other.act(() => writeFileSync(other.at('data/deep/db'), '')).set)).toEqual([]);
    const { acts, act, at } = lateWorld();
    const { set } = act(
      () => {
        rmSync(at('data/deep/er'), { recursive: true });
        writeFileSync(at('data/deep/db'), '');
      },
      { names: ['data/deep/db', 'data/deep/er', '/elsewhere', 'no/such'] },
    );
    expect(await acts.undo()).toEqual([]);
    expect(readFileSync(at('data/deep/db'), 'utf8')).toBe('db\n');
    expect(['f0', 'f1'].map((name) => readFileSync(at(`data/deep/er/${name}`), 'utf8').length)).toEqual([100, 10]);
    expect(set?.changes.length).toBe(4);
  });

  test('is not said to have changed what somebody else had changed before', () => {
    const { act, root, at } = lateWorld();
    writeFileSync(at('a/two/f1'), 'edited\n');
    passTicks(root);
    const { set } = act(() => writeFileSync(at('a/two/f2'), 'by the command\n'));
    expect(pathsOf(root, set)).toContain('a/two/f2');
    expect(pathsOf(root, set)).not.toContain('a/two/f1');
  });

  test('claims nothing where git may have stored other bytes', () => {
    const { act, root, at } = lateWorld('*.md filter=secret\n');
    const { set } = act(() => writeFileSync(at('a/two/f2'), 'by the command\n'));
    expect(pathsOf(root, set)).toEqual([]);
  });
});
