import { timeOf } from '../files/ids.ts';

export type RetentionLimits = {
  /** Older ones go (config compaction.snapshotRetentionDays). */
  readonly days: number;
  /** Of all snapshots together (config compaction.snapshotMaxBytes); while there are more, the oldest goes. */
  readonly maxBytes: number;
  /** Ids that something unfinished still needs. */
  readonly keep: ReadonlySet<string>;
};
export type RetentionStep = { readonly id: string; readonly bytes: number; readonly why: 'age' | 'size' };

export type StoredSnapshot = {
  readonly id: string;
  readonly sessionId: string;
  readonly timestamp: string;
  /** On disk, with its meta. */
  readonly bytes: number;
  /** False for what a crash left of one. */
  readonly complete: boolean;
};

const DAY_MS = 86_400_000;
/** An incomplete snapshot may be one that another process is writing. */
const IN_THE_MAKING_MS = 3_600_000;

/**
 * Which snapshots go, oldest first: those older than `days`, then as many as it takes to come down to `maxBytes`. Never the newest
 * complete one of a session, which is its way back, and never one of `keep`. One from the future (the clock was set back) has no age.
 */
export function planRetention(
  stored: readonly StoredSnapshot[],
  limits: RetentionLimits & { readonly now: Date },
): readonly RetentionStep[] {
  const inOrder = stored.toSorted((a, b) => (`${a.timestamp} ${a.id}` < `${b.timestamp} ${b.id}` ? -1 : 1));
  const newest = new Map(inOrder.filter((snapshot) => snapshot.complete).map((snapshot) => [snapshot.sessionId, snapshot.id]));
  const mayGo = ({ id, sessionId }: StoredSnapshot) => newest.get(sessionId) !== id && !limits.keep.has(id);
  const isOld = ({ timestamp, complete }: StoredSnapshot) => {
    const limit = complete ? limits.days * DAY_MS : Math.max(limits.days * DAY_MS, IN_THE_MAKING_MS);
    return limits.now.getTime() - (timeOf(timestamp)?.getTime() ?? 0) > limit;
  };
  let left = inOrder.reduce((sum, { bytes }) => sum + bytes, 0);
  const steps: RetentionStep[] = [];
  const go = (snapshot: StoredSnapshot, why: RetentionStep['why']) => {
    steps.push({ id: snapshot.id, bytes: snapshot.bytes, why });
    left -= snapshot.bytes;
  };
  for (const snapshot of inOrder) if (mayGo(snapshot) && isOld(snapshot)) go(snapshot, 'age');
  for (const snapshot of inOrder) {
    if (left <= limits.maxBytes) break;
    if (mayGo(snapshot) && !isOld(snapshot) && snapshot.complete) go(snapshot, 'size');
  }
  return steps;
}
