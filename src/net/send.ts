/**
 * The one way to the world: whatever SanBot asks over HTTP, of a model, an MCP server or a page, leaves here.
 *
 * `connections.ts` makes connections to addresses that were checked or through a proxy, `addresses.ts` says what is public, `proxy.ts` which
 * proxy the environment names, `body.ts` decodes and counts, and `plain-headers.ts` stands for the platform's headers, loaded with fetch.
 *
 * An address, headers and a body come in; the head of the answer goes out, with a body to be read. No connection goes to an address that
 * `reach` has not given, none is waited for longer than 10 s, no body is longer than its bounds, and an abort ends all of it at any time.
 *
 * It follows no redirect, retries nothing, keeps no cookie, adds no credential but the proxy's own, and judges no answer.
 */

import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { type Bounds, bodyText, openBody } from './body.ts';
import { agentFor, CONNECT_MS, noAnswerInTime, type Way } from './connections.ts';
import { PlainHeaders } from './plain-headers.ts';
import { type Env, proxyAuthorization, proxyFor, proxyRefuses } from './proxy.ts';

export type Answer = {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Pick<PlainHeaders, 'get' | 'entries'>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly text: () => Promise<string>;
};

/** The bytes of a body, one part after the other. A part is never written to. */
export type BodyParts = readonly Buffer<ArrayBuffer>[];

export type SendInit = {
  /** GET, and POST where there is a body. */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | Iterable<readonly [string, string]> | undefined;
  readonly body?: BodyParts | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once the request has left, and while its connection takes long to make: perhaps twice. Must not throw. */
  readonly onWait?: (() => void) | undefined;
  /** A longer body ends with TooManyBytes. Undefined where the reader counts by itself. */
  readonly bounds?: Bounds | undefined;
};

/**
 * Resolves once the head of the answer is there. Rejects when there is no connection (with ProxyError where that is the proxy's doing, with
 * what `reach` throws), and with the signal's reason when that aborts.
 */
export type Send = (url: string | URL, init: SendInit) => Promise<Answer & { readonly body: Readable }>;

/** The way that the environment names for an address. Throws model_unreachable where its proxy is none. */
export const sendFor = (address: URL, env: Env): Send => createSend({ proxy: proxyFor(address, env) });

/** Connections are kept for the next request; those of a way that checks or that has a proxy are its own. */
export function createSend(way: Way = {}): Send {
  const agents = new Map<string, Promise<Agent | undefined>>();
  return async (address, init) => {
    const url = new URL(address);
    const agent = agents.get(url.protocol) ?? agentFor(url.protocol, way);
    agents.set(url.protocol, agent);
    const response = await responseTo(url, init, { way, agent: await agent });
    const { statusCode: status = 0 } = response;
    if (status === 407 && way.proxy !== undefined && isAskedOfProxy(url, way)) {
      response.destroy();
      throw proxyRefuses(way.proxy, 'request', status);
    }
    const body = await openBody(response, init.bounds);
    return { status, ok: status >= 200 && status < 300, headers: answerHeaders(response), body, text: () => bodyText(body) };
  };
}

type Line = { readonly way: Way; readonly agent: Agent | undefined };

/** By node:http: fetch takes a first request a quarter of its CPU to load, and each answer goes through three streams more. */
async function responseTo(url: URL, init: SendInit, { way, agent }: Line): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const { signal, body = [], onWait } = init;
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...optionsFor(url, init, way), ...(agent && { agent }) });
    sent.once('response', (answer) => {
      // What fails from here on shows where the answer is read; nobody may be reading yet, or any more.
      answer.on('error', () => undefined);
      resolve(answer);
    });
    sent.on('error', (error) => reject(signal?.aborted === true ? signal.reason : error));
    endWith(signal, sent);
    boundConnecting(sent);
    tellOfWait(sent, onWait);
    // Together, and uncopied: most parts were in the request before.
    sent.cork();
    for (const part of body) sent.write(part);
    sent.end();
  });
}

const MAX_HEADER_BYTES = 32 * 1024;
/** As fetch sends them where nothing else is set. */
const defaultHeaders = { accept: '*/*', 'user-agent': 'node' };

/** A proxy is asked for an http address itself; for all else it gives a tunnel. */
const isAskedOfProxy = ({ protocol }: URL, { proxy }: Way): boolean => proxy !== undefined && protocol === 'http:';

function optionsFor(url: URL, { headers = {}, body, method }: SendInit, way: Way) {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      ...defaultHeaders,
      ...Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])),
      ...(body !== undefined && { 'content-length': String(bytesIn(body)) }),
      ...(way.proxy !== undefined && isAskedOfProxy(url, way) && proxyAuthorization(way.proxy)),
    },
    ...(isAskedOfProxy(url, way) && { path: `${url.origin}${url.pathname}${url.search}` }),
  };
}

export const bytesIn = (body: BodyParts): number => body.reduce((sum, { length }) => sum + length, 0);

/** Without an error of its own: Node would raise it on a connection to which nobody listens any more, where the answer has come but was not read. */
function endWith(signal: AbortSignal | undefined, sent: ClientRequest): void {
  const end = (): void => void sent.destroy();
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end, { once: true });
  sent.once('close', () => signal?.removeEventListener('abort', end));
}

/** An address that does not answer at all would be waited for until the system gives up, minutes later. */
function boundConnecting(sent: ClientRequest): void {
  const timer = setTimeout(() => sent.destroy(noAnswerInTime()), CONNECT_MS);
  const stop = (): void => clearTimeout(timer);
  sent.once('close', stop).once('socket', (socket) => {
    const isOpen = 'secureConnecting' in socket ? socket.secureConnecting === false : !socket.connecting;
    if (isOpen) stop();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop);
  });
}

/** A name is looked up, and a server near by is reached, in less. */
const SLOW_CONNECTION_MS = 10;

/** Calls `onWait` once the request has left; and before that where its connection takes long to make, since the processor is idle then too. */
export function tellOfWait(sent: ClientRequest, onWait: (() => void) | undefined): void {
  if (onWait === undefined) return;
  // On a busy machine there may be a connection that nobody has seen yet: it is seen before what is immediate.
  const tellIfConnecting = (): void => {
    if (!sent.destroyed && sent.socket?.connecting !== false) onWait();
  };
  const timer = setTimeout(() => setImmediate(tellIfConnecting), SLOW_CONNECTION_MS);
  const stop = (): void => clearTimeout(timer);
  sent.once('finish', onWait).once('finish', stop).once('close', stop);
}

const answerHeaders = ({ headers }: IncomingMessage): PlainHeaders =>
  new PlainHeaders(
    Object.entries(headers).map(([name, value]): readonly [string, string] => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
