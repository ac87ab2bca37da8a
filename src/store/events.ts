import { closeSync, fstatSync, readdirSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditRecord, isAuditRecord } from '../domain/event.ts';
import { closeQuietly, type Disk, ensureFolder, faultPoint, fileSize, openForAppend, openToRead, readAt } from './files/disk.ts';
import { ifExists, orStoreDamage } from './files/failure.ts';
import { acquireLock } from './files/lock.ts';
import { folderOf, type StorePaths } from './files/paths.ts';
import { encodeRecord, readRecord } from './files/record-line.ts';
import { wholeLines } from './files/rewrite-lines.ts';
import { otherEvents } from './other-events.ts';

/** Where reading ended: a file is identified by its inode, since a full one is renamed. */
export type EventCursor = { readonly file: number; readonly byte: number };

export type EventFilter = {
  readonly sessionId?: string | undefined;
  readonly type?: string | undefined;
  readonly since?: Date | undefined;
  /** Where to begin, as returned by an earlier read; at the oldest file when left out, or when that file is gone. */
  readonly from?: EventCursor;
};

export type EventLog = Readonly<ReturnType<typeof createEvents>>;

type Visit = (record: AuditRecord) => void;

/** A file of this size is full: it gets a number, and a new one is begun. */
export const MAX_EVENT_FILE_BYTES = 10_000_000;
/** How many full files are kept. */
export const MAX_ROTATED_FILES = 9;

/** The audit log. Every process writes to it without a lock, and there is no repair. */
export function createEvents(disk: Disk, paths: StorePaths) {
  const open = opener(disk, paths.events);
  return {
    /** Returns false when the record could not be written: that must not stop the work. Never throws. */
    append: (record: AuditRecord): boolean => append(disk, open, record),
    /**
     * Visits the records that pass the filter, in the order in which they were written, across all files. Lines that cannot be read are
     * counted in `damaged`. `next` is where a later read continues; it also gets a last line that is unfinished now. Throws store_damaged
     * when a file cannot be read.
     */
    read: (filter: EventFilter, visit: Visit) => read(paths, filter, visit),
  };
}

/** A file that is open for appending, and how long it is. */
type OpenFile = { readonly file: number; readonly size: number };

/** Opens the file for each event anew, since another process may have put it away; its folder is looked after once, and when it is gone. */
function opener(disk: Disk, path: string): () => OpenFile {
  let hasFolder = false;
  return () => {
    const opened = hasFolder ? ifExists(() => openUnlessFull(disk, path)) : undefined;
    if (opened !== undefined) return opened;
    ensureFolder(disk, folderOf(path));
    hasFolder = true;
    return openUnlessFull(disk, path);
  };
}

function openUnlessFull(disk: Disk, path: string): OpenFile {
  const opened = openWithSize(disk, path);
  if (opened.size < MAX_EVENT_FILE_BYTES) return opened;
  closeQuietly(opened.file);
  putAway(disk, path);
  return openWithSize(disk, path);
}

function openWithSize(disk: Disk, path: string): OpenFile {
  const file = openForAppend(disk, path);
  return { file, size: fstatSync(file).size };
}

/**
 * Appends with one write call on O_APPEND, so that processes do not mix their lines (six writers of 1.2 MB lines: none lost). Not synced:
 * no work depends on the log, and a sync for each event would cost more than the event. A line torn by a crash is closed by the next
 * append.
 */
function append(disk: Disk, open: () => OpenFile, record: AuditRecord): boolean {
  try {
    const { file, size } = open();
    try {
      const torn = size > 0 && readAt(file, size - 1, 1)[0] !== 0x0a;
      const line = encodeRecord(record);
      const bytes = torn ? Buffer.concat([Buffer.from('\n'), line]) : line;
      const maxBytes = faultPoint(disk, 'event.write') ?? bytes.length;
      return writeSync(file, bytes, 0, Math.min(maxBytes, bytes.length)) === bytes.length;
    } finally {
      closeQuietly(file);
    }
  } catch {
    return false;
  }
}

