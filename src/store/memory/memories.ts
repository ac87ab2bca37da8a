/**
 * The memories of one group on disk: the four pages of L1, what left them, the daily logs, the page of L2 with its consolidations, and the
 * readable archives of conversations.
 *
 * Entries come in from the agent and lines from people, who edit the same files at any time. A page is read anew before each change and
 * changed under the group's lock; what a person wrote stays as it is unless a person asks. What a person deleted does not come back.
 *
 * Whether two statements say the same or contradict each other is decided in `domain/memory`. Forgetting removes the words for good and
 * keeps only hashes; everything else that leaves a page stands in the older ones.
 */

import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import type { Memories } from '../../agent/ports/disk.ts';
import {
  type MemoryEntry,
  type MemoryKind,
  type MemoryRollback,
  memoryKinds,
  type RememberResult,
  type SupersededMark,
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
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { withLock } from '../files/lock.ts';
import { folderOf, type StorePaths } from '../files/paths.ts';
import { readBytes, readText } from '../files/read-text.ts';
import { type KnownMemories, parseKnown, printKnown, withLines } from './known-memories.ts';
import { type AddOptions, addToPage, endedAcross, removeLines, restoreLines } from './memory-page.ts';
import { addDigest, changeBytes, changePage, goBackOnPages, replacedBy } from './page-file.ts';

export type MemoryStore = Readonly<ReturnType<typeof createMemories>>;

/** Far above the size at which entries make room; a larger file contains something else, which must not enter a context. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The memories of one group. Several sessions, and people, write to them at the same time. */
export function createMemories(disk: Disk, paths: StorePaths, group: string) {
  const scope: Scope = { disk, paths, group };
  const withGroupLock = <T>(work: () => T): T => {
    ensureFolder(disk, paths.memory(group));
    return withLock(disk, paths.memoryLock(group), work);
  };
  return {
    add: (entries) => withGroupLock(() => countAdded(add(scope, entries, false))),
    rollBack: (change) => {
      if (statSync(paths.memory(group), { throwIfNoEntry: false }) === undefined) return { superseded: 0, restored: 0 };
      return withGroupLock(() => goBack(scope, change));
    },
    remember: (entry) => withGroupLock(() => add(scope, [entry], true)[0]),
    addDaily: (day, text) => withGroupLock(() => addDigest(disk, paths.daily(group, day), { day, text })),
    writeSessionSummary: (sessionId, markdown) => {
      const path = paths.sessionSummary(group, sessionId);
      ensureFolder(disk, folderOf(path));
      writeFileAtomic(disk, path, Buffer.from(markdown.toWellFormed(), 'utf8'), { point: 'summary' });
    },
    putAside: (marks) => withGroupLock(() => putAside(scope, pageEntries(scope), marks)),
    /** The text of extracted/{kind}.md; empty when there is none. */
    read: (kind: MemoryKind) => pageOf(scope, kind),
    /** The entries of all pages as they are written there, including those that a person wrote. */
    list: () => pageEntries(scope),
    /** The entries that made room for others or are no longer true, oldest first. */
    older: () => olderEntries(scope),
    /** What `add` would do, and all entries as they would be afterwards; changes nothing. */
    preview: (entries: readonly MemoryEntry[]) => preview(scope, entries),
    /** Removes entries for good and returns those it found. They are not extracted again, unless `unlearn` says they never were. */
    forget: (ids: readonly string[], options?: { readonly unlearn: boolean }) =>
      withGroupLock(() => {
        const forgotten = pageEntries(scope).filter(({ id }) => ids.includes(id));
        // A process that was killed while it added them may not have come to note them, and what is not known is extracted again.
        if (options?.unlearn !== true) changeKnown(scope, (known) => withLines(known, { current: forgotten, aside: [] }));
        changePages(scope, forgotten, removeLines);
        if (options?.unlearn === true) changeKnown(scope, (known) => new Map([...known].filter(([id]) => !ids.includes(id))));
        return forgotten;
      }),
    /** Ids that a person has reviewed; `markReviewed` adds to them. */
    reviewed: (): ReadonlySet<string> => new Set((readText(paths.reviewedMemories(group), MAX_FILE_BYTES) ?? '').split('\n')),
    markReviewed: (ids: readonly string[]) =>
      withGroupLock(() =>
        changeBytes(disk, paths.reviewedMemories(group), {
          point: 'memory',
          change: (bytes) => Buffer.concat([bytes, Buffer.from(ids.map((id) => `${id}\n`).join(''))]),
        }),
      ),
    /** Changes the words of an entry; its source stays. Returns false when there is no entry with this id. */
    reword: (id: string, text: string) =>
      withGroupLock(() => {
        const entry = pageEntries(scope).find((line) => line.id === id);
        if (entry !== undefined) rewordEntry(scope, entry, text);
        return entry !== undefined;
      }),
    /** Puts entries back as they were, also from the older ones, unless an entry with the same id is there. */
    putBack: (lines: readonly MemoryLine[]) => withGroupLock(() => changePages(scope, lines, restoreLines)),
  } satisfies Memories & Readonly<Record<string, unknown>>;
}

type Scope = { readonly disk: Disk; readonly paths: StorePaths; readonly group: string };

/** A marked entry counts as never learned, and what it had replaced holds again; an entry that comes back replaces it again. */
function goBack(scope: Scope, change: MemoryRollback): { readonly superseded: number; readonly restored: number } {
  const { superseded, restored } = goBackOnPages(scope.disk, scope.paths, { group: scope.group, change });
  const ids = new Set(superseded.map(({ id }) => id));
  if (ids.size > 0) changeKnown(scope, (known) => new Map([...known].filter(([id]) => !ids.has(id))));
  const older = olderEntries(scope);
  const isLater = (line: MemoryLine): boolean => line.sessionId === change.sessionId && change.isLater(line.messageId ?? '');
  const again = replacedBy(superseded, older, isLater).filter((line) => !isLater(line));
  changePages(scope, again, restoreLines);
  const goneIds = new Set(replacedBy(restored, older, () => true).map(({ id }) => id));
  const gone = pageEntries(scope).filter(({ id, byHand }) => goneIds.has(id) && !byHand);
  changePages(scope, gone, removeLines);
  if (gone.length > 0) changeKnown(scope, (known) => withLines(known, { current: [], aside: gone }));
  return { superseded: superseded.length, restored: restored.length + again.length };
}

const pageEntries = (scope: Scope): readonly MemoryLine[] => memoryKinds.flatMap((kind) => currentEntries(pageOf(scope, kind), kind));

const olderEntries = ({ paths, group }: Scope): readonly MemoryLine[] =>
  memoryKinds.flatMap((kind) => parseMemoryPage(readText(paths.olderExtracted(group, kind), MAX_FILE_BYTES) ?? '', kind));

function add(scope: Scope, entries: readonly MemoryEntry[], explicit: boolean): readonly RememberResult[] {
  const remembered: RememberResult[] = [];
  changeKnown(scope, (before) => {
    let known = before;
    for (const kind of memoryKinds) {
      const entriesOfKind = entries.filter((entry) => entry.kind === kind);
      const change = addToKind(scope, kind, { entries: entriesOfKind, known, explicit });
      const older = change.older.flatMap((line) => parseMemoryLine(line, kind) ?? []);
      const times = new Map(entriesOfKind.map((entry) => [memoryId(entry), entry.at] as const));
      known = withLines(known, { current: currentEntries(change.page, kind), aside: older, times });
      remembered.push(...change.remembered);
    }
    return known;
  });
  const known = readKnown(scope);
  const ended = endedAcross(pageEntries(scope), remembered, ({ id, day }) => known.get(id)?.at ?? day ?? '');
  if (ended.length > 0) putAside(scope, pageEntries(scope), ended);
  const endedBy = (by: string): readonly string[] => ended.flatMap((mark) => (mark.by === by ? mark.id : []));
  return remembered.map((result) => ({ ...result, superseded: [...result.superseded, ...endedBy(result.id)] }));
}

const readKnown = ({ paths, group }: Scope): KnownMemories => parseKnown(readText(paths.knownMemories(group), MAX_FILE_BYTES) ?? '');

/** Written after what `change` writes, since an entry that is on no page counts as deleted by a person. */
function changeKnown(scope: Scope, change: (known: KnownMemories) => KnownMemories): void {
  const before = readKnown(scope);
  const text = printKnown(change(before));
  if (text === printKnown(before)) return;
  writeFileAtomic(scope.disk, scope.paths.knownMemories(scope.group), Buffer.from(text, 'utf8'), { point: 'known' });
}

const pageOf = ({ paths, group }: Scope, kind: MemoryKind): string => readText(paths.extracted(group, kind), MAX_FILE_BYTES) ?? '';

function preview(scope: Scope, entries: readonly MemoryEntry[]) {
  const known = readKnown(scope);
  const kinds = memoryKinds.map((kind) => {
    const page = pageOf(scope, kind);
    const change = addToPage(page, kind, { entries: entries.filter((entry) => entry.kind === kind), known, explicit: false });
    return { entries: currentEntries((change.kept ?? page) + change.appended, kind), remembered: change.remembered };
  });
  return { entries: kinds.flatMap((each) => each.entries), remembered: kinds.flatMap((each) => each.remembered) };
}

function putAside(scope: Scope, lines: readonly MemoryLine[], marks: readonly SupersededMark[]): number {
  const { disk, paths, group } = scope;
  const moves = lines.flatMap((line) => {
    const mark = line.byHand ? undefined : marks.find(({ id }) => id === line.id);
    return mark === undefined ? [] : [{ line, aside: supersededLine(line, mark.by) }];
  });
  for (const kind of memoryKinds) {
    const marked = moves.filter(({ line }) => line.kind === kind);
    if (marked.length === 0) continue;
    const asideLines = marked.map(({ aside }) => aside);
    appendOlder(disk, paths.olderExtracted(group, kind), asideLines);
    const removedLines = marked.map(({ line }) => line);
    changePage(disk, paths.extracted(group, kind), (page) => removeLines(page, removedLines));
  }
  if (moves.length > 0) changeKnown(scope, (known) => withLines(known, { current: [], aside: moves.map(({ line }) => line) }));
  return moves.length;
}

const countAdded = (remembered: readonly RememberResult[]): Record<MemoryKind, number> => {
  const added = { decisions: 0, facts: 0, preferences: 0, runtime: 0 };
  for (const { kind, outcome } of remembered) if (outcome === 'added') added[kind] += 1;
  return added;
};

type KindUpdate = { readonly page: string; readonly older: readonly string[]; readonly remembered: readonly RememberResult[] };

function addToKind(scope: Scope, kind: MemoryKind, options: AddOptions & { readonly entries: readonly MemoryEntry[] }): KindUpdate {
  const { disk, paths, group } = scope;
  let result: KindUpdate = { page: '', older: [], remembered: [] };
  const change = (bytes: Buffer) => {
    const page = bytes.toString('utf8');
    const plan = addToPage(page, kind, options);
    result = { page: (plan.kept ?? page) + plan.appended, older: plan.older, remembered: plan.remembered };
    if (plan.appended === '') return undefined;
    // Bytes that are not UTF-8 would not survive decoding: then nothing is moved, only added.
    const kept = plan.kept !== undefined && isUtf8(bytes) ? Buffer.from(plan.kept, 'utf8') : bytes;
    if (kept !== bytes) appendOlder(disk, paths.olderExtracted(group, kind), plan.older);
    return Buffer.concat([kept, Buffer.from(plan.appended, 'utf8')]);
  };
  changeBytes(disk, paths.extracted(group, kind), { point: 'memory', change });
  return result;
}

type ChangeLines = (page: string, lines: readonly MemoryLine[], kind: MemoryKind) => string;

/** Changes the page of each kind that some of these entries have. */
function changePages({ disk, paths, group }: Scope, entries: readonly MemoryLine[], change: ChangeLines): void {
  for (const kind of memoryKinds) {
    const lines = entries.filter((entry) => entry.kind === kind);
    if (lines.length > 0) changePage(disk, paths.extracted(group, kind), (page) => change(page, lines, kind));
  }
}

function rewordEntry({ disk, paths, group }: Scope, entry: MemoryLine, text: string): void {
  const next = rewordedLine(entry, text);
  const reword = (line: string): string => (line === entry.line ? next : line);
  changePage(disk, paths.extracted(group, entry.kind), (page) => page.split('\n').map(reword).join('\n'));
}

/** Must be on disk before the lines leave their page; a crash in between leaves them in both. */
function appendOlder(disk: Disk, path: string, lines: readonly string[]): void {
  ensureFolder(disk, folderOf(path));
  const before = readBytes(path, Number.POSITIVE_INFINITY) ?? Buffer.alloc(0);
  const added = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');
  writeFileAtomic(disk, path, Buffer.concat([before, added]), { point: 'older' });
}
