import type { FutileCompaction } from '../../domain/session/record.ts';
import type { PreparedSummary } from '../compaction/types.ts';

/**
 * Opens after so many failures in a row, for `restMs`; then one try goes through, whose failure opens it again and whose success
 * closes it. A clock that goes back closes it too.
 */
export function createBreaker({ failures, restMs }: { readonly failures: number; readonly restMs: number }) {
  let failuresInRow = 0;
  let lastMs = 0;
  return {
    /** Whether what keeps failing shall be left alone for now. It closes again by itself. */
    isOpen: (atMs: number): boolean => failuresInRow >= failures && atMs >= lastMs && atMs - lastMs < restMs,
    record: (outcome: 'worked' | 'failed', atMs: number): void => {
      failuresInRow = outcome === 'worked' ? 0 : failuresInRow + 1;
      lastMs = atMs;
    },
  };
}

const REST_MS = 15 * 60_000;

/**
 * How the models that summarise for a session are doing, as far as this process knows, and the one summary that is being made ahead.
 * Nothing of it is stored; a new process tries all of them again.
 */
export class SummariserHealth {
  /** After three tries in a row without a summary of theirs, rules make it for a quarter of an hour. */
  readonly modelBreaker = createBreaker({ failures: 3, restMs: REST_MS });
  /** A summary that is being made beside the turn, or is ready. */
  prepared: PreparedSummary | undefined;
}

/** What was found out about making room in a session, so that it is not paid for again before something has changed, in any process. */
export class ReliefMemory {
  /** A compaction after which the context was as full as before, or would have been: the context that it left, and whether it freed something. */
  futile: FutileCompaction | undefined;
  /** What was found out has cost something, so that the next process is to know it too. */
  paid = false;
}
