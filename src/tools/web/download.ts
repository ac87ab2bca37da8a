import type { IncomingMessage, RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ReasonError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** How the world is reached. */
export type Web = {
  /** The addresses of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Where a connection to a checked address goes: there. Tests put another port in. */
  readonly dial: (address: string, port: number) => { readonly address: string; readonly port: number };
  /** The fetch that goes through the proxy of the environment; undefined where there is none for this address. */
  readonly proxied: (url: URL) => ((url: URL, init: RequestInit) => Promise<Response>) | undefined;
  /** True when a rule of the user's names this host of the machine itself, with its port. */
  readonly allowsLocal: (host: string) => boolean;
};

export type Download = {
  readonly url: URL;
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer;
  readonly isCut: boolean;
  /** It went through a proxy, so that the address was not checked. */
  readonly isProxied: boolean;
};
export type RefusedPage = { readonly refused: Bilingual };

const MAX_REDIRECTS = 5;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_INFLATED_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;
const HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'SanBot',
  accept: 'text/html, text/plain, application/json, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

/**
 * Gets what stands at an address. The name is resolved here, all its addresses must be public, and the connection goes to the one that was
 * checked; the same again for each redirect, which is followed on the same host only. Sends no cookie and no credential. Refuses with a
 * reason; rejects when the network fails or the signal aborts.
 */
export async function download(start: URL, web: Web, signal: AbortSignal): Promise<Download | RefusedPage> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await open(url, web, signal);
    if ('refused' in answer) return answer;
    const { status, headers, body, isProxied } = answer;
    const location = status >= 300 && status < 400 ? headers('location') : undefined;
    if (location === undefined) {
      const content = await readBody(body, headers('content-encoding'));
      if ('refused' in content) return content;
      return { url, status, type: headers('content-type') ?? '', isProxied, ...content };
    }
    body.destroy();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next === undefined || !/^https?:$/.test(next.protocol))
      return { refused: { en: 'it redirects to what is no web address', zh: '它重定向到的不是网址' } };
    if (next.hostname !== url.hostname || (next.port !== url.port && next.protocol === url.protocol))
      return {
        refused: {
          en: `it redirects to another host: ${next.href}; fetch that, where you want it`,
          zh: `它重定向到另一个主机：${next.href}；需要时请读取该网址`,
        },
      };
    if (url.protocol === 'https:' && next.protocol === 'http:')
      return { refused: { en: 'it redirects from https to http', zh: '它从 https 重定向到 http' } };
    url = next;
  }
  return { refused: { en: `it redirects more than ${MAX_REDIRECTS} times`, zh: `它重定向超过 ${MAX_REDIRECTS} 次` } };
}

type Answer = {
  readonly status: number;
  readonly headers: (name: string) => string | undefined;
  readonly body: Readable;
  readonly isProxied: boolean;
};

/** The name of the host as resolvers have it. */
const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** The same with its port where that is not the usual one, as rules name it. */
export const ruleHost = ({ host }: URL): string => host.replace(/\.(?=:\d+$|$)/, '');

function notPublic(host: string, addresses: readonly string[]): Bilingual {
  const isAddress = addresses.every((address) => address === host);
  return {
    en: `${host} is not on the public internet${isAddress ? '' : ` (${addresses.join(', ')})`}`,
    zh: `${host} 不在公共互联网上${isAddress ? '' : `（${addresses.join('、')}）`}`,
  };
}

/** What an address says of its host by itself, before a name is resolved: why it is never reached, or that it is this machine. */
export function judgeHost(url: URL): { readonly refused: Bilingual } | 'local' | undefined {
  const host = bareHost(url);
  if (isLocalName(host) || isLoopbackAddress(host)) return 'local';
  return isIP(host) === 0 || isPublicAddress(host) ? undefined : { refused: notPublic(host, [host]) };
}

const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

async function open(url: URL, web: Web, signal: AbortSignal): Promise<Answer | RefusedPage> {
  const host = bareHost(url);
  const proxied = web.proxied(url);
  if (proxied !== undefined && !isLocalName(host) && isIP(host) === 0) {
    const response = await proxied(url, { headers: HEADERS, signal, redirect: 'manual' });
    // What a library has inflated already counts as it is.
    const headers = (name: string): string | undefined =>
      name === 'content-encoding' ? undefined : (response.headers.get(name) ?? undefined);
    const body = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body);
    return { status: response.status, headers, body, isProxied: true };
  }
  const addresses = isIP(host) === 0 ? await web.resolve(host) : [host];
  const [address] = addresses;
  if (address === undefined) return { refused: { en: 'its name has no address', zh: '它的名称没有对应的地址' } };
  if (!addresses.every(isPublicAddress)) {
    if (!addresses.every(isLoopbackAddress))
      return {
        refused: notPublic(host, addresses),
      };
    if (!web.allowsLocal(ruleHost(url)))
      return {
        refused: {
          en: `${ruleHost(url)} is this machine, and no allow rule names it`,
          zh: `${ruleHost(url)} 是本机，没有指名它的允许规则`,
        },
      };
  }
  const response = await request(url, web.dial(address, Number(url.port) || (url.protocol === 'https:' ? 443 : 80)), signal);
  const headers = (name: string): string | undefined => [response.headers[name]].flat()[0];
  return { status: response.statusCode ?? 0, headers, body: response, isProxied: false };
}

async function request(url: URL, { address, port }: ReturnType<Web['dial']>, signal: AbortSignal): Promise<IncomingMessage> {
  const { get } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const family = isIP(address);
  const lookup: RequestOptions['lookup'] = (_host, options, done) =>
    options.all === true ? done(null, [{ address, family }]) : done(null, address, family);
  const options = {
    host: bareHost(url),
    port,
    path: `${url.pathname}${url.search}`,
    lookup,
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    agent: false,
  };
  return new Promise((resolve, reject) => {
    get({ ...options, headers: { ...HEADERS, host: url.host } }, resolve).on('error', reject);
  });
}

async function readBody(body: Readable, encoding = 'identity'): Promise<{ readonly bytes: Buffer; readonly isCut: boolean } | RefusedPage> {
  const inflate = inflaters[encoding.trim().toLowerCase()];
  if (inflate === undefined) {
    body.destroy();
    return { refused: { en: `its encoding ${encoding.slice(0, 40)} is not known`, zh: `不认识其编码 ${encoding.slice(0, 40)}` } };
  }
  let received = 0;
  let isTooLarge = false;
  body.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_BYTES) {
      isTooLarge = true;
      body.destroy();
    }
  });
  const stream = inflate(body);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_INFLATED_BYTES) return { bytes: Buffer.concat(chunks).subarray(0, MAX_INFLATED_BYTES), isCut: true };
    }
  } catch (error) {
    if (!isTooLarge) throw error;
  } finally {
    body.destroy();
    stream.destroy();
  }
  return { bytes: Buffer.concat(chunks), isCut: isTooLarge };
}

/** A failure of the connection is one of what is read from it. */
const through =
  (make: () => NodeJS.ReadWriteStream & Readable) =>
  (body: Readable): Readable => {
    const stream = make();
    body.on('error', (error) => stream.destroy(error));
    body.on('close', () => {
      if (!body.readableEnded) stream.destroy(new ReasonError({ en: 'the connection ended early', zh: '连接提前结束' }));
    });
    return body.pipe(stream);
  };

const inflaters: Readonly<Record<string, (body: Readable) => Readable>> = {
  identity: (body) => body,
  gzip: through(createGunzip),
  'x-gzip': through(createGunzip),
  deflate: through(createInflate),
  br: through(createBrotliDecompress),
};
