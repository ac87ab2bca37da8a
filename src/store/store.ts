import type { Archive, Bodies, Memories, Sessions, SnapshotBody, Snapshots } from '../agent/ports.ts';
import type { AuditRecord } from '../domain/event.ts';
import type { MemoryKind } from '../domain/memory.ts';
import type { SnapshotMeta } from '../domain/snapshot.ts';
import type { StoreOptions, StoreWorld } from './world.ts';

// Signatures first; each moves to its own file with its implementation.
export type SessionLine = {
  readonly sessionId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly cwd: string;
  readonly model: string;
  readonly group: string;
  /** The first line of the first user message, at most 80 characters; empty when nothing was said. */
  readonly title: string;
  /** Of log.jsonl. */
  readonly bytes: number;
  /** Held by a running process. */
  readonly open: boolean;
  /** Why it cannot be opened; then the fields that the log would tell are empty. */
  readonly problem?: string;
};
export type StoredSessions = Sessions & {
  /** Newest first. */
  readonly list: () => readonly SessionLine[];
  /** The session used last, of one working folder when given; undefined when there is none. */
  readonly newest: (cwd?: string) => string | undefined;
  /** An id that no session has. */
  readonly newSessionId: () => string;
};
export type StoredBodies = Bodies & {
  /** Writes again what is missing; throws store_damaged when a text is not what its ref says. */
  readonly restore: (bodies: readonly SnapshotBody[]) => void;
};
export type RetentionLimits = { readonly days: number; readonly maxBytes: number; readonly keep: ReadonlySet<string> };
export type RetentionStep = { readonly id: string; readonly bytes: number; readonly why: 'age' | 'size' };
export type StoredSnapshots = Snapshots & {
  /** In order of time; of one session when given. What cannot be read is told and left out. */
  readonly list: (sessionId?: string) => readonly SnapshotMeta[];
  /** What would go now, oldest first. */
  readonly planRetention: (limits: RetentionLimits) => readonly RetentionStep[];
  /** Removes it; returns what went. Never throws: failures are told. */
  readonly retain: (limits: RetentionLimits) => readonly RetentionStep[];
};
export type StoredMemories = Memories & {
  /** The text of extracted/{kind}.md, empty when there is none. */
  readonly read: (kind: MemoryKind) => string;
};
export type EventFilter = { readonly sessionId?: string; readonly type?: string; readonly since?: Date; readonly fromByte?: number };
export type EventLog = {
  /** False when it could not be written. Never throws. */
  readonly append: (record: AuditRecord) => boolean;
  /** Visits the records that pass, in the order of the file. `nextByte` is where to go on when following. */
  readonly read: (filter: EventFilter, visit: (record: AuditRecord) => void) => { readonly damaged: number; readonly nextByte: number };
};
export type Store = {
  readonly sessions: StoredSessions;
  readonly bodies: (sessionId: string) => StoredBodies;
  readonly snapshots: StoredSnapshots;
  readonly archive: (group: string) => Archive;
  readonly memories: (group: string) => StoredMemories;
  readonly events: EventLog;
  /** A text file of the home that a person may write (SANBOT.md, soul.md, master.md): undefined when there is none. At most `maxBytes` are read. */
  readonly readText: (path: string, maxBytes: number) => string | undefined;
  /** Removes temporary files that a crash left behind. Never throws. */
  readonly sweep: () => void;
};
export declare const createStore: (world: StoreWorld, options: StoreOptions) => Store;
