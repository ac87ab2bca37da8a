import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesNote } from '../../../../../../src/context/history/changes-text.ts';
import { undoOf } from '../../../../../../src/context/history/past.ts';
import type { Changes } from '../../../../../../src/store/changes/changes.ts';
import { openRecord } from '../../../../../support/change-records.ts';
import { folders, run } from '../../../../../support/destructive.ts';
import { holdsForEach } from '../../../../../support/each-row.ts';
import { differences, factsOf } from '../../../../../support/folder-facts.ts';
import { slowRuns } from '../../../../../support/runs.ts';
import { newFolder, worldOf } from '../../../../../unit/store/files/world.ts';

/** A repository with loose objects, a pack, and objects that nothing refers to. */
function place(now = () => new Date()) {
  const root = join(realpathSync(newFolder()), 'w');
  mkdirSync(root);
  folders['a repository']?.(root);
  run(
    root,
    'git gc -q; for i in 1 2 3; do echo $i > later-$i.txt; git add later-$i.txt; git commit -qm $i later-$i.txt; done; echo alone | git hash-object -w --stdin',
  );
  const { disk, paths } = worldOf({ now });
  const open = (): Changes => openRecord(disk, join(paths.home, 'changes'));
  return { root, open };
}

const NOTHING = { n: 0, at: '', changes: [] };
let calls = 0;
const by = (title: string) => ({ id: `call-${++calls}`, title, record: calls });

/** What an owner may do with the objects. */
const modesOf = (root: string): string =>
  run(root, 'find .git/objects -type d -printf "%m %p\n" -o -name "*.pack" -printf "%m %p\n"; stat -c "%a %n" .git/objects/??/*').stdout;

async function undoAll(changes: Changes, root: string) {
  changes.settleLeft();
  const undos = undoOf(changes.sets(), () => true).filter(({ path, target }) => !changes.isNow(path, target));
  return changes.restore(
    undos.map(({ path, target }) => ({ path, to: target })),
    root,
    by('restore'),
  );
}

const losses = [
  'rm -rf .git/objects/??',
  'rm -rf .git/objects/pack',
  'rm -rf .git/objects',
  'git prune',
  'git gc -q --prune=now',
  'git repack -adq; git prune-packed; git prune --expire=now',
  'chmod -R 000 .git/objects',
  'chmod -R 000 .git/objects/??',
  'rm -rf .git',
  'rm .git/index',
  'chmod -R u+w .git/objects; truncate -s 0 .git/objects/pack/*.pack',
  'chmod -R u+w .git/objects; for f in .git/objects/??/*; do echo x > $f; done',
];

const rows = losses.flatMap((command, at) => (at % 2 === 0 ? [false, true] : [true, false]).map((isKilled) => ({ command, isKilled })));

test('what a repository loses of its objects is told, and comes back, after a kill too', async () => {
  await holdsForEach(
    rows.slice(0, slowRuns(rows.length)),
    ({ command, isKilled }) => `${command}${isKilled ? ', killed' : ''}`,
    async ({ command, isKilled }) => {
      const { root, open } = place();
      const [before, modes] = [factsOf(root), modesOf(root)];
      const changes = open();
      const names = command.match(/\S*objects\/\S+/g)?.join(' ') ?? '';
      const act = changes.begin(root, by(command), () => run(root, `printf '%s\\n' ${names}`).stdout.split('\n'));
      run(root, command);
      if (!isKilled) expect(changesNote(act.end().set ?? NOTHING)?.en).toMatch(/^lost from git: \S/);
      expect([modesOf(root), factsOf(root)]).not.toEqual([modes, before]);
      expect(await undoAll(isKilled ? open() : changes, root)).toEqual([]);
      expect(differences(before, factsOf(root))).toEqual([]);
      if (!isKilled) expect(modesOf(root).split('\n')).toEqual(expect.arrayContaining(modes.split('\n')));
    },
  );
});

const MORE = [
  'touch $(ls .git/objects/pack/*.pack | sed s/pack$/keep/); git commit-graph write --reachable; git repack -dq',
  'git multi-pack-index write --bitmap; git pack-refs --all; git update-ref refs/heads/更/深 HEAD',
].join('; ');

/** Each path in the folder of git, with its bits, and the bytes of each file. */
const wholeOf = (root: string): string =>
  run(root, 'find .git -type f -exec sha256sum {} + | sort; find .git -printf "%m %p\n" | grep -v "/[0-9a-f][0-9a-f]$" | sort').stdout;

