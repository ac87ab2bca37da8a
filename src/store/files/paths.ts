import { readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import type { MemoryKind } from '../../domain/memory/memory.ts';
import { inspectText, nearest } from '../../domain/text.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

export const MAIN_GROUP = 'main';
/** In the folder of the changes. */
export const CHANGES_LOG = 'log.jsonl';

/**
 * All paths in the home; no other file knows them. Names from outside are checked here, before any path exists. An invalid session id
 * throws a plain Error, since every caller has checked `isId` and reported "not found" before; an invalid group throws usage. Snapshot ids
 * are not checked here: callers parse them first. Paths of sessions are put together by hand, since a list asks for some thousands of them.
 */
export function pathsOf(home: string) {
  const sessions = join(home, 'sessions');
  const session = (sessionId: string) => `${sessions}${sep}${requireSessionId(sessionId)}`;
  const group = (name: string) => join(home, 'groups', checkGroup(name));
  const memory = (name: string) => (name === MAIN_GROUP ? join(home, 'memory') : join(group(name), 'memory'));
  const summaries = (name: string) => join(memory(name), 'session-summaries');
  return {
    home,
    sessions,
    session,
    log: (sessionId: string) => `${session(sessionId)}${sep}log.jsonl`,
    offloaded: (sessionId: string) => join(session(sessionId), 'offloaded'),
    body: (sessionId: string, ref: BodyName) => join(session(sessionId), 'offloaded', bodyFileName(ref)),
    retiredBodies: (sessionId: string) => join(session(sessionId), 'bodies.jsonl'),
    versions: (sessionId: string) => join(session(sessionId), 'files'),
    version: (sessionId: string, sha256: string) => join(session(sessionId), 'files', sha256.slice(0, 32)),
    changes: (sessionId: string) => join(session(sessionId), 'changes'),
    jobs: (sessionId: string) => join(session(sessionId), 'jobs'),
    temporary: (sessionId: string) => join(session(sessionId), 'temporary'),
    title: (sessionId: string) => join(session(sessionId), 'title'),
    /** For hooks; exists while the session is open. */
    transcript: (sessionId: string) => join(session(sessionId), 'transcript.jsonl'),
    sessionLock: (sessionId: string) => join(session(sessionId), 'lock'),
    groups: join(home, 'groups'),
    instructions: (name: string) => join(group(name), 'SANBOT.md'),
    conversations: (name: string) => join(group(name), 'conversations'),
    memory,
    memoryLock: (name: string) => join(memory(name), 'lock'),
    extracted: (name: string, kind: MemoryKind) => join(memory(name), 'extracted', `${kind}.md`),
    olderExtracted: (name: string, kind: MemoryKind) => join(memory(name), 'extracted', 'older', `${kind}.md`),
    /** Hashes of every entry ever written, so that a deleted one stays deleted. */
    knownMemories: (name: string) => join(memory(name), 'extracted', 'known.txt'),
    reviewedMemories: (name: string) => join(memory(name), 'extracted', 'reviewed.txt'),
    dailyFolder: (name: string) => join(memory(name), 'daily'),
    daily: (name: string, day: string) => join(memory(name), 'daily', `${requireDay(day)}.md`),
    summaries,
    snapshot: (name: string, id: string) => join(summaries(name), `${id}.jsonl`),
    snapshotMeta: (name: string, id: string) => join(summaries(name), `${id}.meta.json`),
    sessionSummary: (name: string, sessionId: string) => join(summaries(name), `${requireSessionId(sessionId)}.md`),
    soul: (name: string) => join(memory(name), 'soul.md'),
    master: (name: string) => join(memory(name), 'summary', 'master.md'),
    /** Held during a consolidation; apart from the memory's lock, since a model may be asked meanwhile. */
    consolidationLock: (name: string) => join(memory(name), 'summary', 'lock'),
    pendingConsolidation: (name: string) => join(memory(name), 'summary', 'pending.json'),
    consolidations: (name: string) => join(memory(name), 'summary', 'previous'),
    setAsideFolder: join(home, 'set-aside'),
    events: join(home, 'context', 'events.jsonl'),
    config: join(home, 'config.json'),
    trusted: join(home, 'trusted.json'),
    ...{ setupOffered: join(home, 'setup-offered'), catalogue: join(home, 'models.json'), usedSkills: join(home, 'skills-used') },
    /** What MCP servers said of their tools, as the user agreed to it, and what signing in gave. */
    mcp: join(home, 'mcp'),
    ...{ heldActs: join(home, 'held'), searchIndex: join(home, 'index.db') },
    sessionList: join(home, 'session-list.json'),
    earlierSessionMarks: join(home, 'session-marks'),
    ...{ inputHistory: join(home, 'history'), ...syncPathsOf(home) },
    /** What is left to do, while a purge is in progress. */
    purgeJournal: join(home, 'purge.json'),
  };
}

/** What is exchanged with other machines, and how far. */
const syncPathsOf = (home: string) => ({
  renderedMemories: join(home, 'sync', 'rendered.json'),
  journals: join(home, 'sync', 'journals'),
  /** How far the audit log and the snapshots were read for the journals. */
  audited: join(home, 'sync', 'audited.json'),
  /** How the changes of sessions stood when they were noted. */
  versioned: join(home, 'sync', 'versions.json'),
  agreements: (target: string) => join(home, 'sync', `with-${requireSessionId(target)}.json`),
  /** The paths of the files in an encrypted folder. */
  syncNames: (target: string) => join(home, 'sync', `names-${requireSessionId(target)}.json`),
  syncKey: join(home, 'sync', 'key'),
  /** What the last exchange failed with, until one does not. */
  syncFailed: join(home, 'sync', 'failed'),
  ...{ syncTargets: join(home, 'sync', 'targets.json'), syncLock: join(home, 'sync', 'lock') },
});

/** The session of which a journal tells what one machine has beside its log; undefined for any other name. */
export const auditedSession = (log: string): string | undefined => /^~(.+)~/.exec(log)?.[1];

/** The journal of the versions of files that one machine noted in a session. No writer's name begins so: a host's has no `_`. */
export const versionsLog = (sessionId: string, writer: string): string => `~${sessionId}~files_${writer}`;
export const isVersionsLog = (log: string): boolean => /^~[^~]+~files_/.test(log);

type BodyName = { readonly sha256: string; readonly extension?: string | undefined };

/** The name of the file of a body: the first half of its hash, and an ending. */
export const bodyFileName = ({ sha256, extension = 'txt' }: BodyName): string => `${sha256.slice(0, 32)}.${extension}`;

export type StorePaths = ReturnType<typeof pathsOf>;

/** Returns a path for a message: unchanged, or escaped when it contains anything that a terminal would obey. */
export const printablePath = (path: string): string => (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(path) ? inspectText(path) : path);

export const folderOf = (path: string): string => dirname(path);

function requireDay(day: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(day)) return day;
  throw new Error(`not a day: ${inspectText(day)}`);
}

