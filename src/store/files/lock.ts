import { createHash } from 'node:crypto';
import { fstatSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ReasonError, SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { inspectText } from '../../domain/text.ts';
import { isCount, isObject, isString, parseJson } from '../../domain/value/json.ts';
import { linkIfAbsent, unlinkIfExists, writeTemporary } from './atomic-write.ts';
import { type Disk, faultPoint, readAt, sleepSync, withOwnFile } from './disk.ts';
import { orStoreFailure, storeFailure } from './failure.ts';
import { type Host, readHost } from './host.ts';
import { folderOf, namesIn, printablePath, printableTime } from './paths.ts';

/** The holder of a lock, written whole into the lock file, so that others can tell a live holder from a dead one. */
export type LockHolder = {
  readonly pid: number;
  readonly startTime?: string | undefined;
  readonly bootId?: string | undefined;
  readonly host: string;
  readonly pidSpace?: string | undefined;
  /** Letters and digits, since it becomes part of a file name. */
  readonly nonce: string;
  /** ISO 8601, UTC. */
  readonly since: string;
};

export type Lock = {
  readonly isHeld: () => boolean;
  /** Releases the lock, unless somebody else holds it by now. Never throws. */
  readonly release: () => void;
};

export type LockResult =
  | { readonly kind: 'held'; readonly lock: Lock }
  /** `elsewhere`: on another machine or in another container, about which nothing can be known from here. */
  | { readonly kind: 'busy'; readonly why: 'running' | 'elsewhere'; readonly holder: LockHolder };

type LockFile = { readonly holder: LockHolder | undefined; readonly token: string };

/** Acquires a lock, or says who holds it; never waits. A lock is stale when its holder's process has ended, whatever its age. */
export function acquireLock(disk: Disk, path: string, host: Host = readHost(disk)): LockResult {
  const self = ownHolder(disk, host);
  return orStoreFailure('make the lock', path, () => {
    const ownFile = writeHolder(disk, path, self);
    try {
      return tryAcquire(disk, path, { self, ownFile, host });
    } finally {
      unlinkIfExists(ownFile);
    }
  });
}

function ownHolder(disk: Disk, host: Host): LockHolder {
  const startTime = host.startTime(disk.pid);
  return {
    pid: disk.pid,
    startTime,
    bootId: host.bootId,
    host: host.name,
    pidSpace: host.pidSpace,
    nonce: `${disk.newId()}x${disk.pid}x${startTime}`.toLowerCase().replaceAll(/[^a-z0-9]/g, ''),
    since: disk.now().toISOString(),
  };
}

/** Not synced: no lock outlives a power cut, and one left empty by it counts as stale. */
const writeHolder = (disk: Disk, path: string, holder: LockHolder): string =>
  writeTemporary(disk, path, [Buffer.from(JSON.stringify(holder))], { point: 'lock', sync: false });

/** Does something short under a lock, and waits for it. Throws store_failed when one holder keeps it for 5 s, or nobody gives way for 30 s. */
export function withLock<T>(disk: Disk, path: string, work: () => T): T {
  const lock = waitForLock(disk, path);
  try {
    return work();
  } finally {
    lock.release();
  }
}

const WAITS = { ms: 10, forOne: 500, inAll: 3_000 };

function waitForLock(disk: Disk, path: string): Lock {
  const host = readHost(disk);
  let seen = { nonce: '', at: 0 };
  for (let waits = 0; waits < WAITS.inAll; waits++) {
    // Reading the lock is cheaper than trying to acquire it, which writes.
    const holder = activeHolder(path, host);
    const result = holder === undefined ? acquireLock(disk, path, host) : undefined;
    if (result?.kind === 'held') return result.lock;
    if (holder !== undefined && holder.nonce !== seen.nonce) seen = { nonce: holder.nonce, at: waits };
    const isStuck = holder !== undefined && (waits - seen.at >= WAITS.forOne || holderState(holder, host) === 'elsewhere');
    if (isStuck) throw busyError(path, holder);
    sleepSync(WAITS.ms);
  }
  throw storeFailure(new ReasonError({ en: 'other processes were faster each time', zh: '每次都有别的进程抢先' }), 'take the lock', path);
}

const retryHint = (path: string, when: Bilingual): Bilingual => ({
  en: `Try again; if ${when.en}, delete ${printablePath(path)}.`,
  zh: `请重试；如果${when.zh}，请删除 ${printablePath(path)}。`,
});

/** Returns what a message says of a holder. */
export const printableHolder = ({ pid, host, since }: LockHolder) => ({ pid, place: inspectText(host), time: printableTime(since) });

function busyError(path: string, holder: LockHolder): SanbotError {
  const folder = printablePath(folderOf(path));
  const { pid, place, time } = printableHolder(holder);
  return new SanbotError(
    'store_failed',
    {
      en: `${folder} is being written by process ${pid} on ${place} since ${time}`,
      zh: `${place} 上的进程 ${pid} 正在写入 ${folder}，始于 ${time}`,
    },
    retryHint(path, { en: 'that process is gone', zh: '该进程已不存在' }),
  );
}

type Attempt = { readonly self: LockHolder; readonly ownFile: string; readonly host: Host };

/** Up to ten rounds: a round ends when another process was quicker; if that process lives, the next round finds it. */
function tryAcquire(disk: Disk, path: string, attempt: Attempt): LockResult {
  for (let round = 0; round < 10; round++) {
    if (linkIfAbsent(disk, attempt.ownFile, path, 'lock')) return heldLock(path, attempt.self);
    const current = inspectLock(path);
    if (current === undefined) continue;
    const state = holderState(current.holder, attempt.host);
    if (current.holder !== undefined && state !== 'stale') return { kind: 'busy', why: state, holder: current.holder };
    if (takeOverStale(disk, path, { ...attempt, stale: current.token })) return heldLock(path, attempt.self);
    sleepSync(20);
  }
  throw new SanbotError(
    'store_failed',
    {
      en: `Cannot take over the lock ${printablePath(path)}: other processes are trying too`,
      zh: `无法接管锁 ${printablePath(path)}：其他进程也在尝试`,
    },
    retryHint(path, { en: 'nothing else runs', zh: '没有其他进程在运行' }),
  );
}

/**
 * Replaces a stale lock. Only the holder of a claim to that very lock may do so, and a claim can be made only once: by linking a file named
 * after the nonce of the stale lock. If the claimant dies, the next process claims the claim. Under the claim, the lock is checked again,
 * so a claim made too late does nothing. Claims are removed only when the lock they refer to is gone, which never comes back.
 */
function takeOverStale(disk: Disk, path: string, attempt: Attempt & { readonly stale: string }): boolean {
  const claim = makeClaim(disk, path, attempt);
  if (claim === undefined) return false;
  try {
    const current = inspectLock(path);
    if (current?.token !== attempt.stale) return false;
    faultPoint(disk, 'lock.rename');
    // Renames a copy to the lock's name; `ownFile` stays for the caller to remove.
    renameSync(writeHolder(disk, path, attempt.self), path);
    return true;
  } finally {
    unlinkIfExists(claim);
  }
}

/** Returns the path of our claim; undefined when a live process has one, or the lock has changed. */
function makeClaim(disk: Disk, path: string, { stale, ownFile, host }: Attempt & { readonly stale: string }): string | undefined {
  for (let token = stale, depth = 0; depth < 20; depth++) {
    const claim = `${path}.claim-${token}`;
    if (linkIfAbsent(disk, ownFile, claim, 'lock')) return claim;
    const current = inspectLock(claim);
    if (current === undefined || holderState(current.holder, host) !== 'stale') return undefined;
    token = current.token;
  }
  return undefined;
}

function heldLock(path: string, holder: LockHolder): LockResult {
  const isHeld = () => inspectLock(path)?.holder?.nonce === holder.nonce;
  removeClaims(path);
  return {
    kind: 'held',
    lock: {
      isHeld,
      release: () => {
        if (isHeld()) unlinkIfExists(path);
      },
    },
  };
}

/** Once there is a new lock, claims to earlier locks mean nothing. */
function removeClaims(path: string): void {
  const prefix = `${basename(path)}.claim-`;
  for (const name of namesIn(folderOf(path))) if (name.startsWith(prefix)) unlinkIfExists(join(folderOf(path), name));
}

/** Undefined when it is gone. */
function inspectLock(path: string): LockFile | undefined {
  const first = readLock(path);
  if (first === undefined || first.holder !== undefined) return first;
  // Where files cannot be linked, a new lock is empty for an instant.
  sleepSync(100);
  return readLock(path);
}

const readLock = (path: string): LockFile | undefined =>
  withOwnFile(path, (file) => {
    const { ino, mtimeMs } = fstatSync(file);
    const text = readAt(file, 0, 4096).toString('utf8');
    const holder = parseHolder(parseJson(text));
    // A start that meets a whole lock loads no node:crypto.
    const hash = () => createHash('sha256').update(`${ino} ${mtimeMs} ${text}`).digest('hex').slice(0, 32);
    return { holder, token: holder?.nonce ?? hash() };
  });

function parseHolder(value: unknown): LockHolder | undefined {
  if (!isObject(value)) return undefined;
  const { pid, host, nonce, since } = value;
  if (!isCount(pid) || pid === 0 || !isString(host) || !isString(nonce) || !isString(since)) return undefined;
  if (!/^[a-z0-9]{1,64}$/.test(nonce)) return undefined;
  const optional = (field: unknown) => (isString(field) ? field : undefined);
  return {
    pid,
    host,
    nonce,
    since,
    startTime: optional(value.startTime),
    bootId: optional(value.bootId),
    pidSpace: optional(value.pidSpace),
  };
}

/** Returns whether the holder still runs. A lock that cannot be read has no holder and is stale. */
export function holderState(holder: LockHolder | undefined, host: Host): 'running' | 'elsewhere' | 'stale' {
  if (holder === undefined) return 'stale';
  if (holder.host !== host.name) return 'elsewhere';
  if (differ(holder.bootId, host.bootId)) return 'stale';
  if (differ(holder.pidSpace, host.pidSpace)) return 'elsewhere';
  if (!host.isAlive(holder.pid)) return 'stale';
  return differ(holder.startTime, host.startTime(holder.pid)) ? 'stale' : 'running';
}

const differ = (a: string | undefined, b: string | undefined): boolean => a !== undefined && b !== undefined && a !== b;

/** Returns the holder of a lock that is in use; undefined when it is free or stale. Changes nothing. */
export function activeHolder(path: string, host: Host): LockHolder | undefined {
  const current = readLock(path);
  return holderState(current?.holder, host) === 'stale' ? undefined : current?.holder;
}
