/**
 * The index behind `recall` and `sanbot search`: everything that was said, called and returned in a home, and its memories, found by its
 * words. The originals stay where they are; the index holds terms and places, and can be built anew at any time.
 *
 * A query comes in as groups of terms, and entries come out, the best first, each with a reference that opens its original. Before each
 * search the index is brought up to date with what was appended since (search-update): all of it, or as much as the time allows.
 *
 * It is only a convenience: when it is damaged it is rebuilt, where it cannot be written it is built in memory, and when another process
 * holds it, what it has is used. Each of these is reported. How texts become terms is decided elsewhere (`TextAnalyzer`), purely.
 */

import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { AbortedError, errorReason, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because } from '../../domain/language.ts';
import type { RecallSource } from '../../domain/recall.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { type Disk, entryExists } from '../files/disk.ts';
import { storeFailure } from '../files/failure.ts';
import { isGroupName, isId, namesIn, printablePath, type StorePaths } from '../files/paths.ts';
import { readArchivedText } from './search-archive.ts';
import type { EntryMatch } from './search-find.ts';
import { SearchIndex } from './search-index.ts';
import { fileStamp, pageNameOf, readMemoryText } from './search-pages.ts';
import type { EntryRow, SourceRow } from './search-rows.ts';
import {
  isBusy,
  isDamage,
  isUnwritable,
  openSearchTables,
  openTablesInMemory,
  removeSearchIndex,
  type SearchTables,
} from './search-tables.ts';
import type { TextAnalyzer } from './search-texts.ts';
import { type Original, readOriginal } from './search-texts.ts';
import { type UpdateDeps, updateIndex } from './search-update.ts';

export type SearchDeps = UpdateDeps & { readonly disk: Disk };

/** `isStored`: false for an index in memory, which is gone after this use. `sessionsLeft`: so many are not indexed to their end. */
export type IndexState = { readonly isStored: boolean; readonly sessionsLeft: number };
export type UseIndex<T> = (index: SearchIndex, state: IndexState) => T | Promise<T>;

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
    // Nothing could go on where this stops.
    return attempt({ ...deps, limits: undefined }, use, { signal, open: openTablesInMemory });
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
    let sessionsLeft = 0;
    try {
      sessionsLeft = await updateIndex(index, sessions, { deps, signal });
    } catch (error) {
      if (!isBusy(error)) throw error;
      disk.warn({
        en: 'Another SanBot is writing the search index: what was added last may not be found yet.',
        zh: '另一个 SanBot 正在写搜索索引：最近添加的内容可能暂时找不到。',
      });
    }
    return await use(index, { isStored: open !== openTablesInMemory, sessionsLeft });
  } finally {
    index.close();
  }
}

/** The logs need the last space; the index is derived from them. Measured: otherwise a turn with 320 KB left could not be written. */
const MIN_FREE_MB = 32;
const MIN_FREE_BYTES = MIN_FREE_MB * 1024 * 1024;

function freeBytes(folder: string): number {
  const stats = orUndefined(() => statfsSync(folder));
  return stats === undefined ? Number.POSITIVE_INFINITY : stats.bavail * stats.bsize;
}

/** Removes what belongs to files that are gone, and vectors that nothing uses, all unless `keepVectors`. Throws the library's errors. */
export function cleanSearchIndex(disk: Disk, paths: StorePaths, { keepVectors }: { readonly keepVectors: boolean }): void {
  if (!entryExists(paths.searchIndex)) return;
  const index = new SearchIndex(openSearchTables(disk, paths.searchIndex).db);
  try {
    index.write(() => {
      for (const { id, path } of index.sources()) if (fileStamp(path) === undefined) index.removeSource(id);
      if (!keepVectors) index.vectors.forget();
      index.vectors.removeUnused();
    });
  } finally {
    index.close();
  }
}

type LocatedEntry = Pick<EntryMatch, 'entry' | 'source'>;

/**
 * Returns `SESSION:12` for what a message says, `SESSION:12.1` for a call in it, `SESSION:12+3.1` in a context that was carried over;
 * `archive:GROUP:PAGE:12.1` when only the archive page is left, and `memory:GROUP:PAGE:KEY` for a memory.
 */
