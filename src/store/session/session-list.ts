import { fstatSync, lstatSync, renameSync, statSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import { messageSchema, textOf } from '../../domain/session/message.ts';
import type { SessionListEntry } from '../../domain/session/session-list-entry.ts';
import { inspectText } from '../../domain/text.ts';
import { isObject, isString, parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { namesIn, writeTemporary } from '../files/atomic-write.ts';
import { type Disk, readAt, readOwnFile, withFile } from '../files/disk.ts';
import { errnoOf, formatError } from '../files/failure.ts';
import type { Host } from '../files/host.ts';
import { isId, noSuchSession } from '../files/ids.ts';
import { activeHolder } from '../files/lock.ts';
import type { StorePaths } from '../files/paths.ts';
import { readRecord } from '../files/record-line.ts';
import { isEmptySession } from './empty-session.ts';
import { MAX_HEADER_BYTES } from './log-reader.ts';
import { readTitle } from './session-title.ts';

/**
 * Returns every session, last used first, including those that cannot be read. Reads only the beginning of each log, and in a home of many
 * sessions only of those that have changed since the last list.
 */
export function listSessions(disk: Disk, paths: StorePaths, host: Host): readonly SessionListEntry[] {
  const known = readKnown(paths);
  const kept: KnownSession[] = [];
  let news = 0;
  const entries = namesIn(paths.sessions)
    .filter(isId)
    .flatMap((sessionId) => {
      const states = fileStates(paths, sessionId);
      const before = known.get(sessionId);
      const isSame = before !== undefined && states !== undefined && isEqualState(before, states);
      const entry = isSame ? reopened(before, paths, host) : describeSession(paths, host, sessionId);
      if (!isSame) news += 1;
      if (entry !== undefined && states !== undefined && entry.problem === undefined) kept.push({ ...states, entry });
      return entry ?? [];
    });
  const areGone = kept.length < known.size;
  if (news >= WORTH_KEEPING || areGone) keepKnown(disk, paths, kept);
  return entries.sort(newestFirst);
}

/** What was read of a session, and when its log and its folder had last changed then: the folder tells of its lock and its title. */
type KnownSession = FileStates & { readonly entry: SessionListEntry };
type FileStates = { readonly bytes: number; readonly logMs: number; readonly folderMs: number };

const KNOWN_VERSION = 1;
/** So many logs are read in a few milliseconds; a file about fewer is not worth its place. */
const WORTH_KEEPING = 50;
/** What changed as late as that may change once more without another time stamp. */
const SETTLED_MS = 2_500;

function fileStates(paths: StorePaths, sessionId: string): FileStates | undefined {
  return orUndefined(() => {
    const folder = statSync(paths.session(sessionId));
    const log = lstatSync(paths.log(sessionId));
    return { bytes: log.size, logMs: log.mtimeMs, folderMs: folder.mtimeMs };
  });
}

const isEqualState = (a: FileStates, b: FileStates): boolean => a.bytes === b.bytes && a.logMs === b.logMs && a.folderMs === b.folderMs;

/** A session that was open may have been left by a process that was killed. */
const reopened = ({ entry }: KnownSession, paths: StorePaths, host: Host): SessionListEntry =>
  entry.open ? { ...entry, open: activeHolder(paths.sessionLock(entry.sessionId), host) !== undefined } : entry;

/** Nothing where there is no such file, or one that cannot be used: every log is read then. */
function readKnown(paths: StorePaths): ReadonlyMap<string, KnownSession> {
  const bytes = orUndefined(() => readOwnFile(paths.sessionList));
  const value = bytes === undefined ? undefined : parseJson(bytes);
  const rows = isObject(value) && value.v === KNOWN_VERSION && Array.isArray(value.sessions) ? value.sessions.filter(isKnown) : [];
  return new Map(rows.map((row) => [row.entry.sessionId, row]));
}

function isKnown(row: unknown): row is KnownSession {
  if (!isObject(row) || !isObject(row.entry)) return false;
  const { entry } = row;
  const texts = [entry.sessionId, entry.createdAt, entry.updatedAt, entry.cwd, entry.model, entry.group, entry.title];
  const numbers = [row.bytes, row.logMs, row.folderMs, entry.bytes];
  return texts.every(isString) && numbers.every((number) => typeof number === 'number') && typeof entry.open === 'boolean';
}

/** Not synced, and never a failure: it is made anew from the logs whenever it is not there. */
function keepKnown(disk: Disk, paths: StorePaths, all: readonly KnownSession[]): void {
  const settled = disk.now().getTime() - SETTLED_MS;
  const sessions = all.filter(({ logMs, folderMs }) => logMs < settled && folderMs < settled);
  orUndefined(() => {
    const text = Buffer.from(JSON.stringify({ v: KNOWN_VERSION, sessions }));
    const temporary = writeTemporary(disk, paths.sessionList, text, { point: 'session-list', sync: false });
    renameSync(temporary, paths.sessionList);
  });
}

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
    if (errnoOf(error) !== 'ENOENT') return { ...empty, problem: formatError(error) };
    return isEmptySession(paths, sessionId) ? undefined : { ...empty, problem: 'log.jsonl is missing' };
  }
}

function readLogHead(path: string, sessionId: string): Partial<SessionListEntry> {
  return withFile(path, (file) => {
    const { size, mtime } = fstatSync(file);
    const base = { bytes: size, updatedAt: mtime.toISOString() };
    if (size === 0) return { ...base, problem: 'log.jsonl is empty' };
    const lines = headLines(file, size);
    const header = parseHeader(readRecord(Buffer.from(lines[0] ?? '')), sessionId);
    if (header === undefined) return { ...base, problem: 'the first line of log.jsonl is not its header' };
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
  return isString(at) && isString(cwd) && isString(model) && isString(group) ? { createdAt: at, cwd, model, group } : undefined;
}

function titleOf(lines: readonly string[]): string {
  for (const line of lines) {
    const record = readRecord(Buffer.from(line));
    const parsed = isObject(record) && record.type === 'message' ? messageSchema.safeParse(record.message) : undefined;
    if (!parsed?.success || parsed.data.origin !== 'user') continue;
    const [first] = textOf(parsed.data.content).trim().split('\n');
    if (first) return [...first].slice(0, MAX_TITLE_CHARS).join('');
  }
  return '';
}

const MAX_MATCHES = 5;

/**
 * The session with this id, or the only one whose id has `text` in it. Reads names of folders, no log. Throws not_found: with the nearest
 * ids, or with those that `text` fits.
 */
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
      hint: {
        en: `Give more of the id: ${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`,
        zh: `请给出 id 的更多部分：${shown.join('、')}${left > 0 ? `，另有 ${left} 个` : ''}。`,
      },
    },
  );
}
