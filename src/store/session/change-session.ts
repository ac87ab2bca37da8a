import { chmodSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { because } from '../../domain/language.ts';
import { memoryKinds } from '../../domain/memory/memory.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { redact } from '../../domain/value/redact.ts';
import { GOING, isOfOther, staleTemporaries, temporaryFor } from '../files/atomic-write.ts';
import { type Disk, entryExists, faultPoint, fileSize, fsyncFolder, readOwnFile } from '../files/disk.ts';
import { failureReason, storeFailure } from '../files/failure.ts';
import { acquireLock } from '../files/lock.ts';
import { groupsOf, isId, namesIn, printablePath, type StorePaths } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { createSnapshots } from '../snapshot/snapshots.ts';
import { requireLogPath, type SessionTitle, writeTitle } from './peek-session.ts';
import { dropFromList } from './session-list.ts';
import { createSessions, lockSession } from './sessions.ts';

/** Days without a command after which what commands left in the temporary folder of a session goes. */
export const TEMPORARY_DAYS = 7;
const DAY_MS = 86_400_000;

export type UnusedTemporary = { readonly sessionId: string; readonly bytes: number };

/** The temporary folders that no command has used for a week, of sessions that nobody has open; removed, or only told. Never throws. */
export function cleanTemporary(disk: Disk, paths: StorePaths, { dryRun }: { readonly dryRun: boolean }): readonly UnusedTemporary[] {
  const oldest = disk.now().getTime() - TEMPORARY_DAYS * DAY_MS;
  return namesIn(paths.sessions)
    .filter(isId)
    .flatMap((sessionId) => {
      const folder = paths.temporary(sessionId);
      const isOld = (): boolean => (lastUse(folder) ?? Number.POSITIVE_INFINITY) < oldest;
      if (!isOld()) return [];
      const bytes = sizeBelow(folder);
      return dryRun || removeUnused(disk, paths, sessionId, isOld) ? [{ sessionId, bytes }] : [];
    });
}

/** The folder itself is written to by each command: its list of names. */
const lastUse = (folder: string): number | undefined =>
  [folder, join(folder, 'names.json')].flatMap((path) => orUndefined(() => lstatSync(path).mtimeMs) ?? []).sort((a, b) => b - a)[0];

function removeUnused(disk: Disk, paths: StorePaths, sessionId: string, isOld: () => boolean): boolean {
  const folder = paths.temporary(sessionId);
  try {
    const result = acquireLock(disk, paths.sessionLock(sessionId));
    if (result.kind === 'busy') return false;
    try {
      if (!isOld()) return false;
      // Its name goes at once, so that half of it is never taken for the whole.
      const going = join(dirname(folder), `.temporary.${disk.newId()}.deleted`);
      renameSync(folder, going);
      removeTree(going);
      return true;
    } finally {
      result.lock.release();
    }
  } catch (error) {
    const what = { en: `The temporary folder of session ${sessionId} was not removed`, zh: `未删除会话 ${sessionId} 的临时文件夹` };
    disk.warn(because(what, failureReason(error, folder)));
    return false;
  }
}

/** Removes what an interrupted removal left. Never throws. */
export function sweepTemporary(paths: StorePaths): void {
  for (const id of namesIn(paths.sessions).filter(isId))
    for (const name of namesIn(paths.session(id)))
      if (name.startsWith('.temporary.') && name.endsWith('.deleted')) orUndefined(() => removeTree(join(paths.session(id), name)));
}

/** Removes a folder, also where programs took their own right to write from what is in it. Throws the system's errors. */
function removeTree(folder: string): void {
  if (!entryExists(folder)) return;
  allowWriting(folder);
  rmSync(folder, { recursive: true });
}

function allowWriting(folder: string): void {
  if (orUndefined(() => lstatSync(folder))?.isDirectory() !== true) return;
  orUndefined(() => chmodSync(folder, 0o700));
  for (const entry of orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    if (entry.isDirectory()) allowWriting(join(folder, entry.name));
}

function sizeBelow(folder: string): number {
  const entries = orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + sizeBelow(path);
    return sum + (entry.isFile() ? (orUndefined(() => lstatSync(path).size) ?? 0) : 0);
  }, 0);
}

const MAX_TITLE_CHARS = 200;

/** Gives a session a title, first in its log. Returns the title in one line. Throws usage, not_found, session_locked, store_failed. */
export function renameSession(disk: Disk, paths: StorePaths, { sessionId, title }: SessionTitle): string {
  const line = redact(normalizeTitle(title));
  const { log } = createSessions(disk, paths).open(sessionId);
  try {
    log.append({ type: 'title', title: line });
    writeTitle(disk, paths, { sessionId, title: line });
  } finally {
    log.close();
  }
  return line;
}

