/**
 * The index behind `recall` and `sanbot search`: everything that was said, called and returned in a home, and its memories, found by its
 * words. The originals stay where they are; the index holds terms and places, and can be built anew at any time.
 *
 * A query comes in as groups of terms, and entries come out, the best first, each with a reference that opens its original. Before each
 * search the index is brought up to date with what was appended since.
 *
 * It is only a convenience: when it is damaged it is rebuilt, where it cannot be written it is built in memory, and when another process
 * holds it, what it has is used. Each of these is reported. How texts become terms is decided elsewhere (`TextAnalyzer`), purely.
 */

import { statfsSync } from 'node:fs';
import type { Bodies } from '../../agent/ports/disk.ts';
import { AbortedError, errorReason, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { namesIn } from '../files/atomic-write.ts';
import type { Disk } from '../files/disk.ts';
import { errnoOf, storeFailure } from '../files/failure.ts';
import { isId } from '../files/ids.ts';
import { printablePath, type StorePaths } from '../files/paths.ts';
import { indexArchives } from './search-archive.ts';
import { SearchIndex } from './search-index.ts';
import { hasChanged, indexLog, type LogToIndex, newBytes } from './search-log.ts';
import { fileStamp, indexPage, memoryPages } from './search-pages.ts';
import {
  isBusy,
  isDamage,
  isUnwritable,
  openSearchTables,
  openTablesInMemory,
  removeSearchIndex,
  type SearchTables,
} from './search-tables.ts';
import type { TextAnalyzer } from './text-analyzer.ts';

export type SearchDeps = {
  readonly disk: Disk;
  readonly paths: StorePaths;
  readonly analyzer: TextAnalyzer;
  readonly bodies: (sessionId: string) => Pick<Bodies, 'read'>;
  /** Lets other work run between two parts. */
  readonly pause: () => Promise<void>;
  /** Logs that have grown by more than this in all are left for later. */
  readonly mostNewBytes?: number | undefined;
};

/** `isStored`: false for an index in memory, which is gone after this use. */
export type UseIndex<T> = (index: SearchIndex, place: { readonly isStored: boolean }) => T | Promise<T>;

/**
 * Opens the index, creating it when there is none, brings it up to date and passes it to `use`. A damaged index, or one of another version,
 * is rebuilt with a warning. Where it cannot be written, or space is short, an index in memory is used this once, also with a warning. When
 * another process keeps it busy, it is used as it is, with a warning. Rejects with AbortedError between two parts when the signal aborts,
 * otherwise only with SanbotError.
 */
export async function withSearchIndex<T>(deps: SearchDeps, use: UseIndex<T>, signal: AbortSignal): Promise<T> {
  const path = deps.paths.searchIndex;
  const open = (): SearchTables => openSearchTables(deps.disk, path);
  const inMemory = (why: Bilingual): Promise<T> => {
    deps.disk.warn(because(why, { en: 'the index is kept in memory this time.', zh: '这次把索引放在内存中。' }));
    return attempt(deps, use, { signal, open: openTablesInMemory });
  };
  try {
    try {
      if (freeBytes(deps.disk.home) < MIN_FREE_BYTES)
        return await inMemory({ en: `Less than ${MIN_FREE_MB} MB of space are free`, zh: `可用空间不足 ${MIN_FREE_MB} MB` });
      return await attempt(deps, use, { signal, open });
    } catch (error) {
      if (isUnwritable(error))
        return await inMemory({ en: `${printablePath(path)} cannot be written`, zh: `${printablePath(path)} 无法写入` });
      if (!isDamage(error)) throw error;
      deps.disk.warn({
        en: `The search index is damaged (${errorReason(error).en}): it is being rebuilt.`,
        zh: `搜索索引已损坏（${errorReason(error).zh}）：正在重建。`,
      });
      removeSearchIndex(path);
      return await attempt(deps, use, { signal, open });
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

type Attempt = { readonly signal: AbortSignal; readonly open: () => SearchTables };

async function attempt<T>(deps: SearchDeps, use: UseIndex<T>, { signal, open }: Attempt): Promise<T> {
  const { disk, paths } = deps;
  const { db, state } = open();
  const index = new SearchIndex(db);
  try {
    if (state === 'other_version')
      disk.warn({
        en: 'The search index is of another version of SanBot: it is being rebuilt.',
        zh: '搜索索引属于另一个版本的 SanBot：正在重建。',
      });
    const sessions = namesIn(paths.sessions).filter(isId).sort();
    try {
      await update(index, sessions, { deps, signal });
    } catch (error) {
      if (!isBusy(error)) throw error;
      disk.warn({
        en: 'Another SanBot is writing the search index: what was added last may not be found yet.',
        zh: '另一个 SanBot 正在写搜索索引：最近添加的内容可能暂时找不到。',
      });
    }
    return await use(index, { isStored: open !== openTablesInMemory });
  } finally {
    index.close();
  }
}

/** The logs need the last space; the index is derived from them. Measured: otherwise a turn with 320 KB left could not be written. */
const MIN_FREE_MB = 32;
const MIN_FREE_BYTES = MIN_FREE_MB * 1024 * 1024;

/** Returns infinity when the system does not say. */
function freeBytes(folder: string): number {
  const stats = orUndefined(() => statfsSync(folder));
  return stats === undefined ? Number.POSITIVE_INFINITY : stats.bavail * stats.bsize;
}

type UpdateOptions = { readonly deps: SearchDeps; readonly signal: AbortSignal };

async function update(index: SearchIndex, sessions: readonly string[], { deps, signal }: UpdateOptions): Promise<void> {
  const { paths, analyzer, bodies, mostNewBytes = Number.POSITIVE_INFINITY } = deps;
  const knownSources = new Map(index.sources().map((source) => [source.path, source]));
  const logs = sessions.map((sessionId) => ({ path: paths.log(sessionId), sessionId, analyzer, bodies: bodies(sessionId) }));
  const pages = memoryPages(paths);
  const current = new Set([...logs, ...pages].map(({ path }) => path));
  for (const deletedSource of [...knownSources.values()].filter(({ path }) => !current.has(path) && fileStamp(path) === undefined))
    index.write(() => index.removeSource(deletedSource.id));
  let changed: readonly LogToIndex[] = logs.filter(({ path }) => hasChanged(path, knownSources.get(path)));
  if (changed.reduce((sum, { path }) => sum + newBytes(path, knownSources.get(path)), 0) > mostNewBytes) return;
  while (changed.length > 0) {
    changed = indexNextBatch(index, changed);
    await deps.pause();
    if (signal.aborted) throw new AbortedError();
  }
  for (const page of pages) {
    try {
      indexPage(index, page, { analyzer, known: knownSources.get(page.path) });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
  }
  indexArchives(index, paths, { analyzer, knownSources, liveSessions: new Set(sessions) });
}

/**
 * How much is read in one transaction: others wait no longer than that, and a killed process loses no more. Measured over 21 MB: parts of 2
 * or 4 MB make the index 9 or 34 % larger, parts of 16 MB 1 % smaller; the times differ by less than two measurements of the same do.
 */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Indexes some of what has changed; returns what is left. A log that cannot be read is dropped and hides no other. */
function indexNextBatch(index: SearchIndex, changed: readonly LogToIndex[]): readonly LogToIndex[] {
  let position = 0;
  try {
    index.write(() => {
      for (let remaining = BATCH_BYTES; position < changed.length && remaining > 0; ) {
        const log = changed[position];
        if (log === undefined) return;
        const { bytes, more } = indexLog(index, log, remaining);
        remaining -= bytes;
        if (!more) position += 1;
      }
    });
    return changed.slice(position);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return changed.filter((_, i) => i !== position);
  }
}

const isUnreadable = (error: unknown): boolean => error instanceof SanbotError && error.code === 'store_damaged';
