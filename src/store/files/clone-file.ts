import { chmodSync, constants, copyFileSync, fsyncSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { temporaryFor, unlinkIfExists } from './atomic-write.ts';
import { type Disk, fsyncFolder, openForAppend, useAndClose } from './disk.ts';

/**
 * Makes a file that shares its bytes with another one until either is written (copy on write), and is on disk before it has its name.
 * `isMeant` is asked of its content. `unable` where this file system has no clones, or there are two; `other` where it is not what was meant.
 * Never throws.
 */
function cloneFile(disk: Disk, from: string, to: string, isMeant: (content: Buffer) => boolean): 'cloned' | 'other' | 'unable' {
  const temporary = temporaryFor(disk, to);
  try {
    copyFileSync(from, temporary, constants.COPYFILE_FICLONE_FORCE);
  } catch (error) {
    orUndefined(() => unlinkIfExists(temporary));
    return errnoOf(error) === 'ENOENT' ? 'other' : 'unable';
  }
  const isCloned = orUndefined(() => {
    chmodSync(temporary, 0o600);
    if (!isMeant(readFileSync(temporary))) return false;
    useAndClose(openForAppend(disk, temporary), fsyncSync);
    renameSync(temporary, to);
    fsyncFolder(disk, dirname(to), 'contents');
    return true;
  });
  if (isCloned !== true) orUndefined(() => unlinkIfExists(temporary));
  return isCloned === true ? 'cloned' : 'other';
}

/** Where the clone of a content goes, and how it is known. */
export type CloneOf = (name: string) => { readonly to: string; readonly isMeant: (content: Buffer) => boolean };

/** Clones files, by the names of their contents, until this file system proves to have no clones. Returns the names of those that there are. */
export function createCloner(disk: Disk, cloneOf: CloneOf): (files: ReadonlyMap<string, string>) => readonly string[] {
  let canClone = true;
  return (files) =>
    [...files].flatMap(([name, from]) => {
      if (!canClone) return [];
      const { to, isMeant } = cloneOf(name);
      const result = cloneFile(disk, from, to, isMeant);
      canClone = result !== 'unable';
      return result === 'cloned' ? [name] : [];
    });
}
