import type { ModelRequest } from '../../agent/ports/model.ts';
import { isString } from '../../domain/value/json.ts';
import { anyOf, isOneOf, lazyTest } from '../../domain/value/word-list.ts';
import type { ApiRefusal } from '../http/describe-error.ts';
import type { Refusal, RequestFailure } from '../http/failure.ts';
import { streamedRefusal } from '../http/streamed-error.ts';
import { type OptionalField, optionalFields } from './request.ts';

/**
 * The error that a response or a stream reports. Here a code alone says what went wrong, and most codes are about the request, which would
 * be refused again; those that may pass by themselves speak of the server, its load or the time.
 */
export const reportedError = (body: unknown): ApiRefusal =>
  streamedRefusal(body, ({ code }) => {
    const passes = !isString(code) || /server_error|rate_limit|timeout|overloaded|slow_down|unavailable/.test(code);
    return passes ? code : 'invalid_request_error';
  });

/** Returns the optional field that a refusal is about; undefined when it is about something else. */
export function refusedField(
  { origin, status, text }: RequestFailure,
  { effort }: Pick<ModelRequest, 'effort'>,
): OptionalField | undefined {
  if (origin !== 'status' || (status !== 400 && status !== 422)) return undefined;
  const said = text.slice(0, MAX_CHARS_READ);
  if (!isAboutSupport(said)) return undefined;
  const sent = optionalFields.filter((name) => (name !== 'xhigh' || effort === 'max') && (name !== 'effort' || effort !== undefined));
  return sent.find((name) => namesOf[name].test(said));
}

const MAX_CHARS_READ = 4_000;

const NOT_TAKEN =
  'unsupported, unknown, unrecognized, unexpected, not supported, not permitted, not allowed, extra inputs, invalid parameter';
const isAboutSupport = lazyTest(() => anyOf(NOT_TAKEN, 'must be verified'), 'i');

const namesOf: Readonly<Record<OptionalField, RegExp>> = {
  xhigh: /\bxhigh\b/,
  effort: /\breasoning[._]effort\b/i,
  reasoning: /\breasoning(?:\.summary|\.effort)?['"`]|reasoning summar/i,
  include: /\binclude\b|encrypted content|reasoning\.encrypted_content/i,
  prompt_cache_key: /prompt_cache_key/i,
  parallel_tool_calls: /parallel_tool_calls/i,
  max_output_tokens: /max_output_tokens/i,
  store: /['"`]store['"`]/i,
};

/** Reasoning that the API no longer opens, or that stands without what belongs to it: sending the same again never helps, leaving it out does. */
export function staleReasoning({ status, code, text }: RequestFailure): Refusal | undefined {
  if (status !== undefined && status !== 400 && status !== 404) return undefined;
  const said = `${code ?? ''} ${text.slice(0, MAX_CHARS_READ)}`;
  return isStale(said) ? { kind: 'stale_thinking' } : undefined;
}

const isStale = isOneOf(
  /invalid_encrypted_content|encrypted content.{0,80}could not be/i,
  /without its required .{0,40}(?:reasoning|following) item|item with id '?rs_/i,
);
