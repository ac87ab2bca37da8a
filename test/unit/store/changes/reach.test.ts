import { appendFileSync, mkdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { undoOf } from '../../../../src/context/history/past.ts';
import { createChanges } from '../../../../src/store/changes/changes.ts';
import { reachOf } from '../../../../src/store/changes/reach.ts';
import { gitIn } from '../../../support/repositories.ts';
import { newFolder, worldOf } from '../files/world.ts';

const FILE_BYTES = 10;
const places = { gitConfigs: [], notBeyond: ['/dev/shm', '/tmp'] };

/** A repository with large files that are clean, changed and untracked. */
function repository(): string {
  const root = join(realpathSync(newFolder()), 'w');
  mkdirSync(root);
  const git = gitIn(root);
  for (const name of ['clean.bin', 'changed.bin', 'deep/clean.bin']) {
    mkdirSync(join(root, 'deep'), { recursive: true });
    writeFileSync(join(root, name), `the bytes of ${name}`);
    utimesSync(join(root, name), 1_700_000_000, 1_700_000_000);
  }
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  appendFileSync(join(root, 'changed.bin'), ', changed');
  writeFileSync(join(root, 'new.bin'), 'the bytes of new.bin');
  writeFileSync(join(root, 'small'), 'small');
  return root;
}

test('what it says can be brought back comes back, and what it says cannot does not', async () => {
  const root = repository();
  const { disk, paths } = worldOf({ now: () => new Date() });
  const reach = reachOf(root, { ...places, fileBytes: FILE_BYTES, home: paths.home });
  const names = ['clean.bin', 'changed.bin', 'deep/clean.bin', 'new.bin', 'small'];
  const files = names.map((name) => ({ path: join(root, name), before: readFileSync(join(root, name), 'utf8') }));
  const kept = files.map(({ path, before }) => before.length <= reach.fileBytes || reach.isClean(path));
  expect(kept).toEqual([true, false, true, false, true]);

  const caps = { fileBytes: FILE_BYTES, sessionBytes: 1_000_000 };
  const changes = createChanges(disk, {
    ...places,
    searchPath: process.env.PATH ?? '',
    folder: join(paths.home, 'changes'),
    caps,
    lookMs: 60_000,
  });
  const act = changes.begin(root, { id: 'call-1', title: 'rm', record: 1 });
  for (const { path } of files) rmSync(path);
  act.end();
  const undos = undoOf(changes.sets(), () => true);
  await changes.restore(
    undos.map(({ path, target }) => ({ path, to: target })),
    root,
    { id: 'call-2', title: 'restore', record: 2 },
  );
  const isBack = ({ path, before }: (typeof files)[number]): boolean => changes.current(path)?.toString() === before;
  expect(files.map(isBack)).toEqual(kept);
});

test('the objects of git are kept by links, so their size does not count on the same file system', () => {
  const root = repository();
  const pack = join(root, '.git', 'objects', 'pack', 'pack-1.pack');
  const lfs = join(root, '.git', 'lfs', 'objects', 'ab', 'cd', 'abcd');
  for (const path of [pack, lfs, join(root, 'objects', 'x')]) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'a large pack');
  }
  const reach = reachOf(root, { ...places, fileBytes: FILE_BYTES, home: root });
  expect([pack, lfs, join(root, 'objects', 'x')].map(reach.isClean)).toEqual([true, true, false]);
  const elsewhere = reachOf(root, { ...places, fileBytes: FILE_BYTES, home: '/proc' });
  expect(elsewhere.isClean(pack)).toBe(false);
});

test('a file that git may convert is not taken for clean', () => {
  const root = repository();
  writeFileSync(join(root, '.gitattributes'), '* text=auto');
  const reach = reachOf(root, { ...places, fileBytes: FILE_BYTES, home: root });
  expect(reach.isClean(join(root, 'deep', 'clean.bin'))).toBe(false);
});

test('a folder that a tool makes again is known by what stands beside it, unless git tracks it', () => {
  const root = repository();
  const reach = reachOf(root, { ...places, fileBytes: FILE_BYTES, home: root });
  expect(reach.isRemade(join(root, 'node_modules'), ['package.json'], [])).toBe(true);
  expect(reach.isRemade(join(root, 'node_modules'), ['other.json'], [])).toBe(false);
  const git = gitIn(root);
  mkdirSync(join(root, 'target'));
  writeFileSync(join(root, 'target', 'a'), 'a');
  git('add', 'target');
  const again = reachOf(root, { ...places, fileBytes: FILE_BYTES, home: root });
  expect(again.isRemade(join(root, 'target'), ['Cargo.toml'], ['a'])).toBe(false);
  expect([...again.tracked()].map((path) => path.slice(root.length + 1))).toEqual([
    'changed.bin',
    'clean.bin',
    'deep/clean.bin',
    'target/a',
  ]);
});

test('all of the work tree is recorded, and what git has of it elsewhere', () => {
  const root = repository();
  const inner = join(root, 'deep');
  expect(reachOf(inner, { ...places, fileBytes: FILE_BYTES, home: root }).folders).toEqual([root]);
  const plain = join(realpathSync(newFolder()), 'plain');
  mkdirSync(plain);
  expect(reachOf(plain, { ...places, fileBytes: FILE_BYTES, home: root }).folders).toEqual([plain]);
});
