import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable, Transform } from 'node:stream';
import { isPublicAddress } from '../web/public-address.ts';

type DirectFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A server that speaks longer than this in one answer does not end by itself. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * A fetch that follows no redirect, uses no proxy and reaches public addresses only, the hosts of `named` apart: it connects to the very
 * addresses that it has checked, so that a name that leads elsewhere the next time changes nothing.
 */
export function createDirectFetch({ named }: { readonly named: readonly string[] }): DirectFetch {
  return async (input, init = {}) => {
    const url = new URL(input);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error(`${url.protocol} is no address of a server`);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isNamed = named.includes(url.hostname);
    if (!isNamed && isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic(host);
    const response = await send(url, init, isNamed ? undefined : publicLookup);
    return responseOf(response);
  };
}

function send(url: URL, init: RequestInit, checked: LookupFunction | undefined): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, signal } = init;
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
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
}

/** What the library sends is a text, or the form of a token request. */
function bodyOf(body: RequestInit['body']): string | undefined {
  if (body == null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('a request has a body of an unknown kind');
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
  let bytes = 0;
  const bounded = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      done(bytes > MAX_BODY_BYTES ? new Error(`it answered with more than ${MAX_BODY_BYTES} bytes`) : null, chunk);
    },
  });
  bounded.once('close', () => message.destroy());
  message.once('error', (error) => bounded.destroy(error));
  const stream: unknown = Readable.toWeb(message.pipe(bounded));
  return new Response(stream instanceof ReadableStream ? stream : null, { status, headers });
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

const notPublic = (what: string): Error =>
  new Error(`${what} is no public address; only your own settings can name a server on this machine or in your network`);
