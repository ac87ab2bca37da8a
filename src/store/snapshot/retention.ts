import { parseTimestamp } from '../files/paths.ts';

export type RetentionLimits = {
  /** Older snapshots are removed (config compaction.snapshotRetentionDays). */
  readonly days: number;
  /** Limit for all snapshots together; beyond it the oldest are removed (config compaction.snapshotMaxBytes). */
  readonly maxBytes: number;
  /** Ids that unfinished work still needs. */
  readonly keep: ReadonlySet<string>;
};
export type RetentionStep = { readonly id: string; readonly bytes: number; readonly why: 'age' | 'size' };

export type StoredSnapshot = {
  readonly id: string;
  readonly sessionId: string;
  readonly timestamp: string;
  /** On disk, including the meta. */
  readonly bytes: number;
  /** False for what a crash left of a snapshot. */
  readonly complete: boolean;
};

const DAY_MS = 86_400_000;
/** An incomplete snapshot may be one that another process is writing now. */
const INCOMPLETE_GRACE_MS = 3_600_000;

/**
 * Returns which snapshots to remove, oldest first: those older than `days`, then as many as it takes to come down to `maxBytes`. Never
 * removes the newest complete one of a session, which rollback needs, nor one in `keep`. A snapshot from the future (the clock was set
 * back) is never too old.
 */
export function planRetention(
  snapshots: readonly StoredSnapshot[],
  limits: RetentionLimits & { readonly now: Date },
): readonly RetentionStep[] {
  const byTime = snapshots.toSorted((a, b) => (`${a.timestamp} ${a.id}` < `${b.timestamp} ${b.id}` ? -1 : 1));
  const newest = new Map(byTime.filter((snapshot) => snapshot.complete).map((snapshot) => [snapshot.sessionId, snapshot.id]));
  const isRemovable = ({ id, sessionId }: StoredSnapshot) => newest.get(sessionId) !== id && !limits.keep.has(id);
  const isOld = ({ timestamp, complete }: StoredSnapshot) => {
    const limit = complete ? limits.days * DAY_MS : Math.max(limits.days * DAY_MS, INCOMPLETE_GRACE_MS);
    return limits.now.getTime() - (parseTimestamp(timestamp)?.getTime() ?? 0) > limit;
  };
  let remainingBytes = byTime.reduce((sum, { bytes }) => sum + bytes, 0);
  const steps: RetentionStep[] = [];
  const remove = (snapshot: StoredSnapshot, why: RetentionStep['why']) => {
    steps.push({ id: snapshot.id, bytes: snapshot.bytes, why });
    remainingBytes -= snapshot.bytes;
  };
  for (const snapshot of byTime) if (isRemovable(snapshot) && isOld(snapshot)) remove(snapshot, 'age');
  for (const snapshot of byTime) {
    if (remainingBytes <= limits.maxBytes) break;
    if (isRemovable(snapshot) && !isOld(snapshot) && snapshot.complete) remove(snapshot, 'size');
  }
  return steps;
}
