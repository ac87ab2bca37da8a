import { isUtf8 } from 'node:buffer';
import { type MemoryRollback, memoryKinds } from '../../domain/memory/memory.ts';
import { type MemoryLine, parseMemoryLine } from '../../domain/memory/memory-line.ts';
import type { Disk } from '../files/disk.ts';
import type { StorePaths } from '../files/paths.ts';
import { changeBytes } from './page-file.ts';

/** The lines that were marked, as they were before, and those whose marks were removed, as they are now. */
export type MarkedPage = { readonly markedLines: readonly string[]; readonly restoredLines: readonly string[] };

/** Marks and unmarks the entries of one session on all pages of a group. Call only under the lock of the group's memories. */
export function goBackOnPages(
  disk: Disk,
  paths: StorePaths,
  { group, change }: { readonly group: string; readonly change: MemoryRollback },
): { readonly superseded: readonly MemoryLine[]; readonly restored: readonly MemoryLine[] } {
  const marked = memoryKinds.map((kind) => ({ kind, ...goBackOnPage(disk, paths.extracted(group, kind), change) }));
  return {
    superseded: marked.flatMap(({ kind, markedLines }) => markedLines.flatMap((line) => parseMemoryLine(line, kind) ?? [])),
    restored: marked.flatMap(({ kind, restoredLines }) => restoredLines.flatMap((line) => parseMemoryLine(line, kind) ?? [])),
  };
}

/** What some entries replaced, among the older ones, and what that had replaced before, as far as `goesOn` says. */
export function replacedBy(
  entries: readonly MemoryLine[],
  older: readonly MemoryLine[],
  goesOn: (line: MemoryLine) => boolean,
): readonly MemoryLine[] {
  const found = new Map<string, MemoryLine>();
  const follow = ({ kind, id, supersedes }: MemoryLine): void => {
    for (const line of older) {
      if (found.has(line.id) || line.kind !== kind || line.supersededBy !== id || !supersedes.includes(line.id)) continue;
      found.set(line.id, line);
      if (goesOn(line)) follow(line);
    }
  };
  entries.forEach(follow);
  return [...found.values()];
}

function goBackOnPage(disk: Disk, path: string, change: MemoryRollback): MarkedPage {
  let result: MarkedPage = { markedLines: [], restoredLines: [] };
  changeBytes(disk, path, {
    point: 'superseded',
    change: (bytes) => {
      result = { markedLines: [], restoredLines: [] };
      // Bytes that are not UTF-8 would not survive decoding.
      if (!isUtf8(bytes)) return undefined;
      const { text, ...marked } = markPage(bytes.toString('utf8'), change);
      result = marked;
      return marked.markedLines.length + marked.restoredLines.length === 0 ? undefined : Buffer.from(text, 'utf8');
    },
  });
  return result;
}

/** An entry as we write it, and as we mark it: struck through for readers of Markdown, with the snapshot to return to. */
const CURRENT = /^(- \[[\d-]{10}\]) (.*) <!-- session (\S+) message (\S+)((?: (?!superseded-by )\S+)*) -->(\s*)$/;
const SUPERSEDED = /^(- \[[\d-]{10}\]) ~~(.*)~~ <!-- session (\S+) message (\S+)((?: \S+)*?) superseded-by (\S+) -->(\s*)$/;

/** Returns the page with marks added and removed; every other line stays as it was. */
export function markPage(page: string, { sessionId, by, isLater, isUndone }: MemoryRollback): MarkedPage & { readonly text: string } {
  const markedLines: string[] = [];
  const restoredLines: string[] = [];
  const current = new Set(page.split('\n').flatMap((line) => CURRENT.exec(line)?.[2] ?? []));
  const lines = page.split('\n').map((line) => {
    const [, item, content = '', session, message = '', marks = '', end] = CURRENT.exec(line) ?? [];
    if (item !== undefined && session === sessionId && isLater(message)) {
      markedLines.push(line);
      return `${item} ~~${content}~~ <!-- session ${session} message ${message}${marks} superseded-by ${by} -->${end}`;
    }
    const [, struckItem, text = '', owner, source = '', kept = '', mark = '', rest] = SUPERSEDED.exec(line) ?? [];
    // An entry that was learned again meanwhile is not restored, so that it appears once.
    if (struckItem === undefined || owner !== sessionId || !isUndone(mark) || isLater(source) || current.has(text)) return line;
    current.add(text);
    const restored = `${struckItem} ${text} <!-- session ${owner} message ${source}${kept} -->${rest}`;
    restoredLines.push(restored);
    return restored;
  });
  return { text: lines.join('\n'), markedLines, restoredLines };
}
