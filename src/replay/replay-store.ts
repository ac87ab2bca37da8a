import type { Archive, Bodies, Memories, OpenedLog, Snapshots } from '../agent/ports/disk.ts';
import type { Clock } from '../agent/ports/effects.ts';
import type { Message } from '../domain/session/message.ts';
import type { HeaderRecord } from '../domain/session/record.ts';

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

/**
 * Looks up words in what the session contains so far, for an agent that has these messages in its context and is not shown them again.
 * Returns what it would be shown, the best first.
 */
export type FindPassages = (words: readonly string[], context: readonly Message[]) => Promise<readonly string[]>;

/** All writes use the replay's own time. */
export type OpenReplayStore = (now: Clock) => ReplayStore;
