import { isUtf8 } from 'node:buffer';
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import { type MemoryRollback, memoryKinds } from '../../domain/memory/memory.ts';
import { type MemoryLine, parseMemoryLine } from '../../domain/memory/memory-line.ts';
import { decodeText, encodeText, formOf } from '../../domain/value/text-bytes.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { orStoreFailure } from '../files/failure.ts';
import { folderOf, printablePath, type StorePaths } from '../files/paths.ts';
import { readBytes } from '../files/read-text.ts';

/** Returns the new bytes of a file, or undefined to leave it alone; gets no bytes when there is no file. May be called more than once. */
export type EditBytes = (bytes: Buffer) => Buffer | undefined;

/** Changes a file that people write too, one in UTF-16 with a mark by its text in UTF-8: one that an editor saves meanwhile is read again, so both changes stay. Throws store_failed. */
export function changeBytes(disk: Disk, filePath: string, { point, change }: { readonly point: string; readonly change: EditBytes }): void {
  ensureFolder(disk, folderOf(filePath));
  for (let attempt = 0; attempt < 10; attempt++) {
    const path = resolveLink(filePath);
    const before = statSync(path, { throwIfNoEntry: false });
    const read = readBytes(path, Number.POSITIVE_INFINITY) ?? Buffer.alloc(0);
    const wide = formOf(read).encoding === 'utf-8' ? undefined : decodeText(read);
    const changed = change(wide === undefined ? read : Buffer.from(wide.text));
    if (changed === undefined) return;
    const bytes = wide === undefined ? changed : encodeText(changed.toString('utf8'), wide.form);
    const isUnchanged = () => isSame(before, statSync(path, { throwIfNoEntry: false }));
    if (writeFileAtomic(disk, path, bytes, { point, isUnchanged })) return;
  }
  throw new SanbotError('store_failed', {
    en: `${printablePath(filePath)} keeps changing while SanBot changes it`,
    zh: `SanBot 修改 ${printablePath(filePath)} 时，它不断被改动`,
  });
}

/** The same for a page of text. Throws store_damaged for a page that is not UTF-8, which would not survive decoding. */
export function changePage(disk: Disk, path: string, change: (page: string) => string): void {
  changeBytes(disk, path, {
    point: 'memory',
    change: (bytes) => {
      if (!isUtf8(bytes))
        throw new SanbotError('store_damaged', { en: `${printablePath(path)} is not UTF-8`, zh: `${printablePath(path)} 不是 UTF-8` });
      const page = bytes.toString('utf8');
      const next = change(page);
      return next === page ? undefined : Buffer.from(next, 'utf8');
    },
  });
}

/** Returns the target of a linked file, so that the target is written and the link stays, as in a folder of dotfiles. */
const resolveLink = (path: string): string =>
  orStoreFailure('follow the link', path, () => (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : path));

const isSame = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a?.ino === b?.ino && a?.size === b?.size && a?.mtimeMs === b?.mtimeMs && a?.ctimeMs === b?.ctimeMs;

type Digest = { readonly day: string; readonly text: string };
type DigestOutcome = 'added' | 'closed' | 'full';

/** Adds a digest under the heading of its day. The first that does not fit closes the page, in words. Throws store_failed. */
export function addDigest(disk: Disk, path: string, { day, text }: Digest): DigestOutcome {
  let outcome: DigestOutcome = 'added';
  const change = (bytes: Buffer) => {
    const start = bytes.length === 0 ? Buffer.from(`# ${day}\n\n`, 'utf8') : bytes;
    const gap = start.length > 0 && start[start.length - 1] !== 0x0a ? '\n' : '';
    const digest = Buffer.from(`${gap}${text.toWellFormed()}`, 'utf8');
    outcome = bytes.includes(FULL_DAY_LINE) ? 'full' : start.length + digest.length <= MAX_DAILY_BYTES ? 'added' : 'closed';
    if (outcome === 'full') return undefined;
    return Buffer.concat([start, outcome === 'added' ? digest : Buffer.from(`${gap}${FULL_DAY_LINE}\n`, 'utf8')]);
  };
  changeBytes(disk, path, { point: 'memory', change });
  return outcome;
}

/** Room for some two thousand turns. */
const MAX_DAILY_BYTES = 1024 * 1024;
const FULL_DAY_LINE = '- This day is full: its further turns stand in the logs of their sessions.';

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
      if (found.has(line.id) || line.supersededBy !== id || (line.kind === kind && !supersedes.includes(line.id))) continue;
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
