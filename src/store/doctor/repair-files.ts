import { chmodSync, lstatSync, renameSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type Disk, ensureFolder, entryExists, fsyncFolder } from '../files/disk.ts';
import { formatError } from '../files/failure.ts';
import { acquireLock } from '../files/lock.ts';
import { folderOf } from '../files/paths.ts';
import { expectedMode } from './check-files.ts';
import type { Finding, RepairResult } from './finding.ts';

export type SetAsideOptions = { readonly home: string; readonly setAsideFolder: string };

/** Repairs modes, and moves half-written files and a damaged search index aside. Never throws: a failure is in the results. */
export function repairFiles(disk: Disk, findings: readonly Finding[], options: SetAsideOptions): readonly RepairResult[] {
  return findings.flatMap((finding) => {
    if (finding.kind === 'open_to_others' || finding.kind === 'not_usable') return attemptRepair(finding.path, () => setMode(finding.path));
    if (finding.kind === 'index') return attemptRepair(finding.path, () => moveIndexAside(disk, finding.path, options));
    if (finding.kind === 'temporary') return attemptRepair(finding.path, () => `set aside as ${moveAside(disk, finding.path, options)}`);
    return [];
  });
}

function setMode(path: string): string {
  const stats = lstatSync(path);
  // Links are not followed, since they may lead out of the home.
  if (stats.isSymbolicLink()) throw new Error('it has become a link');
  chmodSync(path, expectedMode(stats));
  return `mode set to ${expectedMode(stats).toString(8).padStart(4, '0')}`;
}

/** Also moves the files that the library keeps beside the index. */
function moveIndexAside(disk: Disk, path: string, options: SetAsideOptions): string {
  const to = moveAside(disk, path, options);
  for (const sidecar of [`${path}-wal`, `${path}-shm`]) if (entryExists(sidecar)) moveAside(disk, sidecar, options);
  return `set aside as ${to}; the next search rebuilds it`;
}

export function repairMemoryLock(disk: Disk, { kind, path }: Finding): readonly RepairResult[] {
  return kind === 'stale_lock' ? attemptRepair(path, () => takeOverLock(disk, path)) : [];
}

/** Uses the lock's own protocol: of two processes that try, one succeeds. */
function takeOverLock(disk: Disk, path: string): string {
  const result = acquireLock(disk, path);
  if (result.kind === 'busy') throw new Error(`process ${result.holder.pid} has taken it`);
  result.lock.release();
  return 'taken over and released';
}

/** Moves a file to the same place below `setAsideFolder` and returns its new path. Never overwrites another file. */
export function moveAside(disk: Disk, path: string, { home, setAsideFolder }: SetAsideOptions): string {
  const folder = join(setAsideFolder, relative(home, folderOf(path)));
  ensureFolder(disk, setAsideFolder);
  ensureFolder(disk, folder);
  for (let count = 1; ; count++) {
    const to = join(folder, count === 1 ? basename(path) : `${basename(path)}.${count}`);
    if (entryExists(to)) continue;
    renameSync(path, to);
    fsyncFolder(disk, folder, 'aside');
    fsyncFolder(disk, folderOf(path), 'aside');
    return to;
  }
}

/** Returns what was done, or why it failed. */
export function attemptRepair(path: string, act: () => string): readonly RepairResult[] {
  try {
    return [{ path, did: act() }];
  } catch (error) {
    return [{ path, did: `could not be repaired: ${formatError(error)}`, failed: true }];
  }
}
