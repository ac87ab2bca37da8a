import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { parseMasterPage } from '../../domain/memory/master-page.ts';
import { type MemoryKind, memoryKinds } from '../../domain/memory/memory.ts';
import { currentEntries } from '../../domain/memory/memory-line.ts';
import { groupsOf, namesIn, type StorePaths } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import type { SearchIndex } from './search-index.ts';
import type { EntryRow, SourceRow } from './search-rows.ts';
import { marksOf, type TextAnalyzer, termsIn } from './search-texts.ts';

export type MemoryPage = { readonly path: string; readonly group: string };

export const memoryPages = (paths: StorePaths): readonly MemoryPage[] =>
  groupsOf(paths).flatMap((group) => {
    const days = namesIn(paths.dailyFolder(group)).filter((name) => /^\d{4}-\d\d-\d\d\.md$/.test(name));
    return [
      ...memoryKinds.map((kind) => paths.extracted(group, kind)),
      ...[paths.master(group), paths.soul(group)],
      ...days.sort().map((name) => join(paths.dailyFolder(group), name)),
    ].map((path) => ({ path, group }));
  });

/** Returns the name of a page as used in references: `facts`, `master`, `soul`, `2026-01-31`. */
export const pageNameOf = (path: string): string => /([\w-]+)\.md$/.exec(path)?.[1] ?? '';

/** Tells a file, and each state of it, from any other; undefined when there is no file. */
export function fileStamp(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

/** Indexes a changed page as a whole, since people edit it anywhere. Throws store_damaged when it cannot be read. */
export function indexPage(
  index: SearchIndex,
  { path, group }: MemoryPage,
  { analyzer, known }: { readonly analyzer: TextAnalyzer; readonly known: SourceRow | undefined },
): void {
  const stamp = fileStamp(path);
  if (stamp === known?.stamp) return;
  const text = stamp === undefined ? undefined : readText(path, MAX_PAGE_BYTES);
  index.write(() => {
    const before = index.sourceAt(path);
    if (before !== undefined) index.removeSource(before.id);
    if (stamp === undefined || text === undefined) return;
    const source = { path, grp: group, session: '', folder: '', stamp, done: text.length };
    const id = index.addSource(source);
    for (const [n, { key, at, sessionId, ...item }] of itemsOf(path, text).entries())
      index.addEntry({
        ...{ source: id, n, part: 0, block: 0, key, kind: 'memory', tool: '', failed: 0, at, place: sessionId },
        marks: marksOf(source, { kind: 'memory', tool: '', failed: false, decision: pageNameOf(path) === 'decisions' }),
        ...termsIn(analyzer, item),
      });
  });
}

export function readMemoryText(path: string, { key }: Pick<EntryRow, 'key'>): string | undefined {
  return itemsOf(path, readText(path, MAX_PAGE_BYTES) ?? '').find((item) => item.key === key)?.text;
}

const MAX_PAGE_BYTES = 16 * 1024 * 1024;

type PageText = { readonly text: string; readonly at?: string | undefined; readonly sessionId?: string | undefined };
type Item = { readonly key: string; readonly text: string; readonly at: string; readonly sessionId: string };

function itemsOf(path: string, page: string): readonly Item[] {
  const name = pageNameOf(path);
  const kind = memoryKinds.find((each) => each === name);
  const day = /^\d{4}-\d\d-\d\d$/.test(name) ? name : undefined;
  const texts = kind !== undefined ? memoryTexts(page, kind) : name === 'master' ? masterTexts(page) : blockTexts(page, day);
  const changedAt = lstatSync(path, { throwIfNoEntry: false })?.mtime.toISOString() ?? '';
  return texts.flatMap(({ text: raw, at = changedAt, sessionId = '' }) => {
    const text = raw.replace(STRUCK_THROUGH, '').trim();
    return text === '' ? [] : [{ key: memoryKeyOf(text), text, at, sessionId }];
  });
}

/** Names a text of a page. */
export const memoryKeyOf = (text: string): string => sha256Of(Buffer.from(text)).slice(0, 8);

/** Struck-through text is no longer true. */
const STRUCK_THROUGH = /~~(?=\S).*?\S~~/gs;

const memoryTexts = (page: string, kind: MemoryKind): readonly PageText[] =>
  currentEntries(page, kind).map(({ text, day, sessionId }) => ({ text, sessionId, at: day && `${day}T00:00:00.000Z` }));

function masterTexts(page: string): readonly PageText[] {
  const { items, byHand } = parseMasterPage(page);
  return [...items.map(({ text }) => ({ text })), ...byHand.map((line) => ({ text: line.replace(/^\s*(?:[-*] |#+ )/, '') }))];
}

/** Returns each list item with what is indented below it, each paragraph, and each heading by itself; the title is left out. */
function blockTexts(page: string, day: string | undefined): readonly PageText[] {
  return page.split(/\n(?:\s*\n|(?=[-*] |#))/).flatMap((raw) => {
    const sessionId = /<!-- session (\S+) /.exec(raw)?.[1];
    const time = /^- (\d\d:\d\d) /.exec(raw)?.[1];
    const text = raw.replace(/<!--.*?-->/gs, '').replace(/^(?:[-*] |# .*\n?|#+ )/, '');
    return [{ text, sessionId, at: day === undefined ? undefined : `${day}T${time ?? '00:00'}:00.000Z` }];
  });
}
