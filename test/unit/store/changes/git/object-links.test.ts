import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesNote } from '../../../../../src/context/history/changes-text.ts';
import { undoOf } from '../../../../../src/context/history/past.ts';
import { openRecord } from '../../../../support/change-records.ts';
import { gitIn } from '../../../../support/repositories.ts';
import { newFolder, worldOf } from '../../files/world.ts';

// Of many more losses, test/stress/unit/store/changes/git/object-links.test.ts.
test('objects that a command takes from git are told, and come back', async () => {
  const root = join(realpathSync(newFolder()), 'w');
  mkdirSync(root);
  const git = gitIn(root);
  git('init', '-q');
  writeFileSync(join(root, 'alone.txt'), 'alone\n');
  const alone = git('hash-object', '-w', 'alone.txt').trim();
  const { disk, paths } = worldOf({ now: () => new Date() });
  const changes = openRecord(disk, join(paths.home, 'changes'));
  const act = changes.begin(root, { id: 'call-1', title: 'git prune', record: 1 });
  git('prune', '--expire=now');
  const { set } = act.end();
  expect(() => git('cat-file', '-e', alone)).toThrow('cat-file');
  expect(set && changesNote(set)?.en).toBe('lost from git: 1 object');
  const back = undoOf(changes.sets(), () => true).map(({ path, target }) => ({ path, to: target }));
  expect(await changes.restore(back, root, { id: 'call-2', title: 'restore', record: 2 })).toEqual([]);
  expect(git('cat-file', '-p', alone)).toBe('alone\n');
});
