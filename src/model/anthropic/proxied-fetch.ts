import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Env } from './endpoint.ts';

/** The part of fetch that the SDK uses. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The proxy that the environment names for an address, or undefined: HTTPS_PROXY or HTTP_PROXY by the address's own
 * scheme, else ALL_PROXY; lower case first. NO_PROXY lists hosts, domains (with or without a leading dot or `*.`),
 * `host:port`, or `*`. The machine itself is never reached through a proxy.
 */
export function proxyFor(address: URL, env: Env): URL | undefined {
  const either = (name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();
  const named = either(address.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || either('ALL_PROXY');
  if (named === '' || isLoopback(address.hostname) || isExempt(address, either('NO_PROXY'))) return undefined;
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(named) ? named : `http://${named}`;
  if (!URL.canParse(text)) throw new ProxyError(`the proxy in the environment is not an address: ${named}`);
  const proxy = new URL(text);
  if (!/^https?:$/.test(proxy.protocol)) throw new ProxyError(`a proxy of the kind ${proxy.protocol}// is not supported`);
  return proxy;
}

/** Says why no connection could be made, without the proxy's password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/**
 * A fetch through one proxy: a tunnel for https, the whole address for http. Node's own fetch knows no proxy before
 * Node 24, and this saves a dependency of two megabytes. No redirects, no compression: the SDK needs neither.
 */
export function proxiedFetch(proxy: URL): Fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const signal = init.signal ?? undefined;
    signal?.throwIfAborted();
    const headers = { ...Object.fromEntries(new Headers(init.headers)), host: url.host, 'accept-encoding': 'identity' };
    const plan: RequestOptions = { method: init.method ?? 'GET', headers, ...(signal === undefined ? {} : { signal }) };
    const body = typeof init.body === 'string' ? init.body : await new Response(init.body ?? null).arrayBuffer();
    const response =
      url.protocol === 'https:'
        ? await throughTunnel(url, plan, { proxy, body })
        : await send(httpRequest, { ...plan, ...address(proxy), path: url.href, headers: { ...headers, ...credentials(proxy) } }, body);
    return asResponse(response);
  };
}

type Sent = { readonly proxy: URL; readonly body: string | ArrayBuffer };

async function throughTunnel(url: URL, plan: RequestOptions, { proxy, body }: Sent): Promise<IncomingMessage> {
  const socket = await openTunnel(url, proxy, plan.signal);
  const secure = tlsConnect({ socket, servername: url.hostname, ALPNProtocols: ['http/1.1'] });
  // Plain HTTP over a socket that is secure already.
  return send(httpRequest, { ...plan, host: url.hostname, path: url.pathname + url.search, createConnection: () => secure }, body);
}

const openTunnel = (url: URL, proxy: URL, signal: AbortSignal | undefined): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const target = `${url.hostname}:${url.port || 443}`;
    const options = {
      ...address(proxy),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...credentials(proxy) },
      agent: false as const,
    };
    const opening = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({ ...options, ...(signal === undefined ? {} : { signal }) });
    opening.once('connect', (answer: IncomingMessage, socket: Socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new ProxyError(`the proxy ${proxy.host} refused the tunnel (${answer.statusCode ?? 'no status'})`));
    });
    // An answer other than a tunnel.
    opening.once('response', (answer: IncomingMessage) => {
      answer.destroy();
      reject(new ProxyError(`the proxy ${proxy.host} refused the tunnel (${answer.statusCode ?? 'no status'})`));
    });
    opening.on('error', (cause) => reject(wrapped(cause, proxy)));
    opening.end();
  });

const send = (
  request: typeof httpRequest | typeof httpsRequest,
  options: RequestOptions,
  body: string | ArrayBuffer,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(options, resolve);
    sent.on('error', reject);
    sent.end(typeof body === 'string' ? body : new Uint8Array(body));
  });

const asResponse = (answer: IncomingMessage): Response => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  const status = answer.statusCode ?? 502;
  const bodyless = status === 204 || status === 304;
  return new Response(bodyless ? null : answer, { status, headers });
};

const address = (proxy: URL): { readonly host: string; readonly port: string | number } => ({
  host: proxy.hostname.replace(/^\[|\]$/g, ''),
  port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
});

const credentials = (proxy: URL): { readonly 'proxy-authorization'?: string } =>
  proxy.username === ''
    ? {}
    : { 'proxy-authorization': `Basic ${btoa(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`)}` };

const wrapped = (cause: Error, proxy: URL): Error =>
  cause.name === 'AbortError' ? cause : new ProxyError(`the proxy ${proxy.host} cannot be reached (${cause.message})`, { cause });

const isLoopback = (host: string): boolean => /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(host);

const isExempt = (address: URL, list: string): boolean =>
  list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, host = '', port] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? [];
      const reached = address.port || (address.protocol === 'https:' ? '443' : '80');
      if (port !== undefined && port !== reached) return false;
      return address.hostname === host || address.hostname.endsWith(`.${host}`);
    });
