import type { ModelStream, Sleep } from '../../agent/ports.ts';
import type { SanbotError } from '../../domain/errors.ts';

/** How an attempt went: an answer, or something that may pass by itself with the error to give when it does not. */
export type AttemptResult<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'passing'; readonly why: string; readonly retryAfterMs: number | undefined; readonly error: SanbotError };

export type RetryPolicy = {
  /** How often after the first attempt. */
  readonly retryCount: number;
  /** A longer retry-after is cut to this: an agent that sleeps an hour unasked has hung. */
  readonly capRetryAfterMs: number;
  /** All waits of one request together. */
  readonly maxTotalRetryMs: number;
  readonly sleep: Sleep;
  /** From 0 to 1. */
  readonly random: () => number;
};

const BASE_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/**
 * Attempts until one is done, the retries are used up or the waits would grow too long; then throws the last error.
 * Waits double and are drawn from their upper half, so that many that failed together do not come back together.
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
