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
  const envValue = (name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();
  const value = envValue(address.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || envValue('ALL_PROXY');
  if (value === '' || isLoopback(address.hostname) || isExempt(address, envValue('NO_PROXY'))) return undefined;
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(text)) throw new ProxyError(`the proxy in the environment is not an address: ${value}`);
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
    const options: RequestOptions = { method: init.method ?? 'GET', headers, ...(signal === undefined ? {} : { signal }) };
    const body = typeof init.body === 'string' ? init.body : await new Response(init.body ?? null).arrayBuffer();
    const response =
      url.protocol === 'https:'
        ? await throughTunnel(url, options, { proxy, body })
        : await send(httpRequest, { ...options, ...address(proxy), path: url.href, headers: { ...headers, ...credentials(proxy) } }, body);
    return toResponse(response);
  };
}

type ProxiedBody = { readonly proxy: URL; readonly body: string | ArrayBuffer };

async function throughTunnel(url: URL, options: RequestOptions, { proxy, body }: ProxiedBody): Promise<IncomingMessage> {
  const socket = await openTunnel(url, proxy, options.signal);
  const secure = tlsConnect({ socket, servername: url.hostname, ALPNProtocols: ['http/1.1'] });
  // Plain HTTP over a socket that is secure already.
  return send(httpRequest, { ...options, host: url.hostname, path: url.pathname + url.search, createConnection: () => secure }, body);
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
    const connectRequest = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      ...options,
      ...(signal === undefined ? {} : { signal }),
    });
    connectRequest.once('connect', (answer: IncomingMessage, socket: Socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new ProxyError(`the proxy ${proxy.host} refused the tunnel (${answer.statusCode ?? 'no status'})`));
    });
    // An answer other than a tunnel.
    connectRequest.once('response', (answer: IncomingMessage) => {
      answer.destroy();
      reject(new ProxyError(`the proxy ${proxy.host} refused the tunnel (${answer.statusCode ?? 'no status'})`));
    });
    connectRequest.on('error', (cause) => reject(proxyError(cause, proxy)));
    connectRequest.end();
  });

const send = (
  request: typeof httpRequest | typeof httpsRequest,
  options: RequestOptions,
  body: string | ArrayBuffer,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const outgoing = request(options, resolve);
    outgoing.on('error', reject);
    outgoing.end(typeof body === 'string' ? body : new Uint8Array(body));
  });

const toResponse = (answer: IncomingMessage): Response => {
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

const proxyError = (cause: Error, proxy: URL): Error =>
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
      const targetPort = address.port || (address.protocol === 'https:' ? '443' : '80');
      if (port !== undefined && port !== targetPort) return false;
      return address.hostname === host || address.hostname.endsWith(`.${host}`);
    });
