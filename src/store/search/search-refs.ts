import { join } from 'node:path';
import type { RecallSource } from '../../domain/recall.ts';
import { isGroupName, isId, type StorePaths } from '../files/paths.ts';
import { readArchivedText } from './search-archive.ts';
import type { EntryMatch } from './search-find.ts';
import type { SearchIndex } from './search-index.ts';
import { pageNameOf, readMemoryText } from './search-pages.ts';
import type { EntryRow, SourceRow } from './search-rows.ts';
import type { SearchDeps } from './search-store.ts';
import { type Original, readOriginal } from './search-texts.ts';
import type { TextAnalyzer } from './text-analyzer.ts';

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
