import type { PreparedSummary } from '../compaction/types.ts';
import { type Breaker, createBreaker } from './breaker.ts';

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
