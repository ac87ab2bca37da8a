import { closeSync, fstatSync, lstatSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import { type HeaderRecord, type LogRecord, logRecordSchema } from '../../domain/session/record.ts';
import { shown } from '../../domain/text.ts';
import { openToRead, readAt } from '../files/disk.ts';
import { storeDamage } from '../files/failure.ts';
import { isId, nearestIds } from '../files/ids.ts';
import { parseJson } from '../files/json-line.ts';
import { type StorePaths, shownPath } from '../files/paths.ts';
import { namesIn } from '../files/replace-file.ts';
import { wholeLines } from '../files/rewrite-lines.ts';
import { isBare } from './bare-session.ts';
import { parseRecord, readBack, readHeader } from './log-reader.ts';

export type Peeked = {
  readonly header: HeaderRecord & { readonly at: string };
  /** The newest checkpoint, if any, and all that follows. */
  readonly records: readonly LogRecord[];
  readonly warnings: readonly string[];
};

/**
 * A session as it stands, without its lock and without repairs: also while another process has it open, whose last line may be in
 * the making and is left out. Throws not_found with the nearest ids, store_damaged when it cannot be read.
 */
export function peekSession(paths: StorePaths, sessionId: string): Peeked {
  const path = requireLog(paths, sessionId);
  try {
    const file = openToRead(path);
    try {
      const read = (position: number, length: number) => readAt(file, position, length);
      const found = readHeader(read, sessionId);
      if (found.kind === 'damaged') throw damagedLog(path, sessionId, found.why);
      const size = wholeEnd(file, fstatSync(file).size);
      return { header: found.header, ...readBack(read, { size, headerEnd: found.end, path }) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw storeDamage(error, path);
  }
}

/** Where the last whole line ends. */
function wholeEnd(file: number, size: number): number {
  const PIECE = 64 * 1024;
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - PIECE);
    const at = readAt(file, from, end - from).lastIndexOf(0x0a);
    if (at >= 0) return from + at + 1;
    end = from;
  }
  return 0;
}

/** Every record of a log that can be read, its header first, one in memory at a time. Throws like `peekSession`. */
export function* allRecords(paths: StorePaths, sessionId: string): Generator<LogRecord> {
  const path = requireLog(paths, sessionId);
  for (const { position, bytes } of wholeLines(path)) {
    if (position === 0) {
      const header = logRecordSchema.safeParse(parseJson(bytes));
      if (header.success && header.data.type === 'header') yield header.data;
      continue;
    }
    const parsed = parseRecord({ position, bytes });
    if (parsed.kind === 'record') yield parsed.record;
  }
}

/** The path of a session's log. Throws not_found with the nearest ids, store_damaged when all but the log is there. */
export function requireLog(paths: StorePaths, sessionId: string): string {
  if (isId(sessionId)) {
    const path = paths.log(sessionId);
    if (hasEntry(path)) return path;
    if (!isBare(paths, sessionId)) throw damagedLog(path, sessionId, 'it is missing');
  }
  const others = namesIn(paths.sessions).filter((name) => isId(name) && name !== sessionId);
  const nearest = nearestIds(sessionId, others);
  const hint = nearest.length === 0 ? {} : { hint: `The nearest are: ${nearest.join(', ')}.` };
  throw new SanbotError('not_found', `There is no session ${shown(sessionId)}`, hint);
}

function hasEntry(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw storeDamage(error, path);
  }
}

/** A log without a header that can be read. Rolling back is no way out, since it opens the same log. */
export const damagedLog = (path: string, sessionId: string, why: string): SanbotError =>
  new SanbotError('store_damaged', `${shownPath(path)} cannot be opened: ${why}`, {
    hint: `sanbot doctor --session ${sessionId} --repair rebuilds it from what is left or from its newest snapshot, or says why that cannot be; nothing is deleted.`,
  });
