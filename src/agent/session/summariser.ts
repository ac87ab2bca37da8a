import type { PreparedSummary } from '../compaction/types.ts';

/** Says whether something that keeps failing shall be left alone for now. It closes again by itself. */
type Breaker = {
  readonly isOpen: (atMs: number) => boolean;
  readonly record: (outcome: 'worked' | 'failed', atMs: number) => void;
};

/**
 * Opens after so many failures in a row, for `restMs`; then one try goes through, whose failure opens it again and whose success
 * closes it. A clock that goes back closes it too.
 */
export function createBreaker({ failures, restMs }: { readonly failures: number; readonly restMs: number }): Breaker {
  let failuresInRow = 0;
  let lastMs = 0;
  return {
    isOpen: (atMs) => failuresInRow >= failures && atMs >= lastMs && atMs - lastMs < restMs,
    record: (outcome, atMs) => {
      failuresInRow = outcome === 'worked' ? 0 : failuresInRow + 1;
      lastMs = atMs;
    },
  };
}

/**
 * How the models that summarise for a session are doing, as far as this process knows, and the one summary that is being made ahead.
 * Nothing of it is stored; a new process tries all of them again.
 */
export type SummariserHealth = {
  /** After three tries in a row without a summary of theirs, rules make it for a quarter of an hour. */
  readonly modelBreaker: Breaker;
  /** A summary that is being made beside the turn, or is ready. */
  prepared: PreparedSummary | undefined;
};

const REST_MS = 15 * 60_000;

export const createSummariserHealth = (): SummariserHealth => ({
  modelBreaker: createBreaker({ failures: 3, restMs: REST_MS }),
  prepared: undefined,
});
