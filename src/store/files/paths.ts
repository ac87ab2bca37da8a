import { dirname, join, sep } from 'node:path';
import type { MemoryKind } from '../../domain/memory/memory.ts';
import { inspectText } from '../../domain/text.ts';
import { checkGroup, isId } from './ids.ts';

export const MAIN_GROUP = 'main';

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
    /** The contents of files before and after a tool changed them. */
    versions: (sessionId: string) => join(session(sessionId), 'files'),
    version: (sessionId: string, sha256: string) => join(session(sessionId), 'files', sha256.slice(0, 32)),
    jobs: (sessionId: string) => join(session(sessionId), 'jobs'),
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
    /** What repairs took out of the way; a repair never deletes anything. */
    setAsideFolder: join(home, 'set-aside'),
    events: join(home, 'context', 'events.jsonl'),
    config: join(home, 'config.json'),
    trusted: join(home, 'trusted.json'),
    setupOffered: join(home, 'setup-offered'),
    /** What MCP servers said of their tools, as the user agreed to it, and what signing in gave. */
    mcp: join(home, 'mcp'),
    searchIndex: join(home, 'index.db'),
    sessionList: join(home, 'session-list.json'),
    earlierSessionMarks: join(home, 'session-marks'),
    inputHistory: join(home, 'history'),
    /** What is left to do, while a purge is in progress. */
    purgeJournal: join(home, 'purge.json'),
  };
}

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
