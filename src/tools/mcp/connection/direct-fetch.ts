import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { Deadline } from '../../../agent/ports/effects.ts';
import { ReasonError } from '../../../domain/errors.ts';
import type { Bilingual } from '../../../domain/language.ts';
import { checkedReach, isPublicAddress, type Resolve } from '../../../net/addresses.ts';
import { createSend, type Send } from '../../../net/send.ts';
import { visibleLine } from '../../place/visible.ts';
import { fetchReasons } from './sign-in-text.ts';

export type DirectFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export type DirectFetchOptions = {
  /** Hosts that the user's own settings name: they may be anywhere. */
  readonly named: readonly string[];
  readonly resolve: Resolve;
  /** The proxy of the environment; undefined where there is none for this address. */
  readonly proxyFor: (url: URL, isNamed: boolean) => URL | undefined;
};

/** A server that speaks longer than this in one answer does not end by itself. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * A fetch, as the library wants one, that follows no redirect and reaches public addresses only, the hosts of `named` apart. What address a
 * name is, a proxy alone knows.
 */
export function createDirectFetch({ named, resolve, proxyFor }: DirectFetchOptions): DirectFetch {
  const reach = checkedReach(resolve, notPublic);
  const ways = new Map<string, Send>();
  return async (input, { method, headers, body, signal } = {}) => {
    const url = new URL(input);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ReasonError(fetchReasons.noServerAddress(url.protocol));
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isNamed = named.includes(url.hostname);
    const hidden = isNamed || isIP(host) === 0 ? undefined : notPublic(host, [host]);
    if (hidden !== undefined) throw new ReasonError(hidden);
    const proxy = proxyFor(url, isNamed);
    const name = `${isNamed} ${proxy?.href}`;
    const send = ways.get(name) ?? createSend({ proxy, reach: isNamed ? undefined : reach });
    ways.set(name, send);
    const text = bodyOf(body);
    const answer = await send(url, {
      ...{ method, headers: new Headers(headers), signal: signal ?? undefined },
      body: text === undefined ? undefined : [Buffer.from(text)],
      bounds: { received: MAX_BODY_BYTES, decoded: MAX_BODY_BYTES },
    });
    return responseOf(answer);
  };
}

/**
 * The same, without an answer that is a redirect where `carriesSecret` says so of a request: what is secret goes nowhere but where it was
 * sent to.
 */
export const refusingRedirects =
  (fetch: DirectFetch, carriesSecret: (init: RequestInit) => boolean): DirectFetch =>
  async (url, init = {}) => {
    const response = await fetch(url, init);
    if (response.status < 300 || response.status > 399 || !carriesSecret(init)) return response;
    await response.body?.cancel().catch(() => undefined);
    const to = visibleLine(response.headers.get('location') ?? 'nowhere', 200);
    throw new ReasonError(fetchReasons.redirects(to));
  };

/** How long an answer may take while somebody waits for it. */
const ANSWER_MS = 30_000;

/**
 * The same, for a person who waits: an answer that does not come in time, or not to its end, is told, and nothing more is asked then. A stream
 * of events has no end to wait for.
 */
export function answeringInTime(
  fetch: DirectFetch,
  { deadline, signal }: { readonly deadline: Deadline; readonly signal: AbortSignal },
): DirectFetch {
  let silence: ReasonError | undefined;
  return async (url, init = {}) => {
    if (silence !== undefined) throw silence;
    const limit = deadline(ANSWER_MS);
    const signals = [signal, limit, ...(init.signal == null ? [] : [init.signal])];
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      const { status, headers, body } = response;
      if (body === null || headers.get('content-type')?.startsWith('text/event-stream') === true) return response;
      return new Response(await response.arrayBuffer(), { status, headers });
    } catch (error) {
      if (!limit.aborted) throw error;
      silence = new ReasonError(fetchReasons.silent(new URL(url).origin, ANSWER_MS / 1_000));
      throw silence;
    }
  };
}

/** What the library sends is a text, or the form of a token request. */
function bodyOf(body: RequestInit['body']): string | undefined {
  if (body == null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new ReasonError(fetchReasons.noBody);
}

const NO_BODY: readonly number[] = [101, 204, 205, 304];

function responseOf({ status, headers, body }: Awaited<ReturnType<Send>>): Response {
  const init = { status, headers: [...headers.entries()] };
  const stream: unknown = NO_BODY.includes(status) ? undefined : Readable.toWeb(body);
  return new Response(stream instanceof ReadableStream ? stream : null, init);
}

function notPublic(host: string, addresses: readonly string[]): Bilingual | undefined {
  const hidden = addresses.find((address) => !isPublicAddress(address));
  if (hidden === undefined && addresses.length > 0) return undefined;
  return fetchReasons.notPublic(hidden === host ? host : `${host} (${hidden ?? 'nowhere'})`);
}
