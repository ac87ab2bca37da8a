import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { undoOf } from '../../../../src/context/history/past.ts';
import { nameOf } from '../../../../src/store/changes/acts/places.ts';
import type { Changes } from '../../../../src/store/changes/changes.ts';
import { run } from '../../../support/destructive.ts';
import { differences, factsOf } from '../../../support/folder-facts.ts';
import { place } from '../../../support/restore.ts';

let calls = 0;
const by = (title: string) => ({ id: `call-${++calls}`, title, record: calls });

/** What somebody else changed since is left. */
async function undoAll(changes: Changes, root: string) {
  changes.settleLeft();
  const undos = undoOf(changes.sets(), () => true).filter(
    ({ path, expected, target }) => changes.isNow(path, expected) && !changes.isNow(path, target),
  );
  const all = undos.map(({ path, target }) => ({ path, to: target }));
  return await changes.restore(all, root, by('restore'));
}

test('a repository that a restore removed comes back with its objects when that is undone', async () => {
  const { all, root, open } = place('no repository');
  const changes = open();
  const act = changes.begin(root, by('git init'));
  run(root, 'git init -q fresh; cd fresh; echo a > a; git add a; git commit -qm a');
  act.end();
  const made = factsOf(all);
  expect(await undoAll(changes, root)).toEqual([]);
  expect(existsSync(join(root, 'fresh'))).toBe(false);
  const last = changes.sets().at(-1);
  const undos = undoOf(changes.sets(), ({ n }) => n === last?.n);
  await changes.restore(
    undos.map(({ path, target }) => ({ path, to: target })),
    root,
    by('restore'),
  );
  expect(differences(made, factsOf(all))).toEqual([]);
});

test('a repository that a command began goes with what git had not finished there when it was killed', async () => {
  const { root, open } = place('no repository');
  const changes = open();
  const act = changes.begin(root, by('git init'));
  run(root, 'git init -q n; cd n/.git/objects; mkdir ab; touch ab/tmp_obj_x pack/tmp_pack_x pack/.tmp-1-pack-x');
  act.end();
  expect(await undoAll(changes, root)).toEqual([]);
  expect(existsSync(join(root, 'n'))).toBe(false);
});

test('what a command did whose process was killed is undone by the next process, as its own', async () => {
  const { all, root, open } = place();
  const before = factsOf(all);
  open().begin(root, by('git reset --hard; rm untracked.txt'));
  run(root, 'git reset --hard; rm untracked.txt');
  expect(await undoAll(open(), root)).toEqual([]);
  expect(differences(before, factsOf(all))).toEqual([]);
  expect(
    open()
      .sets()
      .map((set) => set.by?.title),
  ).toEqual(['git reset --hard; rm untracked.txt', 'restore']);
});

test.each(['a repository', 'no repository'])('a process that finds nothing changed in %s keeps no content again', (kind) => {
  const { root, folder, open } = place(kind);
  const contents = (): number =>
    readdirSync(folder)
      .filter((name) => name.startsWith('contents-'))
      .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const actsOnce = (command: string): number => {
    const changes = open();
    const act = changes.begin(root, by(command));
    run(root, command);
    act.end();
    changes.close();
    return contents();
  };
  const first = actsOnce('echo more >> src/f1.txt; touch src/f2.txt');
  // What the command wrote.
  const second = actsOnce('true');
  expect(second).toBeGreaterThan(first);
  expect(actsOnce('true')).toBe(second);
});

test('what a command wrote comes back though it was touched, or written the same again since', async () => {
  const { all, root, open } = place('no repository');
  const before = factsOf(all);
  const changes = open();
  for (const command of ['> run.sh; echo x > made', '> run.sh; touch made', 'touch run.sh']) {
    const act = changes.begin(root, by(command));
    run(root, command);
    act.end();
  }
  run(root, 'touch made');
  expect(await undoAll(open(), root)).toEqual([]);
  expect(differences(before, factsOf(all))).toEqual([]);
});

test('what a killed restore had not yet named is gone once it is done again, and no look tells of it', async () => {
  const { all, root, folder, open } = place('no repository');
  const before = factsOf(all);
  const changes = open();
  const act = changes.begin(root, by('rm'));
  run(root, 'rm src/f1.txt');
  act.end();
  const [left, another] = [nameOf(folder), nameOf('another record')].map((tag) => join(root, 'src', `.sanbot-${tag}-1f.tmp`));
  for (const path of [left ?? '', another ?? '']) writeFileSync(path, 'half');
  const acts = changes.sets().length;
  expect(await undoAll(open(), root)).toEqual([]);
  expect(existsSync(another ?? '')).toBe(true);
  rmSync(another ?? '');
  expect(differences(before, factsOf(all))).toEqual([]);
  expect(
    open()
      .sets()
      .slice(acts)
      .flatMap((set) => set.changes.map(({ path }) => path))
      .filter((path) => path.endsWith('.tmp')),
  ).toEqual([]);
});

test('a file moved over another one is none with two names: both come back, and nothing is told', async () => {
  const { all, root, open } = place('no repository');
  const before = factsOf(all);
  const changes = open();
  const act = changes.begin(root, by('mv'));
  run(root, 'mv src/f1.txt src/f2.txt');
  act.end();
  expect(await undoAll(changes, root)).toEqual([]);
  expect(differences(before, factsOf(all))).toEqual([]);
});
