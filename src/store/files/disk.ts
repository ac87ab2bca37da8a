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
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, storeFailure } from './failure.ts';
import { shownPath } from './paths.ts';
import type { StoreWorld } from './world.ts';

/** What every write needs: the world, and somebody to tell of repairs. */
export type Disk = StoreWorld & { readonly tell: (line: string) => void };

/** Zero where the system has no such flag (Windows). */
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const APPEND = constants.O_RDWR | constants.O_APPEND | NOFOLLOW;
const EXCLUSIVE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;

/** Calls the test hook of this step, if there is one. */
export const step = (disk: Disk, point: string): number | undefined => disk.at?.(point);

/**
 * Writes every byte or throws. A write call may take less than it was given, and reports the reason only when asked for the
 * rest (measured with libuv 1.46 on a full disk), so a caller who does not ask has a truncated file and no error.
 */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array, point: string): void {
  for (let done = 0; done < bytes.length; ) {
    const most = step(disk, `${point}.write`) ?? bytes.length - done;
    done += writeSync(file, bytes, done, Math.min(most, bytes.length - done));
  }
}

/** Opens for appending, reading too; made with mode 0600, a wider one is repaired. Refuses links and whatever is no plain file. */
export function openForAppend(disk: Disk, path: string): number {
  return openOwn(disk, path, APPEND | constants.O_CREAT);
}

/** The same for a file that must be there: throws ENOENT otherwise. */
export function reopenForAppend(disk: Disk, path: string): number {
  return openOwn(disk, path, APPEND);
}

/** Makes a file that must not exist yet: throws EEXIST otherwise. */
export function openNew(disk: Disk, path: string): number {
  return openOwn(disk, path, EXCLUSIVE);
}

/** For reading one of our own files: links are refused, since nobody of us makes them. */
export function openToRead(path: string): number {
  // NONBLOCK: a named pipe in place of a file must not hang the program.
  const file = openSync(path, constants.O_RDONLY | NOFOLLOW | (constants.O_NONBLOCK ?? 0));
  return plainFile(file);
}

function openOwn(disk: Disk, path: string, flags: number): number {
  const file = plainFile(openSync(path, flags | (constants.O_NONBLOCK ?? 0), 0o600));
  if (disk.platform === 'win32') return file;
  try {
    const mode = fstatSync(file).mode & 0o777;
    if (mode === 0o600) return file;
    fchmodSync(file, 0o600);
    if ((mode & 0o077) !== 0) disk.tell(`Others could read ${shownPath(path)}: made private again.`);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function plainFile(file: number): number {
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error('it is not a plain file');
}

/** For a file whose bytes are safe already, or given up. */
export function closeQuietly(file: number): void {
  try {
    closeSync(file);
  } catch {
    // Nothing of ours depends on it.
  }
}

/** Reads `length` bytes from `position`, or what there is of them. */
export function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(file, bytes, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/** The whole of one of our own files; undefined when there is none. */
export const readOwnFile = (path: string): Buffer | undefined => readingOwn(path, (file) => readAt(file, 0, fstatSync(file).size));

/** What a reading makes of one of our own files; undefined when there is none. Throws what the system says when it cannot be read. */
export function readingOwn<T>(path: string, read: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = openToRead(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a new, renamed or deleted name durable. Windows has no such call; some file systems refuse it, which is no failure. */
export function syncFolder(disk: Disk, folder: string, point: string): void {
  step(disk, `${point}.syncFolder`);
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

/** Makes a folder of the home, and those above it, private and durable; repairs one that others can enter. Throws store_failed. */
export function ensureFolder(disk: Disk, folder: string): void {
  for (const path of folder === disk.home ? [folder] : [disk.home, folder]) {
    try {
      makeOrRepair(disk, path);
    } catch (error) {
      throw storeFailure(error, 'make the folder', path);
    }
  }
}

function makeOrRepair(disk: Disk, folder: string): void {
  if (isThere(folder)) {
    if (disk.platform !== 'win32') makePrivate(disk, folder);
    return;
  }
  const missing = missingFolders(folder);
  for (const path of missing) makeOne(disk, path);
  for (const path of missing.toReversed()) syncFolder(disk, dirname(path), 'folder');
}

/** The folder and those above it that are not there, the topmost first. */
function missingFolders(folder: string): readonly string[] {
  const above = dirname(folder);
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return [];
  return above === folder ? [folder] : [...missingFolders(above), folder];
}

/**
 * Not with `recursive`: where a folder that is there refuses a new one with ENOENT, as in /proc, node then tries for ever (measured with
 * 20.20), and on a read-only disk it says that the folder is gone.
 */
function makeOne(disk: Disk, folder: string): void {
  try {
    step(disk, 'folder.make');
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was quicker.
    if (errnoOf(error) === 'EEXIST' && isThere(folder)) return;
    if (errnoOf(error) === 'ENOENT') throw new Error(`no folder can be made in ${shownPath(dirname(folder))}`, { cause: error });
    throw error;
  }
  // The umask may have taken even our own rights away.
  if (disk.platform !== 'win32' && (statSync(folder).mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
}

function isThere(folder: string): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  const target = statSync(folder, { throwIfNoEntry: false });
  if (target?.isDirectory()) return true;
  throw new Error(target === undefined ? 'it is a link to nothing' : 'a file of that name is in the way');
}

function makePrivate(disk: Disk, folder: string): void {
  const mode = statSync(folder).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  chmodSync(folder, mode & 0o700);
  disk.tell(`Others could enter ${shownPath(folder)}: made private again.`);
}

/** Halts the thread. For a moment only: a rename that a virus scanner holds up, a lock that is given back soon. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
