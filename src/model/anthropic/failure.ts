import { SanbotError } from '../../domain/errors.ts';
import type { ModelNoCompaction, ModelOverflow, ModelStaleCompaction, ModelStaleThinking } from '../../domain/session/model-answer.ts';
import type { Endpoint } from './endpoint.ts';
import { readOverflow } from './overflow.ts';

/** A request that did not end in a reply, in plain words and figures. */
export type Failure = {
  /** An answer with an error status; an error inside the stream; a stream that broke off; or no answer at all. */
  readonly origin: 'status' | 'stream_error' | 'broken' | 'connection';
  readonly status: number | undefined;
  readonly type: string | undefined;
  /** A stable name of the cause, where the API has one. */
  readonly code: string | undefined;
  /** For a person, in one line; may be empty. */
  readonly message: string;
  /** All that the answer said. */
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  /** The answer's own word on whether to try again. */
  readonly shouldRetry: boolean | undefined;
};

export type Where = {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly modelFrom: string;
  /** Whether the request asked the API for a summary, or carried one. */
  readonly compaction?: 'asked' | 'carried' | undefined;
};

export type Verdict =
  | { readonly kind: 'answer'; readonly answer: ModelOverflow | ModelStaleThinking | ModelStaleCompaction | ModelNoCompaction }
  | { readonly kind: 'passing'; readonly why: string; readonly error: SanbotError }
  | { readonly kind: 'final'; readonly error: SanbotError };

/** What a failure means: an answer after all, something that may pass by itself, or the end of this request. */
export function judge(failure: Failure, where: Where): Verdict {
  const { status, type, text } = failure;
  const answered = failure.origin === 'status' || failure.origin === 'stream_error';
  const overflow = answered ? readOverflow({ status, type, message: text }) : undefined;
  if (overflow !== undefined) return { kind: 'answer', answer: { kind: 'overflow', ...overflow } };
  if (answered && isStaleThinking(failure)) return { kind: 'answer', answer: { kind: 'stale_thinking' } };
  const compaction = answered ? compactionAnswer(failure, where) : undefined;
  if (compaction !== undefined) return { kind: 'answer', answer: compaction };
  const error = errorFor(failure, where);
  return mayPass(failure) ? { kind: 'passing', why: whyOf(failure), error } : { kind: 'final', error };
}

/** The API has no code for it. Sending the same blocks again never helps. */
const isStaleThinking = ({ status, text }: Failure): boolean =>
  (status === 400 || status === undefined) &&
  /(?:invalid.{0,4}signature.{0,12}thinking)|thinking.{0,80}(?:bound to a different|cannot be modified)/i.test(text.slice(0, 4_000));

/** Its faults have codes of their own; a server that knows nothing of it names the field, the block, or the role that comes first. */
const compactionAnswer = (failure: Failure, { compaction }: Where): ModelStaleCompaction | ModelNoCompaction | undefined => {
  const { status, type, code = '', text } = failure;
  const refused = status === 400 || status === 422 || (status === undefined && type === 'invalid_request_error');
  if (!refused || mayPass(failure)) return undefined;
  if (compaction === 'asked') return { kind: 'no_compaction', why: said(failure), lasting: !code.startsWith('compaction_') };
  const named = /compact|first message|roles? must/i.test(`${code} ${text.slice(0, 4_000)}`);
  return compaction === 'carried' && named ? { kind: 'stale_compaction' } : undefined;
};

const passingStatuses: ReadonlySet<number> = new Set([408, 409, 429]);
const finalTypes: ReadonlySet<string> = new Set([
  'authentication_error',
  'billing_error',
  'invalid_request_error',
  'not_found_error',
  'permission_error',
  'request_too_large',
]);

/** An exhausted budget answers like a rate limit, without ever recovering. */
const isSpent = ({ code, type, text }: Failure): boolean =>
  /spend_limit|insufficient_quota/.test(`${code ?? ''} ${type ?? ''}`) ||
  /insufficient_quota|spend(?:ing)? limit/i.test(text.slice(0, 4_000));

const mayPass = (failure: Failure): boolean => {
  const { origin, status, type, shouldRetry } = failure;
  if (origin === 'connection' || origin === 'broken') return true;
  if (shouldRetry !== undefined) return shouldRetry;
  if (isSpent(failure)) return false;
  if (origin === 'stream_error') return type === undefined || !finalTypes.has(type);
  return status !== undefined && (passingStatuses.has(status) || status >= 500);
};

const whyOf = ({ origin, status, type, message }: Failure): string => {
  if (origin === 'connection') return `no connection (${message})`;
  if (origin === 'broken') return message;
  if (status === 429 || type === 'rate_limit_error') return withStatus('rate limit', status);
  if (status === 529 || type === 'overloaded_error') return withStatus('overloaded', status);
  return withStatus(message === '' ? (type ?? 'server error') : message, status);
};

const withStatus = (text: string, status: number | undefined): string => (status === undefined ? text : `${text} (${status})`);

const errorFor = (failure: Failure, where: Where): SanbotError => {
  const { endpoint } = where;
  const { status, type, origin, message } = failure;
  if (origin === 'connection') return new SanbotError('model_unreachable', `No connection to ${endpoint.host}: ${message}.`);
  if (origin === 'broken') return new SanbotError('model_failed', `${endpoint.host}: ${message}.`);
  if (status === 401 || status === 403 || type === 'authentication_error' || type === 'permission_error')
    return keyError(failure, endpoint);
  if (status === 404 || type === 'not_found_error') return notFoundError(failure, where);
  if (status === 402 || isSpent(failure)) {
    return new SanbotError(
      'model_failed',
      `${endpoint.host} will not go on before the account is paid or its limit raised (${said(failure)}).`,
    );
  }
  if (mayPass(failure)) return new SanbotError('model_failed', `${endpoint.host} cannot answer now (${said(failure)}).`);
  return new SanbotError('model_failed', `${endpoint.host} refused the request (${said(failure)}).`, { hint: REFUSED_HINT });
};

const REFUSED_HINT = 'Nothing is lost, but the same request will be refused again: choose another model, or start a new session.';

const keyError = (failure: Failure, { key, host }: Endpoint): SanbotError => {
  if (key.kind === 'none') return new SanbotError('model_key', `${host} wants a key, and none is set (${said(failure)}).`);
  const hint = `Correct ${key.from}${key.from.startsWith('model.') ? ' in the configuration' : ''}, or work offline with SANBOT_PROVIDER=offline.`;
  return new SanbotError('model_key', `${host} refused the key from ${key.from} (${said(failure)}).`, { hint });
};

/** Without a word about a model it is the address that is wrong. */
const notFoundError = (failure: Failure, { endpoint, model, modelFrom }: Where): SanbotError =>
  failure.type === 'not_found_error' || failure.text.includes(model)
    ? new SanbotError('model_failed', `${endpoint.host} has no model "${model}", set by ${modelFrom} (${said(failure)}).`, {
        hint: 'Name another with --model, SANBOT_MODEL or model.name.',
      })
    : new SanbotError('model_failed', `${endpoint.baseUrl} has no Messages API (${said(failure)}).`, {
        hint: 'Check ANTHROPIC_BASE_URL or model.baseUrl.',
      });

const said = ({ status, message, type }: Failure): string =>
  [status, message === '' ? type : message].filter((part) => part !== undefined && part !== '').join(': ') || 'without a reason';
