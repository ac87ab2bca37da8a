import { type Bilingual, isBilingual, quotedText } from '../../domain/language.ts';
import { CONNECTION_CLOSED, errnoOf, errnoReason } from '../../domain/value/errno.ts';
import { isOneOf } from '../../domain/value/word-list.ts';
import type { RequestFailure } from './failure.ts';

const MAX_MESSAGE_CHARS = 300;

/** The address could not be reached, or gave no answer at all. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';
}

/** An answer that reports an error: a response with an error status, or an error inside a stream. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Turns what the network and the readers of answers throw into plain words and figures. */
export function describeError(error: unknown): RequestFailure {
  if (error instanceof ApiRefusal) return error.failure;
  if (!(error instanceof Error)) return brokenFailure(quotedText(String(error)));
  if (error instanceof ConnectionFailed || proxyReason(error) !== undefined) return connectionFailure(error);
  if (error.name === 'SyntaxError')
    return brokenFailure({ en: 'the stream holds something that is not JSON', zh: '数据流中有不是 JSON 的内容' });
  return brokenFailure(connectionReason(error));
}

/** Describes that an address could not be reached. */
export function connectionFailure(error: Error): RequestFailure {
  const shouldRetry = causeChain(error).some((cause) => isCertificateCode(errnoOf(cause))) ? false : undefined;
  return { ...noDetails, origin: 'connection', ...messagesOf(proxyReason(error) ?? connectionReason(error)), shouldRetry };
}

export type HeaderReader = { readonly get: (name: string) => string | null };

/** What a response or an error inside a stream reports, in the words of its API. */
export type ReportedError = {
  /** Undefined inside a stream. */
  readonly status: number | undefined;
  readonly headers?: HeaderReader | undefined;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message: unknown;
  /** What to say when it has no message. */
  readonly fallback: string;
  /** Everything it said. */
  readonly text: string;
};

export const reportedFailure = ({ status, headers, type, code, message, fallback, text }: ReportedError): RequestFailure => ({
  origin: status === undefined ? 'stream_error' : 'status',
  status,
  type: nonEmpty(type),
  code: nonEmpty(code),
  message: oneLine(nonEmpty(message) ?? fallback),
  text,
  retryAfterMs: headers === undefined ? undefined : retryAfterMs(headers),
  shouldRetry: shouldRetry(headers?.get('x-should-retry')),
});

/** Returns an error's body when it is plain text; a page of HTML tells a person nothing. */
export const plainBodyText = (body: string): string => (body.trim().startsWith('<') ? '' : body.trim());

/** Nothing arrived for so long that the connection must be dead. */
export const idleFailure = (ms: number): RequestFailure =>
  brokenFailure({ en: `nothing arrived for ${Math.round(ms / 1000)} s`, zh: `${Math.round(ms / 1000)} 秒没有收到任何数据` });

const noDetails = { status: undefined, type: undefined, code: undefined, text: '', retryAfterMs: undefined, shouldRetry: undefined };
const brokenFailure = (reason: Bilingual): RequestFailure => ({ ...noDetails, origin: 'broken', ...messagesOf(reason) });
const messagesOf = ({ en, zh }: Bilingual): Pick<RequestFailure, 'message' | 'messageZh'> => ({
  message: oneLine(en),
  ...(zh === en ? {} : { messageZh: zh }),
});
const nonEmpty = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const proxyReason = (error: Error): Bilingual | undefined =>
  causeChain(error)
    .map((cause) => (cause.name === 'ProxyError' && 'reason' in cause ? cause.reason : undefined))
    .find(isBilingual);

/** Returns the innermost cause that is informative; "fetch failed" around it is not. */
const connectionReason = (error: Error): Bilingual => {
  const causes = causeChain(error).reverse();
  // So says Node of an answer that was cut off, with the code of a connection that was reset.
  if (causes.some(({ message }) => message === 'aborted')) return CONNECTION_CLOSED;
  for (const cause of causes) {
    const reason = errnoReason(cause);
    if (reason !== undefined) return reason;
  }
  const informative = causes.find(({ message }) => message !== '' && message !== 'fetch failed' && message !== 'Connection error.');
  return informative === undefined ? { en: 'no answer', zh: '没有应答' } : quotedText(informative.message);
};

/** The codes of OpenSSL's verdicts on a chain of certificates, and of Node's on the host's name. They don't pass by themselves. */
const isCertificateCode = isOneOf(
  /^(?:CERT|CRL|UNABLE_TO|ERROR_IN_CERT|ERR_TLS_CERT)_/,
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|HOSTNAME_MISMATCH)$/,
  /^(?:INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED)$/,
);

const MAX_CAUSES = 8;
const causeChain = (error: Error): Error[] => {
  const causes = [error];
  for (let next = error.cause; next instanceof Error && causes.length < MAX_CAUSES; next = next.cause) causes.push(next);
  return causes;
};

const shouldRetry = (header: string | null | undefined): boolean | undefined =>
  header === 'true' ? true : header === 'false' ? false : undefined;

/** The header is in milliseconds, in seconds, or a date, which is compared with the response's own clock. */
const retryAfterMs = (headers: HeaderReader): number | undefined => {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const after = headers.get('retry-after') ?? '';
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(after)) return Number(after) * 1000;
  const wait = Date.parse(after) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
};

const oneLine = (message: string): string => {
  const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const chars = [...line.slice(0, MAX_MESSAGE_CHARS * 2)];
  return chars.length > MAX_MESSAGE_CHARS ? `${chars.slice(0, MAX_MESSAGE_CHARS).join('')}…` : chars.join('').replace(/\.$/, '');
};
