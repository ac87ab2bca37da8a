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

import { fstatSync } from 'node:fs';
import type { OpenedLog } from '../agent/ports/disk.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import type { ChangesOptions } from './changes/changes.ts';
import type { Caps } from './changes/look/recorder.ts';
import type { ReachOptions } from './changes/reach.ts';
import type { HomeLimits } from './changes/room/home-room.ts';
import { createEvents } from './events.ts';
import { sweepTemporaries, writeFileAtomic } from './files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, openForAppend, readAt, useAndClose, withFile, writeAll } from './files/disk.ts';
import { readHost, type StoreEnvironment, type StoreOptions } from './files/host.ts';
import { checkGroup, folderOf, groupsOf, isId, namesIn, pathsOf, type StorePaths } from './files/paths.ts';
import { readText } from './files/read-text.ts';
import { createHeldActs } from './held-acts.ts';
import { createArchive } from './memory/archive.ts';
import { createConsolidations } from './memory/consolidation.ts';
import { createMemories } from './memory/memories.ts';
import { createBodies } from './session/bodies/bodies.ts';
import { findSessionId, listSessions, newestSession } from './session/session-list.ts';
import { createSessions } from './session/sessions.ts';
import { listUnlisted } from './snapshot/rebuilt-meta.ts';
import { createSnapshots } from './snapshot/snapshots.ts';
import { createUsedSkills } from './used-skills.ts';

type ChangeOptions = Pick<
  ChangesOptions,
  'gitConfigs' | 'notBeyond' | 'isRunning' | 'searchPath' | 'findLater' | 'mayRunLater' | 'looksOnly'
> & {
  readonly limits: Caps & HomeLimits;
};

export type Store = Readonly<ReturnType<typeof createStore>>;

/** Everything stored in one home. Creates nothing until something is written. */
export function createStore(environment: StoreEnvironment, { maxSessionBytes, warn }: StoreOptions) {
  const disk: Disk = { ...environment, warn };
  const paths = pathsOf(environment.home);
  const list = () => listSessions(disk, paths, readHost(environment));
  const sessions = createSessions(disk, paths);
  return {
    sessions: {
      ...sessions,
      open: (id: string): OpenedLog => {
        const opened = sessions.open(id);
        // What a kill left without its meta file; where the disk refuses, it stays for the next opening.
        orUndefined(() => listUnlisted(disk, paths, id));
        return opened;
      },
      list,
      newest: (cwd?: string) => newestSession(list(), cwd),
      has: (id: string) => isId(id) && namesIn(paths.sessions).includes(id),
      findId: (text: string) => findSessionId(paths, text),
    },
    bodies: (sessionId: string) => createBodies(disk, paths, { sessionId, maxSessionBytes }),
    /** Loaded when something is about to change a file for the first time. */
    changes: async (sessionId: string, { limits, ...options }: ChangeOptions) => {
      const [{ createChanges, LOOK_MS }, { createHomeRoom }, { readVersion }] = await Promise.all([
        import('./changes/changes.ts'),
        import('./changes/room/home-room.ts'),
        import('./changes/former-versions.ts'),
      ]);
      return createChanges(disk, {
        ...options,
        ...{ caps: limits, home: createHomeRoom(disk, paths, sessionId, limits), lookMs: LOOK_MS },
        folder: paths.changes(sessionId),
        former: (sha256) => readVersion(paths, sessionId, sha256),
      });
    },
    /** What of a folder can be brought back after a command. */
    reachOf: async (cwd: string, options: Omit<ReachOptions, 'home'>) => {
      const { reachOf } = await import('./changes/reach.ts');
      return reachOf(cwd, { ...options, home: environment.home });
    },
    snapshots: createSnapshots(disk, paths),
    archive: (group: string) => createArchive(disk, paths, checkGroup(group)),
    memories: (group: string) => createMemories(disk, paths, checkGroup(group)),
    consolidations: (group: string) => createConsolidations(disk, paths, checkGroup(group)),
    events: createEvents(disk, paths),
    inputHistory: createInputHistory(disk, paths),
    heldActs: createHeldActs(disk, paths),
    usedSkills: createUsedSkills(disk, paths),
    readText,
    /**
     * Does what killed processes have left to do: removes their temporary files, and finishes a purge as far as nobody has a session open.
     * Never rejects: what is done, and what cannot be, is told.
     */
    recover: () => recover(disk, paths),
    /** Removes the temporary folders that no command has used for a week. Never throws. */
    expireTemporary: async (): Promise<void> => {
      const { cleanTemporary } = await import('./session/change-session.ts');
      cleanTemporary(disk, paths, { dryRun: false });
    },
  };
}

async function recover(disk: Disk, paths: StorePaths): Promise<void> {
  sweep(disk, paths);
  if (namesIn(paths.sessions).some((name) => name.startsWith('.'))) {
    const { sweepDeleted } = await import('./session/change-session.ts');
    sweepDeleted(disk, paths, { stale: true });
  }
  if (!entryExists(paths.purgeJournal)) return;
  const { finishInterruptedPurge } = await import('./purge/purge-journal.ts');
  finishInterruptedPurge(disk, paths);
}

function sweep(disk: Disk, paths: StorePaths): void {
  for (const folder of sharedFolders(paths)) sweepTemporaries(disk, folder);
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
  return [paths.home, folderOf(paths.events), paths.mcp, paths.heldActs, ...groupsOf(paths).flatMap(ofGroup)];
}

/** A larger file is cut to its newer half. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What was typed in earlier runs, as lines of a file. Only a convenience, so nothing here throws. */
export function createInputHistory(disk: Disk, { inputHistory: path }: StorePaths) {
  return {
    /** Returns the newest part of the file; empty when there is none. */
    load: () => orUndefined(() => readNewest(path, MAX_BYTES)) ?? '',
    /** Appends one line, its newline included. */
    append: (line: string): void =>
      orUndefined(() => {
        ensureFolder(disk, folderOf(path));
        useAndClose(openForAppend(disk, path), (file) => {
          writeAll(disk, file, Buffer.from(line), 'typed');
          if (fstatSync(file).size > MAX_BYTES)
            writeFileAtomic(disk, path, Buffer.from(readNewest(path, MAX_BYTES / 2)), { point: 'typed' });
        });
      }),
  };
}

export type InputHistory = ReturnType<typeof createInputHistory>;

/** Returns the last whole lines within `maxBytes`. */
function readNewest(path: string, maxBytes: number): string {
  return withFile(path, (file) => {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - maxBytes);
    const text = readAt(file, from, size - from).toString('utf8');
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  });
}
