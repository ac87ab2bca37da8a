import { type StatsFs, statfsSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import { folderOf, shownPath } from './paths.ts';

/** The `code` of a system error, such as ENOSPC; empty for anything else that was thrown. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const plainly: Readonly<Record<string, string>> = {
  EDQUOT: 'your disk quota is used up',
  EROFS: 'the file system is read-only',
  EFBIG: 'the file would be larger than this account may write',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk reports an error',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'it is a link, and links are not followed here',
  ENOENT: 'it, or the folder it belongs in, is not there',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  EXDEV: 'its folder spans two file systems',
};

/** A disk can be full of files while bytes are free, and the way out of that is another one. */
function fullDisk(path: string): string {
  const disk = diskOf(folderOf(path));
  const noFiles = disk !== undefined && disk.files > 0 && disk.ffree === 0 && disk.bavail > 0;
  return noFiles ? 'no more files can be made on this disk (it has no free inodes)' : 'the disk is full';
}

/** Of the nearest folder that is there. */
function diskOf(folder: string): StatsFs | undefined {
  try {
    return statfsSync(folder);
  } catch {
    return folderOf(folder) === folder ? undefined : diskOf(folderOf(folder));
  }
}

/** Why it went wrong, in words for a person: "it is a folder". */
export function whatHappened(error: unknown, path: string): string {
  const code = errnoOf(error);
  if (code === 'ENOSPC') return fullDisk(path);
  return plainly[code] ?? (error instanceof Error ? error.message : String(error));
}

/** "Cannot write /x/log.jsonl: the disk is full", with what was thrown as its cause. A SanbotError passes as it is. */
export function storeFailure(error: unknown, doing: string, path: string): SanbotError {
  if (error instanceof SanbotError) return error;
  return new SanbotError('store_failed', `Cannot ${doing} ${shownPath(path)}: ${whatHappened(error, path)}`, { cause: error });
}

/** The same for what cannot be read. */
export function storeDamage(error: unknown, path: string): SanbotError {
  if (error instanceof SanbotError) return error;
  return new SanbotError('store_damaged', `Cannot read ${shownPath(path)}: ${whatHappened(error, path)}`, { cause: error });
}

/** One line about anything thrown, for `tell`. */
export const lineOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
