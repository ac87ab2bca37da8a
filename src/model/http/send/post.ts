/**
 * The way out: how a request reaches its address, whichever API it is for.
 *
 * Straight by node:http here, or through the proxy that the environment names (proxied-fetch.ts). `tell-of-wait.ts` says when nothing is
 * left to do but to wait, and `plain-headers.ts` stands for the platform's class of headers, which is loaded with fetch.
 *
 * An address, headers and a body come in; the head of the answer comes out, with a body to be read. It retries nothing, follows no redirect
 * and judges no answer.
 */

import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { type BodyParts, bytesIn } from '../body-json.ts';
import type { Env } from '../endpoint.ts';
import { PlainHeaders } from './plain-headers.ts';
import { fetchFor } from './proxied-fetch.ts';
import { tellOfWait } from './tell-of-wait.ts';

/** What is read of an answer over HTTP; every Response is one. */
export type Answer = {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: AnswerHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly text: () => Promise<string>;
};

export type AnswerHeaders = {
  readonly get: (name: string) => string | null;
  readonly entries: () => IterableIterator<[string, string]>;
};

export type PostInit = {
  readonly headers: Readonly<Record<string, string>> | Iterable<readonly [string, string]>;
  readonly body: BodyParts;
  readonly signal: AbortSignal;
  /** Called once the request has left, and while its connection takes long to make: perhaps twice. Must not throw. */
  readonly onWait?: (() => void) | undefined;
};

/** Resolves once the head of the answer is there. Rejects when there is no connection, and when the signal aborts. Follows no redirect. */
export type Post = (url: string, init: PostInit) => Promise<Answer>;

/** How requests reach an address: through the proxy that the environment names for it, or straight. Throws model_unreachable. */
export function postFor(address: URL, env: Env): Post {
  const proxied = fetchFor(address, env);
  if (proxied === undefined) return post;
  return async (url, { headers, body, signal, onWait }) => {
    const init = { method: 'POST', redirect: 'manual', body: Buffer.concat(body), signal, headers: headersOf(headers) } as const;
    const answer = proxied(url, init);
    onWait?.();
    return readableAnswer(await answer);
  };
}

/** The types of the platform lack that its streams can be iterated. */
export const readableAnswer = (response: Response): Answer => response as unknown as Answer;

/** As fetch sends them where nothing else is set. */
const defaultHeaders = { accept: '*/*', 'user-agent': 'node' };

/** Straight, by node:http: fetch takes a first request a quarter of its CPU to load, and each answer goes through three streams more. */
const post: Post = async (url, { headers, body, signal, onWait }) => {
  const address = new URL(url);
  const { request } = address.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = { 'content-length': String(bytesIn(body)) };
    const sent = request(address, { method: 'POST', headers: { ...defaultHeaders, ...headersOf(headers), ...length } });
    sent.once('response', (answer) => {
      // What fails from here on shows where the answer is read; nobody may be reading yet, or any more.
      answer.on('error', () => undefined);
      resolve(answer);
    });
    sent.on('error', reject);
    endWith(signal, sent);
    boundConnecting(sent);
    tellOfWait(sent, onWait);
    // Together, and uncopied: most parts were in the request before.
    sent.cork();
    for (const part of body) sent.write(part);
    sent.end();
  });
  return readAnswer(response);
};

const headersOf = (headers: PostInit['headers']): Readonly<Record<string, string>> => {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
};

/** Without an error of its own: Node would raise it on a connection to which nobody listens any more, where the answer has come but was not read. */
function endWith(signal: AbortSignal, sent: ClientRequest): void {
  const end = (): void => void sent.destroy();
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  sent.once('close', () => signal.removeEventListener('abort', end));
}

const CONNECT_MS = 10_000;

/** An address that does not answer at all would be waited for until the system gives up, minutes later. */
function boundConnecting(sent: ClientRequest): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => sent.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })), CONNECT_MS);
    const stop = (): void => clearTimeout(timer);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop);
    sent.once('close', stop);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0 } = response;
  const body = await decoded(response);
  return { status, ok: status >= 200 && status < 300, headers: answerHeaders(response), body, text: () => bodyText(body) };
}

const answerHeaders = ({ headers }: IncomingMessage): AnswerHeaders =>
  new PlainHeaders(
    Object.entries(headers).map(([name, value]): readonly [string, string] => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

/** Nothing compressed is asked for; some servers send it all the same. */
async function decoded(response: IncomingMessage): Promise<Readable> {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity' || encoding === '') return response;
  const decoder = await decoderFor(encoding);
  if (decoder === undefined) return response;
  const { pipeline } = await import('node:stream');
  return pipeline(response, decoder, () => undefined);
}

async function decoderFor(encoding: string): Promise<Duplex | undefined> {
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

/** All of a body as text. */
export async function bodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
