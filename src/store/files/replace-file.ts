import { closeSync, fstatSync, fsyncSync, linkSync, readdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Disk, openNew, pause, step, syncFolder, writeAll } from './disk.ts';
import { errnoOf, lineOf, storeFailure } from './failure.ts';
import { readHost } from './host.ts';
import { folderOf, shownPath } from './paths.ts';

export type ReplaceOptions = {
  /** Names the steps for the test hook. */
  readonly point: string;
  /** Asked when all is written, right before the old file goes: false gives up, and the old file stays. */
  readonly stillRight?: () => boolean;
};

/**
 * Puts `bytes` in the place of a whole file: afterwards, whatever happens meanwhile, there is the old file or the new one.
 * On disk when it returns. False when `stillRight` said no. Throws store_failed with the old file untouched and no leftovers,
 * except for a failing last sync, after which the new file is there but might not outlive a power cut.
 */
export function replaceFile(disk: Disk, path: string, bytes: Uint8Array, options: ReplaceOptions): boolean {
  return viaTemporary(disk, path, bytes, options.point, (temporary) => {
    if (options.stillRight?.() === false) return false;
    rename(disk, temporary, path, options.point);
    return true;
  });
}

/** The same for a file that must not exist yet: false, and nothing changed, when it does. When it throws there is no new file. */
export function createFile(disk: Disk, path: string, bytes: Uint8Array, point: string): boolean {
  let placed = false;
  try {
    return viaTemporary(disk, path, bytes, point, (temporary) => {
      placed = placeNew(disk, temporary, path, point);
      return placed;
    });
  } catch (error) {
    if (placed) unlinkIfThere(path);
    throw error;
  }
}

/** Gives a finished file its name; false when the name is taken. The temporary name may remain. */
export function placeNew(disk: Disk, temporary: string, path: string, point: string): boolean {
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
    step(disk, `${point}.link`);
    linkSync(temporary, path);
  } catch (error) {
    if (!NO_HARD_LINKS.includes(errnoOf(error))) throw error;
    // A file system without hard links (FAT): take the name first, then fill it.
    closeSync(openNew(disk, path));
    try {
      rename(disk, temporary, path, point);
    } catch (failure) {
      unlinkIfThere(path);
      throw failure;
    }
  }
}

function viaTemporary(disk: Disk, path: string, bytes: Uint8Array, point: string, place: (temporary: string) => boolean): boolean {
  let temporary: string | undefined;
  try {
    temporary = writeTemporary(disk, path, bytes, { point, sync: true });
    const placed = place(temporary);
    unlinkIfThere(temporary);
    temporary = undefined;
    if (placed) syncFolder(disk, folderOf(path), point);
    step(disk, `${point}.end`);
    return placed;
  } catch (error) {
    if (temporary !== undefined) unlinkIfThere(temporary);
    throw storeFailure(error, 'write', path);
  }
}

export type TemporaryOptions = {
  readonly point: string;
  /** Whether it has to outlive a power cut. */
  readonly sync: boolean;
};

/** Writes a file beside `path`, complete; returns its path. Throws what the system said, leaving nothing behind. */
export function writeTemporary(disk: Disk, path: string, bytes: Uint8Array, { point, sync }: TemporaryOptions): string {
  const temporary = join(folderOf(path), `.${basename(path)}.${disk.pid}.${disk.newId()}.tmp`);
  step(disk, `${point}.open`);
  const file = openNew(disk, temporary);
  try {
    try {
      writeAll(disk, file, bytes, point);
      if (fstatSync(file).size !== bytes.length) throw new Error('it did not take all that was written');
      if (sync) {
        step(disk, `${point}.sync`);
        fsyncSync(file);
      }
    } finally {
      closeSync(file);
    }
    return temporary;
  } catch (error) {
    unlinkIfThere(temporary);
    throw error;
  }
}

/** Waits in ms between tries on Windows, where a virus scanner or an indexer may hold a new file for a moment: 1.9 s in all. */
const RENAME_WAITS = [10, 20, 40, 80, 150, 300, 500, 800];

function rename(disk: Disk, from: string, to: string, point: string): void {
  for (const wait of [...RENAME_WAITS, undefined]) {
    try {
      step(disk, `${point}.rename`);
      renameSync(from, to);
      return;
    } catch (error) {
      const passing = disk.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(errnoOf(error));
      if (!passing || wait === undefined) throw error;
      pause(wait);
    }
  }
}

export function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or to be swept at the next start.
  }
}

const TEMPORARY = /^\..+\.(\d+)\.[^.]+\.tmp$/;
const MINUTE_MS = 60_000;

/** Removes what a killed process left half written in a folder. Never throws. One that may still be in use stays. */
export function sweepTemporaries(disk: Disk, folder: string): void {
  for (const path of strayTemporaries(disk, folder)) {
    try {
      unlinkSync(path);
    } catch (error) {
      disk.tell(`Cannot remove ${shownPath(path)}, left by an earlier run: ${lineOf(error)}`);
    }
  }
}

/** The half-written files in a folder that nobody can be writing any more. */
export function strayTemporaries(disk: Disk, folder: string): readonly string[] {
  const host = readHost(disk);
  return namesIn(folder).flatMap((name) => {
    const pid = Number(TEMPORARY.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid)) return [];
    const path = join(folder, name);
    const age = disk.now().getTime() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY);
    // A process of another container has a number that says nothing here; a minute is ample for any write.
    return age < MINUTE_MS || (age < 60 * MINUTE_MS && host.isAlive(pid)) ? [] : [path];
  });
}

/** The names in a folder; none when it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