/** Under a lock, since each of several processes would put away a file, and an old full one would have to go for each. */
function putAway(disk: Disk, path: string): void {
  try {
    const result = acquireLock(disk, `${path}.lock`);
    if (result.kind !== 'held') return;
    try {
      if (fileSize(path) >= MAX_EVENT_FILE_BYTES) rotate(disk, path);
    } finally {
      result.lock.release();
    }
  } catch {
    // The folder cannot be changed: then the file grows on.
  }
}

function rotate(disk: Disk, path: string): void {
  const rotated = rotatedFiles(path);
  const number = (rotated.at(-1)?.number ?? 0) + 1;
  renameSync(path, join(folderOf(path), `events-${String(number).padStart(6, '0')}-${disk.pid}.jsonl`));
  for (const old of rotated.slice(0, Math.max(0, rotated.length + 1 - MAX_ROTATED_FILES))) unlinkSync(old.path);
}

type RotatedFile = { readonly path: string; readonly number: number };

/** Oldest first. */
function rotatedFiles(path: string): readonly RotatedFile[] {
  const folder = folderOf(path);
  const names = orStoreDamage(folder, () => ifExists(() => readdirSync(folder)) ?? []);
  return names
    .flatMap((name): readonly RotatedFile[] => {
      const number = /^events-(\d{6,15})-\d+\.jsonl$/.exec(name)?.[1];
      return number === undefined ? [] : [{ path: join(folder, name), number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number || (a.path < b.path ? -1 : 1));
}

/** Opens the newest file first: a file that is renamed meanwhile is then read once, and none is missed. */
function read(paths: StorePaths, filter: EventFilter, visit: Visit) {
  const { events: path } = paths;
  const newest = openIfExists(path);
  const files = newest === undefined ? [] : [newest];
  try {
    for (const rotated of rotatedFiles(path).toReversed()) {
      const file = openIfExists(rotated.path);
      if (file !== undefined && files.every((other) => fstatSync(other).ino !== fstatSync(file).ino)) files.unshift(file);
      else if (file !== undefined) closeSync(file);
    }
    const { sessionId } = filter;
    // Who reads on has read those of other machines.
    const others = filter.from === undefined ? otherEvents(paths, sessionId, (record) => matchesFilter(record, filter)) : undefined;
    const outcome = readAll(files, filter, (record, line) => {
      others?.drop(line);
      others?.visitBefore(record.at, visit);
      visit(record);
    });
    others?.visitBefore(undefined, visit);
    // What comes next is read from the beginning, but not these again.
    return outcome.next === undefined && others?.isEmpty === false ? { ...outcome, next: { file: -1, byte: 0 } } : outcome;
  } finally {
    for (const file of files) closeSync(file);
  }
}

function readAll(files: readonly number[], filter: EventFilter, visit: (record: AuditRecord, line: Buffer) => void) {
  const inodes = files.map((file) => fstatSync(file).ino);
  const firstIndex = inodes.indexOf(filter.from?.file ?? -1);
  let damaged = 0;
  let next = filter.from;
  for (const [index, file] of files.entries()) {
    const inode = inodes[index] ?? 0;
    if (index < firstIndex) continue;
    let byte = filter.from?.file === inode ? filter.from.byte : 0;
    for (const { position, length, bytes } of wholeLines(file, byte)) {
      byte = position + length + 1;
      if (length === 0) continue;
      const value = readRecord(bytes);
      if (!isAuditRecord(value)) damaged += 1;
      else if (bytes !== undefined && matchesFilter(value, filter)) visit(value, bytes);
    }
    next = { file: inode, byte };
  }
  return { damaged, next };
}

function matchesFilter(record: AuditRecord, { sessionId, type, since }: EventFilter): boolean {
  if (sessionId !== undefined && record.sessionId !== sessionId) return false;
  if (type !== undefined && record.type !== type) return false;
  return since === undefined || Date.parse(record.at) >= since.getTime();
}

const openIfExists = (path: string): number | undefined => orStoreDamage(path, () => ifExists(() => openToRead(path)));
