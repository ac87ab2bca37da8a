import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { z } from 'zod';
import { SanbotError } from '../../domain/errors.ts';
import { parseMemoryLine } from '../../domain/memory/memory-line.ts';
import { parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, readOwnFile, sleepSync } from '../files/disk.ts';
import { orStoreDamage } from '../files/failure.ts';
import { readHost } from '../files/host.ts';
import { acquireLock, printableHolder } from '../files/lock.ts';
import { folderOf, printablePath, type StorePaths } from '../files/paths.ts';
import { peekSession } from '../session/peek-session.ts';

/** With which folders and hubs this home exchanges, under which name, and which sessions never leave it. */
const targetsSchema = z.object({
  v: z.literal(1),
  writer: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,53}$/),
  /** `hub`: the address of a server, perhaps with its password; `folder` is then how it is shown. */
  targets: z
    .array(z.object({ id: z.string(), folder: z.string(), hub: z.string().optional(), recipient: z.string().optional() }))
    .readonly(),
  never: z.array(z.string()).readonly(),
});

export type SyncTargets = Readonly<z.infer<typeof targetsSchema>>;

/** Undefined before there was any. Throws store_damaged: what must never leave must not be forgotten. */
export function readTargets({ syncTargets }: StorePaths): SyncTargets | undefined {
  const bytes = readOwnFile(syncTargets);
  if (bytes === undefined) return undefined;
  const parsed = targetsSchema.safeParse(parseJson(bytes));
  if (parsed.success) return parsed.data;
  const path = printablePath(syncTargets);
  throw new SanbotError(
    'store_damaged',
    { en: `${path} is damaged, or of a newer SanBot`, zh: `${path} 已损坏，或属于更新版本的 SanBot` },
    {
      en: `Nothing was exchanged. Delete ${path}, then add each folder again, and mark again what never leaves.`,
      zh: `没有交换任何内容。请删除 ${path}，然后重新添加各文件夹，并重新标记从不离开的会话。`,
    },
  );
}

/** Call only under the lock. */
export function changeTargets(disk: Disk, paths: StorePaths, change: (targets: SyncTargets) => SyncTargets): void {
  const next = change(readTargets(paths) ?? { v: 1, writer: newWriter(disk), targets: [], never: [] });
  writeFileAtomic(disk, paths.syncTargets, Buffer.from(`${JSON.stringify(next)}\n`), { point: 'targets' });
}

export function newWriter(disk: Disk): string {
  const host = readHost(disk)
    .name.toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${host.slice(0, 40) || 'machine'}-${disk.newId().slice(-6)}`;
}

/** What encrypted folders are encrypted with, as `age` keeps it; undefined where there is none. */
export const readSyncKey = ({ syncKey }: StorePaths): string | undefined =>
  orStoreDamage(syncKey, () => readOwnFile(syncKey))
    ?.toString('utf8')
    .trim();

export function writeSyncKey(disk: Disk, { syncKey }: StorePaths, key: string): void {
  ensureFolder(disk, folderOf(syncKey));
  writeFileAtomic(disk, syncKey, Buffer.from(`${key}\n`), { point: 'sync.key' });
}

/** Which files an encrypted folder was found to hold. They are found again where this is lost. */
export const knownPaths = (disk: Disk, paths: StorePaths, target: string) => ({
  read: (): readonly string[] =>
    z
      .array(z.string())
      .catch([])
      .parse(parseJson(readOwnFile(paths.syncNames(target)) ?? '')),
  write: (known: readonly string[]): void => {
    writeFileAtomic(disk, paths.syncNames(target), Buffer.from(`${JSON.stringify(known)}\n`), { point: 'sync.names' });
  },
});

const WAITS = { ms: 20, most: 500 };

/** One exchange at a time in a home; waits ten seconds for one that runs. Throws session_locked. */
export async function withSyncLock<T>(disk: Disk, paths: StorePaths, work: () => Promise<T>): Promise<T> {
  ensureFolder(disk, folderOf(paths.syncLock));
  let held = acquireLock(disk, paths.syncLock);
  for (let waits = 0; held.kind === 'busy' && held.why === 'running' && waits < WAITS.most; waits++) {
    sleepSync(WAITS.ms);
    held = acquireLock(disk, paths.syncLock);
  }
  if (held.kind === 'busy') {
    const { pid, place } = printableHolder(held.holder);
    throw new SanbotError(
      'session_locked',
      { en: `Another sanbot sync is running (process ${pid} on ${place})`, zh: `另一个 sanbot sync 正在运行（${place} 上的进程 ${pid}）` },
      { en: 'Wait until it is done.', zh: '请等它结束。' },
    );
  }
  try {
    return await work();
  } finally {
    held.lock.release();
  }
}

type Rules = { readonly never: readonly string[]; readonly folders: readonly string[] };

/** What may leave the home: no session that was marked, none that began in one of the folders, and no memory that was taken from such. */
export function leavingRules(paths: StorePaths, { never, folders }: Rules) {
  const marked = new Set(never);
  const real = folders.map(realOf);
  const isExcluded = (cwd: string): boolean =>
    folders.some((folder) => isBelow(cwd, folder)) || real.some((folder) => isBelow(realOf(cwd), folder));
  const cwdOf = (sessionId: string): string | undefined => orUndefined(() => peekSession(paths, sessionId).header.cwd);
  const mayLeave = (sessionId: string, known?: string): boolean => {
    if (marked.has(sessionId)) return false;
    const cwd = folders.length === 0 ? '' : (known ?? cwdOf(sessionId));
    // Where it began can no longer be told.
    return cwd !== undefined && !isExcluded(cwd);
  };
  return {
    mayLeave: (sessionId: string): boolean => mayLeave(sessionId),
    mayMemoryLeave: (line: string): boolean => {
      const { sessionId, cwd } = parseMemoryLine(line, 'facts') ?? {};
      return sessionId === undefined ? cwd === undefined || !isExcluded(cwd) : mayLeave(sessionId, cwd);
    },
  };
}

const realOf = (path: string): string => orUndefined(() => realpathSync(path)) ?? path;
const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
