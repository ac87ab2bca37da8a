import { chmodSync, lstatSync, readdirSync, renameSync, type Stats } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because } from '../../domain/language.ts';
import { staleTemporaries } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, fsyncFolder } from '../files/disk.ts';
import { acquireLock } from '../files/lock.ts';
import { folderOf, isId, type StorePaths } from '../files/paths.ts';
import { type Finding, finding, type PartialFinding, type RepairResult } from './finding.ts';

/** Checks a folder and everything below it for wrong modes, unreadable folders and files left half written by a crash. Never throws. */
export function checkFiles(disk: Disk, paths: StorePaths, folder: string): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (found: PartialFinding) => findings.push({ ...found, sessionId: sessionAt(paths, found.path) });
  const visit = (path: string): void => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // A link was made by the user and is left alone.
    if (stats === undefined || stats.isSymbolicLink()) return;
    const mode = disk.platform === 'win32' ? undefined : modeFinding(path, stats);
    if (mode !== undefined) add(mode);
    if (!stats.isDirectory() || isOfRepository(paths, path) || isOfCommands(paths, path)) return;
    // Those that a repair set aside are not reported.
    const isSetAside = `${path}${sep}`.startsWith(`${paths.setAsideFolder}${sep}`);
    const temporaries = isSetAside ? [] : staleTemporaries(disk, path);
    for (const temporary of temporaries)
      add(finding('temporary', temporary, { en: 'half written by a process that was killed', zh: '进程被终止时只写了一半' }));
    try {
      for (const name of readdirSync(path)) visit(join(path, name));
    } catch (error) {
      add(finding('unreadable', path, errorReason(error)));
    }
  };
  visit(folder);
  return findings;
}

/** Objects of a user's repository under second names: their modes are those of the repository's own files. */
const isOfRepository = ({ sessions }: StorePaths, path: string): boolean =>
  path.startsWith(`${sessions}${sep}`) && /^[^/\\]+[/\\]changes[/\\]git[/\\][^/\\]+[/\\]objects$/.test(relative(sessions, path));

/** What commands left in the temporary folder of a session: their modes are theirs, and the folder itself is open to nobody else. */
const isOfCommands = ({ sessions }: StorePaths, path: string): boolean =>
  path.startsWith(`${sessions}${sep}`) && /^[^/\\]+[/\\]temporary[/\\][^/\\]+$/.test(relative(sessions, path));

function sessionAt({ home, sessions }: StorePaths, path: string): string | undefined {
  const [first, second] = relative(home, path).split(sep);
  return first === basename(sessions) && second !== undefined && isId(second) ? second : undefined;
}

const expectedMode = (stats: Stats): number => (stats.isDirectory() ? 0o700 : 0o600);

function modeFinding(path: string, stats: Stats): PartialFinding | undefined {
  const mode = stats.mode & 0o777;
  const expected = expectedMode(stats);
  const octal = (bits: number) => bits.toString(8).padStart(4, '0');
  const remedy = { en: `sets its mode to ${octal(expected)}`, zh: `将其权限设为 ${octal(expected)}` };
  if ((mode & 0o077) !== 0) {
    const what = { en: `other users have rights to it (mode ${octal(mode)})`, zh: `其他用户对它有权限（权限 ${octal(mode)}）` };
    return finding('open_to_others', path, what, remedy);
  }
  const what = { en: `SanBot cannot read and write it (mode ${octal(mode)})`, zh: `SanBot 无法读写它（权限 ${octal(mode)}）` };
  return (mode & expected) === expected ? undefined : finding('not_usable', path, what, remedy);
}

/** Repairs modes, and moves half-written files and a damaged search index aside. Never throws: a failure is in the results. */
export function repairFiles(disk: Disk, findings: readonly Finding[], setAsideFolder: string): readonly RepairResult[] {
  return findings.flatMap((found) => {
    if (found.kind === 'open_to_others' || found.kind === 'not_usable') return attemptRepair(found.path, () => setMode(found.path));
    if (found.kind === 'index') return attemptRepair(found.path, () => moveIndexAside(disk, found.path, setAsideFolder));
    if (found.kind === 'temporary') return attemptRepair(found.path, () => setAsideText(moveAside(disk, found.path, setAsideFolder)));
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

function moveIndexAside(disk: Disk, path: string, setAsideFolder: string): Bilingual {
  const to = moveAside(disk, path, setAsideFolder);
  for (const sidecar of [`${path}-wal`, `${path}-shm`]) if (entryExists(sidecar)) moveAside(disk, sidecar, setAsideFolder);
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
export function moveAside(disk: Disk, path: string, setAsideFolder: string): string {
  const folder = join(setAsideFolder, relative(disk.home, folderOf(path)));
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

export function attemptRepair(path: string, act: () => Bilingual): readonly RepairResult[] {
  try {
    return [{ path, did: act() }];
  } catch (error) {
    return [failedRepair(path, error)];
  }
}

export const failedRepair = (path: string, error: unknown): RepairResult => ({
  path,
  did: because({ en: 'could not be repaired', zh: '无法修复' }, errorReason(error)),
  failed: true,
});

export const TAKEN_OVER: Bilingual = { en: 'taken over and released', zh: '已接管并释放' };

export const setAsideText = (to: string): Bilingual => ({ en: `set aside as ${to}`, zh: `已移到 ${to}` });
