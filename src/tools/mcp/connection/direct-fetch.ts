import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { ReasonError } from '../../../domain/errors.ts';
import { visibleLine } from '../../place/visible.ts';
import { isPublicAddress } from '../../web/public-address.ts';
import { fetchReasons } from './sign-in-text.ts';

export type DirectFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export type DirectFetchOptions = {
  /** Hosts that the user's own settings name: they may be anywhere. */
  readonly named: readonly string[];
  /** The fetch that goes through the proxy of the environment; undefined where there is none for this address. */
  readonly proxied: (url: URL, isNamed: boolean) => DirectFetch | undefined;
};

/** A server that speaks longer than this in one answer does not end by itself. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * A fetch that follows no redirect and reaches public addresses only, the hosts of `named` apart: it connects to the very addresses that it
 * has checked, so that a name that leads elsewhere the next time changes nothing. What address a name is, a proxy alone knows.
 */
export function createDirectFetch({ named, proxied }: DirectFetchOptions): DirectFetch {
  return async (input, init = {}) => {
    const url = new URL(input);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ReasonError(fetchReasons.noServerAddress(url.protocol));
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isNamed = named.includes(url.hostname);
    if (!isNamed && isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic(host);
    const throughProxy = proxied(url, isNamed);
    const response = throughProxy === undefined ? await send(url, init, isNamed ? undefined : publicLookup) : await throughProxy(url, init);
    return bounded(response);
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

async function send(url: URL, init: RequestInit, checked: LookupFunction | undefined): Promise<Response> {
  const { method = 'GET', headers, body, signal } = init;
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(signal != null && { signal }),
        ...(checked !== undefined && { lookup: checked }),
      },
      resolve,
    );
    sent.once('error', reject);
    sent.end(bodyOf(body));
  });
  return responseOf(message);
}

/** What the library sends is a text, or the form of a token request. */
function bodyOf(body: RequestInit['body']): string | undefined {
  if (body == null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new ReasonError(fetchReasons.noBody);
}

const NO_BODY: readonly number[] = [101, 204, 205, 304];

function responseOf(message: IncomingMessage): Response {
  const status = message.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) if (value !== undefined) headers.set(name, String(value));
  if (NO_BODY.includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const stream: unknown = Readable.toWeb(message);
  return new Response(stream instanceof ReadableStream ? stream : null, { status, headers });
}

/** What a library has inflated is counted as it is then. */
function bounded({ status, headers, body }: Response): Response {
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) controller.error(new ReasonError(fetchReasons.tooLong(MAX_BODY_BYTES)));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(counted) ?? null, { status, headers });
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: readonly LookupAddress[]) => {
    const hidden = error === null ? addresses.find(({ address }) => !isPublicAddress(address)) : undefined;
    const [first] = addresses ?? [];
    if (error !== null) callback(error, '');
    else if (hidden !== undefined || first === undefined) callback(notPublic(`${hostname} (${hidden?.address ?? 'nowhere'})`), '');
    else if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  });
};

const notPublic = (what: string): ReasonError => new ReasonError(fetchReasons.notPublic(what));
