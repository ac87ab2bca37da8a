import { basename } from 'node:path';
import type { Clock } from '../../agent/ports.ts';
import type { OpenReplayStore } from '../../replay/place.ts';
import { passagesFound } from '../../runtime/conversation/check-compaction.ts';
import { storeWorldOf } from '../../runtime/open-store.ts';
import type { World } from '../../runtime/world.ts';
import { MAIN_GROUP } from '../../store/files/paths.ts';
import { createStore } from '../../store/store.ts';

export type PlaceWish = {
  readonly home: string;
  readonly sessionId: string;
  readonly maxSessionBytes: number;
  /** The home goes away with the replay: then what the session says of places bears one name everywhere, so that figures are the same. */
  readonly passing: boolean;
  readonly tell: (line: string) => void;
};

/** A session in a real home: log, bodies, snapshots, archive, memories and the index are what any session has. */
export function openReplayPlace(world: World, { home, sessionId, maxSessionBytes, passing, tell }: PlaceWish): OpenReplayStore {
  const named = (path: string): string => (passing && path.startsWith(home) ? `/replay${path.slice(home.length)}` : path);
  return (now: Clock) => {
    const store = createStore({ ...storeWorldOf(world, home), now }, { maxSessionBytes, warn: tell });
    const bodies = store.bodies(sessionId);
    const archive = store.archive(MAIN_GROUP);
    const quiet = { world, home, store, group: MAIN_GROUP, tell: () => undefined };
    const { signal } = new AbortController();
    return {
      sessionId,
      open: store.sessions.create,
      bodies: {
        ...bodies,
        path: (ref) => named(bodies.path(ref)),
        save: (text) => {
          const saved = bodies.save(text);
          return saved === undefined ? undefined : { ...saved, path: named(saved.path) };
        },
      },
      snapshots: store.snapshots,
      archive: { write: (page) => named(archive.write(page)) },
      memories: store.memories(MAIN_GROUP),
      find: (words) => passagesFound(quiet, { words, session: sessionId }, signal),
    };
  };
}

const MOST_ID_CHARS = 56;

/** "bc-cb77bb88fa-1-32k-sanbot": what was replayed how, as an id; numbered when two would be the same. */
export function sessionIdsFor(): (file: string, part: string, windowTokens: number, policy: string) => string {
  const used = new Set<string>();
  return (file, part, windowTokens, policy) => {
    const how = `${windowTokens % 1_000 === 0 ? `${windowTokens / 1_000}k` : windowTokens}-${policy}`;
    const name = `${basename(file).replace(/\.\w+$/, '')}-${part}`
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
    const base = `${(name || 'session').slice(0, MOST_ID_CHARS - how.length)}-${how}`;
    let id = base;
    for (let n = 2; used.has(id); n++) id = `${base}-${n}`;
    used.add(id);
    return id;
  };
}
