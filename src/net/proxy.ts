import { SanbotError } from '../domain/errors.ts';
import { type Bilingual, quotedText } from '../domain/language.ts';
import { redact } from '../domain/value/redact.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment names for an address, or undefined: HTTPS_PROXY or HTTP_PROXY by the address's own scheme, else ALL_PROXY;
 * lower case first. The machine itself is never reached through one, and neither is what NO_PROXY lists. Throws model_unreachable where what
 * is named is no proxy of a kind that is known.
 */
export function proxyFor(address: URL, env: Env): URL | undefined {
  const value = envValue(env, address.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || envValue(env, 'ALL_PROXY');
  if (value === '' || isLoopback(address.hostname) || isSpared(address, envValue(env, 'NO_PROXY'))) return undefined;
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy === undefined)
    throw noConnection(address, {
      en: `the proxy in the environment is not an address: ${redact(text)}`,
      zh: `环境中的代理不是地址：${redact(text)}`,
    });
  if (/^https?:$/.test(proxy.protocol)) return proxy;
  throw noConnection(address, {
    en: `a proxy of the kind ${proxy.protocol}// is not supported`,
    zh: `不支持 ${proxy.protocol}// 类型的代理`,
  });
}

const envValue = (env: Env, name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();

const noConnection = ({ host }: URL, { en, zh }: Bilingual): SanbotError =>
  new SanbotError('model_unreachable', { en: `No connection to ${host}: ${en}.`, zh: `无法连接 ${host}：${zh}。` });

const LOOPBACK_4 = String.raw`127(?:\.\d+){3}`;
const LOOPBACK_6 = String.raw`::1|::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|${LOOPBACK_4})`;
const LOOPBACK = new RegExp(String.raw`^(?:(?:.+\.)?localhost|${LOOPBACK_4}|\[?(?:${LOOPBACK_6})\]?)$`, 'i');

/** Whether a host is this machine itself: a name, or an address with or without its brackets. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** A name in the list covers what stands below it, a port behind it that port alone, and a star everything. */
function isSpared({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return list.split(/[\s,]+/).some((entry) => {
    const [, text = entry, ownPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
    const name = text.toLowerCase().replace(/^\*?\.|^\[|\]$/g, '');
    if (name === '' || (ownPort !== undefined && ownPort !== (port || (protocol === 'https:' ? '443' : '80')))) return false;
    return name === '*' || host === name || host.endsWith(`.${name}`);
  });
}

/** What a proxy wants to know of who asks; nothing where its address names nobody. Some take a token alone. */
export const proxyAuthorization = ({ username, password }: URL): Readonly<Record<string, string>> =>
  username === '' ? {} : { 'proxy-authorization': `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}` };

/** Says why no connection could be made, without the proxy's password. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly reason: Bilingual;

  constructor(reason: Bilingual, options?: ErrorOptions) {
    super(reason.en, options);
    this.reason = reason;
  }
}

export function proxyRefuses({ host }: URL, what: 'tunnel' | 'request', status: number): ProxyError {
  const zh = what === 'tunnel' ? '隧道' : '请求';
  return new ProxyError({ en: `the proxy ${host} refused the ${what} (${status})`, zh: `代理 ${host} 拒绝了${zh}（${status}）` });
}

export const proxyUnreached = ({ host }: URL, cause: Error): ProxyError =>
  new ProxyError(
    { en: `the proxy ${host} cannot be reached (${cause.message})`, zh: `无法访问代理 ${host}（${quotedText(cause.message).zh}）` },
    { cause },
  );
