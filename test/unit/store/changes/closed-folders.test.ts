import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesNote, uncoveredText } from '../../../../src/context/history/changes-text.ts';
import { undoOf } from '../../../../src/context/history/undo.ts';
import { reachOf } from '../../../../src/store/changes/reach.ts';
import { pathsLost } from '../../../../src/tools/command/lost/lost-paths.ts';
import { openRecord } from '../../../support/change-records.ts';
import { run } from '../../../support/destructive.ts';
import { differences, factsOf } from '../../../support/folder-facts.ts';
import { newFolder, worldOf } from '../files/world.ts';

const NOTHING = { n: 0, at: '', changes: [] };
const REACH = { fileBytes: 64 << 20, gitConfigs: [], notBeyond: [], home: '/nonexistent' };
const NOBODY = 65_534;

/**
 * From here on this process is an ordinary user, to whom what is closed is closed; it is nobody else's process, and does not become root again.
 */
function becomeOrdinary(...folders: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  for (const folder of folders) {
    chmodSync(folder, 0o755);
    chownSync(folder, NOBODY, NOBODY);
  }
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}

let calls = 0;
const by = (title: string) => ({ id: `call-${++calls}`, title, record: calls });

function place() {
  const [base, home] = [realpathSync(newFolder()), realpathSync(newFolder())];
  becomeOrdinary(base, home);
  const root = join(base, 'w');
  for (const folder of ['', 'a', 'a/b', 'a/b/c']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'a/one.txt'), 'one\n');
  writeFileSync(join(root, 'a/b/c/深.txt'), 'deep\n', { mode: 0o640 });
  const { disk } = worldOf({ now: () => new Date() });
  const changes = openRecord({ ...disk, home }, join(home, 'changes'));
  const act = (command: string) => {
    const running = changes.begin(root, by(command));
    run(root, command);
    return running.end();
  };
  const undo = () => {
    const undos = undoOf(changes.sets(), () => true).map(({ path, target }) => ({ path, to: target }));
    return changes.restore(undos, root, by('restore'));
  };
  return { root, act, undo };
}

test('what was closed with its folder is open again, and what was in it is as it was, objects of git too', async () => {
  const { root, act, undo } = place();
  run(root, 'git init -q; git add -A; git commit -qm a');
  const before = factsOf(root);
  act('echo two > a/one.txt');
  const { set } = act('rm a/one.txt; chmod -R 000 a .git/objects');
  expect(lstatSync(join(root, 'a')).mode & 0o777).toBe(0);
  expect(changesNote(set ?? NOTHING)?.en).toBe('lost from git: objects');
  expect(await undo()).toEqual([]);
  expect(differences(before, factsOf(root))).toEqual([]);
});

test('what may not be read is said not to come back, and the rest does', async () => {
  const { root, act, undo } = place();
  run(root, 'echo closed > closed.txt; chmod 000 closed.txt; mkdir passed; echo in > passed/in.txt; chmod 111 passed');
  const look = { cwd: root, userHome: undefined, reach: reachOf(root, REACH), isConfined: false, isScratch: () => false };
  const lost = pathsLost({ kind: 'paths', patterns: ['.'], act: 'delete' }, { ...look, budget: { left: 1_000 } });
  expect(lost.map(({ path }) => path)).toEqual([join(root, 'closed.txt')]);
  const { set, uncovered, isNews } = act('rm -rf closed.txt a/one.txt; rm passed/in.txt');
  expect(changesNote(set ?? NOTHING)?.en).toBe('2 files deleted (1 cannot be brought back)');
  expect(isNews && uncoveredText(uncovered, root).en).toBe('could not be read, and cannot be brought back: passed');
  expect((await undo()).map(({ path }) => path)).toEqual([join(root, 'closed.txt')]);
  expect(readFileSync(join(root, 'a/one.txt'), 'utf8')).toBe('one\n');
  chmodSync(join(root, 'passed'), 0o755);
});
