import type { Session } from '../../agent/session/session.ts';
import type { BranchEntry, BranchRecord, LogRecord, NewRecord } from '../../domain/session/record.ts';

/** What a helper has done and cost until now. */
export type Spent = Pick<BranchRecord, 'steps' | 'costUsd'>;

/** The record of a helper in the log of its session. `costUsd`: what it has cost; `before`: what was spent before it went on. */
export function createBranch(
  session: Session,
  branch: string,
  { before, costUsd }: { readonly before: Spent; readonly costUsd: () => number | undefined },
) {
  let { steps } = before;
  const cost = (): number | null => {
    const now = costUsd();
    return now === undefined || before.costUsd === null ? null : before.costUsd + now;
  };
  /** Throws store_failed; then it is as if it had never been asked for. */
  const append = (entry: BranchEntry): void => {
    const after = entry.type === 'message' && entry.message.origin === 'model' ? steps + 1 : steps;
    session.appendOrDiscard({ type: 'branch', branch, steps: after, costUsd: cost(), entry });
    steps = after;
  };
  return {
    append,
    spent: (): Spent => ({ steps, costUsd: cost() }),
    /** The log of the helper's own session: every record becomes one of its branch. */
    log: {
      sessionId: session.id,
      append: (record: NewRecord): LogRecord => {
        append(entryOf(record));
        return { ...record, n: 0, at: '' };
      },
      // The session's own checkpoints are what is read back, and it repeats them.
      bytesSinceCheckpoint: () => 0,
      close: () => undefined,
    },
  };
}

function entryOf(record: NewRecord): BranchEntry {
  switch (record.type) {
    case 'message':
    case 'offload':
    case 'model':
      return record;
    case 'checkpoint': {
      const { snapshotId: _none, restored: _never, helpers: _noOwn, ...entry } = record;
      return entry;
    }
    default:
      throw new Error(`A helper has no ${record.type} record`);
  }
}

/** The records of a helper that has ended, as those of a session; undefined when the log does not hold its beginning. */
export function readBranch(records: Iterable<LogRecord>, branch: string) {
  let start: Extract<BranchEntry, { type: 'start' }> | undefined;
  let entries: LogRecord[] = [];
  for (const { n, at, ...record } of records) {
    if (record.type !== 'branch' || record.branch !== branch) continue;
    const { entry } = record;
    if (entry.type === 'start') [start, entries] = [entry, []];
    else if (entry.type !== 'end') entries.push({ ...entry, n, at });
  }
  return start === undefined ? undefined : { start, records: entries };
}
