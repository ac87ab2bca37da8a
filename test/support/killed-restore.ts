import { cpSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { undoOf } from '../../src/context/history/past.ts';
import type { Changes } from '../../src/store/changes/changes.ts';
import { newFolder, worldOf } from '../unit/store/files/world.ts';
import { openRecord } from './change-records.ts';
import { run } from './destructive.ts';
import { differences, factsOf, treeOf } from './folder-facts.ts';

let calls = 0;
const by = (title: string) => ({ id: `call-${++calls}`, title, record: calls });

/** Undoes all acts, the ones that were cut off too, as a restore of the whole session does. Returns what could not be done. */
async function undoAll(changes: Changes, root: string): Promise<readonly string[]> {
  changes.settleLeft();
  const undos = undoOf(changes.sets(), () => true).filter(
    ({ path, expected, target }) => changes.isNow(path, expected) && !changes.isNow(path, target),
  );
  const all = undos.map(({ path, target }) => ({ path, to: target }));
  return (await changes.restore(all, root, by('restore'))).map(({ path, why }) => `${path}: ${why.en}`);
}

/** A working folder and a home in one folder, of which `copyTo` makes a copy: what a kill at this moment leaves. */
function killable(made: string) {
  const base = realpathSync(newFolder());
  const all = join(base, 'all');
  const root = join(all, 'w');
  mkdirSync(root, { recursive: true });
  run(root, made);
  let [copies, isCopied] = [0, false];
  const at = (): undefined => {
    if (isCopied) cpSync(all, join(base, `${++copies}`), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  };
  const { disk } = worldOf({ now: () => new Date(), home: join(all, 'home'), at });
  return {
    root,
    open: () => openRecord(disk, join(all, 'home', 'changes')),
    /** Copies what is there at each effect of the work. Returns how many there are. */
    copied: async (work: () => Promise<unknown>): Promise<number> => {
      isCopied = true;
      await work();
      isCopied = false;
      return copies;
    },
    /** Puts a copy in the place of what is there. */
    takeCopy: (copy: number): void => {
      rmSync(all, { recursive: true });
      renameSync(join(base, `${copy}`), all);
    },
  };
}

/**
 * What is wrong when the restore of a command is killed at any of its effects: paths that are neither as they were nor as they are to be, and
 * what is not as before the command once the restore is done again. `made` is the command that makes what stands there.
 */
export async function wrongWhenKilled(made: string, command: string): Promise<readonly string[]> {
  const { root, open, copied, takeCopy } = killable(made);
  const [before, objects] = [factsOf(root), objectsIn(root)];
  const changes = open();
  const act = changes.begin(root, by(command));
  run(root, command);
  act.end();
  const after = factsOf(root);
  const wrong: string[] = [];
  const steps = await copied(async () => wrong.push(...(await undoAll(changes, root))));
  changes.close();
  wrong.push(...differences(before, factsOf(root)));
  if (steps < 3 || differences(before, after).length === 0) wrong.push('nothing was tried');
  for (let step = 1; step <= steps; step++) {
    takeCopy(step);
    const tree = treeOf(root);
    const paths = Object.keys({ ...before.tree, ...after.tree });
    const half = paths.filter((path) => !mayBe(path, tree[path], before.tree[path], after.tree[path]));
    const again = open();
    const left = await undoAll(again, root);
    again.close();
    const why = [...half.map((path) => `${path} is ${tree[path] ?? 'nothing'}`), ...left, ...differences(before, factsOf(root))];
    if (objectsIn(root) !== objects) why.push(`objects: ${objectsIn(root)}`);
    wrong.push(...why.map((each) => `${command}, killed at ${step} of ${steps}: ${each}`));
  }
  return wrong;
}

/** As it was or as it is to be; nothing where one of both is a folder, whose place nothing else can take at once. */
function mayBe(path: string, now: string | undefined, before: string | undefined, after: string | undefined): boolean {
  const isOfGit = path.endsWith('/index') || /\/objects(?:\/|$)/.test(path);
  const isSwapped = kindOf(before) !== kindOf(after) && [before, after].some((each) => kindOf(each) === 'folder');
  return isOfGit || now === before || now === after || (now === undefined && isSwapped);
}

const kindOf = (fact: string | undefined): string => fact?.split(' ')[0] ?? '';

/** Files of git's objects, and the folders of all of them. */
const objectsIn = (root: string): string =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((each) => each.name === 'objects' || (each.parentPath.includes('/objects') && !each.isDirectory()))
    .map(({ name, parentPath }) => join(parentPath, name))
    .sort()
    .join(' ');
