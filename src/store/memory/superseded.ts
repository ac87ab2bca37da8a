import { isUtf8 } from 'node:buffer';
import { type MemoryReturn, memoryKinds } from '../../domain/memory/memory.ts';
import { type MemoryLine, parseMemoryLine } from '../../domain/memory/memory-line.ts';
import type { Disk } from '../files/disk.ts';
import type { StorePaths } from '../files/paths.ts';
import { changeBytes } from './page-file.ts';

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

function goBackOnPage(disk: Disk, path: string, change: MemoryReturn): Marked {
  let done: Marked = { left: [], restored: 0 };
  changeBytes(disk, path, {
    point: 'superseded',
    change: (bytes) => {
      done = { left: [], restored: 0 };
      // What is not UTF-8 would not come back as it was.
      if (!isUtf8(bytes)) return undefined;
      const { text, ...marked } = changedPage(bytes.toString('utf8'), change);
      done = marked;
      return marked.left.length + marked.restored === 0 ? undefined : Buffer.from(text, 'utf8');
    },
  });
  return done;
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
