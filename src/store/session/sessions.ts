/**
 * Sessions on disk: a folder each, with its log, the bodies that were moved out of its context, what it changed in files, its
 * title and its lock.
 *
 * Records come in one at a time and are on disk, in order and numbered, when the append returns; one process writes a log, and others may
 * read it meanwhile. Opening reads back from the end to the newest checkpoint, so that a long session opens about as fast as a short one.
 *
 * A log is append-only: a compaction and a rollback are records too. What a crash tore is repaired and reported, and damaged lines are
 * counted and left where they are. What a record means is the business of `context`, not of this folder.
 */

import { mkdirSync, rmdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { OpenedLog, SessionLog } from '../../agent/ports/disk.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { HeaderRecord, LogRecord, NewRecord } from '../../domain/session/record.ts';
import { inspectText } from '../../domain/text.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { createFile, sweepTemporaries, unlinkIfExists } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, faultPoint, fsyncFolder, readerOf, withFile } from '../files/disk.ts';
import { orStoreDamage, orStoreFailure, storeFailure } from '../files/failure.ts';
import { type LineFile, openLineFile } from '../files/line-file.ts';
import { acquireLock, type Lock, type LockResult, printableHolder } from '../files/lock.ts';
import { isId, printablePath, type StorePaths, sessionIdFrom } from '../files/paths.ts';
import { encodeRecord } from '../files/record-line.ts';
import { createBodies, restoreLive } from './bodies/bodies.ts';
import { readHeader, readLogTail, versionWarnings } from './log-reader.ts';
import { damagedLogError, requireLogPath, syncTitle } from './peek-session.ts';

export type SessionLogOptions = {
  readonly sessionId: string;
  readonly file: LineFile;
  readonly lock: () => Lock;
  readonly now: () => Date;
  readonly nextN: number;
  /** Where the line of the newest checkpoint ends. */
  readonly checkpointEnd: number;
};

/** The only writer of a session's log. */
function createSessionLog({ sessionId, file, lock, now, ...start }: SessionLogOptions): SessionLog {
  let nextN = start.nextN;
  let checkpointEnd = start.checkpointEnd;
  return {
    sessionId,
    append: (record) => {
      const entry = numberedRecord(record, { n: nextN, at: now().toISOString() });
      file.append(encodeRecord(entry));
      nextN += 1;
      if (record.type === 'checkpoint') checkpointEnd = file.size();
      return entry;
    },
    bytesSinceCheckpoint: () => file.size() - checkpointEnd,
    close: () => {
      file.close();
      lock().release();
    },
  };
}

/** `type` comes first in the line, for those who read the file with simple tools; records are ordered by `n`, since clocks go back. */
export function numberedRecord<R extends NewRecord>(record: R, number: Pick<LogRecord, 'n' | 'at'>): R & Pick<LogRecord, 'n' | 'at'> {
  return Object.assign({ type: record.type, n: number.n, at: number.at }, record);
}

export const createSessions = (disk: Disk, paths: StorePaths) => ({
  create: (header: HeaderRecord) => create(disk, paths, header),
  open: (sessionId: string) => open(disk, paths, sessionId),
  /** Returns an id that no session has: its start time, and six characters. */
  newSessionId: (): string => {
    for (;;) {
      const id = sessionIdFrom(disk.now(), disk.newId);
      if (!entryExists(paths.session(id))) return id;
    }
  },
});

function create(disk: Disk, paths: StorePaths, header: HeaderRecord): OpenedLog {
  const { sessionId } = header;
  if (!isId(sessionId)) throw invalidIdError('usage', sessionId);
  ensureFolder(disk, paths.sessions);
  makeFolder(disk, paths.session(sessionId));
  let lock: Lock | undefined;
  try {
    orStoreFailure('write', paths.sessions, () => fsyncFolder(disk, paths.sessions, 'create'));
    lock = lockSession(disk, paths, sessionId);
    return createLocked(disk, paths, { header, lock });
  } catch (error) {
    // The folder is ours alone and nothing was acknowledged: what is left must not block the next try.
    unlinkIfExists(paths.log(sessionId));
    lock?.release();
    orUndefined(() => rmdirSync(paths.session(sessionId))); // stays when it is not empty
    throw error;
  }
}

/** Fails when the folder exists: two sessions never share one, whatever their ids have in common. */
function makeFolder(disk: Disk, folder: string): void {
  try {
    faultPoint(disk, 'create.folder');
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw existsError(basename(folder));
    throw storeFailure(error, 'make the folder', folder);
  }
}

function createLocked(disk: Disk, paths: StorePaths, { header, lock }: { readonly header: HeaderRecord; readonly lock: Lock }): OpenedLog {
  const { sessionId } = header;
  const record = numberedRecord(header, { n: 0, at: disk.now().toISOString() });
  const line = encodeRecord(record);
  // All or nothing: a session without a header could not be opened.
  if (!createFile(disk, paths.log(sessionId), line, 'create')) throw existsError(sessionId);
  const writer = openWriter(disk, paths, { sessionId, lock });
  const log = createSessionLog({ ...writer, sessionId, now: disk.now, nextN: 1, checkpointEnd: line.length });
  return { log, header: record, records: [], warnings: [] };
}

const existsError = (sessionId: string): SanbotError =>
  new SanbotError(
    'store_failed',
    { en: `Session ${sessionId} already exists`, zh: `会话 ${sessionId} 已存在` },
    { en: 'Open it with sanbot --resume, or start another.', zh: '用 sanbot --resume 打开它，或新建另一个。' },
  );

const invalidIdError = (code: 'usage' | 'not_found', sessionId: string): SanbotError =>
  new SanbotError(code, {
    en: `${inspectText(sessionId)} is not a valid session id`,
    zh: `${inspectText(sessionId)} 不是有效的会话 id`,
  });

function open(disk: Disk, paths: StorePaths, sessionId: string): OpenedLog {
  if (!isId(sessionId)) throw invalidIdError('not_found', sessionId);
  requireLogPath(paths, sessionId);
  ensureFolder(disk, paths.session(sessionId));
  const lock = lockSession(disk, paths, sessionId);
  try {
    for (const folder of ['session', 'offloaded', 'versions', 'changes'] as const) sweepTemporaries(disk, paths[folder](sessionId));
    return openLocked(disk, paths, { sessionId, lock });
  } catch (error) {
    lock.release();
    throw error;
  }
}

type LockedSession = { readonly sessionId: string; readonly lock: Lock };

function openLocked(disk: Disk, paths: StorePaths, { sessionId, lock }: LockedSession): OpenedLog {
  const path = paths.log(sessionId);
  // Before any repair: a file that is not a log of this session stays as it is, to the byte.
  const result = orStoreDamage(path, () => withFile(path, (file) => readHeader(readerOf(file), sessionId)));
  if (result.kind === 'damaged') throw damagedLogError(path, sessionId, result.why);
  const writer = openWriter(disk, paths, { sessionId, lock });
  try {
    const tail = readLogTail(writer.file.read, { size: writer.file.size(), headerEnd: result.end, path });
    if (tail.isDamaged)
      restoreLive(createBodies(disk, paths, { sessionId, maxSessionBytes: 0 }), { header: result.header, records: tail.records });
    const title = tail.records.findLast((record) => record.type === 'title')?.title;
    const warnings = [
      ...versionWarnings(result.header, path),
      ...writer.warnings,
      ...tail.warnings,
      ...repairBodies(disk, paths, sessionId),
      ...(title === undefined ? [] : syncTitle(disk, paths, { sessionId, title })),
    ];
    return {
      log: createSessionLog({ ...writer, ...tail, sessionId, now: disk.now }),
      header: result.header,
      records: tail.records,
      warnings,
    };
  } catch (error) {
    writer.file.close();
    throw error;
  }
}

type LogWriter = { readonly file: LineFile; readonly warnings: readonly Bilingual[]; readonly lock: () => Lock };

function openWriter(disk: Disk, paths: StorePaths, { sessionId, lock }: LockedSession): LogWriter {
  let currentLock = lock;
  const beforeRebuild = () => {
    ensureFolder(disk, paths.session(sessionId));
    // The lock was deleted with the folder, and another process may have created the session again by now.
    if (!currentLock.isHeld()) currentLock = lockSession(disk, paths, sessionId);
  };
  return { ...openLineFile(disk, paths.log(sessionId), { point: 'append', beforeRebuild }), lock: () => currentLock };
}

/** Repairs the other line file of a session, which is otherwise opened only when a compaction retires bodies. */
function repairBodies(disk: Disk, paths: StorePaths, sessionId: string): readonly Bilingual[] {
  const path = paths.retiredBodies(sessionId);
  if (!entryExists(path)) return [];
  const { file, warnings } = openLineFile(disk, path, { point: 'bodies' });
  file.close();
  return warnings;
}

/** Throws session_locked, naming who has the session open. */
export function lockSession(disk: Disk, paths: StorePaths, sessionId: string): Lock {
  const result = acquireLock(disk, paths.sessionLock(sessionId));
  if (result.kind === 'busy') throw lockedError(paths.sessionLock(sessionId), sessionId, result);
  return result.lock;
}

function lockedError(path: string, sessionId: string, { why, holder }: Extract<LockResult, { kind: 'busy' }>): SanbotError {
  const { pid, place, time } = printableHolder(holder);
  if (why === 'running')
    return new SanbotError('session_locked', {
      en: `Session ${sessionId} is open in another sanbot (process ${pid}, since ${time})`,
      zh: `会话 ${sessionId} 正被另一个 sanbot 使用（进程 ${pid}，始于 ${time}）`,
    });
  return new SanbotError(
    'session_locked',
    {
      en: `Session ${sessionId} is open on another machine or in a container (${place}, process ${pid}, since ${time})`,
      zh: `会话 ${sessionId} 正在另一台机器或容器中使用（${place}，进程 ${pid}，始于 ${time}）`,
    },
    {
      en: `If nothing runs there any more, delete ${printablePath(path)}.`,
      zh: `如果那里已没有进程在运行，请删除 ${printablePath(path)}。`,
    },
  );
}
