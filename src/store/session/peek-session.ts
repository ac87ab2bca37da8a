import { fstatSync, statSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type LogRecord, logRecordSchema } from '../../domain/session/record.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, entryExists, readAt, readerOf, readOwnFile, withFile } from '../files/disk.ts';
import { failureReason, orStoreDamage } from '../files/failure.ts';
import { isId, namesIn, noSuchSession, printablePath, restPath, type StorePaths } from '../files/paths.ts';
import { readRecord } from '../files/record-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';
import { snapshotsIn } from '../snapshot/snapshots.ts';
import { notWholeError, parseLogLine, readHeader, readLogTail } from './log-reader.ts';

/**
 * Reads a session without taking its lock and without repairs, even while another process has it open: then the last line may be unfinished
 * and is left out. Throws not_found with the nearest ids, store_damaged when the log cannot be read.
 */
export function peekSession(paths: StorePaths, sessionId: string) {
  const path = requireLogPath(paths, sessionId);
  const peek = (file: number) => {
    const read = readerOf(file);
    const { header, end: headerEnd } = headerIn(read, path, sessionId);
    const size = lastLineEnd(file, fstatSync(file).size);
    return { header, ...readLogTail(read, { size, headerEnd, path }) };
  };
  return orStoreDamage(path, () => withFile(path, peek));
}

/** What a session began with, without reading on. Throws like `peekSession`. */
export function peekHeader(paths: StorePaths, sessionId: string) {
  const path = requireLogPath(paths, sessionId);
  return orStoreDamage(path, () => withFile(path, (file) => headerIn(readerOf(file), path, sessionId).header));
}

function headerIn(read: ReturnType<typeof readerOf>, path: string, sessionId: string) {
  const result = readHeader(read, sessionId);
  if (result.kind === 'damaged') throw damagedLogError(path, sessionId, result.why);
  return result;
}

/** Returns where the last whole line ends. */
function lastLineEnd(file: number, size: number): number {
  const CHUNK_BYTES = 64 * 1024;
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - CHUNK_BYTES);
    const at = readAt(file, from, end - from).lastIndexOf(0x0a);
    if (at >= 0) return from + at + 1;
    end = from;
  }
  return 0;
}

/** Throws refused for a session of which only the end is here; without one, for any such. */
export function requireWhole(paths: StorePaths, sessionId?: string): void {
  const ids = sessionId === undefined ? namesIn(paths.sessions).filter(isId) : [sessionId];
  const part = ids.find((id) => isId(id) && entryExists(restPath(paths, id)));
  if (part !== undefined) throw notWholeError(paths.log(part));
}

/** Yields every readable record of a log, its header first, one at a time in memory. Throws like `peekSession`, and like `requireWhole`. */
export function* allRecords(paths: StorePaths, sessionId: string): Generator<LogRecord> {
  requireWhole(paths, sessionId);
  yield* recordsHere(paths, sessionId);
}

/** The same of what is here of it. */
export function* recordsHere(paths: StorePaths, sessionId: string): Generator<LogRecord> {
  for (const { record } of recordsFrom(paths, sessionId, 0)) yield record;
}

/** The same from the start of a line on, each with where its line ends. */
export function* recordsFrom(
  paths: StorePaths,
  sessionId: string,
  start: number,
): Generator<{ readonly record: LogRecord; readonly end: number }> {
  const path = requireLogPath(paths, sessionId);
  for (const { position, length, bytes } of completeLines(path, start)) {
    const end = position + length + 1;
    if (position === 0) {
      const header = logRecordSchema.safeParse(readRecord(bytes));
      if (header.success && header.data.type === 'header') yield { record: header.data, end };
      continue;
    }
    const parsed = parseLogLine(bytes);
    if (parsed.kind === 'record') yield { record: parsed.record, end };
  }
}

/** Returns the path of a session's log. Throws not_found with the nearest ids, store_damaged when only the log is missing. */
export function requireLogPath(paths: StorePaths, sessionId: string): string {
  if (isId(sessionId)) {
    const path = paths.log(sessionId);
    if (orStoreDamage(path, () => entryExists(path))) return path;
    if (!isEmptySession(paths, sessionId)) throw damagedLogError(path, sessionId, { en: 'it is missing', zh: '它不存在' });
  }
  const others = namesIn(paths.sessions).filter((name) => isId(name) && name !== sessionId);
  throw noSuchSession(sessionId, others);
}

/**
 * True when the name of a session without a log stands for nothing: there is no folder, or one as a crash before the first write leaves it,
 * with at most a lock and temporary files. With anything else in the folder, or a snapshot, it was a session, and its log is missing.
 */
export function isEmptySession(paths: StorePaths, sessionId: string): boolean {
  const folder = paths.session(sessionId);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return true;
  if (!namesIn(folder).every((name) => name.startsWith('lock') || name.endsWith('.tmp'))) return false;
  const snapshots = snapshotsIn(paths).filter((each) => each.sessionId === sessionId);
  return !snapshots.some(({ group, id }) => entryExists(paths.snapshot(group, id)));
}

/** For a log without a readable header. Rolling back does not help, since it opens the same log. */
export const damagedLogError = (path: string, sessionId: string, why: Bilingual): SanbotError =>
  new SanbotError(
    'store_damaged',
    { en: `${printablePath(path)} cannot be opened: ${why.en}`, zh: `无法打开 ${printablePath(path)}：${why.zh}` },
    {
      en: `sanbot doctor --session ${sessionId} --repair rebuilds it from what is left or from its newest snapshot, or says why that cannot be; nothing is deleted.`,
      zh: `sanbot doctor --session ${sessionId} --repair 会用剩余的内容或最新的快照重建它，或说明为何不能；不会删除任何内容。`,
    },
  );

/** Reads the title from its file beside the log, for lists. The newest title record of the log is authoritative. Undefined for none. */
export const readTitle = (paths: StorePaths, sessionId: string): string | undefined =>
  orUndefined(() => readOwnFile(paths.title(sessionId))?.toString('utf8'));

export type SessionTitle = { readonly sessionId: string; readonly title: string };

/** Writes the title; it is on disk on return. Throws store_failed. */
export function writeTitle(disk: Disk, paths: StorePaths, { sessionId, title }: SessionTitle): void {
  writeFileAtomic(disk, paths.title(sessionId), Buffer.from(title, 'utf8'), { point: 'title' });
}

/** Brings the title file up to date with the log, which is one step ahead after a crash. Never throws: a failure is a warning. */
export function syncTitle(disk: Disk, paths: StorePaths, { sessionId, title }: SessionTitle): readonly Bilingual[] {
  try {
    if (readOwnFile(paths.title(sessionId))?.toString('utf8') !== title) writeTitle(disk, paths, { sessionId, title });
    return [];
  } catch (error) {
    const why = failureReason(error, paths.title(sessionId));
    return [{ en: `The file with the session's title differs from the log: ${why.en}.`, zh: `会话标题文件与日志不一致：${why.zh}。` }];
  }
}
