import { basename } from 'node:path';
import type { Archive, Bodies, Memories, OpenedLog, Snapshots } from '../../src/agent/ports/disk.ts';
import type { Clock } from '../../src/agent/ports/effects.ts';
import type { FindPassages } from '../../src/context/fidelity/fidelity.ts';
import type { HeaderRecord } from '../../src/domain/session/record.ts';
import { findPassages } from '../../src/runtime/conversation/recall/recall.ts';
import type { Environment } from '../../src/runtime/environment.ts';
import { storeEnvironmentOf } from '../../src/runtime/open-store.ts';
import { MAIN_GROUP } from '../../src/store/files/paths.ts';
import { createStore } from '../../src/store/store.ts';

/** Where a replayed session is stored: what the real loop writes to, and the look-up that a real agent would have in it. */
export type ReplayStore = {
  readonly sessionId: string;
  readonly open: (header: HeaderRecord) => OpenedLog;
  readonly bodies: Bodies;
  readonly snapshots: Snapshots;
  readonly archive: Archive;
  readonly memories: Memories;
  readonly find: FindPassages;
};

/** All writes use the replay's own time. */
export type OpenReplayStore = (now: Clock) => ReplayStore;

export type ReplayHomeOptions = {
  readonly home: string;
  readonly sessionId: string;
  readonly maxSessionBytes: number;
  /** The home goes away with the replay: then what the session says of places bears one name everywhere, so that figures are the same. */
  readonly isTemporary: boolean;
};

/** A session in a real home: log, bodies, snapshots, archive, memories and the index are what any session has. */
export function openReplayHome(
  environment: Environment,
  { home, sessionId, maxSessionBytes, isTemporary }: ReplayHomeOptions,
): OpenReplayStore {
  const stablePath = (path: string): string => (isTemporary && path.startsWith(home) ? `/replay${path.slice(home.length)}` : path);
  const warn = (): void => undefined;
  return (now) => {
    const store = createStore({ ...storeEnvironmentOf(environment, home), now }, { maxSessionBytes, warn });
    const bodies = store.bodies(sessionId);
    const archive = store.archive(MAIN_GROUP);
    const context = { environment, home, store, group: MAIN_GROUP, warn };
    const { signal } = new AbortController();
    return {
      sessionId,
      open: store.sessions.create,
      bodies: {
        ...bodies,
        path: (ref) => stablePath(bodies.path(ref)),
        save: (text) => {
          const body = bodies.save(text);
          return body === undefined ? undefined : { ...body, path: stablePath(body.path) };
        },
      },
      snapshots: store.snapshots,
      archive: { write: (page) => stablePath(archive.write(page)) },
      memories: store.memories(MAIN_GROUP),
      find: (words, messages) => findPassages(context, { words, session: sessionId, messages }, signal),
    };
  };
}

const MAX_ID_CHARS = 56;

/** "bc-cb77bb88fa-1-32k-sanbot": what was replayed how, as an id; numbered when two would be the same. */
export function sessionIdsFor(): (file: string, part: string, windowTokens: number, policy: string) => string {
  const usedIds = new Set<string>();
  return (file, part, windowTokens, policy) => {
    const variant = `${windowTokens % 1_000 === 0 ? `${windowTokens / 1_000}k` : windowTokens}-${policy}`;
    const name = `${basename(file).replace(/\.\w+$/, '')}-${part}`
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
    const base = `${(name || 'session').slice(0, MAX_ID_CHARS - variant.length)}-${variant}`;
    let id = base;
    for (let n = 2; usedIds.has(id); n++) id = `${base}-${n}`;
    usedIds.add(id);
    return id;
  };
}
