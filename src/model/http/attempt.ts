import type { ModelRequest, ModelStream } from '../../agent/ports/model.ts';
import { AbortedError } from '../../domain/errors.ts';
import type { ModelAnswer } from '../../domain/session/model-answer.ts';
import { idleFailure } from './describe-error.ts';
import { classifyFailure, type FailureContext, type RequestFailure } from './failure.ts';
import { unusableAnswer } from './guard-answer.ts';
import { type AttemptResult, type RetryPolicy, withRetries } from './retry.ts';
import { type IdleWatch, watchIdle } from './watch-idle.ts';

export type AttemptPolicy = RetryPolicy & {
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

export type Attempt = AttemptPolicy & {
  /** Sends the request and reads the answer to its end. Throws BrokenStream when it ends before the reply is complete. */
  readonly receive: (reception: Reception) => Promise<ModelAnswer>;
  readonly describe: (error: unknown) => RequestFailure;
  /** True when the next request will be another one, without what this one was refused for. */
  readonly adapt?: (failure: RequestFailure) => boolean;
  readonly context: FailureContext;
};

/** More than any wire has to leave out. */
const MAX_CHANGES = 8;

/**
 * Keeps the promise of `AskModel` for any API over HTTP: one whole answer. What may pass by itself is tried again, also inside a stream,
 * since no tool runs before the reply is complete; an abort ends the wait at once; after the end nothing is said to the listener.
 */
export function askWithRetries(request: ModelRequest, stream: ModelStream, attempt: Attempt): Promise<ModelAnswer> {
  const policy = { ...attempt, retryCount: request.retryCount ?? attempt.retryCount };
  let changes = 0;
  const adapt = (failure: RequestFailure): boolean => changes < MAX_CHANGES && attempt.adapt?.(failure) === true && ++changes > 0;
  return withRetries(() => tryOnce(request, stream, { ...attempt, adapt }), policy, stream);
}

async function tryOnce(request: ModelRequest, stream: ModelStream, attempt: Attempt): Promise<AttemptResult<ModelAnswer>> {
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
    const received = attempt.receive({ signal, watch, listener: listenerOf(request, stream, signal), onWait: stream.onWait });
    return { kind: 'done', value: await Promise.race([received, rejectOnAbort(signal)]) };
  } catch (error) {
    if (stream.signal.aborted) throw new AbortedError();
    return isIdle ? outcomeOf(idleFailure(attempt.idleTimeoutMs), attempt) : outcomeOf(failureOf(error, attempt), attempt);
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

function outcomeOf(failure: RequestFailure, { adapt, context }: Attempt): AttemptResult<ModelAnswer> {
  if (adapt?.(failure) === true) return { kind: 'changed' };
  const verdict = classifyFailure(failure, context);
  if (verdict.kind === 'answer') return { kind: 'done', value: verdict.answer };
  if (verdict.kind === 'final') throw verdict.error;
  return { ...verdict, retryAfterMs: failure.retryAfterMs };
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
