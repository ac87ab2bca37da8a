import type { Sleep } from '../../agent/ports/effects.ts';
import type { ModelRequest, ModelStream } from '../../agent/ports/model.ts';
import { AbortedError } from '../../domain/errors.ts';
import type { ModelAnswer } from '../../domain/session/model-answer.ts';
import { idleFailure } from './describe-error.ts';
import { classifyFailure, type FailureContext, type RequestFailure } from './failure.ts';
import { type IdleWatch, unusableAnswer, watchIdle } from './guard-answer.ts';
import { listenWithoutTags, withoutTags } from './thinking-tags.ts';

export type AttemptPolicy = {
  /** The number of attempts after the first. */
  readonly retryCount: number;
  /** A longer retry-after is cut to this: an agent that sleeps for an hour unasked seems to hang. */
  readonly capRetryAfterMs: number;
  /** Limit for all waits of one request together. */
  readonly maxTotalRetryMs: number;
  readonly sleep: Sleep;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Longest silence of a stream before it is given up and retried; pings count as activity. 0 for no limit. */
  readonly idleTimeoutMs: number;
};

export type ReplyListener = { readonly onText: (text: string) => void; readonly onThinking: (text: string) => void };

/** What one attempt is received with: when to stop, whom to tell of every byte and of the wait for the first, and who hears the text of a turn. */
export type Reception = Pick<ModelStream, 'onWait'> & {
  readonly signal: AbortSignal;
  readonly watch: IdleWatch;
  readonly listener: ReplyListener;
};

type Attempt = AttemptPolicy & {
  /** Sends the request and reads the answer to its end. Throws BrokenStream when it ends before the reply is complete. */
  readonly receive: (reception: Reception) => Promise<ModelAnswer>;
  readonly describe: (error: unknown) => RequestFailure;
  /** True when the next request will be another one, without what this one was refused for. */
  readonly adapt?: (failure: RequestFailure) => boolean;
  readonly context: FailureContext;
};

/** More than any wire has to leave out. */
const MAX_CHANGES = 8;
const BASE_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/**
 * Keeps the promise of `AskModel` for any API over HTTP: one whole answer. What may pass by itself is tried again, also inside a stream,
 * since no tool runs before the reply is complete, until the retries are used up or the waits would take too long; an abort ends the wait at
 * once; after the end nothing is said to the listener. A request that is made anew is sent at once.
 */
export async function askWithRetries(request: ModelRequest, stream: ModelStream, attempt: Attempt): Promise<ModelAnswer> {
  const { retryCount = attempt.retryCount } = request;
  let [changes, retries, totalWaitMs] = [0, 0, 0];
  while (true) {
    const outcome = await tryOnce(request, stream, attempt);
    if (outcome.kind === 'done') return outcome.answer;
    if (changes < MAX_CHANGES && attempt.adapt?.(outcome.failure) === true) {
      changes += 1;
      continue;
    }
    const verdict = classifyFailure(outcome.failure, attempt.context);
    if (verdict.kind === 'answer') return verdict.answer;
    retries += 1;
    const waitMs = retryDelay(retries, outcome.failure.retryAfterMs, attempt);
    const isEnd = verdict.kind === 'final' || retries > retryCount || totalWaitMs + waitMs > attempt.maxTotalRetryMs;
    if (isEnd) throw verdict.error;
    totalWaitMs += waitMs;
    stream.onRetry({ why: verdict.why, attempt: retries, waitMs });
    await attempt.sleep(waitMs, stream.signal);
  }
}

/** Waits double and are drawn from their upper half, so that clients that failed together do not retry together. */
const retryDelay = (retry: number, retryAfterMs: number | undefined, { random, capRetryAfterMs }: AttemptPolicy): number => {
  const backoffMs = Math.min(BASE_WAIT_MS * 2 ** (retry - 1), MAX_WAIT_MS);
  const jitteredMs = Math.round(backoffMs * (0.5 + random() / 2));
  return retryAfterMs === undefined || retryAfterMs <= 0 ? jitteredMs : Math.min(retryAfterMs, capRetryAfterMs);
};

type Outcome = { readonly kind: 'done'; readonly answer: ModelAnswer } | { readonly kind: 'failed'; readonly failure: RequestFailure };

async function tryOnce(request: ModelRequest, stream: ModelStream, attempt: Attempt): Promise<Outcome> {
  if (stream.signal.aborted) throw new AbortedError();
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  stream.signal.addEventListener('abort', abort, { once: true });
  let isIdle = false;
  const watch = watchIdle(attempt.idleTimeoutMs, attempt.sleep, () => {
    isIdle = true;
    controller.abort();
  });
  const { signal } = controller;
  try {
    const listener = listenWithoutTags(listenerOf(request, stream, signal));
    const received = attempt.receive({ signal, watch, listener, onWait: stream.onWait });
    const answer = await Promise.race([received, rejectOnAbort(signal)]);
    listener.end();
    return { kind: 'done', answer: answer.kind === 'reply' ? withoutTags(answer) : answer };
  } catch (error) {
    if (stream.signal.aborted) throw new AbortedError();
    return { kind: 'failed', failure: isIdle ? idleFailure(attempt.idleTimeoutMs) : failureOf(error, attempt) };
  } finally {
    stream.signal.removeEventListener('abort', abort);
    watch.stop();
    controller.abort();
  }
}

/** Throws what no retry can heal. */
function failureOf(error: unknown, { describe, context }: Attempt): RequestFailure {
  const unusable = unusableAnswer(error, context.endpoint);
  if (unusable !== undefined) throw unusable;
  return describe(error);
}

/** A summary is said to nobody, and what comes after the end neither. */
const listenerOf = ({ purpose }: ModelRequest, stream: ModelStream, signal: AbortSignal): ReplyListener => {
  const whileStreaming = (callback: (text: string) => void) => (text: string) => {
    if (!signal.aborted && purpose === 'turn') callback(text);
  };
  return { onText: whileStreaming(stream.onText), onThinking: whileStreaming(stream.onThinking) };
};

/** Ends the wait at once, however long the layers below take to notice. */
const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new AbortedError()), { once: true });
  });
