import { closeSync, fstatSync, readdirSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditRecord } from '../domain/event.ts';
import { closeQuietly, type Disk, ensureFolder, openForAppend, openToRead, readAt, step } from './files/disk.ts';
import { errnoOf, storeDamage } from './files/failure.ts';
import { encodeLine, lineSpans, parseJson } from './files/json-line.ts';
import { folderOf, type StorePaths } from './files/paths.ts';
import { isObject, isString } from './files/shape.ts';

/** Where reading ended: a file by its inode, since a full one gets another name. */
export type EventPlace = { readonly file: number; readonly byte: number };

export type EventFilter = {
  readonly sessionId?: string;
  readonly type?: string;
  readonly since?: Date;
  /** Where to begin, as an earlier read said; the oldest file when it is left out, or when that file is gone. */
  readonly from?: EventPlace;
};

export type EventLog = {
  /** False when it could not be written: what cannot be recorded must not stop the work. Never throws. */
  readonly append: (record: AuditRecord) => boolean;
  /**
   * Visits the records that pass, in the order in which they were written, across all files. Lines that cannot be read are counted.
   * `next` is where a later read goes on; a last line still in the making is left to it. Throws store_damaged when a file cannot be
   * read.
   */
  readonly read: (
    filter: EventFilter,
    visit: (record: AuditRecord) => void,
  ) => { readonly damaged: number; readonly next: EventPlace | undefined };
};

/** A file of this size is full: it gets a number, and a new one is begun. */
export const EVENT_FILE_BYTES = 10_000_000;
/** So many full files are kept. */
export const FULL_FILES_KEPT = 9;

/** The audit log. Every process writes to it, so there is no lock and no repair. */
export function createEvents(disk: Disk, paths: StorePaths): EventLog {
  return {
    append: (record) => append(disk, paths.events, record),
    read: (filter, visit) => read(paths.events, filter, visit),
  };
}

/**
 * One write call on O_APPEND, so that processes do not mix their lines (six writers of 1.2 MB lines: none lost). Not synced: it is
 * testimony, and a sync for each event would cost more than the event. A line that a crash tore is closed by the next one.
 */
function append(disk: Disk, path: string, record: AuditRecord): boolean {
  try {
    ensureFolder(disk, folderOf(path));
    putAwayWhenFull(disk, path);
    const file = openForAppend(disk, path);
    try {
      const size = fstatSync(file).size;
      const torn = size > 0 && readAt(file, size - 1, 1)[0] !== 0x0a;
      const line = encodeLine(record);
      const bytes = torn ? Buffer.concat([Buffer.from('\n'), line]) : line;
      const most = step(disk, 'event.write') ?? bytes.length;
      return writeSync(file, bytes, 0, Math.min(most, bytes.length)) === bytes.length;
    } finally {
      closeQuietly(file);
    }
  } catch {
    return false;
  }
}

const isAudit = (value: unknown): value is AuditRecord =>
  isObject(value) && value.v === 1 && isString(value.at) && isString(value.sessionId);

/**
 * Two processes may do this at once: both may rename, and then the second puts away a file with little in it, which is read in its
 * order all the same. A process that still writes to the renamed file is read there.
 */
function putAwayWhenFull(disk: Disk, path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size < EVENT_FILE_BYTES) return;
  try {
    const full = fullFiles(path);
    const number = (full.at(-1)?.number ?? 0) + 1;
    renameSync(path, join(folderOf(path), `events-${String(number).padStart(6, '0')}-${disk.pid}.jsonl`));
    for (const old of full.slice(0, Math.max(0, full.length + 1 - FULL_FILES_KEPT))) unlinkSync(old.path);
  } catch {
    // Another process was faster, or the folder cannot be changed: then the file grows on.
  }
}

type FullFile = { readonly path: string; readonly number: number };

/** Oldest first. */
function fullFiles(path: string): readonly FullFile[] {
  const folder = folderOf(path);
  return namesIn(folder)
    .flatMap((name): readonly FullFile[] => {
      const number = /^events-(\d{6,15})-\d+\.jsonl$/.exec(name)?.[1];
      return number === undefined ? [] : [{ path: join(folder, name), number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number || (a.path < b.path ? -1 : 1));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw storeDamage(error, folder);
  }
}

/** The newest file is opened first: whatever is put away meanwhile is then read once, and nothing is passed over. */
function read(path: string, filter: EventFilter, visit: (record: AuditRecord) => void): ReturnType<EventLog['read']> {
  const newest = openIfThere(path);
  const opened = newest === undefined ? [] : [newest];
  try {
    for (const full of [...fullFiles(path)].reverse()) {
      const file = openIfThere(full.path);
      if (file !== undefined && opened.every((other) => fstatSync(other).ino !== fstatSync(file).ino)) opened.unshift(file);
      else if (file !== undefined) closeSync(file);
    }
    return readAll(opened, filter, visit);
  } finally {
    for (const file of opened) closeSync(file);
  }
}

function readAll(files: readonly number[], filter: EventFilter, visit: (record: AuditRecord) => void): ReturnType<EventLog['read']> {
  const inodes = files.map((file) => fstatSync(file).ino);
  const begin = Math.max(0, inodes.indexOf(filter.from?.file ?? -1));
  let damaged = 0;
  let next = filter.from;
  for (const [index, file] of files.entries()) {
    const inode = inodes[index] ?? 0;
    if (index < begin) continue;
    let byte = filter.from?.file === inode ? filter.from.byte : 0;
    for (const { position, length, head } of lineSpans((at, count) => readAt(file, at, count), byte, Number.POSITIVE_INFINITY)) {
      byte = position + length + 1;
      if (length === 0) continue;
      const value = parseJson(head);
      if (!isAudit(value)) damaged += 1;
      else if (passes(value, filter)) visit(value);
    }
    next = { file: inode, byte };
  }
  return { damaged, next };
}

function passes(record: AuditRecord, { sessionId, type, since }: EventFilter): boolean {
  if (sessionId !== undefined && record.sessionId !== sessionId) return false;
  if (type !== undefined && record.type !== type) return false;
  return since === undefined || Date.parse(record.at) >= since.getTime();
}

function openIfThere(path: string): number | undefined {
  try {
    return openToRead(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw storeDamage(error, path);
  }
}