export function recallRefOf({ entry, source }: LocatedEntry): string {
  if (entry.kind === 'memory') return `memory:${source.grp}:${pageNameOf(source.path)}:${entry.key}`;
  const file = isArchived(source) ? `archive:${source.grp}:${ARCHIVE_NAME.exec(source.path)?.[1] ?? ''}` : source.session;
  return `${file}:${entry.n}${entry.part < 0 ? '' : `+${entry.part}`}${entry.block < 0 ? '' : `.${entry.block}`}`;
}

const ARCHIVE_NAME = /([^/\\]+)\.md$/;
const isArchived = ({ path }: SourceRow): boolean => path.endsWith('.md');

const LOG_REF = /^([a-z0-9_-]+):(\d{1,15})(?:\+(\d{1,15}))?(?:\.(\d{1,15}))?$/;
const ARCHIVE_REF = /^archive:([^/\\:\p{Cc}]+):([^/\\:\p{Cc}]+):(\d{1,15})(?:\.(\d{1,15}))?$/u;
const MEMORY_REF = /^memory:([^/\\:\p{Cc}]+):([a-z]+|\d{4}-\d\d-\d\d):([0-9a-f]{8})$/u;

export const sessionOfRef = (ref: string): string | undefined => LOG_REF.exec(ref)?.[1];

/** Returns what a reference names, when it is in the index. A reference is only compared with indexed paths; it never opens a file. */
export function findRef(index: SearchIndex, paths: StorePaths, ref: string): LocatedEntry | undefined {
  const [, group, page, key] = MEMORY_REF.exec(ref) ?? [];
  if (group !== undefined && key !== undefined) {
    const source = index.sources().find(({ path, grp, session }) => grp === group && session === '' && pageNameOf(path) === page);
    return locatedEntry(source, ({ id }) => index.entryByKey(id, key));
  }
  const [, archiveGroup, name, number, archiveBlock] = ARCHIVE_REF.exec(ref) ?? [];
  if (archiveGroup !== undefined && isGroupName(archiveGroup)) {
    const source = index.sourceAt(join(paths.conversations(archiveGroup), `${name}.md`));
    return locatedEntry(source, ({ id }) => index.entryAt(id, { n: Number(number), part: -1, block: orNone(archiveBlock) }));
  }
  const [, session, n, part, block] = LOG_REF.exec(ref) ?? [];
  const source = session !== undefined && isId(session) ? index.sourceAt(paths.log(session)) : undefined;
  return locatedEntry(source, ({ id }) => index.entryAt(id, { n: Number(n), part: orNone(part), block: orNone(block) }));
}

const orNone = (number: string | undefined): number => (number === undefined ? -1 : Number(number));
function locatedEntry(source: SourceRow | undefined, find: (source: SourceRow) => EntryRow | undefined): LocatedEntry | undefined {
  const entry = source === undefined ? undefined : find(source);
  return source === undefined || entry === undefined ? undefined : { entry, source };
}

export const recallSourceOf = ({ entry, source }: LocatedEntry): RecallSource => ({
  ref: recallRefOf({ entry, source }),
  sessionId: entry.kind === 'memory' ? entry.place : source.session,
  at: entry.at,
  kind: entry.kind,
  tool: entry.tool === '' ? undefined : entry.tool,
  failed: entry.failed === 1,
});

export type EntryText = { readonly text: string; readonly lead: string };

export function readEntry(
  { bodies }: Pick<SearchDeps, 'bodies'>,
  { entry, source }: LocatedEntry,
  analyzer: TextAnalyzer,
): EntryText | undefined {
  if (isArchived(source) && entry.kind !== 'memory') return readArchivedText(source.path, entry, analyzer);
  const original = entry.kind === 'memory' ? undefined : readOriginal(source.path, entry, bodies(source.session));
  if (original?.kind === 'call') return analyzer.callText(original.call, original.result);
  const text =
    entry.kind === 'memory' ? readMemoryText(source.path, entry) : original === undefined ? undefined : saidIn(original, analyzer);
  return text === undefined ? undefined : { text, lead: '' };
}

const saidIn = (original: Exclude<Original, { kind: 'call' }>, analyzer: TextAnalyzer): string | undefined =>
  original.kind === 'result' ? original.result.text : analyzer.messageText(original.message)?.text;
