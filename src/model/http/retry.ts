import type { Sleep } from '../../agent/ports/effects.ts';
import type { ModelStream } from '../../agent/ports/model.ts';
import type { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';

/** The outcome of an attempt: an answer, a request that is made anew, or a failure that may pass by itself, with the error to throw if it does not. */
export type AttemptResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** What is sent next is not what was refused: at once, and not more often than there are things to change. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'passing'; readonly why: Bilingual; readonly retryAfterMs: number | undefined; readonly error: SanbotError };

export type RetryPolicy = {
  /** The number of attempts after the first. */
  readonly retryCount: number;
  /** A longer retry-after is cut to this: an agent that sleeps for an hour unasked seems to hang. */
  readonly capRetryAfterMs: number;
  /** Limit for all waits of one request together. */
  readonly maxTotalRetryMs: number;
  readonly sleep: Sleep;
  /** From 0 to 1. */
  readonly random: () => number;
};

const BASE_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/**
 * Attempts until one succeeds, the retries are used up, or the waits would take too long; then throws the last error. Waits double and are
 * drawn from their upper half, so that clients that failed together do not retry together.
 */
export async function withRetries<T>(
  attempt: () => Promise<AttemptResult<T>>,
  policy: RetryPolicy,
  stream: Pick<ModelStream, 'signal' | 'onRetry'>,
): Promise<T> {
  let totalWaitMs = 0;
  for (let retry = 1; ; retry++) {
    const outcome = await attempt();
    if (outcome.kind === 'done') return outcome.value;
    if (outcome.kind === 'changed') {
      retry -= 1;
      continue;
    }
    const waitMs = retryDelay(retry, outcome.retryAfterMs, policy);
    if (retry > policy.retryCount || totalWaitMs + waitMs > policy.maxTotalRetryMs) throw outcome.error;
    totalWaitMs += waitMs;
    stream.onRetry({ why: outcome.why, attempt: retry, waitMs });
    await policy.sleep(waitMs, stream.signal);
  }
}

const retryDelay = (retry: number, retryAfterMs: number | undefined, policy: RetryPolicy): number => {
  const backoffMs = Math.min(BASE_WAIT_MS * 2 ** (retry - 1), MAX_WAIT_MS);
  const jitteredMs = Math.round(backoffMs * (0.5 + policy.random() / 2));
  return retryAfterMs === undefined || retryAfterMs <= 0 ? jitteredMs : Math.min(retryAfterMs, policy.capRetryAfterMs);
};
