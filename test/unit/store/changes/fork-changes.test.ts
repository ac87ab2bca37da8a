import { mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangeSet } from '../../../../src/domain/session/change.ts';
import { createContents } from '../../../../src/store/changes/contents.ts';
import { forkChanges } from '../../../../src/store/changes/fork-changes.ts';
import { sha256Of } from '../../../../src/store/session/bodies/body-text.ts';
import { openRecord } from '../../../support/change-records.ts';
import { run } from '../../../support/destructive.ts';
import { gitIn } from '../../../support/repositories.ts';
import { keepFormerVersion, newFolder, worldOf } from '../files/world.ts';

const CAPS = { fileBytes: 64 << 20, sessionBytes: 512 << 20 };

function forked() {
  const world = worldOf({ now: () => new Date() });
  const { disk, paths } = world;
  const root = join(realpathSync(newFolder()), 'w');
  mkdirSync(root);
  const open = (sessionId: string) => openRecord(disk, paths.changes(sessionId), { caps: CAPS });
  const fork = (sets: readonly ChangeSet[]) => {
    mkdirSync(paths.session('s2'), { recursive: true });
    forkChanges(disk, paths, { parent: 's1', folder: paths.changes('s2'), sets });
  };
  const act = (changes: ReturnType<typeof open>, command: string) => {
    const running = changes.begin(root, { id: command, title: command, record: 1 });
    run(root, command);
    return running.end().set;
  };
  return { ...world, root, open, fork, act };
}

test('a copy has all that was kept, objects of git too, when the other session and the repository are gone', () => {
  const { root, open, fork, act, paths } = forked();
  const git = gitIn(root);
  git('init', '-q');
  writeFileSync(join(root, 'a'), 'committed');
  git('add', '-A');
  git('commit', '-qm', 'x');
  writeFileSync(join(root, 'a'), 'dirty');
  const parent = open('s1');
  act(parent, 'git reset -q --hard; echo new > b');
  act(parent, 'rm -rf .git');
  const before = parent.sets().map(({ changes }) => changes);
  fork(parent.sets());
  parent.close();
  rmSync(paths.session('s1'), { recursive: true });
  const copy = open('s2');
  expect(copy.sets().map(({ changes }) => changes)).toEqual(before);
  const entries = before
    .flat()
    .flatMap((change) => [change.before])
    .filter((entry) => entry?.kind === 'file');
  expect(copy.read(entries).every((bytes, i) => bytes?.length === entries[i]?.size)).toBe(true);
  act(copy, 'echo more > b');
  const [last] = copy.sets().slice(-1);
  expect([last?.n, last?.by?.title, last?.changes.map(({ path }) => path)]).toEqual([3, 'echo more > b', [join(root, 'b')]]);
  expect(copy.sets().map((set) => set.root)).toEqual([root, root, root]);
});

test('what one of them keeps later does not touch the other', () => {
  const { disk, paths, root, open, fork } = forked();
  writeFileSync(join(root, 'a'), 'one');
  const parent = open('s1');
  const content = (text: string) => ({ fingerprint: sha256Of(Buffer.from(text)), bytes: text.length, content: Buffer.from(text) });
  const by = { id: 'e', title: 'edit', record: 1 };
  parent.edit({ path: join(root, 'a'), before: content('one'), after: content('two') }, by);
  keepFormerVersion({ paths }, 's1', Buffer.from('旧 of before'));
  fork(parent.sets());
  parent.edit({ path: join(root, 'a'), before: content('three'), after: content('four') }, by);
  const copy = open('s2');
  copy.edit({ path: join(root, 'a'), before: content('five'), after: content('six') }, by);
  const has = (sessionId: string) => {
    const contents = createContents(disk, paths.changes(sessionId));
    return ['one', 'two', 'three', 'five', '旧 of before'].filter((text) => contents.read(sha256Of(Buffer.from(text))) !== undefined);
  };
  expect([has('s1'), has('s2')]).toEqual([
    ['one', 'two', 'three'],
    ['one', 'two', 'five', '旧 of before'],
  ]);
  expect([parent.sets().length, copy.sets().length]).toEqual([2, 2]);
  for (const name of readdirSync(paths.changes('s2'))) expect(statSync(join(paths.changes('s2'), name)).mode & 0o077).toBe(0);
});

test('a session that changed nothing has nothing to be copied', () => {
  const { paths, fork } = forked();
  fork([]);
  expect(readdirSync(paths.session('s2'))).toEqual([]);
});
