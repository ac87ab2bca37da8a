import { type StatsFs, statfsSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { folderOf, printablePath } from './paths.ts';

/** Returns the `code` of a system error, such as ENOSPC; empty for anything else. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const errnoMessages: Readonly<Record<string, string>> = {
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
  ENOENT: 'it does not exist, or its folder does not',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it already exists',
  EXDEV: 'its folder spans two file systems',
};

/** A disk can run out of inodes while bytes are free, and then the remedy is a different one. */
function diskFullMessage(path: string): string {
  const stats = statDisk(folderOf(path));
  const noInodes = stats !== undefined && stats.files > 0 && stats.ffree === 0 && stats.bavail > 0;
  return noInodes ? 'no more files can be made on this disk (it has no free inodes)' : 'the disk is full';
}

/** Looks at the nearest folder that exists. */
const statDisk = (folder: string): StatsFs | undefined =>
  orUndefined(() => statfsSync(folder)) ?? (folderOf(folder) === folder ? undefined : statDisk(folderOf(folder)));

/** Returns the reason in words for a person: "it is a folder". */
export function failureReason(error: unknown, path: string): string {
  const code = errnoOf(error);
  if (code === 'ENOSPC') return diskFullMessage(path);
  return errnoMessages[code] ?? (error instanceof Error ? error.message : String(error));
}

/** Returns "Cannot write /x/log.jsonl: the disk is full", with the thrown value as its cause. Returns a SanbotError unchanged. */
export function storeFailure(error: unknown, action: string, path: string): SanbotError {
  if (error instanceof SanbotError) return error;
  return new SanbotError('store_failed', `Cannot ${action} ${printablePath(path)}: ${failureReason(error, path)}`, { cause: error });
}

/** The same for a file that cannot be read. */
export function storeDamage(error: unknown, path: string): SanbotError {
  if (error instanceof SanbotError) return error;
  return new SanbotError('store_damaged', `Cannot read ${printablePath(path)}: ${failureReason(error, path)}`, { cause: error });
}

/** Returns what `work` returns; what it throws becomes a `storeFailure`. */
export function orStoreFailure<T>(action: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeFailure(error, action, path);
  }
}

/** Returns what `work` returns; what it throws becomes a `storeDamage`. */
export function orStoreDamage<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeDamage(error, path);
  }
}

/** Returns what `work` returns; undefined when there is no such file or folder. */
export function ifExists<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Formats anything thrown as one line, for `warn`. */
export const formatError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