/** Returns a title in one line. Throws usage when it is empty or too long. */
export function normalizeTitle(title: string): string {
  const line = title
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (line === '') throw new SanbotError('usage', { en: 'A title needs at least one character', zh: '标题至少要有一个字符' });
  if ([...line].length > MAX_TITLE_CHARS)
    throw new SanbotError('usage', {
      en: `A title has at most ${MAX_TITLE_CHARS} characters, found ${[...line].length}`,
      zh: `标题最多 ${MAX_TITLE_CHARS} 个字符，实际为 ${[...line].length}`,
    });
  return line;
}

/** What belongs to a session and stays when its folder is deleted. */
export type SessionLeftovers = Readonly<ReturnType<typeof findLeftovers>>;

/** Changes nothing. What cannot be read is not counted. */
export function findLeftovers(disk: Disk, paths: StorePaths, sessionId: string) {
  const metas = createSnapshots(disk, paths).list(sessionId);
  const groups = groupsOf(paths);
  const pages = groups.flatMap((group) => memoryKinds.map((kind) => readTextOrEmpty(paths.extracted(group, kind), 16 * 1024 * 1024)));
  return {
    snapshots: metas.length,
    snapshotBytes: metas.reduce((sum, { bytes }) => sum + bytes, 0),
    archives: groups.flatMap((group) => filesWith(paths.conversations(group), `\n- Session: ${sessionId}\n`, 1000)),
    /** Entries of L1 whose source is the session. */
    memories: pages.reduce((sum, page) => sum + page.split(`<!-- session ${sessionId} message`).length - 1, 0),
    summaries: groups
      .map((group) => paths.sessionSummary(group, sessionId))
      .filter((path) => orUndefined(() => readOwnFile(path)) !== undefined),
    /** Absolute paths of the pages of the daily log that have lines about the session. */
    daily: groups.flatMap((group) => filesWith(paths.dailyFolder(group), `<!-- session ${sessionId} `, 2 * 1024 * 1024)),
  };
}

const readTextOrEmpty = (path: string, maxBytes: number): string => orUndefined(() => readText(path, maxBytes)) ?? '';

/** Returns the files of a folder whose first `maxBytes` contain a text. */
const filesWith = (folder: string, text: string, maxBytes: number): readonly string[] =>
  namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => readTextOrEmpty(path, maxBytes).includes(text));

/**
 * Removes a session's folder and nothing else. The folder loses its name at once, so that half of it is never seen as a session; what
 * cannot be removed afterwards causes a warning and is left to `sweepDeleted`. False, with nothing changed, when its log does not have
 * `bytes`. Throws not_found, session_locked, store_failed.
 */
export function deleteSession(disk: Disk, paths: StorePaths, sessionId: string, bytes?: number): boolean {
  const log = requireLogPath(paths, sessionId);
  const lock = lockSession(disk, paths, sessionId);
  if (bytes !== undefined && fileSize(log) !== bytes) {
    lock.release();
    return false;
  }
  const folder = paths.session(sessionId);
  const deletedFolder = temporaryFor(disk, folder, GOING);
  try {
    faultPoint(disk, 'delete.rename');
    renameSync(folder, deletedFolder);
    fsyncFolder(disk, paths.sessions, 'delete');
  } catch (error) {
    lock.release();
    throw storeFailure(error, 'delete', folder);
  }
  dropFromList(disk, paths, sessionId);
  removeFolder(disk, deletedFolder);
  return true;
}

/** Removes what killed processes left of sessions that they deleted or had half written; `stale`: what none can still be at work on. Never throws. */
export function sweepDeleted(disk: Disk, paths: StorePaths, { stale = false } = {}): void {
  const isLeft = (name: string): boolean => name.startsWith('.') && name.endsWith(GOING) && !isOfOther(disk, name);
  const left = stale
    ? staleTemporaries(disk, paths.sessions)
    : namesIn(paths.sessions)
        .filter(isLeft)
        .map((name) => join(paths.sessions, name));
  for (const folder of left) removeFolder(disk, folder);
}

function removeFolder(disk: Disk, folder: string): void {
  try {
    faultPoint(disk, 'delete.remove');
    removeTree(folder);
  } catch (error) {
    const why = failureReason(error, folder);
    disk.warn({
      en: `Cannot remove ${printablePath(folder)}: ${why.en}. sanbot clean tries again.`,
      zh: `无法删除 ${printablePath(folder)}：${why.zh}。sanbot clean 会再次尝试。`,
    });
  }
}

/** Returns the bytes of all files in a session's folder. */
export function sizeOfSession(paths: StorePaths, sessionId: string): number {
  const entries = readdirSync(paths.session(sessionId), { recursive: true, encoding: 'utf8' });
  const sizes = entries.map((name) => lstatSync(join(paths.session(sessionId), name), { throwIfNoEntry: false }));
  return sizes.reduce((sum, stats) => sum + (stats?.isFile() ? stats.size : 0), 0);
}
