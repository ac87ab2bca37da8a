import { closeSync, fstatSync, writeSync } from 'node:fs';
import type { AuditRecord } from '../domain/event.ts';
import { closeQuietly, type Disk, ensureFolder, openForAppend, openToRead, readAt, step } from './disk.ts';
import { errnoOf, storeDamage } from './failure.ts';
import { encodeLine, lineSpans, parseJson } from './json-line.ts';
import { folderOf, type StorePaths } from './paths.ts';
import { isObject, isString } from './shape.ts';

export type EventFilter = {
  readonly sessionId?: string;
  readonly type?: string;
  readonly since?: Date;
  /** Where to begin, as an earlier read said. */
  readonly fromByte?: number;
};

export type EventLog = {
  /** False when it could not be written: what cannot be recorded must not stop the work. Never throws. */
  readonly append: (record: AuditRecord) => boolean;
  /**
   * Visits the records that pass, in the order of the file. Lines that cannot be read are counted. `nextByte` is where a later read
   * goes on; a last line still in the making is left to it. Throws store_damaged when the file cannot be read.
   */
  readonly read: (filter: EventFilter, visit: (record: AuditRecord) => void) => { readonly damaged: number; readonly nextByte: number };
};

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

function read(
  path: string,
  filter: EventFilter,
  visit: (record: AuditRecord) => void,
): { readonly damaged: number; readonly nextByte: number } {
  let nextByte = filter.fromByte ?? 0;
  let damaged = 0;
  const file = openIfThere(path);
  if (file === undefined) return { damaged, nextByte };
  try {
    for (const { position, length, head } of lineSpans((at, count) => readAt(file, at, count), nextByte, Number.POSITIVE_INFINITY)) {
      nextByte = position + length + 1;
      if (length === 0) continue;
      const value = parseJson(head);
      if (!isAudit(value)) damaged += 1;
      else if (passes(value, filter)) visit(value);
    }
  } finally {
    closeSync(file);
  }
  return { damaged, nextByte };
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
