import type { PreparedSummary } from '../compaction/types.ts';
import { type Breaker, createBreaker } from './breaker.ts';

/**
 * How those who summarise for a session are doing, as far as this process knows: who failed so often that it is left alone for now,
 * who cannot do it at all, and the one summary that is being made ahead. Nothing of it is stored; a new process tries all of them again.
 */
export type SummariserHealth = {
  /** Of the models that summarise: after three tries in a row without a summary of theirs, rules make it for a quarter of an hour. */
  readonly modelBreaker: Breaker;
  /** Of the API's own summaries, which failed in passing. */
  readonly serverBreaker: Breaker;
  /** Models whose API does not summarise, as far as this process has been told. */
  readonly withoutServer: Set<string>;
  /** A summary that is being made beside the turn, or is ready. */
  prepared: PreparedSummary | undefined;
};

const REST_MS = 15 * 60_000;

export const createSummariserHealth = (): SummariserHealth => ({
  modelBreaker: createBreaker({ failures: 3, restMs: REST_MS }),
  serverBreaker: createBreaker({ failures: 2, restMs: REST_MS }),
  withoutServer: new Set(),
  prepared: undefined,
});
