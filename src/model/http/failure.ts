import { SanbotError } from '../../domain/errors.ts';
import type { ModelAnswer, ModelReply } from '../../domain/session/model-answer.ts';
import type { Endpoint } from './endpoint.ts';
import { readOverflow } from './overflow.ts';

/** A request that did not end in a reply, described in plain words and figures. */
export type RequestFailure = {
  /** A response with an error status, an error inside the stream, a stream that broke off, or no response at all. */
  readonly origin: 'status' | 'stream_error' | 'broken' | 'connection';
  readonly status: number | undefined;
  readonly type: string | undefined;
  /** A stable name of the cause, where the API has one. */
  readonly code: string | undefined;
  /** For a person, in one line; may be empty. */
  readonly message: string;
  /** Everything the response said. */
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  /** Whether to retry, when the response says so. */
  readonly shouldRetry: boolean | undefined;
};

export type FailureContext = {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly modelSource: string;
  /** Returns the answer that a response means on this wire beside an overflow; undefined when it is a failure. */
  readonly judge: (failure: RequestFailure) => Refusal | undefined;
};

/** What a model answers when it is no reply. */
export type Refusal = Exclude<ModelAnswer, ModelReply>;

export type FailureVerdict =
  | { readonly kind: 'answer'; readonly answer: Refusal }
  | { readonly kind: 'passing'; readonly why: string; readonly error: SanbotError }
  | { readonly kind: 'final'; readonly error: SanbotError };

/** Returns what a failure means: an answer after all, a failure that may pass by itself, or the end of this request. */
export function classifyFailure(failure: RequestFailure, context: FailureContext): FailureVerdict {
  const { status, type, text } = failure;
  const hasResponse = failure.origin === 'status' || failure.origin === 'stream_error';
  const overflow = hasResponse ? readOverflow({ status, type, message: text }) : undefined;
  if (overflow !== undefined) return { kind: 'answer', answer: { kind: 'overflow', ...overflow } };
  const answer = hasResponse ? context.judge(failure) : undefined;
  if (answer !== undefined) return { kind: 'answer', answer };
  const error = errorFor(failure, context);
  return isTransient(failure) ? { kind: 'passing', why: retryReason(failure), error } : { kind: 'final', error };
}

const transientStatuses: ReadonlySet<number> = new Set([408, 409, 429]);
const finalTypes: ReadonlySet<string> = new Set([
  'authentication_error',
  'billing_error',
  'invalid_request_error',
  'not_found_error',
  'permission_error',
  'request_too_large',
]);

/** An exhausted budget is reported like a rate limit, but never recovers. */
const isQuotaExhausted = ({ code, type, text }: RequestFailure): boolean =>
  /spend_limit|insufficient_quota/.test(`${code ?? ''} ${type ?? ''}`) ||
  /insufficient_quota|spend(?:ing)? limit/i.test(text.slice(0, 4_000));

/** Whether the same request may succeed later. */
export const isTransient = (failure: RequestFailure): boolean => {
  const { origin, status, type, shouldRetry } = failure;
  if (shouldRetry !== undefined) return shouldRetry;
  if (origin === 'connection' || origin === 'broken') return true;
  if (isQuotaExhausted(failure)) return false;
  if (origin === 'stream_error') return type === undefined || !finalTypes.has(type);
  return status !== undefined && (transientStatuses.has(status) || status >= 500);
};

const retryReason = ({ origin, status, type, message }: RequestFailure): string => {
  if (origin === 'connection') return `no connection (${message})`;
  if (origin === 'broken') return message;
  if (status === 429 || type === 'rate_limit_error') return withStatus('rate limit', status);
  if (status === 529 || type === 'overloaded_error') return withStatus('overloaded', status);
  return withStatus(message === '' ? (type ?? 'server error') : message, status);
};

const withStatus = (text: string, status: number | undefined): string => (status === undefined ? text : `${text} (${status})`);

const errorFor = (failure: RequestFailure, context: FailureContext): SanbotError => {
  const { endpoint } = context;
  const { status, type, origin, message } = failure;
  if (origin === 'connection')
    return new SanbotError('model_unreachable', `No connection to ${endpoint.host}: ${message}.`, {
      ...(failure.shouldRetry === false ? { hint: CERTIFICATE_HINT } : {}),
    });
  if (origin === 'broken') return new SanbotError('model_failed', `${endpoint.host}: ${message}.`);
  if (status === 401 || status === 403 || type === 'authentication_error' || type === 'permission_error')
    return keyError(failure, endpoint);
  if (status === 404 || type === 'not_found_error') return notFoundError(failure, context);
  if (status === 402 || isQuotaExhausted(failure)) {
    return new SanbotError(
      'model_failed',
      `${endpoint.host} will not continue until the account is paid or its limit is raised (${failureDetail(failure)}).`,
    );
  }
  if (isTransient(failure)) return new SanbotError('model_failed', `${endpoint.host} cannot answer now (${failureDetail(failure)}).`);
  return new SanbotError('model_failed', `${endpoint.host} refused the request (${failureDetail(failure)}).`, { hint: REFUSED_HINT });
};

/** The certificate of the server, or of what stands between, is not trusted here. */
const CERTIFICATE_HINT =
  'The certificate is not trusted. If it is of your own network, name its authority in NODE_EXTRA_CA_CERTS; else do not go on.';

const REFUSED_HINT = 'Nothing is lost, but the same request will be refused again: choose another model, or start a new session.';

const keyError = (failure: RequestFailure, { key, host }: Endpoint): SanbotError => {
  if (key.kind === 'none') return new SanbotError('model_key', `${host} requires a key, and none is set (${failureDetail(failure)}).`);
  const hint = `Correct ${key.from}${key.from.startsWith('model.') ? ' in the configuration' : ''}, or work offline with SANBOT_PROVIDER=offline.`;
  return new SanbotError('model_key', `${host} refused the key from ${key.from} (${failureDetail(failure)}).`, { hint });
};

/** When the response does not mention the model, it is the address that is wrong. */
const notFoundError = (failure: RequestFailure, { endpoint, model, modelSource }: FailureContext): SanbotError =>
  failure.type === 'not_found_error' || failure.text.includes(model)
    ? new SanbotError('model_failed', `${endpoint.host} has no model "${model}", set by ${modelSource} (${failureDetail(failure)}).`, {
        hint: 'Name another with --model, SANBOT_MODEL or model.name.',
      })
    : new SanbotError('model_failed', `${endpoint.baseUrl} has no ${endpoint.api} (${failureDetail(failure)}).`, {
        hint: `Check ${endpoint.addressSettings}.`,
      });

/** Status and message of a failure, for the parentheses of a sentence. */
export const failureDetail = ({ status, message, type }: RequestFailure): string =>
  [status, message === '' ? type : message].filter((part) => part !== undefined && part !== '').join(': ') || 'without a reason';
