import { constants, copyFileSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLONE_BYTES, contentFiles, createContents } from '../../../../src/store/changes/contents.ts';
import { fileParts } from '../../../../src/store/purge/purge-files.ts';
import { sha256Of } from '../../../../src/store/session/bodies/body-text.ts';
import { afterThisFile } from '../../../support/clean-up.ts';
import { worldOf } from '../files/world.ts';

// Not in memory. A folder on xfs, btrfs or APFS in this variable tries clones; ext4 and tmpfs have none.
const root = mkdtempSync(join(process.env.SANBOT_CLONES_FOLDER ?? tmpdir(), 'sanbot-clones-'));
afterThisFile(() => rmSync(root, { recursive: true, force: true }));
const newFolder = (): string => mkdtempSync(join(root, 'folder-'));

function contentsOf() {
  const { disk } = worldOf();
  const folder = join(newFolder(), 'changes');
  return { folder, contents: createContents(disk, folder), reopen: () => createContents(disk, folder) };
}

function hasClones(): boolean {
  const file = join(newFolder(), 'file');
  writeFileSync(file, 'x');
  try {
    copyFileSync(file, `${file}-clone`, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  }
}

test('a large content comes back, with clones and where the file system has none', () => {
  const { contents, reopen, folder } = contentsOf();
  const from = join(newFolder(), 'data.sqlite');
  const bytes = Buffer.alloc(CLONE_BYTES, 'data ');
  writeFileSync(from, bytes, { mode: 0o644 });
  const names = [contents.add(bytes, sha256Of(bytes), from), contents.add(Buffer.from('small'), undefined, from)];
  contents.commit();
  writeFileSync(from, 'other');
  for (const each of [contents, reopen()]) expect(names.map((name) => each.read(name)?.length)).toEqual([CLONE_BYTES, 5]);
  for (const name of contentFiles(folder)) expect(lstatSync(join(folder, name)).mode & 0o777).toBe(0o600);
  contents.retain((sha256) => sha256 === names[1]);
  for (const each of [contents, reopen()]) expect(names.map((name) => each.has(name))).toEqual([false, true]);
  expect(readdirSync(folder)).toEqual(['contents-1']);
});

test('what was changed since it was read is kept as it was read', () => {
  const { contents, reopen } = contentsOf();
  const from = join(newFolder(), 'data.sqlite');
  const bytes = Buffer.alloc(CLONE_BYTES, 'data ');
  writeFileSync(from, 'changed since');
  const name = contents.add(bytes, sha256Of(bytes), from);
  contents.commit();
  expect(reopen().read(name)?.equals(bytes)).toBe(true);
});

test('a clone takes no room in a file of contents, and a purge finds it by its name', ({ skip }) => {
  skip(!hasClones(), `the file system of ${root} has no clones: SANBOT_CLONES_FOLDER names a folder of one that has`);
  const { contents, folder, reopen } = contentsOf();
  const from = join(newFolder(), 'data.sqlite');
  const bytes = Buffer.alloc(CLONE_BYTES, 'data ');
  writeFileSync(from, bytes);
  const name = contents.add(bytes, sha256Of(bytes), from);
  contents.commit();
  expect(readdirSync(folder)).toEqual([`clone-${name}`]);
  const path = join(folder, `clone-${name}`);
  expect([...fileParts({ path, name: 'clone', kind: 'contents' })].map((part) => part.toString('latin1', 0, 64))).toEqual([name]);
  writeFileSync(path, '');
  expect([reopen().has(name), readFileSync(path).length]).toEqual([false, 0]);
});
