import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { undoOf } from '../../../../../src/context/history/past.ts';
import type { Changes } from '../../../../../src/store/changes/changes.ts';
import { openRecord } from '../../../../support/change-records.ts';
import { folders, run } from '../../../../support/destructive.ts';
import { holdsForEach } from '../../../../support/each-row.ts';
import { differences, factsOf } from '../../../../support/folder-facts.ts';
import { place } from '../../../../support/restore.ts';
import { worldOf } from '../../../../unit/store/files/world.ts';

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

const oddCommands = [
  // No repository any more, as git sees it: its objects are not files that the command made.
  'rm -rf .git/refs .git/logs; echo x > .git/HEAD',
  // Repositories that come with their objects, and go with them.
  'mv .git .git2',
  'git init -q fresh; cd fresh; echo a > a; git add a; git commit -qm a; git gc -q',
  'cp -a .git saved; rm -rf saved/refs',
  // The folder itself.
  'chmod 700 .',
  'rm -rf "$PWD"',
];

test('a repository that a command broke, moved or made, and the working folder itself, are as they were', async () => {
  await holdsForEach(oddCommands, String, async (command) => {
    const { all, root, open } = place();
    const before = factsOf(all);
    const changes = open();
    const act = changes.begin(root, by(command));
    run(root, command);
    act.end();
    expect(differences(before, factsOf(all))).not.toEqual([]);
    expect(await undoAll(changes, root)).toEqual([]);
    expect(differences(before, factsOf(all))).toEqual([]);
  });
});

const elsewhere = tmpdir() === '/tmp' ? '/dev/shm' : '/tmp';
const isOnAnother = existsSync(elsewhere) && statSync(elsewhere).dev !== statSync(tmpdir()).dev;

test.runIf(isOnAnother)('objects are copied where the home is on another file system, up to what a session keeps', async () => {
  const drop = 'git branch -D side; git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now';
  for (const sessionBytes of [512 << 20, 1_000]) {
    const home = mkdtempSync(join(elsewhere, 'sanbot-home-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const all = mkdtempSync(join(realpathSync(tmpdir()), 'sanbot-work-'));
    onTestFinished(() => rmSync(all, { recursive: true, force: true }));
    const root = join(all, 'w');
    mkdirSync(root);
    folders['a repository']?.(root);
    const { disk } = worldOf({ now: () => new Date(), home });
    const changes = openRecord(disk, join(home, 'changes'), { caps: { fileBytes: 64 << 20, sessionBytes } });
    const before = factsOf(all);
    const act = changes.begin(root, by(drop));
    run(root, drop);
    act.end();
    await undoAll(changes, root);
    if (sessionBytes > 1_000) expect(differences(before, factsOf(all))).toEqual([]);
    else expect(differences(before, factsOf(all)).join()).toContain('objects lost');
  }
});
