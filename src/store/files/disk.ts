/**
 * The ground of the store: reading, writing, renaming and locking in a home so that a crash, a full disk or a second process leaves no
 * half of anything. The other folders of the room build on it, and it knows none of them.
 *
 * Bytes and paths come in. A line is on disk when its append returns, and a whole file is the old one or the new one, never a mixture;
 * what a crash left at the end of a log is repaired before the next append. Folders and files are private to their owner.
 *
 * Links are refused, since we make none. Each step that touches the disk has a name, at which tests put failures and kills. What
 * cannot be written is an error with its reason, and never half written.
 */

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ReasonError, SanbotError } from '../../domain/errors.ts';
import type { Warn } from '../../domain/language.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { ifExists, orStoreFailure } from './failure.ts';
import type { StoreEnvironment } from './host.ts';
import { printablePath } from './paths.ts';

/** What every write needs: the environment, and a function that tells the user of repairs. */
export type Disk = StoreEnvironment & { readonly warn: Warn };

/** Zero on a system without this flag (Windows). */
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const APPEND_FLAGS = constants.O_RDWR | constants.O_APPEND | NOFOLLOW;
const CREATE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;

/** Calls the fault hook of this step, if there is one. */
export const faultPoint = (disk: Disk, point: string): number | undefined => disk.at?.(point);

/**
 * Writes every byte or throws: a write may take less, and tells why only when asked for the rest (libuv 1.46, full disk). To where the file
 * was written last, or `at` a byte.
 */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array, point: string, at?: number): void {
  for (let offset = 0; offset < bytes.length; ) {
    const maxBytes = faultPoint(disk, `${point}.write`) ?? bytes.length - offset;
    offset += writeSync(file, bytes, offset, Math.min(maxBytes, bytes.length - offset), at === undefined ? null : at + offset);
  }
}

/** Opens a file for appending and reading. Creates it with mode 0600 and repairs a wider one. Refuses links and all but plain files. */
export const openForAppend = (disk: Disk, path: string): number => openPrivate(disk, path, APPEND_FLAGS | constants.O_CREAT);

/** The same for a file that must exist: throws ENOENT otherwise. */
export const reopenForAppend = (disk: Disk, path: string): number => openPrivate(disk, path, APPEND_FLAGS);

/** The same, to write within what is there. */
export const openToWrite = (disk: Disk, path: string): number => openPrivate(disk, path, constants.O_RDWR | NOFOLLOW);

/** Creates a file that must not exist yet: throws EEXIST otherwise. */
export const openNew = (disk: Disk, path: string): number => openPrivate(disk, path, CREATE_FLAGS);

/** Opens one of our own files for reading. Refuses links, since SanBot never creates any, but for files that a person may have linked. */
export function openToRead(path: string | Buffer, { followLinks = false } = {}): number {
  // NONBLOCK: a named pipe in place of a file must not hang the program.
  const file = openSync(path, constants.O_RDONLY | (followLinks ? 0 : NOFOLLOW) | (constants.O_NONBLOCK ?? 0));
  statsOfRegular(file);
  return file;
}

function openPrivate(disk: Disk, path: string, flags: number): number {
  const file = openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o600);
  const mode = statsOfRegular(file).mode & 0o777;
  if (disk.platform === 'win32' || mode === 0o600) return file;
  try {
    fchmodSync(file, 0o600);
    if ((mode & 0o077) !== 0)
      disk.warn({
        en: `Others could read ${printablePath(path)}: made private again.`,
        zh: `其他用户曾可读取 ${printablePath(path)}：已重新设为私有。`,
      });
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function statsOfRegular(file: number): Stats {
  const stats = fstatSync(file);
  if (stats.isFile()) return stats;
  closeSync(file);
  throw new ReasonError({ en: 'it is not a plain file', zh: '它不是普通文件' });
}

/** For a file whose bytes are already safe, or given up. */
export function closeQuietly(file: number): void {
  orUndefined(() => closeSync(file));
}

/** Reads `length` bytes from `position`, or as many as there are. */
export function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let offset = 0;
  while (offset < length) {
    const count = readSync(file, bytes, offset, length - offset, position + offset);
    if (count === 0) break;
    offset += count;
  }
  return bytes.subarray(0, offset);
}

/** Reads pieces of an open file. */
export const readerOf = (file: number) => (position: number, length: number) => readAt(file, position, length);

