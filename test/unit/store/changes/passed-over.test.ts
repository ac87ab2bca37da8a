import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LaterFinder } from '../../../../src/store/changes/left-out.ts';
import { nameOfBytes, onDisk } from '../../../../src/store/files/byte-path.ts';
import { leftToRun } from '../../../../src/tools/place/left-to-run.ts';
import { mayRunLater } from '../../../../src/tools/place/passed-over.ts';
import { openRecord } from '../../../support/change-records.ts';
import { worldOf } from '../files/world.ts';
import { actsIn, workFolders } from './world.ts';

const findLater: LaterFinder = (changes, { root, gitlinks }) =>
  leftToRun(changes, { root, gitlinks, searchPath: '/usr/bin', runFiles: [], gitConfigs: [] });
const by = { id: 'left-out', title: 'Left out', record: 9 };

/** What acts of the sandbox leave in a folder, when all of it that may not stay has been put back. */
function world() {
  const { root } = workFolders();
  const acts = actsIn(root, { findLater, mayRunLater, held: true });
  const left = async (...commands: readonly string[]): Promise<readonly string[]> => {
    const out: string[] = [];
    for (const command of commands) {
      acts.act(command);
      const found = await acts.changes.leaveOut(root, by);
      expect(found?.problems ?? []).toEqual([]);
      out.push(...(found?.files ?? []).map(({ path }) => path.slice(root.length + 1)));
    }
    return out.sort();
  };
  return { root, ...acts, left, is: (name: string): boolean => existsSync(onDisk(join(root, name))) };
}

const TAG = 'printf "Signature: 8a477f597d28d172789f06886806bc55" > x/CACHEDIR.TAG';
const MONITOR = 'git init -q $d/g; git -C $d/g config core.fsmonitor x';

describe('what acts of the sandbox left where no look for changes comes', () => {
  test('is found in a folder that a tool makes again, also in one that the acts made look so', async () => {
    const { left, is } = world();
    expect(await left('mkdir env; touch env/pyvenv.cfg; for f in .envrc Makefile a.txt; do echo x > env/$f; done')).toEqual(
      expect.arrayContaining(['env/.envrc', 'env/Makefile']),
    );
    expect(await left(`mkdir x; ${TAG}`, 'echo x > x/.envrc; echo x > x/Makefile; echo x > x/a')).toEqual(['x/.envrc', 'x/Makefile']);
    expect(await left('echo x > mix.exs; mkdir deps; echo x > deps/.envrc; echo x > deps/Makefile')).toEqual([
      ...['deps/.envrc', 'deps/Makefile', 'mix.exs'],
    ]);
    expect(await left(`mkdir __pycache__; echo x > __pycache__/.envrc; d=__pycache__; ${MONITOR}`)).toEqual(
      expect.arrayContaining(['__pycache__/.envrc', '__pycache__/g/.git/config']),
    );
    expect([is('env/.envrc'), is('x/a'), is('deps/Makefile'), is('__pycache__/.envrc')]).toEqual([false, true, false, false]);
  });

  test('is found when it is changed or comes later, and not what was there', async () => {
    const { root, left, act, is } = world();
    mkdirSync(join(root, 'node_modules/a'), { recursive: true });
    for (const name of ['package.json', 'node_modules/a/.envrc', 'node_modules/a/package.json', 'node_modules/a/Makefile'])
      writeFileSync(join(root, name), 'mine');
    spawnSync('sleep', ['0.1']);
    expect(
      await left('true', 'echo 1 > node_modules/a/index.js; mkdir -p node_modules/b/.git; echo x > node_modules/b/package.json'),
    ).toEqual([]);
    expect(
      await left(
        'mkdir -p node_modules/.vscode node_modules/c/d; echo x > node_modules/c/d/.envrc; ln -s x node_modules/.vscode/tasks.json',
      ),
    ).toEqual([...['node_modules/.vscode/tasks.json', 'node_modules/c/d/.envrc']]);
    expect(is('node_modules/a/.envrc')).toBe(true);
    act('true');
    expect(await left('echo evil > node_modules/a/.envrc')).toEqual(['node_modules/a/.envrc']);
  });

  test('is not an environment of python by whatever name, and an installation of packages', async () => {
    const { left, is } = world();
    const make = 'mkdir -p $d/bin $d/lib/python3.11/site-packages/a $d/include; touch $d/pyvenv.cfg $d/bin/python $d/bin/activate';
    const packages = 'echo x > $d/lib/python3.11/site-packages/a.pth; echo x > $d/lib/python3.11/site-packages/a/Makefile';
    expect(await left(`for d in .venv mine; do ${make}; ${packages}; done`)).toEqual([]);
    expect(is('mine/lib/python3.11/site-packages/a.pth')).toBe(true);
    expect(await left('echo x > mine/.envrc; mkdir -p mine/.vscode; echo x > mine/.vscode/tasks.json')).toEqual([
      ...['mine/.envrc', 'mine/.vscode/tasks.json'],
    ]);
    // A folder of sources does not become one.
    expect(await left('mkdir -p src/bin src/lib', 'touch src/pyvenv.cfg; echo x > src/lib/Makefile')).toEqual([
      'src/lib/Makefile',
      'src/pyvenv.cfg',
    ]);
  });

  test('is found below names that are no text, and comes back by undoing that it was left out', async () => {
    const { root, left, is, undo, changes } = world();
    expect(
      await left("d=$(printf 'd\\377'); mkdir $d; echo x > $d/.envrc; echo x > $d/a; echo x > $(printf '.envrc\\377'); ln -s x $d/.vscode"),
    ).toEqual([...['.envrc\udcff', 'd\udcff/.envrc', 'd\udcff/.vscode']]);
    expect([is('d\udcff/.envrc'), is('d\udcff/a'), is('.envrc\udcff')]).toEqual([false, true, false]);
    expect(JSON.stringify(changes.sets())).toContain('.envrc\\udcff');
    await undo((set) => set.by?.id === 'left-out');
    expect(readFileSync(onDisk(join(root, 'd\udcff/.envrc')), 'utf8')).toBe('x\n');
    expect(readdirSync(root, 'buffer').map(nameOfBytes)).toContain('.envrc\udcff');
  });

  test('is found by a process after the one that was killed', async () => {
    const { root, folder, begin, is } = world();
    begin('killed');
    mkdirSync(join(root, '__pycache__'));
    writeFileSync(join(root, '__pycache__/.envrc'), 'x');
    const next = openRecord(worldOf().disk, folder, { findLater, mayRunLater });
    next.settleLeft();
    expect((await next.leaveOut(root, by))?.files.map(({ path }) => path)).toEqual([join(root, '__pycache__/.envrc')]);
    expect(is('__pycache__/.envrc')).toBe(false);
  });
});