const hidden = [
  'find . -delete',
  'rm -rf .git',
  'rm -rf .git/objects/pack/*',
  'rm .git/objects/pack/*.keep .git/objects/pack/multi-pack-index*',
  'rm -rf .git; git init -q; git add -A; git commit -qm new; git repack -adq; git multi-pack-index write',
];

test('all that a script takes of a repository comes back to the byte, though nothing names it', async () => {
  await holdsForEach(
    hidden.slice(0, slowRuns(hidden.length)),
    (command) => command,
    async (command) => {
      const { root, open } = place();
      run(root, MORE);
      run(root, 'git init -q bare; cd bare; git commit -q --allow-empty -m one');
      const [before, facts] = [[root, join(root, 'bare')].map(wholeOf), factsOf(root)];
      expect(before[0]).toMatch(/\.keep[\s\S]*multi-pack-index-\w+\.bitmap/);
      const changes = open();
      const act = changes.begin(root, by('sh clean.sh'));
      run(root, command);
      act.end();
      expect(await undoAll(changes, root)).toEqual([]);
      for (const [at, repository] of [root, join(root, 'bare')].entries())
        expect(wholeOf(repository).split('\n')).toEqual(expect.arrayContaining(before[at]?.split('\n') ?? []));
      expect(differences(facts, factsOf(root))).toEqual([]);
    },
  );
});

test('what git writes beside its packs is no loss, and what a command made there goes again', async () => {
  const { root, open } = place();
  const before = wholeOf(root);
  const changes = open();
  const act = changes.begin(root, by('sh pack.sh'));
  run(root, 'git multi-pack-index write; touch .git/objects/pack/pack-1.keep');
  expect(changesNote(act.end().set ?? NOTHING)).toBeUndefined();
  expect(await undoAll(changes, root)).toEqual([]);
  expect(wholeOf(root)).toBe(before);
});

test('what a pack has of them is not lost, and what was lost before is no doing of an act', () => {
  const { root, open } = place();
  run(root, 'git prune');
  const changes = open();
  const actOf = (command: string) => {
    const act = changes.begin(root, by(command));
    run(root, command);
    return act.end().set;
  };
  expect(changesNote(actOf('git repack -dq') ?? NOTHING)).toBeUndefined();
  expect(changesNote(actOf('git repack -adq') ?? NOTHING)).toBeUndefined();
  run(root, 'echo alone | git hash-object -w --stdin; rm .git/objects/pack/*.bitmap');
  expect(changesNote(actOf('git prune') ?? NOTHING)).toEqual({ en: 'lost from git: 1 object', zh: 'git 中丢失：1 个对象' });
});

test('an object that somebody wrote into is not said to come back, where nobody knew that it would be', () => {
  const { root, open } = place();
  const changes = open();
  const act = changes.begin(root, by('a program'));
  run(root, 'truncate -s 1 .git/objects/pack/*.pack');
  expect(changesNote(act.end().set ?? NOTHING)?.en).toBe('lost from git: 1 object (1 cannot be brought back)');
});

test('an object that a command names and writes into comes back, though nothing of its folder tells', async () => {
  const { root, open } = place();
  const before = factsOf(root);
  const changes = open();
  const object = run(root, 'ls .git/objects/??/* | head -1').stdout.trim();
  const command = `chmod u+w ${object}; : > ${object}`;
  changes.begin(root, by('true')).end();
  const act = changes.begin(root, by(command), () => [object]);
  run(root, command);
  expect(changesNote(act.end().set ?? NOTHING)?.en).toBe('lost from git: 1 object');
  expect(await undoAll(changes, root)).toEqual([]);
  expect(differences(before, factsOf(root))).toEqual([]);
});

test('an object that was copied right before a command is known for lost, however long the look took, when nobody saw its end', async () => {
  let [ahead, step] = [0, 0];
  const { root, open } = place(() => {
    ahead += step;
    return new Date(Date.now() + ahead);
  });
  const before = factsOf(root);
  const objects = run(root, 'ls -d .git/objects/??').stdout.trim().split('\n');
  const changes = open();
  step = 20;
  changes.begin(root, by('rm -rf .git/objects/??'), () => objects);
  [ahead, step] = [0, 0];
  run(root, 'rm -rf .git/objects/??');
  expect(await undoAll(open(), root)).toEqual([]);
  expect(differences(before, factsOf(root))).toEqual([]);
});
