import { isUtf8 } from 'node:buffer';
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import type { Memories } from '../agent/ports.ts';
import { SanbotError } from '../domain/errors.ts';
import { type MemoryEntry, type MemoryKind, memoryKinds } from '../domain/memory.ts';
import { type Disk, ensureFolder } from './disk.ts';
import { storeFailure } from './failure.ts';
import { withLock } from './lock.ts';
import { addToPage } from './memory-page.ts';
import { folderOf, type StorePaths, shownPath } from './paths.ts';
import { readBytes, readText } from './read-text.ts';
import { replaceFile } from './replace-file.ts';
import { goBackOnPages } from './superseded.ts';

export type MemoryStore = Memories & {
  /** The text of extracted/{kind}.md; empty when there is none. */
  readonly read: (kind: MemoryKind) => string;
};

/** Far above the size at which entries make room; beyond it somebody put something else there, which no context shall carry. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The memories of one group. Several sessions write to them at once, and people do. */
export function createMemories(disk: Disk, paths: StorePaths, group: string): MemoryStore {
  return {
    add: (entries) => {
      ensureFolder(disk, paths.memory(group));
      return withLock(disk, paths.memoryLock(group), () => add(disk, paths, { group, entries }));
    },
    goBack: (change) => {
      if (!isThere(paths.memory(group))) return { superseded: 0, restored: 0 };
      return withLock(disk, paths.memoryLock(group), () => goBackOnPages(disk, paths, { group, change }));
    },
    writeSessionSummary: (sessionId, markdown) => {
      const path = paths.sessionSummary(group, sessionId);
      ensureFolder(disk, folderOf(path));
      replaceFile(disk, path, Buffer.from(markdown.toWellFormed(), 'utf8'), { point: 'summary' });
    },
    read: (kind) => readText(paths.extracted(group, kind), MAX_FILE_BYTES) ?? '',
  };
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

type Adding = { readonly group: string; readonly entries: readonly MemoryEntry[] };

function add(disk: Disk, paths: StorePaths, { group, entries }: Adding): Record<MemoryKind, number> {
  const added = { decisions: 0, facts: 0, preferences: 0, runtime: 0 };
  for (const kind of memoryKinds) {
    const ofKind = entries.filter((entry) => entry.kind === kind);
    added[kind] = addOfKind(disk, paths, { group, kind, entries: ofKind });
  }
  return added;
}

type AddingKind = Adding & { readonly kind: MemoryKind };

/** An editor that saves between our reading and our writing makes us read again: its text wins, and ours is added to it. */
function addOfKind(disk: Disk, paths: StorePaths, { group, kind, entries }: AddingKind): number {
  const named = paths.extracted(group, kind);
  ensureFolder(disk, folderOf(named));
  for (let tries = 0; tries < 10; tries++) {
    const path = followed(named);
    const before = statSync(path, { throwIfNoEntry: false });
    const page = readBytes(path, Number.POSITIVE_INFINITY) ?? Buffer.alloc(0);
    const change = addToPage(page.toString('utf8'), kind, entries);
    if (change.appended === '') return 0;
    // What is not UTF-8 would not come back as it was: then nothing is moved, only added.
    const kept = change.kept !== undefined && isUtf8(page) ? Buffer.from(change.kept, 'utf8') : page;
    if (kept !== page) keepOlder(disk, paths.olderExtracted(group, kind), change.older);
    const stillRight = () => isSame(before, statSync(path, { throwIfNoEntry: false }));
    if (replaceFile(disk, path, Buffer.concat([kept, Buffer.from(change.appended, 'utf8')]), { point: 'memory', stillRight }))
      return change.added;
  }
  throw new SanbotError('store_failed', `${shownPath(named)} keeps changing while memories are added to it`);
}

/** A linked file is written where it is, so that a folder of dotfiles stays one. */
export function followed(path: string): string {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : path;
  } catch (error) {
    throw storeFailure(error, 'follow the link', path);
  }
}

export const isSame = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a?.ino === b?.ino && a?.size === b?.size && a?.mtimeMs === b?.mtimeMs && a?.ctimeMs === b?.ctimeMs;

/** On disk before the lines leave their page; a crash in between leaves them in both. */
function keepOlder(disk: Disk, path: string, lines: readonly string[]): void {
  ensureFolder(disk, folderOf(path));
  const before = readBytes(path, Number.POSITIVE_INFINITY) ?? Buffer.alloc(0);
  const added = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');
  replaceFile(disk, path, Buffer.concat([before, added]), { point: 'older' });
}
