import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import type { Memories } from '../../agent/ports.ts';
import {
  type AsideMark,
  type MemoryEntry,
  type MemoryKind,
  type MemoryReturn,
  memoryKinds,
  type Remembered,
} from '../../domain/memory/memory.ts';
import {
  currentEntries,
  type MemoryLine,
  memoryId,
  parseMemoryLine,
  parseMemoryPage,
  rewordedLine,
  supersededLine,
} from '../../domain/memory/memory-line.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { withLock } from '../files/lock.ts';
import { folderOf, type StorePaths } from '../files/paths.ts';
import { readBytes, readText } from '../files/read-text.ts';
import { replaceFile } from '../files/replace-file.ts';
import { addDigest } from './daily-log.ts';
import { type KnownMemories, parseKnown, printKnown, withLines } from './known-memories.ts';
import { type Adding, addToPage } from './memory-page.ts';
import { changeBytes, changePage } from './page-file.ts';
import { goBackOnPages } from './superseded.ts';

export type MemoryStore = Memories & {
  /** The text of extracted/{kind}.md; empty when there is none. */
  readonly read: (kind: MemoryKind) => string;
  /** The entries of all pages, those a person wrote among them, as they stand there. */
  readonly list: () => readonly MemoryLine[];
  /** The entries that made room for others or are no longer true, oldest first. */
  readonly older: () => readonly MemoryLine[];
  /** What `add` would do, and all entries as they would stand afterwards; changes nothing. */
  readonly preview: (entries: readonly MemoryEntry[]) => Preview;
  /**
   * Takes entries off their pages for good. Returns those it found. What is gone is not extracted again, unless `unlearn` says that it
   * never should have been there.
   */
  readonly forget: (ids: readonly string[], how?: { readonly unlearn: boolean }) => readonly MemoryLine[];
  /** Ids that a person has looked through, and adding to them. */
  readonly reviewed: () => ReadonlySet<string>;
  readonly markReviewed: (ids: readonly string[]) => void;
  /** Gives an entry other words; its source stays. False when there is none with this id. */
  readonly reword: (id: string, text: string) => boolean;
  /** Puts entries back as they stood, from the older ones among others, unless something with their id is there. */
  readonly putBack: (lines: readonly MemoryLine[]) => void;
};

export type Preview = { readonly entries: readonly MemoryLine[]; readonly remembered: readonly Remembered[] };