/** Reads one of our own files whole; undefined when it does not exist. */
export const readOwnFile = (path: string): Buffer | undefined => withOwnFile(path, (file) => readAt(file, 0, fstatSync(file).size));

/** Returns what `use` makes of one of our own files; undefined when there is none. Throws the system's error when it cannot be read. */
export function withOwnFile<T>(path: string, use: (file: number) => T): T | undefined {
  const file = ifExists(() => openToRead(path));
  return file === undefined ? undefined : useAndClose(file, use);
}

/** The same for a file that must exist: throws ENOENT otherwise. */
export const withFile = <T>(path: string, use: (file: number) => T): T => useAndClose(openToRead(path), use);

/** Returns what `use` makes of an open file, and closes it. */
export function useAndClose<T>(file: number, use: (file: number) => T): T {
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/** True when there is anything at a path, a link that leads nowhere included; below a file there is nothing. */
export function entryExists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (['ENOTDIR', 'ENAMETOOLONG'].includes(errnoOf(error))) return false;
    throw error;
  }
}

/** Returns how long a file is; 0 for none. */
export const fileSize = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Makes a new, renamed or deleted name durable. Windows has no such call; some file systems refuse it, which is no failure. */
export function fsyncFolder(disk: Disk, folder: string, point: string): void {
  faultPoint(disk, `${point}.syncFolder`);
  if (disk.platform === 'win32') return;
  const file = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(file);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(errnoOf(error))) throw error;
  } finally {
    closeSync(file);
  }
}

/** Makes a folder of the home and its parents, private and durable; repairs one that others can enter. Throws store_failed. */
export function ensureFolder(disk: Disk, folder: string): void {
  for (const path of folder === disk.home ? [folder] : [disk.home, folder]) {
    orStoreFailure('make the folder', path, () => makeOrRepair(disk, path));
  }
}

function makeOrRepair(disk: Disk, folder: string): void {
  if (folderExists(folder)) {
    if (disk.platform !== 'win32') makePrivate(disk, folder);
    return;
  }
  const missing = missingFolders(folder);
  for (const path of missing) makeFolder(disk, path);
  for (const path of missing.toReversed()) fsyncFolder(disk, dirname(path), 'folder');
}

/** Returns the folder and its parents that do not exist, the topmost first. */
function missingFolders(folder: string): readonly string[] {
  const parent = dirname(folder);
  if (entryExists(folder)) return [];
  return parent === folder ? [folder] : [...missingFolders(parent), folder];
}

/** What is no folder for files, such as /proc, stays one however much room there is. */
function noFolderIn(parent: string, cause: unknown): SanbotError {
  const shown = printablePath(parent);
  return new SanbotError(
    'store_failed',
    { en: `No folder can be made in ${shown}`, zh: `无法在 ${shown} 中创建文件夹` },
    {
      en: 'Choose another folder for the home: --home DIR, or SANBOT_HOME.',
      zh: '请为主目录选择另一个文件夹：--home DIR 或 SANBOT_HOME。',
    },
    cause,
  );
}

/** Not with `recursive`: in /proc node then retries forever (measured with 20.20), and on a read-only disk it says ENOENT. */
function makeFolder(disk: Disk, folder: string): void {
  try {
    faultPoint(disk, 'folder.make');
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was quicker.
    if (errnoOf(error) === 'EEXIST' && folderExists(folder)) return;
    if (errnoOf(error) === 'ENOENT') throw noFolderIn(dirname(folder), error);
    throw error;
  }
  // The umask may have removed even the owner's rights.
  if (disk.platform !== 'win32' && (statSync(folder).mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
}

function folderExists(folder: string): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  const target = statSync(folder, { throwIfNoEntry: false });
  if (target?.isDirectory()) return true;
  throw new ReasonError(
    target === undefined
      ? { en: 'it is a link to nothing', zh: '它是没有目标的链接' }
      : { en: 'a file of that name is in the way', zh: '有同名的文件挡着' },
  );
}

function makePrivate(disk: Disk, folder: string): void {
  const mode = statSync(folder).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  chmodSync(folder, mode & 0o700);
  disk.warn({
    en: `Others could enter ${printablePath(folder)}: made private again.`,
    zh: `其他用户曾可进入 ${printablePath(folder)}：已重新设为私有。`,
  });
}

/** Blocks the thread. For short waits only: a rename held up by a virus scanner, a lock that is released soon. */
export const sleepSync = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
