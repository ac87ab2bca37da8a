/**
 * The list of a home's sessions, in homes of any size.
 *
 * A home comes in, and out comes a line about every session, also about one that cannot be read. Few logs are read for it: what was read is
 * kept in one file, with the size of the log and when it and its folder last changed, and only a session that is otherwise
 * now is read again.
 *
 * The list is always what reading every log would give. What is kept is never needed: it is made anew where it is missing or damaged, and a
 * failure to keep it is none.
 */

import { fstatSync, lstatSync, renameSync, statSync } from 'node:fs';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import type { SessionListEntry } from '../../domain/session/session-list-entry.ts';
import { inspectText } from '../../domain/text.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { isObject, isString, parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { redact } from '../../domain/value/redact.ts';
import { unlinkIfExists, writeTemporary } from '../files/atomic-write.ts';
import { type Disk, readAt, readOwnFile, withFile } from '../files/disk.ts';
import type { Host } from '../files/host.ts';
import { activeHolder } from '../files/lock.ts';
import { isId, namesIn, noSuchSession, type StorePaths } from '../files/paths.ts';
import { MAX_HEADER_BYTES, readRecord } from '../files/record-line.ts';
import { isEmptySession, readTitle } from './peek-session.ts';

/** So many logs are read in a few milliseconds; a file about fewer is not worth its place. */
const WORTH_KEEPING = 50;
/** What changed as late as that may change once more without another time stamp. */
const SETTLED_MS = 2_500;

/** Returns every session, last used first, including those that cannot be read. Reads only the beginning of a log. */
export function listSessions(disk: Disk, paths: StorePaths, host: Host): readonly SessionListEntry[] {
  const kept = readKept(paths);
  const settled = disk.now().getTime() - SETTLED_MS;
  const known: KnownSession[] = [];
  let read = 0;
  const entries = namesIn(paths.sessions)
    .filter(isId)
    .flatMap((sessionId) => {
      const states = fileStates(paths, sessionId);
      const before = kept.get(sessionId);
      kept.delete(sessionId);
      if (before !== undefined && states !== undefined && isUnchanged(before, states)) {
        known.push(before);
        return before.entry;
      }
      read += 1;
      const entry = describeSession(paths, host, sessionId);
      const isSettled = states !== undefined && states.logMs < settled && states.folderMs < settled;
      if (isSettled && entry !== undefined && !entry.open && entry.problem === undefined) known.push({ ...states, entry });
      return entry ?? [];
    });
  if (read >= WORTH_KEEPING || kept.size > 0) keepList(disk, paths, known);
  return entries.sort(newestFirst);
}

type FileStates = Pick<KnownSession, 'logMs' | 'folderMs'> & { readonly bytes: number };

/** Undefined when the session has no log. */
function fileStates(paths: StorePaths, sessionId: string): FileStates | undefined {
  const folder = orUndefined(() => statSync(paths.session(sessionId)));
  const log = orUndefined(() => lstatSync(paths.log(sessionId)));
  return folder && log && { bytes: log.size, logMs: log.mtimeMs, folderMs: folder.mtimeMs };
}

const isUnchanged = ({ entry, logMs, folderMs }: KnownSession, states: FileStates): boolean =>
  states.bytes === entry.bytes && states.logMs === logMs && states.folderMs === folderMs;

const newestFirst = (a: SessionListEntry, b: SessionListEntry): number =>
  a.updatedAt === b.updatedAt ? compare(b.sessionId, a.sessionId) : compare(b.updatedAt, a.updatedAt);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the last used session that can be opened, of one working folder when given; undefined when there is none. */
export function newestSession(sessions: readonly SessionListEntry[], cwd?: string): SessionListEntry | undefined {
  return sessions.find((line) => line.problem === undefined && (cwd === undefined || line.cwd === cwd));
}

/** Enough for most headers and the user's first message after them. */
const HEAD_BYTES = 128 * 1024;
const MAX_TITLE_CHARS = 80;

function describeSession(paths: StorePaths, host: Host, sessionId: string): SessionListEntry | undefined {
  const empty = { sessionId, createdAt: '', updatedAt: '', cwd: '', model: '', group: '', title: '', bytes: 0, open: false };
  try {
    const open = activeHolder(paths.sessionLock(sessionId), host) !== undefined;
    const line = { ...empty, ...readLogHead(paths.log(sessionId), sessionId), open };
    return { ...line, title: readTitle(paths, sessionId) ?? line.title };
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') return { ...empty, problem: errorReason(error) };
    return isEmptySession(paths, sessionId) ? undefined : { ...empty, problem: { en: 'log.jsonl is missing', zh: '缺少 log.jsonl' } };
  }
}

