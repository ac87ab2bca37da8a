import { statfsSync } from 'node:fs';
import type { Bodies } from '../../agent/ports.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { Disk } from '../files/disk.ts';
import { errnoOf, lineOf, storeFailure } from '../files/failure.ts';
import { isId } from '../files/ids.ts';
import { type StorePaths, shownPath } from '../files/paths.ts';
import { namesIn } from '../files/replace-file.ts';
import { indexArchives } from './search-archive.ts';
import { SearchIndex } from './search-index.ts';
import { hasChanged, indexLog, type LogToIndex } from './search-log.ts';
import { indexPage, memoryPages, stampOf } from './search-pages.ts';
import {
  isBusy,
  isDamage,
  isUnwritable,
  type OpenedTables,
  openSearchTables,
  openTablesInMemory,
  removeSearchIndex,
} from './search-tables.ts';
import type { SearchWords } from './search-words.ts';

export type SearchWorld = {
  readonly disk: Disk;
  readonly paths: StorePaths;
  readonly words: SearchWords;
  readonly bodies: (sessionId: string) => Pick<Bodies, 'read'>;
  /** Lets other work go on between two parts. */
  readonly pause: () => Promise<void>;
};

/**
 * Opens the index, makes it when there is none, brings it up to date, and does something with it. A damaged one, or one of another
 * version, is built anew, which is told. Where it cannot be written, or space is short, one in memory takes its place for this once,
 * which is told too. When another process keeps it busy, what is in it is used, and told. Rejects with AbortedError between two parts
 * when the signal aborts, else only with SanbotError.
 */
export async function withSearchIndex<T>(world: SearchWorld, use: (index: SearchIndex) => T, signal: AbortSignal): Promise<T> {
  const path = world.paths.searchIndex;
  const open = (): OpenedTables => openSearchTables(world.disk, path);
  const inMemory = (why: string): Promise<T> => {
    world.disk.tell(`${why}: what is searched is indexed in memory, for this once.`);
    return attempt(world, use, { signal, open: openTablesInMemory });
  };
  try {
    try {
      if (freeBytes(world.disk.home) < SPARE_BYTES) return await inMemory(`Less than ${SPARE_MB} MB of space are free`);
      return await attempt(world, use, { signal, open });
    } catch (error) {
      if (isUnwritable(error)) return await inMemory(`${shownPath(path)} cannot be written`);
      if (!isDamage(error)) throw error;
      world.disk.tell(`The search index is damaged (${lineOf(error)}): it is built anew.`);
      removeSearchIndex(path);
      return await attempt(world, use, { signal, open });
    }
  } catch (error) {
    if (error instanceof AbortedError || error instanceof SanbotError) throw error;
    throw indexFailure(error, path);
  }
}

function indexFailure(error: unknown, path: string): SanbotError {
  if (errnoOf(error) === 'SQLITE_FULL')
    return storeFailure(Object.assign(new Error('full', { cause: error }), { code: 'ENOSPC' }), 'write', path);
  return storeFailure(error, 'use', path);
}

type Attempt = { readonly signal: AbortSignal; readonly open: () => OpenedTables };

async function attempt<T>(world: SearchWorld, use: (index: SearchIndex) => T, { signal, open }: Attempt): Promise<T> {
  const { disk, paths } = world;
  const { db, found } = open();
  const index = new SearchIndex(db);
  try {
    if (found === 'other_version') disk.tell('The search index is of another version of SanBot: it is built anew.');
    const sessions = namesIn(paths.sessions).filter(isId).sort();
    try {
      await update(index, sessions, { world, signal });
    } catch (error) {
      if (!isBusy(error)) throw error;
      disk.tell('Another SanBot is writing the search index: what was added last may not be found yet.');
    }
    return use(index);
  } finally {
    index.close();
  }
}

/** The index is derived from the logs: it takes nothing of the last space, which they need. Measured: else a turn with 320 KB left could not be written. */
const SPARE_MB = 32;
const SPARE_BYTES = SPARE_MB * 1024 * 1024;

/** Where the system does not say, there is enough. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

type Updating = { readonly world: SearchWorld; readonly signal: AbortSignal };

async function update(index: SearchIndex, sessions: readonly string[], { world, signal }: Updating): Promise<void> {
  const { paths, words, bodies } = world;
  const known = new Map(index.sources().map((source) => [source.path, source]));
  const logs = sessions.map((sessionId) => ({ path: paths.log(sessionId), sessionId, words, bodies: bodies(sessionId) }));
  const pages = memoryPages(paths);
  const current = new Set([...logs, ...pages].map(({ path }) => path));
  for (const gone of [...known.values()].filter(({ path }) => !current.has(path) && stampOf(path) === undefined))
    index.write(() => index.removeSource(gone.id));
  let changed: readonly LogToIndex[] = logs.filter(({ path }) => hasChanged(path, known.get(path)));
  while (changed.length > 0) {
    changed = takeSome(index, changed);
    await world.pause();
    if (signal.aborted) throw new AbortedError();
  }
  for (const page of pages) {
    try {
      indexPage(index, page, { words, known: known.get(page.path) });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
  }
  indexArchives(index, paths, { words, known, living: new Set(sessions) });
}

/**
 * So much is read in one transaction: others wait no longer, and whoever is killed loses no more. Measured over 21 MB: parts of 2 or 4 MB
 * make the index 9 or 34 % larger, parts of 16 MB 1 % smaller; the time differs by less than two measurements do.
 */
const PART_BYTES = 8 * 1024 * 1024;

/** Takes some of what has changed into the index; returns what is left. A log that cannot be read is left out and hides no other. */
function takeSome(index: SearchIndex, changed: readonly LogToIndex[]): readonly LogToIndex[] {
  let at = 0;
  try {
    index.write(() => {
      for (let left = PART_BYTES; at < changed.length && left > 0; ) {
        const log = changed[at];
        if (log === undefined) return;
        const { bytes, more } = indexLog(index, log, left);
        left -= bytes;
        if (!more) at += 1;
      }
    });
    return changed.slice(at);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return changed.filter((_, i) => i !== at);
  }
}

const isUnreadable = (error: unknown): boolean => error instanceof SanbotError && error.code === 'store_damaged';
