import { closeSync, fstatSync, lstatSync } from 'node:fs';
import { SanbotError } from '../domain/errors.ts';
import { type HeaderRecord, type LogRecord, logRecordSchema } from '../domain/record.ts';
import { openToRead, readAt } from './disk.ts';
import { storeDamage } from './failure.ts';
import { isId, nearestIds, shown } from './ids.ts';
import { parseJson } from './json-line.ts';
import { parseRecord, readBack, readHeader } from './log-reader.ts';
import { type StorePaths, shownPath } from './paths.ts';
import { namesIn } from './replace-file.ts';
import { wholeLines } from './rewrite-lines.ts';

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
      if (found.kind === 'damaged') throw new SanbotError('store_damaged', `${shownPath(path)} cannot be opened: ${found.why}`);
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

/** The path of a session's log. Throws not_found with the nearest ids. */
export function requireLog(paths: StorePaths, sessionId: string): string {
  if (isId(sessionId) && lstatSync(paths.log(sessionId), { throwIfNoEntry: false }) !== undefined) return paths.log(sessionId);
  const nearest = nearestIds(sessionId, namesIn(paths.sessions).filter(isId));
  const hint = nearest.length === 0 ? {} : { hint: `The nearest are: ${nearest.join(', ')}.` };
  throw new SanbotError('not_found', `There is no session ${shown(sessionId)}`, hint);
}
