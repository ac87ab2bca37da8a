/**
 * Everything that lives in SanBot's home, on disk. The roof puts the stores together; `files/` is the write protocol on which they stand,
 * and every other folder keeps one kind of thing: sessions, snapshots, memories, the search index, and what care they need.
 *
 * Records and texts come in. When a call returns, they are on disk, and a crash at any moment leaves the old state or the new one. All of
 * it but the search is synchronous, so that two writes cannot change places. Failures are SanbotErrors that name the file.
 *
 * Nothing is made until something is written. It knows no model, it sends nothing anywhere, and it deletes nothing that somebody said
 * unless a person asks for it, or the settings that limit how long snapshots are kept.
 */

import type { Archive, FileVersions } from '../agent/ports/disk.ts';
import type { SessionListEntry } from '../domain/session/session-list-entry.ts';
import { createEvents, type EventLog } from './events.ts';
import { sweepTemporaries } from './files/atomic-write.ts';
import type { Disk } from './files/disk.ts';
import { readHost, type StoreEnvironment, type StoreOptions } from './files/host.ts';
import { checkGroup, folderOf, groupsOf, isId, namesIn, pathsOf, type StorePaths } from './files/paths.ts';
import { readText } from './files/read-text.ts';
import { createInputHistory, type InputHistory } from './input-history.ts';
import { createArchive } from './memory/archive.ts';
import { type Consolidations, createConsolidations } from './memory/consolidation.ts';
import { createMemories, type MemoryStore } from './memory/memories.ts';
import { type BodyStore, createBodies } from './session/bodies/bodies.ts';
import { createFileVersions, versionCaps } from './session/file-versions.ts';
import { findSessionId, listSessions, newestSession } from './session/session-list.ts';
import { createSessions, type SessionStore } from './session/sessions.ts';
import { createSnapshots, type SnapshotStore } from './snapshot/snapshots.ts';

export type StoredSessions = SessionStore & {
  /** Every session, last used first, including those that cannot be opened, with the problem. */
  readonly list: () => readonly SessionListEntry[];
  /** The last used session that can be opened, of one working folder when given; undefined when there is none. */
  readonly newest: (cwd?: string) => SessionListEntry | undefined;
  readonly has: (sessionId: string) => boolean;
  /** The session with this id, or the only one whose id has this text in it. Throws not_found with ids that may have been meant. */
  readonly findId: (text: string) => string;
};

/** What is kept of one session beside its log. */
export type SessionStores = {
  readonly bodies: (sessionId: string) => BodyStore;
  readonly fileVersions: (sessionId: string) => FileVersions;
};

/** What the sessions of one group share. */
export type GroupStores = {
  readonly archive: (group: string) => Archive;
  readonly memories: (group: string) => MemoryStore;
  readonly consolidations: (group: string) => Consolidations;
};

export type Store = SessionStores &
  GroupStores & {
    readonly sessions: StoredSessions;
    readonly snapshots: SnapshotStore;
    readonly events: EventLog;
    readonly inputHistory: InputHistory;
    /** Reads a text of the home that a person may write (SANBOT.md, soul.md), at most its first `maxBytes`; undefined when there is none. */
    readonly readText: (path: string, maxBytes: number) => string | undefined;
    /** Removes temporary files that killed processes left behind. Never throws. */
    readonly sweep: () => void;
  };

/** Everything stored in one home. Creates nothing until something is written. */
export function createStore(environment: StoreEnvironment, { maxSessionBytes, warn }: StoreOptions): Store {
  const disk: Disk = { ...environment, warn };
  const paths = pathsOf(environment.home);
  const list = () => listSessions(disk, paths, readHost(environment));
  return {
    sessions: {
      ...createSessions(disk, paths),
      list,
      newest: (cwd) => newestSession(list(), cwd),
      has: (id) => isId(id) && namesIn(paths.sessions).includes(id),
      findId: (text) => findSessionId(paths, text),
    },
    bodies: (sessionId) => createBodies(disk, paths, { sessionId, maxSessionBytes }),
    fileVersions: (sessionId) => createFileVersions(disk, paths, { sessionId, caps: versionCaps }),
    snapshots: createSnapshots(disk, paths),
    archive: (group) => createArchive(disk, paths, checkGroup(group)),
    memories: (group) => createMemories(disk, paths, checkGroup(group)),
    consolidations: (group) => createConsolidations(disk, paths, checkGroup(group)),
    events: createEvents(disk, paths),
    inputHistory: createInputHistory(disk, paths),
    readText,
    sweep: () => {
      for (const folder of sharedFolders(paths)) sweepTemporaries(disk, folder);
    },
  };
}

/** Folders in which processes replace files without holding a session's lock; a session's own folder is swept when it is opened. */
function sharedFolders(paths: StorePaths): readonly string[] {
  const ofGroup = (group: string) => [
    paths.memory(group),
    folderOf(paths.extracted(group, 'facts')),
    folderOf(paths.olderExtracted(group, 'facts')),
    folderOf(paths.master(group)),
    paths.consolidations(group),
    paths.dailyFolder(group),
    paths.summaries(group),
    paths.conversations(group),
  ];
  return [paths.home, ...groupsOf(paths).flatMap(ofGroup)];
}
