import { lstatSync } from 'node:fs';
import type { Bodies } from '../../agent/ports/disk.ts';
import type { Clock } from '../../agent/ports/effects.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { StorePaths } from '../files/paths.ts';
import { indexArchives } from './search-archive.ts';
import type { SearchIndex } from './search-index.ts';
import { indexLog, type LogToIndex, stampOf } from './search-log.ts';
import { fileStamp, indexPage, memoryPages } from './search-pages.ts';
import type { NewEntry, SourceRow } from './search-rows.ts';
import type { TextAnalyzer } from './search-texts.ts';

/** How much of what is new is indexed before an answer. The rest is left for the next time, which goes on where this one stopped. */
export type IndexLimits = {
  /** No batch begins later than that, but the first one, unless it is 0; what is under way is ended. */
  readonly ms: number;
  readonly batchBytes: number;
};

export type IndexFirst = {
  readonly named: readonly string[];
  readonly preferred?: (() => (sessionId: string) => boolean) | undefined;
};

export type UpdateDeps = {
  readonly disk: { readonly now: Clock };
  readonly paths: StorePaths;
  readonly analyzer: TextAnalyzer;
  readonly bodies: (sessionId: string) => Pick<Bodies, 'read'>;
  readonly pause: () => Promise<void>;
  readonly first?: IndexFirst | undefined;
  readonly limits?: IndexLimits | undefined;
};

type UpdateOptions = { readonly deps: UpdateDeps; readonly signal: AbortSignal };
type ChangedLog = LogToIndex & { readonly newBytes: number; readonly isNew: boolean };

/**
 * Brings the index up to date, as far as the limits allow: first the sessions that are named, then the preferred ones, then all others, the
 * newest first. Resolves with the number of sessions that are not indexed to their end. A log that cannot be read hides no other.
 */
export async function updateIndex(index: SearchIndex, sessions: readonly string[], { deps, signal }: UpdateOptions): Promise<number> {
  const { paths, analyzer, bodies } = deps;
  const knownSources = new Map(index.sources().map((source) => [source.path, source]));
  const pages = memoryPages(paths);
  const logs = new Map(sessions.map((sessionId) => [paths.log(sessionId), sessionId]));
  const current = new Set([...logs.keys(), ...pages.map(({ path }) => path)]);
  for (const deletedSource of [...knownSources.values()].filter(({ path }) => !current.has(path) && fileStamp(path) === undefined))
    index.write(() => index.removeSource(deletedSource.id));
  const changed = [...logs].flatMap(([path, sessionId]): readonly ChangedLog[] => {
    const known = knownSources.get(path);
    const newBytes = newBytesOf(path, known);
    return newBytes === undefined ? [] : [{ path, sessionId, analyzer, bodies: bodies(sessionId), newBytes, isNew: known === undefined }];
  });
  const left = await indexLogs(index, changed, { deps, signal });
  for (const page of pages) {
    try {
      indexPage(index, page, { analyzer, known: knownSources.get(page.path) });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
  }
  indexArchives(index, paths, { analyzer, knownSources, liveSessions: new Set(sessions) });
  return left;
}

/** Returns how much of a log is not indexed yet; undefined when it has not changed since it was indexed, or is gone. */
function newBytesOf(path: string, indexed: Pick<SourceRow, 'stamp' | 'done'> | undefined): number | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const isSame = indexed?.stamp === stampOf(path, stats.ino);
  return isSame && indexed.done === stats.size ? undefined : Math.max(0, stats.size - (isSame ? indexed.done : 0));
}

/**
 * How much is read in one transaction: others wait no longer than that, and a killed process loses no more. Measured over 21 MB: parts of 2
 * or 4 MB make the index 9 or 34 % larger, parts of 16 MB 1 % smaller; the times differ by less than two measurements of the same do.
 */
const BATCH_BYTES = 8 * 1024 * 1024;

const NO_LIMITS: IndexLimits = { ms: Number.POSITIVE_INFINITY, batchBytes: BATCH_BYTES };

async function indexLogs(index: SearchIndex, changed: readonly ChangedLog[], { deps, signal }: UpdateOptions): Promise<number> {
  const { first, limits = NO_LIMITS, disk, pause } = deps;
  const next = async (logs: readonly ChangedLog[], batchBytes: number, older = 0): Promise<readonly ChangedLog[]> => {
    const left = indexNextBatch(index, logs, { batchBytes, older });
    await pause();
    if (signal.aborted) throw new AbortedError();
    return left;
  };
  const named = new Set(first?.named);
  for (let logs = changed.filter(({ sessionId }) => named.has(sessionId)); logs.length > 0; ) logs = [...(await next(logs, BATCH_BYTES))];
  let logs = changed.filter(({ sessionId }) => !named.has(sessionId));
  if (bytesOf(logs) > limits.batchBytes) logs = newestFirst(logs, deps.limits === undefined ? undefined : first?.preferred?.());
  const end = disk.now().getTime() + limits.ms;
  for (let isTime = limits.ms > 0; isTime && logs.length > 0; isTime = disk.now().getTime() < end)
    logs = [...(await next(logs, limits.batchBytes, bytesOf(logs)))];
  return logs.length;
}

const bytesOf = (logs: readonly ChangedLog[]): number => logs.reduce((sum, { newBytes }) => sum + newBytes, 0);

/** Ids begin with the time of their session. */
function newestFirst(logs: readonly ChangedLog[], isPreferred: (sessionId: string) => boolean = () => false): ChangedLog[] {
  const ordered = logs.toSorted((a, b) => (a.sessionId < b.sessionId ? 1 : -1));
  return [...ordered.filter(({ sessionId }) => isPreferred(sessionId)), ...ordered.filter(({ sessionId }) => !isPreferred(sessionId))];
}

type BatchOptions = { readonly batchBytes: number; readonly older: number };

/** Indexes the first of these logs; returns what is left. A log that cannot be read is dropped. */
function indexNextBatch(index: SearchIndex, logs: readonly ChangedLog[], { batchBytes, older }: BatchOptions): readonly ChangedLog[] {
  let count = 1;
  for (let bytes = logs[0]?.newBytes ?? 0; count < logs.length; count++) {
    bytes += logs[count]?.newBytes ?? 0;
    if (bytes > batchBytes) break;
  }
  const batch = logs.slice(0, count).toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  const unended: ChangedLog[] = [];
  let current = batch[0];
  const read = (log: ChangedLog, add: (entry: NewEntry) => void): void => {
    current = log;
    const { bytes, more } = indexLog(index, log, { maxBytes: batchBytes, add });
    if (more) unended.push({ ...log, isNew: false, newBytes: Math.max(0, log.newBytes - bytes) });
  };
  try {
    index.write(() => {
      const entries: NewEntry[] = [];
      const added = batch.filter(({ isNew }) => isNew);
      for (const log of added) read(log, (entry) => entries.push(entry));
      let id = index.firstIdFor({ session: added.at(-1)?.sessionId ?? '', count: entries.length, room: Math.ceil(older / ROOM_BYTES) });
      for (const entry of entries) index.addEntry(entry, id++);
      for (const log of batch) if (!log.isNew) read(log, (entry) => index.addEntry(entry));
    });
    return [...unended, ...logs.slice(count)];
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return logs.filter((log) => log !== current);
  }
}

/** Few entries take less of a log. */
const ROOM_BYTES = 200;

const isUnreadable = (error: unknown): boolean => error instanceof SanbotError && error.code === 'store_damaged';