function requireSessionId(sessionId: string): string {
  if (isId(sessionId)) return sessionId;
  throw new Error(`not a session id: ${inspectText(sessionId)}`);
}

/** Returns the names in a folder; none when it cannot be read. */
export const namesIn = (folder: string): readonly string[] => orUndefined(() => readdirSync(folder)) ?? [];

/** The name of the file that says where in the log of a session is what is not here. */
export const REST = 'rest.json';
export const restPath = (paths: StorePaths, sessionId: string): string => join(paths.session(sessionId), REST);

/** Returns all groups, always including the main one. */
export const groupsOf = (paths: StorePaths): readonly string[] => [
  MAIN_GROUP,
  ...namesIn(paths.groups).filter((name) => isGroupName(name) && name !== MAIN_GROUP),
];

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const SNAPSHOT_ID = /^([a-z0-9][a-z0-9_-]{0,63})-(\d{8}T\d{9}Z)$/;

/** Names that Windows reserves for devices, in every folder and with every extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** True when a text can name a session: such a text cannot be a path on any system. Checked before any file is touched. */
export const isId = (text: string): boolean => ID.test(text) && !RESERVED.test(text);

/** Letters of any script, none of them a capital, so that a name means one folder also where upper and lower case are the same. */
const GROUP = /^[\p{Ll}\p{Lo}\p{Lm}\p{Nd}][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}_-]{0,63}$/u;

