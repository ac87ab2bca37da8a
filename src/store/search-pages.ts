import { lstatSync } from 'node:fs';
import { memoryKinds } from '../domain/memory.ts';
import { sha256Of } from './body-text.ts';
import { groupsOf } from './groups.ts';
import type { StorePaths } from './paths.ts';
import { readText } from './read-text.ts';
import { type EntryRow, MAX_SLICES, type SearchIndex } from './search-index.ts';
import { marksOf, type SearchWords, slicesOf } from './search-words.ts';

/** A page of memories of one group. Its entries are its list items, ours and a person's. */
export type MemoryPage = { readonly path: string; readonly group: string; readonly kind: string };

export const memoryPages = (paths: StorePaths): readonly MemoryPage[] =>
  groupsOf(paths).flatMap((group) => memoryKinds.map((kind) => ({ path: paths.extracted(group, kind), group, kind })));

/** Takes a page that has changed into the index, whole: people edit it anywhere. */
export function indexPage(index: SearchIndex, { path, group }: MemoryPage, words: SearchWords): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const known = index.sourceAt(path);
  const text = stats === undefined ? undefined : readText(path, MAX_PAGE_BYTES);
  if (stats === undefined || text === undefined) {
    if (known !== undefined) index.write(() => index.removeSource(known.id));
    return;
  }
  const stamp = sha256Of(Buffer.from(text));
  if (known?.stamp === stamp) return;
  index.write(() => {
    const before = index.sourceAt(path);
    if (before !== undefined) index.removeSource(before.id);
    const source = { path, grp: group, session: '', stamp, done: text.length };
    const id = index.addSource(source);
    for (const [n, item] of itemsOf(text, stats.mtime.toISOString()).entries()) {
      index.addEntry({
        ...{ source: id, n, part: 0, block: 0, key: item.key, kind: 'memory', tool: '', failed: 0, at: item.at, place: item.sessionId },
        marks: marksOf({ id, grp: group }, { kind: 'memory', tool: '', failed: false }),
        terms: slicesOf(item.text, '', MAX_SLICES).map(words.terms),
      });
    }
  });
}

/** The words of an entry, read from its page; undefined when they are no longer there. */
export function readItem(path: string, { key }: Pick<EntryRow, 'key'>): string | undefined {
  return itemsOf(readText(path, MAX_PAGE_BYTES) ?? '', '').find((item) => item.key === key)?.text;
}

const MAX_PAGE_BYTES = 16 * 1024 * 1024;

type Item = { readonly key: string; readonly text: string; readonly at: string; readonly sessionId: string };

const ITEM = /^\s*[-*] (?:\[(\d{4}-\d\d-\d\d)\] )?(.*?)(?:\s*<!-- session (\S+) message \S+(?: \S+)* -->)?\s*$/;

function itemsOf(page: string, changedAt: string): readonly Item[] {
  return page.split('\n').flatMap((line) => {
    const [, date, text, sessionId] = ITEM.exec(line) ?? [];
    if (text === undefined || text === '') return [];
    const key = sha256Of(Buffer.from(text)).slice(0, 8);
    return [{ key, text, at: date === undefined ? changedAt : `${date}T00:00:00.000Z`, sessionId: sessionId ?? '' }];
  });
}
