import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { SanbotError } from '../domain/errors.ts';
import { type MemoryReturn, memoryKinds } from '../domain/memory.ts';
import { type MemoryLine, parseMemoryLine } from '../domain/memory-line.ts';
import type { Disk } from './disk.ts';
import { followed, isSame } from './memories.ts';
import { type StorePaths, shownPath } from './paths.ts';
import { readBytes } from './read-text.ts';
import { replaceFile } from './replace-file.ts';

/** The lines that were marked, as they stood, and how many marks were taken off. */
export type Marked = { readonly left: readonly string[]; readonly restored: number };

/** Marks and unmarks the entries of one session on all pages of a group. To be called under the lock of the group's memories. */
export function goBackOnPages(
  disk: Disk,
  paths: StorePaths,
  { group, change }: { readonly group: string; readonly change: MemoryReturn },
): { readonly superseded: readonly MemoryLine[]; readonly restored: number } {
  const marked = memoryKinds.map((kind) => ({ kind, ...goBackOnPage(disk, paths.extracted(group, kind), change) }));
  return {
    superseded: marked.flatMap(({ kind, left }) => left.flatMap((line) => parseMemoryLine(line, kind) ?? [])),
    restored: marked.reduce((sum, { restored }) => sum + restored, 0),
  };
}

/** An editor that saves meanwhile makes us read again, as when entries are added. */
function goBackOnPage(disk: Disk, named: string, change: MemoryReturn): Marked {
  for (let tries = 0; tries < 10; tries++) {
    const path = followed(named);
    const before = statSync(path, { throwIfNoEntry: false });
    const page = readBytes(path, Number.POSITIVE_INFINITY);
    // What is not UTF-8 would not come back as it was.
    if (page === undefined || !isUtf8(page)) return { left: [], restored: 0 };
    const { text, ...marked } = changedPage(page.toString('utf8'), change);
    if (marked.left.length + marked.restored === 0) return marked;
    const stillRight = () => isSame(before, statSync(path, { throwIfNoEntry: false }));
    if (replaceFile(disk, path, Buffer.from(text, 'utf8'), { point: 'superseded', stillRight })) return marked;
  }
  throw new SanbotError('store_failed', `${shownPath(named)} keeps changing while entries are marked in it`);
}

/** An entry of ours as it is written, and as it is marked: struck out for a reader of Markdown, with the snapshot that leads back. */
const CURRENT = /^(- \[\d{4}-\d\d-\d\d\]) (.*) <!-- session (\S+) message (\S+)((?: (?!superseded-by )\S+)*) -->(\s*)$/;
const SUPERSEDED = /^(- \[\d{4}-\d\d-\d\d\]) ~~(.*)~~ <!-- session (\S+) message (\S+)((?: \S+)*?) superseded-by (\S+) -->(\s*)$/;

/** The page with marks put on and taken off; every other line as it was. `left` are the lines that were marked, as they stood. */
export function changedPage(page: string, { sessionId, by, isLater, isUndone }: MemoryReturn): Marked & { readonly text: string } {
  const left: string[] = [];
  let restored = 0;
  const current = new Set(page.split('\n').flatMap((line) => CURRENT.exec(line)?.[2] ?? []));
  const lines = page.split('\n').map((line) => {
    const [, item, said = '', session, message = '', marks = '', end] = CURRENT.exec(line) ?? [];
    if (item !== undefined && session === sessionId && isLater(message)) {
      left.push(line);
      return `${item} ~~${said}~~ <!-- session ${session} message ${message}${marks} superseded-by ${by} -->${end}`;
    }
    const [, was, text = '', owner, source = '', kept = '', mark = '', rest] = SUPERSEDED.exec(line) ?? [];
    // What was learned again meanwhile stands there once.
    if (was === undefined || owner !== sessionId || !isUndone(mark) || isLater(source) || current.has(text)) return line;
    restored += 1;
    current.add(text);
    return `${was} ${text} <!-- session ${owner} message ${source}${kept} -->${rest}`;
  });
  return { text: lines.join('\n'), left, restored };
}
