import type { EnvHttpProxyAgent, fetch as UndiciFetch } from 'undici';
import { SanbotError } from '../../../domain/errors.ts';
import { type Bilingual, quotedText } from '../../../domain/language.ts';
import type { Env } from '../endpoint.ts';

/** The part of fetch that is used. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The proxy that the environment names for an address, or undefined: HTTPS_PROXY or HTTP_PROXY by the address's own
 * scheme, else ALL_PROXY; lower case first. The machine itself is never reached through a proxy. This choice is ours:
 * undici knows no ALL_PROXY, sends https through HTTP_PROXY too, and reaches the machine itself through a proxy.
 */
export function proxyFor(address: URL, env: Env): URL | undefined {
  const value = envValue(env, address.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || envValue(env, 'ALL_PROXY');
  if (value === '' || isLoopback(address.hostname)) return undefined;
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(text))
    throw new ProxyError({
      en: `the proxy in the environment is not an address: ${value}`,
      zh: `环境中的代理不是地址：${value}`,
    });
  const proxy = new URL(text);
  if (!/^https?:$/.test(proxy.protocol))
    throw new ProxyError({
      en: `a proxy of the kind ${proxy.protocol}// is not supported`,
      zh: `不支持 ${proxy.protocol}// 类型的代理`,
    });
  return proxy;
}

/** The fetch for an address: through the proxy that the environment names for it, or undefined for Node's own. Throws model_unreachable. */
export function fetchFor(address: URL, env: Env): Fetch | undefined {
  try {
    const proxy = proxyFor(address, env);
    return proxy === undefined ? undefined : proxiedFetch(proxy, env);
  } catch (error) {
    if (error instanceof ProxyError)
      throw new SanbotError('model_unreachable', {
        en: `No connection to ${address.host}: ${error.reason.en}.`,
        zh: `无法连接 ${address.host}：${error.reason.zh}。`,
      });
    throw error;
  }
}

/** Says why no connection could be made, without the proxy's password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly reason: Bilingual;

  constructor(reason: Bilingual, options?: ErrorOptions) {
    super(reason.en, options);
    this.reason = reason;
  }
}

/**
 * A fetch through one proxy, save for the hosts that NO_PROXY lists: a tunnel for https, the whole address for http.
 * Node's own fetch knows no proxy before Node 24. undici takes some 75 ms to load: only who has a proxy waits for it.
 */
export function proxiedFetch(proxy: URL, env: Env): Fetch {
  let opened: Promise<Opened> | undefined;
  return async (input, init = {}) => {
    opened ??= open(proxy, envValue(env, 'NO_PROXY'));
    const { fetch, agent, unreached } = await opened;
    const { method = 'GET', signal = null, body: content = null } = init;
    try {
      // Node's classes are not undici's, and its types differ a little from undici's: plain lists and bytes are the same in both.
      const headers = [...new Headers(init.headers)];
      const body = content === null || typeof content === 'string' ? content : await new Response(content).arrayBuffer();
      const url = input instanceof Request ? input.url : input;
      // A redirect is the caller's to judge: followed here, it would carry the key to where it points.
      const answer = await fetch(url, { method, headers, body, signal, dispatcher: agent, redirect: 'manual' });
      // undici's classes are not Node's: who asks for an instance of Headers gets one.
      return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers: [...answer.headers] });
    } catch (error) {
      throw proxyErrorOf(error, proxy, unreached) ?? error;
    }
  };
}

type Opened = {
  readonly fetch: typeof UndiciFetch;
  readonly agent: EnvHttpProxyAgent;
  /** The errors of connections to the proxy itself. */
  readonly unreached: WeakSet<Error>;
};

async function open(proxy: URL, noProxy: string): Promise<Opened> {
  const { EnvHttpProxyAgent, Pool, fetch } = await import('undici');
  const unreached = new WeakSet<Error>();
  const agent = new EnvHttpProxyAgent({
    // Both and the list are always passed, so that undici looks for none in the environment of the process.
    httpProxy: proxy.href,
    httpsProxy: proxy.href,
    noProxy,
    proxyTunnel: false,
    ...credentials(proxy),
    // How long a silence may last, the idle watch decides.
    headersTimeout: 0,
    bodyTimeout: 0,
    clientFactory: (origin, options) =>
      new Pool(origin, options).on('connectionError', (_origin, _targets, error) => void unreached.add(error)),
  });
  return { fetch, agent, unreached };
}

/** undici sends a user name only with a password; some proxies take a token alone. */
const credentials = (proxy: URL): { readonly token?: string } =>
  proxy.username === '' ? {} : { token: `Basic ${btoa(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`)}` };

/** The proxy's own failures, in our words; whatever else went wrong is the server's, and undefined here. */
const proxyErrorOf = (error: unknown, proxy: URL, unreached: WeakSet<Error>): ProxyError | undefined => {
  if (!(error instanceof Error)) return undefined;
  const [, refused, status] = /^Proxy (response|Authentication Required) \((\d+)\)/.exec(error.message) ?? [];
  if (refused !== undefined) {
    const what = refused === 'response' ? { en: 'tunnel', zh: '隧道' } : { en: 'request', zh: '请求' };
    return new ProxyError({
      en: `the proxy ${proxy.host} refused the ${what.en} (${status})`,
      zh: `代理 ${proxy.host} 拒绝了${what.zh}（${status}）`,
    });
  }
  if (unreached.has(error))
    return new ProxyError(
      {
        en: `the proxy ${proxy.host} cannot be reached (${error.message})`,
        zh: `无法访问代理 ${proxy.host}（${quotedText(error.message).zh}）`,
      },
      { cause: error },
    );
  return proxyErrorOf(error.cause, proxy, unreached);
};

const envValue = (env: Env, name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();

/** Whether a host is this machine itself. */
export const isLoopback = (host: string): boolean => /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(host);