/** Of the 255 that a file system takes; names of files that hold a group's name are longer than it. */
const MAX_GROUP_BYTES = 200;

/** The same for a group. Letters with marks are one character each, as file systems compare them. */
export const isGroupName = (text: string): boolean => isId(text) || (isNameOfLetters(text) && !RESERVED.test(text));

/** Asked only for what is no id: V8 loads tables of Unicode for it, 2 ms of a start. */
const isNameOfLetters = (text: string): boolean =>
  GROUP.test(text) && text === text.normalize('NFC') && Buffer.byteLength(text) <= MAX_GROUP_BYTES;

export type SnapshotIdParts = { readonly sessionId: string; readonly timestamp: string };

/** Splits `{sessionId}-{timestamp}`; undefined for anything else, which is then no file of ours. */
export function parseSnapshotId(id: string): SnapshotIdParts | undefined {
  const [, sessionId, timestamp] = SNAPSHOT_ID.exec(id) ?? [];
  if (sessionId === undefined || timestamp === undefined || !isId(sessionId)) return undefined;
  return parseTimestamp(timestamp) === undefined ? undefined : { sessionId, timestamp };
}

/** Formats a time so that it sorts as text and is safe in file names everywhere: 20261121T201530123Z. */
export const formatTimestamp = (time: Date): string => time.toISOString().replace(/[-:.]/g, '');

/** Parses a timestamp; undefined when there is no such moment. */
export function parseTimestamp(timestamp: string): Date | undefined {
  const iso = timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, '$1-$2-$3T$4:$5:$6.$7Z');
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) || formatTimestamp(time) !== timestamp ? undefined : time;
}

/** Returns an id for a new session: its start time, and six characters that tell apart two sessions of the same second. */
export function sessionIdFrom(now: Date, newId: () => string): string {
  const time = formatTimestamp(now);
  return `${time.slice(0, 8)}-${time.slice(9, 15)}-${newId().slice(-6)}`;
}

/** Returns the name of a group. Throws usage when it is invalid. */
export function checkGroup(group: string): string {
  if (isGroupName(group)) return group;
  throw new SanbotError(
    'usage',
    { en: `${inspectText(group)} is not a valid group name`, zh: `${inspectText(group)} 不是有效的组名` },
    {
      en: 'A group has 1 to 64 lower-case letters, digits, - and _, and begins with a letter or digit.',
      zh: '组名由 1 到 64 个文字（字母须为小写）、数字、- 和 _ 组成，以文字或数字开头。',
    },
  );
}

/** Returns a valid time as it is, and anything else escaped like any text of unknown origin. */
export const printableTime = (text: string): string => (/^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/.test(text) ? text : inspectText(text));

/** `ids` are the sessions that there are. */
export function noSuchSession(sessionId: string, ids: readonly string[]): SanbotError {
  const near = nearestIds(sessionId, ids);
  const hint = near.length === 0 ? undefined : { en: `Similar ids: ${near.join(', ')}.`, zh: `相近的 id：${near.join('、')}。` };
  return new SanbotError(
    'not_found',
    { en: `There is no session ${inspectText(sessionId)}`, zh: `没有会话 ${inspectText(sessionId)}` },
    hint,
  );
}

/** Returns at most three ids that the user may have meant by `input`, best first. */
export function nearestIds(input: string, ids: readonly string[]): readonly string[] {
  const matches: string[] = [];
  while (matches.length < 3) {
    const others = ids.filter((id) => !matches.includes(id));
    const next = nearest(input, others);
    if (next === undefined) break;
    matches.push(next);
  }
  return matches;
}
