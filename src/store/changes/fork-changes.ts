import { constants, copyFileSync, fsyncSync, linkSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeSet } from '../../domain/session/change.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { type Disk, faultPoint, fsyncFolder, openForAppend, useAndClose } from '../files/disk.ts';
import { CHANGES_LOG, type StorePaths } from '../files/paths.ts';
import { rewriteLines } from '../files/rewrite-lines.ts';
import { changeLine } from './change-lines.ts';
import { contentFiles, createContents } from './contents.ts';
import { readVersion, versionsIn } from './former-versions.ts';

/**
 * Gives a session that begins as a copy of another what that one kept, so that it can go back to before the copy, also when the other is
 * deleted. What never changes again is linked, the file of contents that still grows is copied, and what a former version kept is added.
 * What stands in the folders is looked at anew by its first act. Throws the system's error, or store_failed.
 */
export function forkChanges(
  disk: Disk,
  paths: StorePaths,
  { parent, folder, sets }: { readonly parent: string; readonly folder: string; readonly sets: readonly ChangeSet[] },
): void {
  const from = paths.changes(parent);
  if (sets.length === 0) return;
  mkdirSync(folder, { mode: 0o700 });
  const files = contentFiles(from);
  for (const name of files.slice(0, -1)) linkFile(disk, join(from, name), join(folder, name));
  for (const name of files.slice(-1)) {
    faultPoint(disk, 'fork.copy');
    copyFileSync(join(from, name), join(folder, name), constants.COPYFILE_FICLONE);
    useAndClose(openForAppend(disk, join(folder, name)), fsyncSync);
  }
  for (const linked of linkFolder(disk, join(from, 'git'), join(folder, 'git'))) fsyncFolder(disk, linked, 'fork');
  keepVersions(disk, paths, { parent, folder });
  const lines = sets.map((set) => Buffer.from(`${JSON.stringify({ ...set, changes: set.changes.map(changeLine) })}\n`));
  rewriteLines(disk, join(folder, CHANGES_LOG), lines, 'fork');
  fsyncFolder(disk, folder, 'fork');
}

/** Returns the folders that it made. */
function linkFolder(disk: Disk, from: string, to: string): readonly string[] {
  if (lstatSync(from, { throwIfNoEntry: false }) === undefined) return [];
  mkdirSync(to, { mode: 0o700 });
  const inside = readdirSync(from, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return linkFolder(disk, join(from, entry.name), join(to, entry.name));
    if (entry.isFile()) linkFile(disk, join(from, entry.name), join(to, entry.name));
    return [];
  });
  return [...inside, to];
}

/** On a file system without links it is copied. What another process has just dropped is not kept. */
function linkFile(disk: Disk, from: string, to: string): void {
  faultPoint(disk, 'fork.link');
  try {
    linkSync(from, to);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && lstatSync(from, { throwIfNoEntry: false }) === undefined) return;
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}

function keepVersions(disk: Disk, paths: StorePaths, { parent, folder }: { readonly parent: string; readonly folder: string }): void {
  const contents = createContents(disk, folder);
  for (const { prefix } of versionsIn(paths, parent)) {
    const bytes = readVersion(paths, parent, prefix);
    if (bytes === undefined) continue;
    contents.add(bytes);
    contents.commit();
  }
}
