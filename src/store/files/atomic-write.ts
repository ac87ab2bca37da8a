import { closeSync, fstatSync, fsyncSync, linkSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ReasonError } from '../../domain/errors.ts';
import { because } from '../../domain/language.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { type Disk, entryExists, faultPoint, fsyncFolder, openNew, sleepSync, useAndClose, writeAll } from './disk.ts';
import { failureReason, storeFailure } from './failure.ts';
import { readHost } from './host.ts';
import { folderOf, namesIn, pathsOf, printablePath } from './paths.ts';

export type AtomicWriteOptions = {
  /** Names the steps for the fault hook. */
  readonly point: string;
  /** Called when everything is written, right before the old file is replaced: false gives up, and the old file stays. */
  readonly isUnchanged?: () => boolean;
};

/**
 * Replaces a whole file with `bytes`: afterwards, whatever happens meanwhile, there is the old file or the new one. The bytes are on disk
 * when it returns. Returns false when `isUnchanged` does. Throws store_failed with the old file untouched and no leftovers, except when the
 * last sync fails: then the new file is there but might not survive a power cut.
 */
export function writeFileAtomic(disk: Disk, path: string, bytes: Uint8Array, options: AtomicWriteOptions): boolean {
  return writeViaTemporary(disk, path, bytes, options.point, (temporary) => {
    if (options.isUnchanged?.() === false) return false;
    renameWithRetry(disk, temporary, path, options.point);
    return true;
  });
}

/** The same for a file that must not exist yet: false, with nothing changed, when it does. When it throws there is no new file. */
export function createFile(disk: Disk, path: string, bytes: Uint8Array, point: string): boolean {
  let isPlaced = false;
  try {
    return writeViaTemporary(disk, path, bytes, point, (temporary) => {
      isPlaced = linkIfAbsent(disk, temporary, path, point);
      return isPlaced;
    });
  } catch (error) {
    if (isPlaced) unlinkIfExists(path);
    throw error;
  }
}

/** Gives a finished file its final name; returns false when the name is taken. The temporary name may remain. */
export function linkIfAbsent(disk: Disk, temporary: string, path: string, point: string): boolean {
  try {
    linkNew(disk, temporary, path, point);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

const NO_HARD_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

function linkNew(disk: Disk, temporary: string, path: string, point: string): void {
  try {
    faultPoint(disk, `${point}.link`);
    linkSync(temporary, path);
  } catch (error) {
    if (!NO_HARD_LINKS.includes(errnoOf(error))) throw error;
    // A file system without hard links (FAT): reserve the name first, then fill it.
    closeSync(openNew(disk, path));
    try {
      renameWithRetry(disk, temporary, path, point);
    } catch (failure) {
      unlinkIfExists(path);
      throw failure;
    }
  }
}

function writeViaTemporary(disk: Disk, path: string, bytes: Uint8Array, point: string, place: (temporary: string) => boolean): boolean {
  let temporary: string | undefined;
  try {
    temporary = writeTemporary(disk, path, [bytes], { point, sync: true });
    const isPlaced = place(temporary);
    unlinkIfExists(temporary);
    temporary = undefined;
    if (isPlaced) fsyncFolder(disk, folderOf(path), point);
    faultPoint(disk, `${point}.end`);
    return isPlaced;
  } catch (error) {
    if (temporary !== undefined) unlinkIfExists(temporary);
    throw storeFailure(error, 'write', path);
  }
}

/** `sync`: the file must survive a power cut. */
/** What a kill leaves under this name is found by it. */
export const temporaryFor = (disk: Disk, path: string, suffix = '.tmp'): string =>
  join(folderOf(path), `.${basename(path)}.${disk.pid}.${disk.newId()}${suffix}`);

type TemporaryOptions = { readonly point: string; readonly sync: boolean };

/** Writes a complete file beside `path` and returns its path. Throws the system's error and leaves nothing behind. */
export function writeTemporary(disk: Disk, path: string, parts: Iterable<Uint8Array>, { point, sync }: TemporaryOptions): string {
  const temporary = temporaryFor(disk, path);
  faultPoint(disk, `${point}.open`);
  const file = openNew(disk, temporary);
  try {
    useAndClose(file, () => {
      let totalBytes = 0;
      for (const part of parts) {
        writeAll(disk, file, part, point);
        totalBytes += part.length;
      }
      if (fstatSync(file).size !== totalBytes)
        throw new ReasonError({ en: 'it did not take all that was written', zh: '没有写入全部内容' });
      if (sync) {
        faultPoint(disk, `${point}.sync`);
        fsyncSync(file);
      }
    });
    return temporary;
  } catch (error) {
    unlinkIfExists(temporary);
    throw error;
  }
}

/** Delays between tries on Windows, where a virus scanner or an indexer may briefly hold a new file: 1.9 s in all. */
const RENAME_DELAYS_MS = [10, 20, 40, 80, 150, 300, 500, 800];

function renameWithRetry(disk: Disk, from: string, to: string, point: string): void {
  for (const delayMs of [...RENAME_DELAYS_MS, undefined]) {
    try {
      faultPoint(disk, `${point}.rename`);
      renameSync(from, to);
      return;
    } catch (error) {
      const isTransient = disk.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(errnoOf(error));
      if (!isTransient || delayMs === undefined) throw error;
      sleepSync(delayMs);
    }
  }
}

/** One that cannot be removed now is removed at the next start. */
export function unlinkIfExists(path: string): void {
  orUndefined(() => unlinkSync(path));
}

/** A folder that is being deleted, or not whole yet. */
export const GOING = '.deleted';
const TEMPORARY = /^\..+\.(\d+)\.[^.]+\.(?:tmp|deleted)$/;
const MINUTE_MS = 60_000;

/** Whether what has this name is half written, or half deleted, by another process that still runs. */
export function isOfOther(disk: Disk, name: string): boolean {
  const pid = Number(TEMPORARY.exec(name)?.[1] ?? disk.pid);
  return pid !== disk.pid && readHost(disk).isAlive(pid);
}

/**
 * Removes the half-written files that a killed process left in a folder; one that may still be in use stays. Of `ended`, a purge that was
 * killed, all go. Never throws.
 */
export function sweepTemporaries(disk: Disk, folder: string, ended?: number): void {
  for (const path of staleTemporaries(disk, folder, namesIn(folder), ended)) {
    try {
      unlinkSync(path);
    } catch (error) {
      const what = {
        en: `Cannot remove ${printablePath(path)}, left by an earlier run`,
        zh: `无法删除先前运行留下的 ${printablePath(path)}`,
      };
      disk.warn(because(what, failureReason(error, path)));
    }
  }
}

/** Returns the half-written files and folders in a folder that no process can still be writing. */
export function staleTemporaries(disk: Disk, folder: string, names = namesIn(folder), ended?: number): readonly string[] {
  const temporaries = names.flatMap((name) => {
    const [, pid] = TEMPORARY.exec(name) ?? [];
    return pid === undefined ? [] : [{ path: join(folder, name), pid: Number(pid) }];
  });
  // An interrupted purge still needs its own.
  if (temporaries.length === 0 || (ended === undefined && entryExists(pathsOf(disk.home).purgeJournal))) return [];
  const host = readHost(disk);
  return temporaries.flatMap(({ path, pid }) => {
    const age = disk.now().getTime() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY);
    // A process id from another container means nothing here; a minute is ample for any write.
    const mayBeInUse = age < 60 * MINUTE_MS && host.isAlive(pid);
    return mayBeInUse || (age < MINUTE_MS && pid !== ended) ? [] : [path];
  });
}
