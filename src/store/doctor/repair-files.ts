import { chmodSync, lstatSync, renameSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because } from '../../domain/language.ts';
import { type Disk, ensureFolder, entryExists, fsyncFolder } from '../files/disk.ts';
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
    if (finding.kind === 'temporary') return attemptRepair(finding.path, () => setAsideText(moveAside(disk, finding.path, options)));
    return [];
  });
}

function setMode(path: string): Bilingual {
  const stats = lstatSync(path);
  // Links are not followed, since they may lead out of the home.
  if (stats.isSymbolicLink()) throw new SanbotError('store_failed', { en: 'it has become a link', zh: '它已变成链接' });
  chmodSync(path, expectedMode(stats));
  const mode = expectedMode(stats).toString(8).padStart(4, '0');
  return { en: `mode set to ${mode}`, zh: `权限已设为 ${mode}` };
}

/** Also moves the files that the library keeps beside the index. */
function moveIndexAside(disk: Disk, path: string, options: SetAsideOptions): Bilingual {
  const to = moveAside(disk, path, options);
  for (const sidecar of [`${path}-wal`, `${path}-shm`]) if (entryExists(sidecar)) moveAside(disk, sidecar, options);
  return { en: `set aside as ${to}; the next search rebuilds it`, zh: `已移到 ${to}；下次搜索时重建` };
}

export function repairMemoryLock(disk: Disk, { kind, path }: Finding): readonly RepairResult[] {
  return kind === 'stale_lock' ? attemptRepair(path, () => takeOverLock(disk, path)) : [];
}

/** Uses the lock's own protocol: of two processes that try, one succeeds. */
function takeOverLock(disk: Disk, path: string): Bilingual {
  const result = acquireLock(disk, path);
  if (result.kind === 'busy')
    throw new SanbotError('session_locked', { en: `process ${result.holder.pid} has taken it`, zh: `进程 ${result.holder.pid} 已占用它` });
  result.lock.release();
  return TAKEN_OVER;
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
export function attemptRepair(path: string, act: () => Bilingual): readonly RepairResult[] {
  try {
    return [{ path, did: act() }];
  } catch (error) {
    return [{ path, did: because({ en: 'could not be repaired', zh: '无法修复' }, errorReason(error)), failed: true }];
  }
}

export const TAKEN_OVER: Bilingual = { en: 'taken over and released', zh: '已接管并释放' };

export const setAsideText = (to: string): Bilingual => ({ en: `set aside as ${to}`, zh: `已移到 ${to}` });
