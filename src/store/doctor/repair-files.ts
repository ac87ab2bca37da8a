import { chmodSync, lstatSync, renameSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type Disk, ensureFolder, syncFolder } from '../files/disk.ts';
import { lineOf } from '../files/failure.ts';
import { takeLock } from '../files/lock.ts';
import { folderOf } from '../files/paths.ts';
import { rightMode } from './check-files.ts';
import type { Finding, Repaired } from './finding.ts';

export type Aside = { readonly home: string; readonly setAside: string };

/** Makes private again what others could read, and takes half-written files and a damaged search index out of the way. Never throws: a failure is told. */
export function repairFiles(disk: Disk, findings: readonly Finding[], aside: Aside): readonly Repaired[] {
  return findings.flatMap((found) => {
    if (found.kind === 'open_to_others' || found.kind === 'not_usable') return attempt(found.path, () => setMode(found.path));
    if (found.kind === 'index') return attempt(found.path, () => moveIndexAside(disk, found.path, aside));
    if (found.kind === 'temporary') return attempt(found.path, () => `set aside as ${moveAside(disk, found.path, aside)}`);
    return [];
  });
}

function setMode(path: string): string {
  const stats = lstatSync(path);
  // Never through a link, which may lead out of the home.
  if (stats.isSymbolicLink()) throw new Error('it has become a link');
  chmodSync(path, rightMode(stats));
  return `mode set to ${rightMode(stats).toString(8).padStart(4, '0')}`;
}

/** With what the library keeps beside it. */
function moveIndexAside(disk: Disk, path: string, aside: Aside): string {
  const to = moveAside(disk, path, aside);
  for (const beside of [`${path}-wal`, `${path}-shm`])
    if (lstatSync(beside, { throwIfNoEntry: false }) !== undefined) moveAside(disk, beside, aside);
  return `set aside as ${to}; the next search builds it anew`;
}

export function repairMemoryLock(disk: Disk, { kind, path }: Finding): readonly Repaired[] {
  return kind === 'stale_lock' ? attempt(path, () => takeOver(disk, path)) : [];
}

/** By the lock's own protocol: of two who try, one succeeds. */
function takeOver(disk: Disk, path: string): string {
  const answer = takeLock(disk, path);
  if (answer.kind === 'busy') throw new Error(`process ${answer.holder.pid} has taken it`);
  answer.lock.release();
  return 'taken over and given back';
}

/** Moves a file to the same place below `setAside`, never over another; returns where it is. */
export function moveAside(disk: Disk, path: string, { home, setAside }: Aside): string {
  const folder = join(setAside, relative(home, folderOf(path)));
  ensureFolder(disk, setAside);
  ensureFolder(disk, folder);
  for (let count = 1; ; count++) {
    const to = join(folder, count === 1 ? basename(path) : `${basename(path)}.${count}`);
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) continue;
    renameSync(path, to);
    syncFolder(disk, folder, 'aside');
    syncFolder(disk, folderOf(path), 'aside');
    return to;
  }
}

/** What was done, or why it could not be. */
export function attempt(path: string, act: () => string): readonly Repaired[] {
  try {
    return [{ path, did: act() }];
  } catch (error) {
    return [{ path, did: `could not be repaired: ${lineOf(error)}`, failed: true }];
  }
}
