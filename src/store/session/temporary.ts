import { chmodSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { because } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { type Disk, entryExists } from '../files/disk.ts';
import { failureReason } from '../files/failure.ts';
import { acquireLock } from '../files/lock.ts';
import { isId, namesIn, type StorePaths } from '../files/paths.ts';

/** Days without a command after which what commands left in the temporary folder of a session goes. */
export const TEMPORARY_DAYS = 7;
const DAY_MS = 86_400_000;

export type UnusedTemporary = { readonly sessionId: string; readonly bytes: number };

/** The temporary folders that no command has used for a week, of sessions that nobody has open; removed, or only told. Never throws. */
export function cleanTemporary(disk: Disk, paths: StorePaths, { dryRun }: { readonly dryRun: boolean }): readonly UnusedTemporary[] {
  const oldest = disk.now().getTime() - TEMPORARY_DAYS * DAY_MS;
  return namesIn(paths.sessions)
    .filter(isId)
    .flatMap((sessionId) => {
      const folder = paths.temporary(sessionId);
      const isOld = (): boolean => (lastUse(folder) ?? Number.POSITIVE_INFINITY) < oldest;
      if (!isOld()) return [];
      const bytes = sizeBelow(folder);
      return dryRun || removeUnused(disk, paths, sessionId, isOld) ? [{ sessionId, bytes }] : [];
    });
}

/** The folder itself is written to by each command: its list of names. */
const lastUse = (folder: string): number | undefined =>
  [folder, join(folder, 'names.json')].flatMap((path) => orUndefined(() => lstatSync(path).mtimeMs) ?? []).sort((a, b) => b - a)[0];

function removeUnused(disk: Disk, paths: StorePaths, sessionId: string, isOld: () => boolean): boolean {
  const folder = paths.temporary(sessionId);
  try {
    const result = acquireLock(disk, paths.sessionLock(sessionId));
    if (result.kind === 'busy') return false;
    try {
      if (!isOld()) return false;
      // Its name goes at once, so that half of it is never taken for the whole.
      const going = join(dirname(folder), `.temporary.${disk.newId()}.deleted`);
      renameSync(folder, going);
      removeTree(going);
      return true;
    } finally {
      result.lock.release();
    }
  } catch (error) {
    const what = { en: `The temporary folder of session ${sessionId} was not removed`, zh: `未删除会话 ${sessionId} 的临时文件夹` };
    disk.warn(because(what, failureReason(error, folder)));
    return false;
  }
}

/** Removes what an interrupted removal left. Never throws. */
export function sweepTemporary(paths: StorePaths): void {
  for (const id of namesIn(paths.sessions).filter(isId))
    for (const name of namesIn(paths.session(id)))
      if (name.startsWith('.temporary.') && name.endsWith('.deleted')) orUndefined(() => removeTree(join(paths.session(id), name)));
}

/** Removes a folder, also where programs took their own right to write from what is in it. Throws the system's errors. */
export function removeTree(folder: string): void {
  if (!entryExists(folder)) return;
  allowWriting(folder);
  rmSync(folder, { recursive: true });
}

function allowWriting(folder: string): void {
  if (orUndefined(() => lstatSync(folder))?.isDirectory() !== true) return;
  orUndefined(() => chmodSync(folder, 0o700));
  for (const entry of orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    if (entry.isDirectory()) allowWriting(join(folder, entry.name));
}

function sizeBelow(folder: string): number {
  const entries = orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + sizeBelow(path);
    return sum + (entry.isFile() ? (orUndefined(() => lstatSync(path).size) ?? 0) : 0);
  }, 0);
}
