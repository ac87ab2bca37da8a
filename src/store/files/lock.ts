import { createHash } from 'node:crypto';
import { fstatSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { shown } from '../../domain/text.ts';
import { closeQuietly, type Disk, openToRead, pause, readAt, step } from './disk.ts';
import { errnoOf, storeFailure } from './failure.ts';
import { type Host, readHost } from './host.ts';
import { shownTime } from './ids.ts';
import { parseJson } from './json-line.ts';
import { folderOf, shownPath } from './paths.ts';
import { namesIn, placeNew, unlinkIfThere, writeTemporary } from './replace-file.ts';
import { isCount, isObject, isString } from './shape.ts';

/** Who has it: written whole into the lock, so that others can tell a living holder from a dead one. */
export type Holder = {
  readonly pid: number;
  readonly startTime?: string | undefined;
  readonly bootId?: string | undefined;
  readonly host: string;
  readonly pidSpace?: string | undefined;
  /** Letters and digits: it becomes a part of a file name. */
  readonly nonce: string;
  /** ISO 8601, UTC. */
  readonly since: string;
};

export type Lock = {
  readonly isHeld: () => boolean;
  /** Gives it back, unless it is somebody else's by now. Never throws. */
  readonly release: () => void;
};

export type LockAnswer =
  | { readonly kind: 'held'; readonly lock: Lock }
  /** `elsewhere`: another machine or container, of which nothing can be known from here. */
  | { readonly kind: 'busy'; readonly why: 'running' | 'elsewhere'; readonly holder: Holder };

type Found = { readonly kind: 'gone' } | { readonly kind: 'lock'; readonly holder: Holder | undefined; readonly token: string };

/**
 * Takes a lock, or says who has it; never waits for a holder. A lock is stale when its holder's process has ended, whatever the
 * time says: clocks jump and event loops block. Throws store_failed when the folder cannot be written.
 */
export function takeLock(disk: Disk, path: string, host: Host = readHost(disk)): LockAnswer {
  const me = identity(disk, host);
  try {
    const mine = writeOwn(disk, path, me);
    try {
      return take(disk, path, { me, mine, host });
    } finally {
      unlinkIfThere(mine);
    }
  } catch (error) {
    throw storeFailure(error, 'make the lock', path);
  }
}

function identity(disk: Disk, host: Host): Holder {
  const startTime = host.startTime(disk.pid);
  return {
    pid: disk.pid,
    startTime,
    bootId: host.bootId,
    host: host.name,
    pidSpace: host.pidSpace,
    nonce: shortHash(`${disk.newId()} ${disk.pid} ${startTime} ${host.name}`),
    since: disk.now().toISOString(),
  };
}

/** Unsynced: no lock outlives a power cut, and one that is empty after it counts as stale. */
const writeOwn = (disk: Disk, path: string, me: Holder): string =>
  writeTemporary(disk, path, Buffer.from(JSON.stringify(me)), { point: 'lock', sync: false });

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Does something short under a lock, waiting up to 5 s for it. Throws store_failed with the holder when that is not enough. */
export function withLock<T>(disk: Disk, path: string, work: () => T): T {
  const lock = waitForLock(disk, path);
  try {
    return work();
  } finally {
    lock.release();
  }
}

const WAIT_MS = 10;
const WAITS = 500;

function waitForLock(disk: Disk, path: string): Lock {
  const host = readHost(disk);
  for (let waits = 0; ; waits++) {
    // A look costs less than a try, which writes.
    const holder = holderOf(path, host);
    if (holder === undefined) {
      const answer = takeLock(disk, path, host);
      if (answer.kind === 'held') return answer.lock;
    } else if (waits >= WAITS || judge(holder, host) === 'elsewhere') throw busyError(path, holder);
    if (waits >= 2 * WAITS) throw storeFailure(new Error('others are always quicker'), 'take the lock', path);
    pause(WAIT_MS);
  }
}

function busyError(path: string, { pid, host, since }: Holder): SanbotError {
  const who = `process ${pid} on ${shown(host)} since ${shownTime(since)}`;
  return new SanbotError('store_failed', `${shownPath(folderOf(path))} is being written by ${who}`, {
    hint: `Try again; if that process is gone, delete ${shownPath(path)}.`,
  });
}

type Attempt = { readonly me: Holder; readonly mine: string; readonly host: Host };

/** Ten rounds: each ends because another process moved on meanwhile, and a living one among them is found in the next. */
function take(disk: Disk, path: string, attempt: Attempt): LockAnswer {
  for (let round = 0; round < 10; round++) {
    if (placeNew(disk, attempt.mine, path, 'lock')) return held(path, attempt.me);
    const found = look(path);
    if (found.kind === 'gone') continue;
    const state = judge(found.holder, attempt.host);
    if (found.holder !== undefined && state !== 'stale') return { kind: 'busy', why: state, holder: found.holder };
    if (takeOver(disk, path, { ...attempt, stale: found.token })) return held(path, attempt.me);
    pause(20);
  }
  throw new SanbotError('store_failed', `Cannot take over the lock ${shownPath(path)}: other processes are at it`, {
    hint: `Try again; if nothing else runs, delete ${shownPath(path)}.`,
  });
}

/**
 * Replaces a stale lock. Only who holds the claim to that very lock may, and a claim is made once: by linking a file named after the
 * stale lock's nonce. Should the claimant die, the next one claims the claim. Inside, the lock is looked at again, so a claim made too
 * late does nothing; claims are removed only when the lock they are about is gone, which never comes back.
 */
function takeOver(disk: Disk, path: string, attempt: Attempt & { readonly stale: string }): boolean {
  const claim = makeClaim(disk, path, attempt);
  if (claim === undefined) return false;
  try {
    const found = look(path);
    if (found.kind === 'gone' || found.token !== attempt.stale) return false;
    step(disk, 'lock.rename');
    // A copy under the lock's name; `mine` stays for the caller to remove.
    const copy = writeOwn(disk, path, attempt.me);
    renameSync(copy, path);
    return true;
  } finally {
    unlinkIfThere(claim);
  }
}

/** The path of our claim; undefined when a living process has one, or the lock has changed. */
function makeClaim(disk: Disk, path: string, { stale, mine, host }: Attempt & { readonly stale: string }): string | undefined {
  for (let token = stale, depth = 0; depth < 20; depth++) {
    const claim = `${path}.claim-${token}`;
    if (placeNew(disk, mine, claim, 'lock')) return claim;
    const found = look(claim);
    if (found.kind === 'gone' || judge(found.holder, host) !== 'stale') return undefined;
    token = found.token;
  }
  return undefined;
}

function held(path: string, me: Holder): LockAnswer {
  const isHeld = () => {
    const found = look(path);
    return found.kind === 'lock' && found.holder?.nonce === me.nonce;
  };
  removeClaims(path);
  return {
    kind: 'held',
    lock: {
      isHeld,
      release: () => {
        if (isHeld()) unlinkIfThere(path);
      },
    },
  };
}

/** Claims to earlier locks mean nothing any more, once there is a new one. */
function removeClaims(path: string): void {
  const start = `${basename(path)}.claim-`;
  for (const name of namesIn(folderOf(path))) if (name.startsWith(start)) unlinkIfThere(join(folderOf(path), name));
}

function look(path: string): Found {
  const first = readLock(path);
  if (first.kind === 'gone' || first.holder !== undefined) return first;
  // Where files cannot be linked, a new lock is empty for an instant.
  pause(100);
  return readLock(path);
}

function readLock(path: string): Found {
  let file: number;
  try {
    file = openToRead(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { kind: 'gone' };
    throw error;
  }
  try {
    const { ino, mtimeMs } = fstatSync(file);
    const text = readAt(file, 0, 4096).toString('utf8');
    const holder = holderIn(parseJson(text));
    if (holder !== undefined) return { kind: 'lock', holder, token: holder.nonce };
    return { kind: 'lock', holder: undefined, token: shortHash(`${ino} ${mtimeMs} ${text}`) };
  } finally {
    closeQuietly(file);
  }
}

function holderIn(value: unknown): Holder | undefined {
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

/** Whether the holder still runs. A lock that cannot be read has none. */
export function judge(holder: Holder | undefined, host: Host): 'running' | 'elsewhere' | 'stale' {
  if (holder === undefined) return 'stale';
  if (holder.host !== host.name) return 'elsewhere';
  if (differ(holder.bootId, host.bootId)) return 'stale';
  if (differ(holder.pidSpace, host.pidSpace)) return 'elsewhere';
  if (!host.isAlive(holder.pid)) return 'stale';
  return differ(holder.startTime, host.startTime(holder.pid)) ? 'stale' : 'running';
}

const differ = (a: string | undefined, b: string | undefined): boolean => a !== undefined && b !== undefined && a !== b;

/** The holder of a lock that is in use; undefined when it is free or stale. Changes nothing. */
export function holderOf(path: string, host: Host): Holder | undefined {
  const found = readLock(path);
  return found.kind === 'lock' && judge(found.holder, host) !== 'stale' ? found.holder : undefined;
}