/** Far above the size at which entries make room; beyond it somebody put something else there, which no context shall carry. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The memories of one group. Several sessions write to them at once, and people do. */
export function createMemories(disk: Disk, paths: StorePaths, group: string): MemoryStore {
  const place: Place = { disk, paths, group };
  const locked = <T>(work: () => T): T => {
    ensureFolder(disk, paths.memory(group));
    return withLock(disk, paths.memoryLock(group), work);
  };
  const read = (kind: MemoryKind) => readText(paths.extracted(group, kind), MAX_FILE_BYTES) ?? '';
  const list = () => memoryKinds.flatMap((kind) => currentEntries(read(kind), kind));
  return {
    add: (entries) => locked(() => counted(add(place, entries, false))),
    goBack: (change) => {
      if (!isThere(paths.memory(group))) return { superseded: 0, restored: 0 };
      return locked(() => goBack(place, change));
    },
    remember: (entry) => locked(() => add(place, [entry], true)[0]),
    addDaily: (day, text) => locked(() => addDigest(disk, paths.daily(group, day), { day, text })),
    writeSessionSummary: (sessionId, markdown) => {
      const path = paths.sessionSummary(group, sessionId);
      ensureFolder(disk, folderOf(path));
      replaceFile(disk, path, Buffer.from(markdown.toWellFormed(), 'utf8'), { point: 'summary' });
    },
    read,
    list,
    preview: (entries) => preview(place, entries),
    putAside: (marks) => locked(() => putAside(place, list(), marks)),
    older: () => memoryKinds.flatMap((kind) => parseMemoryPage(readText(paths.olderExtracted(group, kind), MAX_FILE_BYTES) ?? '', kind)),
    forget: (ids, how) =>
      locked(() => {
        const going = list().filter(({ id }) => ids.includes(id));
        for (const kind of memoryKinds) {
          const lines = going.filter((line) => line.kind === kind).map(({ line }) => line);
          if (lines.length > 0) changePage(disk, paths.extracted(group, kind), (page) => without(page, lines));
        }
        if (how?.unlearn === true) changeKnown(place, (known) => new Map([...known].filter(([id]) => !ids.includes(id))));
        return going;
      }),
    reviewed: () => new Set((readText(paths.reviewedMemories(group), MAX_FILE_BYTES) ?? '').split('\n')),
    markReviewed: (ids) =>
      locked(() =>
        changeBytes(disk, paths.reviewedMemories(group), {
          point: 'memory',
          change: (bytes) => Buffer.concat([bytes, Buffer.from(ids.map((id) => `${id}\n`).join(''))]),
        }),
      ),
    reword: (id, text) =>
      locked(() => {
        const found = list().find((line) => line.id === id);
        if (found === undefined) return false;
        const next = rewordedLine(found, text);
        changePage(disk, paths.extracted(group, found.kind), (page) =>
          page
            .split('\n')
            .map((line) => (line === found.line ? next : line))
            .join('\n'),
        );
        return true;
      }),
    putBack: (lines) =>
      locked(() => {
        for (const kind of memoryKinds) {
          const back = lines.filter((line) => line.kind === kind);
          if (back.length > 0) changePage(disk, paths.extracted(group, kind), (page) => withBack(page, kind, back));
        }
      }),
  };
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

type Place = { readonly disk: Disk; readonly paths: StorePaths; readonly group: string };

/** What is marked counts as never learned: said again, it is learned again. */
function goBack(place: Place, change: MemoryReturn): { readonly superseded: number; readonly restored: number } {
  const { superseded, restored } = goBackOnPages(place.disk, place.paths, { group: place.group, change });
  const ids = new Set(superseded.map(({ id }) => id));
  if (ids.size > 0) changeKnown(place, (known) => new Map([...known].filter(([id]) => !ids.has(id))));
  return { superseded: superseded.length, restored };
}

function add(place: Place, entries: readonly MemoryEntry[], explicit: boolean): readonly Remembered[] {
  const { disk, paths, group } = place;
  const path = paths.knownMemories(group);
  const before = parseKnown(readText(path, MAX_FILE_BYTES) ?? '');
  let known = before;
  const remembered: Remembered[] = [];
  for (const kind of memoryKinds) {
    const ofKind = entries.filter((entry) => entry.kind === kind);
    const change = addOfKind(place, kind, { entries: ofKind, known, explicit });
    const older = change.older.flatMap((line) => parseMemoryLine(line, kind) ?? []);
    const times = new Map(ofKind.map((entry) => [memoryId(entry), entry.at] as const));
    known = withLines(known, { on: currentEntries(change.page, kind), aside: older, times });
    remembered.push(...change.remembered);
  }
  // After the pages: what is only here counts as deleted by a person.
  const text = printKnown(known);
  if (text !== printKnown(before)) replaceFile(disk, path, Buffer.from(text, 'utf8'), { point: 'known' });
  return remembered;
}

/** What stands on the pages is learnt first, so that a line which goes now was known. */
function changeKnown({ disk, paths, group }: Place, change: (known: KnownMemories) => KnownMemories): void {
  const path = paths.knownMemories(group);
  const before = readText(path, MAX_FILE_BYTES) ?? '';
  const text = printKnown(change(parseKnown(before)));
  if (text !== before) replaceFile(disk, path, Buffer.from(text, 'utf8'), { point: 'known' });
}

function preview({ paths, group }: Place, entries: readonly MemoryEntry[]): Preview {
  const known = parseKnown(readText(paths.knownMemories(group), MAX_FILE_BYTES) ?? '');
  const kinds = memoryKinds.map((kind) => {
    const page = readText(paths.extracted(group, kind), MAX_FILE_BYTES) ?? '';
    const change = addToPage(page, kind, { entries: entries.filter((entry) => entry.kind === kind), known, explicit: false });
    return { entries: currentEntries((change.kept ?? page) + change.appended, kind), remembered: change.remembered };
  });
  return { entries: kinds.flatMap((each) => each.entries), remembered: kinds.flatMap((each) => each.remembered) };
}

function putAside(place: Place, lines: readonly MemoryLine[], marks: readonly AsideMark[]): number {
  const { disk, paths, group } = place;
  const going = lines.flatMap((line) => {
    const mark = line.byHand ? undefined : marks.find(({ id }) => id === line.id);
    return mark === undefined ? [] : [{ line, aside: supersededLine(line, mark.by) }];
  });
  for (const kind of memoryKinds) {
    const ofKind = going.filter(({ line }) => line.kind === kind);
    if (ofKind.length === 0) continue;
    keepOlder(
      disk,
      paths.olderExtracted(group, kind),
      ofKind.map(({ aside }) => aside),
    );
    const gone = ofKind.map(({ line }) => line.line);
    changePage(disk, paths.extracted(group, kind), (page) => without(page, gone));
  }
  if (going.length > 0) changeKnown(place, (known) => withLines(known, { on: [], aside: going.map(({ line }) => line) }));
  return going.length;
}

const counted = (remembered: readonly Remembered[]): Record<MemoryKind, number> => {
  const added = { decisions: 0, facts: 0, preferences: 0, runtime: 0 };
  for (const { kind, outcome } of remembered) if (outcome === 'added') added[kind] += 1;
  return added;
};

type Added = { readonly page: string; readonly older: readonly string[]; readonly remembered: readonly Remembered[] };

function addOfKind(place: Place, kind: MemoryKind, adding: Adding & { readonly entries: readonly MemoryEntry[] }): Added {
  const { disk, paths, group } = place;
  let done: Added = { page: '', older: [], remembered: [] };
  const change = (bytes: Buffer) => {
    const page = bytes.toString('utf8');
    const plan = addToPage(page, kind, adding);
    done = { page: (plan.kept ?? page) + plan.appended, older: plan.older, remembered: plan.remembered };
    if (plan.appended === '') return undefined;
    // What is not UTF-8 would not come back as it was: then nothing is moved, only added.
    const kept = plan.kept !== undefined && isUtf8(bytes) ? Buffer.from(plan.kept, 'utf8') : bytes;
    if (kept !== bytes) keepOlder(disk, paths.olderExtracted(group, kind), plan.older);
    return Buffer.concat([kept, Buffer.from(plan.appended, 'utf8')]);
  };
  changeBytes(disk, paths.extracted(group, kind), { point: 'memory', change });
  return done;
}

function without(page: string, lines: readonly string[]): string {
  const gone = new Set(lines);
  return page
    .split('\n')
    .filter((line) => !gone.has(line))
    .join('\n');
}

function withBack(page: string, kind: MemoryKind, lines: readonly MemoryLine[]): string {
  const there = new Set(currentEntries(page, kind).map(({ id }) => id));
  const back = lines.filter(({ id }) => !there.has(id)).map(({ line }) => line.replace(/ superseded-by \S+(?= )/, ''));
  return back.length === 0 ? page : `${page}${page.endsWith('\n') || page === '' ? '' : '\n'}${back.join('\n')}\n`;
}

/** On disk before the lines leave their page; a crash in between leaves them in both. */
function keepOlder(disk: Disk, path: string, lines: readonly string[]): void {
  ensureFolder(disk, folderOf(path));
  const before = readBytes(path, Number.POSITIVE_INFINITY) ?? Buffer.alloc(0);
  const added = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');
  replaceFile(disk, path, Buffer.concat([before, added]), { point: 'older' });
}