function readLogHead(path: string, sessionId: string): Partial<SessionListEntry> {
  return withFile(path, (file) => {
    const { size, mtime } = fstatSync(file);
    const base = { bytes: size, updatedAt: mtime.toISOString() };
    if (size === 0) return { ...base, problem: { en: 'log.jsonl is empty', zh: 'log.jsonl 是空的' } };
    const lines = headLines(file, size);
    const header = parseHeader(readRecord(Buffer.from(lines[0] ?? '')), sessionId);
    if (header === undefined)
      return { ...base, problem: { en: 'the first line of log.jsonl is not its header', zh: 'log.jsonl 的第一行不是其文件头' } };
    return { ...base, ...header, title: titleOf(lines.slice(1)) };
  });
}

/** Returns the whole lines at the beginning; a longer header is read to its end. None when the first line does not end in sight. */
function headLines(file: number, size: number): readonly string[] {
  for (let length = HEAD_BYTES; length <= MAX_HEADER_BYTES; length *= 4) {
    const head = readAt(file, 0, Math.min(length, size));
    const end = length >= size ? head.length : head.lastIndexOf(0x0a);
    if (end >= 0) return head.toString('utf8', 0, end).split('\n');
  }
  return [];
}

/** Leaves out the context, which is most of a header and of no use to a list. */
function parseHeader(value: unknown, sessionId: string): Partial<SessionListEntry> | undefined {
  if (!isObject(value) || value.type !== 'header' || value.sessionId !== sessionId) return undefined;
  const { at, cwd, model, group } = value;
  if (!isString(at) || !isString(cwd) || !isString(model) || !isString(group)) return undefined;
  const imported = isObject(value.imported) ? value.imported.file : undefined;
  return { createdAt: at, cwd, model, group, ...originOf(imported, value.unattended) };
}

const originOf = (file: unknown, unattended: unknown): Pick<SessionListEntry, 'imported' | 'unattended'> => ({
  ...(isString(file) ? { imported: file } : {}),
  ...(unattended === true ? { unattended } : {}),
});

function titleOf(lines: readonly string[]): string {
  for (const line of lines) {
    const record = readRecord(Buffer.from(line));
    const message = isObject(record) && record.type === 'message' ? record.message : undefined;
    if (!isObject(message) || message.origin !== 'user' || !Array.isArray(message.content)) continue;
    const texts = message.content.filter((block) => isObject(block) && block.type === 'text').map(({ text }) => text);
    const [first] = texts.filter(isString).join('\n').trim().split('\n');
    if (first) return [...redact(first)].slice(0, MAX_TITLE_CHARS).join('');
  }
  return '';
}

const MAX_MATCHES = 5;

/** The session with this id, or the only one that has `text` in it. Reads no log. Throws not_found with the ids that may be meant. */
export function findSessionId(paths: StorePaths, text: string): string {
  const ids = namesIn(paths.sessions).filter(isId);
  if (ids.includes(text)) return text;
  const matches = text === '' ? [] : ids.filter((id) => id.includes(text));
  const [match] = matches;
  if (match === undefined) throw noSuchSession(text, ids);
  if (matches.length === 1) return match;
  const shown = matches.sort().reverse().slice(0, MAX_MATCHES);
  const left = matches.length - shown.length;
  throw new SanbotError(
    'not_found',
    { en: `${inspectText(text)} fits ${matches.length} sessions`, zh: `${inspectText(text)} 匹配 ${matches.length} 个会话` },
    {
      en: `Give more of the id: ${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`,
      zh: `请多输入几位 id：${shown.join('、')}${left > 0 ? `，另有 ${left} 个` : ''}。`,
    },
  );
}

/** What was read of a session, and when its log and its folder had last changed then: the folder tells of its lock and its title. */
export type KnownSession = { readonly entry: SessionListEntry; readonly logMs: number; readonly folderMs: number };

const VERSION = 6;

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
  const origin = originOf(row.imported, row.unattended);
  return { entry: { sessionId, createdAt, updatedAt, cwd, model, group, title, bytes, open: false, ...origin }, logMs, folderMs };
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
