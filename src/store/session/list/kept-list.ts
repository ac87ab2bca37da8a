import { renameSync } from 'node:fs';
import type { SessionListEntry } from '../../../domain/session/session-list-entry.ts';
import { isObject, isString, parseJson } from '../../../domain/value/json.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { unlinkIfExists, writeTemporary } from '../../files/atomic-write.ts';
import { type Disk, readOwnFile } from '../../files/disk.ts';
import type { StorePaths } from '../../files/paths.ts';

/** What was read of a session, and when its log and its folder had last changed then: the folder tells of its lock and its title. */
export type KnownSession = { readonly entry: SessionListEntry; readonly logMs: number; readonly folderMs: number };

const VERSION = 4;

/** By their ids; none where there is no such file, or one that cannot be used. */
export function readKept(paths: StorePaths): Map<string, KnownSession> {
  const value = parseJson(orUndefined(() => readOwnFile(paths.sessionList))?.toString('utf8') ?? '');
  const rows = isObject(value) && value.v === VERSION && Array.isArray(value.sessions) ? value.sessions.flatMap(readRow) : [];
  return new Map(rows.map((known) => [known.entry.sessionId, known]));
}

function readRow(row: unknown): KnownSession | [] {
  if (!isObject(row)) return [];
  const { sessionId, createdAt, updatedAt, cwd, model, group, title, bytes, logMs, folderMs } = row;
  const isUsable = isString(sessionId) && isString(createdAt) && isString(updatedAt) && isString(cwd) && isString(model);
  if (!isUsable || !isString(group) || !isString(title) || !isNumber(bytes) || !isNumber(logMs) || !isNumber(folderMs)) return [];
  return { entry: { sessionId, createdAt, updatedAt, cwd, model, group, title, bytes, open: false }, logMs, folderMs };
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Not synced, and never a failure: it is made anew from the logs whenever it is not there. */
export function keepList(disk: Disk, paths: StorePaths, sessions: readonly KnownSession[]): void {
  orUndefined(() => {
    const rows = sessions.map(({ entry: { open: _, ...entry }, ...times }) => ({ ...entry, ...times }));
    const bytes = Buffer.from(JSON.stringify({ v: VERSION, sessions: rows }));
    renameSync(writeTemporary(disk, paths.sessionList, [bytes], { point: 'session-list', sync: false }), paths.sessionList);
  });
  // What version 0.1.0 kept beside its list.
  unlinkIfExists(paths.earlierSessionMarks);
}

/** Takes a session out of the kept list, so that its title is not kept longer than the session. Never throws. */
export function dropFromList(disk: Disk, paths: StorePaths, sessionId: string): void {
  const text = orUndefined(() => readOwnFile(paths.sessionList));
  if (text?.includes(sessionId) !== true) return;
  const kept = readKept(paths);
  // Without it, every log is read once more.
  unlinkIfExists(paths.sessionList);
  if (kept.delete(sessionId)) keepList(disk, paths, [...kept.values()]);
}
