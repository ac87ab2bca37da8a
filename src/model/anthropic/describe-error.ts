import { orUndefined } from '../../domain/value/or-undefined.ts';
import { connectionFailure, describeError, type HeaderReader, plainBodyText, reportedFailure } from '../http/describe-error.ts';
import type { Refusal, RequestFailure } from '../http/failure.ts';

/** Turns what the SDK throws into plain words and figures. Its errors are recognised by their shape: only anthropic.ts imports it. */
export function describeSdkError(error: unknown): RequestFailure {
  if (!(error instanceof Error)) return describeError(error);
  if (error.name === 'APIConnectionError' || error.name === 'APIConnectionTimeoutError') return connectionFailure(error);
  // A stream that is cut throws a bare TypeError.
  if (!('apiMessage' in error) || !('error' in error)) return describeError(error);
  return reportedFailure({
    status: 'status' in error && typeof error.status === 'number' ? error.status : undefined,
    headers: 'headers' in error && isHeaderReader(error.headers) ? error.headers : undefined,
    type: 'type' in error ? error.type : undefined,
    code: 'errorCode' in error ? error.errorCode : undefined,
    message: error.apiMessage,
    fallback: plainBody(error),
    text: `${error.message} ${orUndefined(() => JSON.stringify(error.error)) ?? ''}`,
  });
}

const isHeaderReader = (value: unknown): value is HeaderReader =>
  typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function';

const plainBody = ({ message }: Error): string => {
  const body = message.replace(/^\d{3} /, '');
  return /no body\)$/.test(body.trim()) ? '' : plainBodyText(body);
};

/** Returns the answer that a refusal of this API means; undefined when it is a failure. */
export const judgeRefusal = (failure: RequestFailure): Refusal | undefined =>
  isStaleThinking(failure) ? { kind: 'stale_thinking' } : undefined;

/** A gateway in front of the API may know no entries of an hour, and refuses the field that asks for them. */
export const refusesHour = ({ status, text }: RequestFailure): boolean =>
  (status === 400 || status === 422) && /\bttl\b/.test(text.slice(0, 4_000));

/** An older model, or a gateway, that knows no effort. */
export const refusesEffort = ({ status, text }: RequestFailure): boolean =>
  (status === 400 || status === 422) && /\boutput_config\b|\beffort\b|thinking\.budget|budget_tokens/.test(text.slice(0, 4_000));

/** The field by which requests are compared, where it is not known. */
export const refusesDiagnostics = ({ status, text }: RequestFailure): boolean =>
  (status === 400 || status === 422) && /\bdiagnostics\b|\bprevious_message_id\b/.test(text.slice(0, 4_000));

/** The API has no code for this. Sending the same blocks again never helps. */
const isStaleThinking = ({ status, text }: RequestFailure): boolean =>
  (status === 400 || status === undefined) &&
  /invalid.{0,4}signature.{0,12}thinking|thinking.{0,80}(?:bound to a different|cannot be modified)/i.test(text.slice(0, 4_000));
