import { isIP } from 'node:net';
import { ReasonError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { checkedReach, isPublicAddress, type Resolve } from '../../net/addresses.ts';
import { TooManyBytes } from '../../net/body.ts';
import type { Target } from '../../net/connections.ts';
import { isLoopback } from '../../net/proxy.ts';
import { type Answer, createSend } from '../../net/send.ts';

/** How the world is reached. */
export type Web = {
  readonly resolve: Resolve;
  /** Where a connection to checked addresses goes: there. Tests put another one in. */
  readonly dial: (target: Target) => Target;
  /** The proxy of the environment; undefined where there is none for this address. */
  readonly proxyFor: (url: URL) => URL | undefined;
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

const MAX_REDIRECTS = 5;
const BOUNDS = { received: 5 * 1024 * 1024, decoded: 10 * 1024 * 1024 };
const HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'SanBot',
  accept: 'text/html, text/plain, application/json, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  connection: 'close',
};

/**
 * Gets what stands at an address, all of whose own addresses must be public; the same again for each redirect, which is followed on the same
 * host only. Sends no cookie and no credential. Refuses with a ReasonError; rejects too when the network fails or the signal aborts.
 */
export async function download(start: URL, web: Web, signal: AbortSignal): Promise<Download> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const proxy = isLoopback(bareHost(url)) || isIP(bareHost(url)) !== 0 ? undefined : web.proxyFor(url);
    const send = createSend(proxy === undefined ? { reach: reachOf(url, web) } : { proxy });
    const ended = new AbortController();
    try {
      const answer = await send(url, { headers: HEADERS, signal: AbortSignal.any([signal, ended.signal]), bounds: BOUNDS });
      const { status, headers } = answer;
      const location = status >= 300 && status < 400 ? headers.get('location') : null;
      if (location === null)
        return { url, status, type: headers.get('content-type') ?? '', isProxied: proxy !== undefined, ...(await readBody(answer)) };
      url = redirected(url, location);
    } finally {
      ended.abort();
    }
  }
  throw new ReasonError({ en: `it redirects more than ${MAX_REDIRECTS} times`, zh: `它重定向超过 ${MAX_REDIRECTS} 次` });
}

function redirected(url: URL, location: string): URL {
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (next === undefined || !/^https?:$/.test(next.protocol))
    throw new ReasonError({ en: 'it redirects to what is no web address', zh: '它重定向到的不是网址' });
  if (next.hostname !== url.hostname || (next.port !== url.port && next.protocol === url.protocol))
    throw new ReasonError({
      en: `it redirects to another host: ${next.href}; fetch that, where you want it`,
      zh: `它重定向到另一个主机：${next.href}；需要时请读取该网址`,
    });
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new ReasonError({ en: 'it redirects from https to http', zh: '它从 https 重定向到 http' });
  return next;
}

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
export function judgeHost(url: URL): Bilingual | 'local' | undefined {
  const host = bareHost(url);
  if (isLoopback(host)) return 'local';
  return isIP(host) === 0 || isPublicAddress(host) ? undefined : notPublic(host, [host]);
}

function reachOf(url: URL, { resolve, dial, allowsLocal }: Web): (host: string, port: number) => Promise<Target> {
  const reach = checkedReach(resolve, (host, addresses) => {
    if (addresses.length === 0) return { en: 'its name has no address', zh: '它的名称没有对应的地址' };
    if (addresses.every(isPublicAddress)) return undefined;
    if (!addresses.every(isLoopback)) return notPublic(host, addresses);
    if (allowsLocal(ruleHost(url))) return undefined;
    return {
      en: `${ruleHost(url)} is this machine, and no allow rule names it`,
      zh: `${ruleHost(url)} 是本机，没有指名它的允许规则`,
    };
  });
  return async (host, port) => dial(await reach(host, port));
}

/** As much of a body as its bounds allow. */
async function readBody({ body }: Answer): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), isCut: false };
  } catch (error) {
    if (error instanceof TooManyBytes) return { bytes: Buffer.concat(chunks), isCut: true };
    throw error;
  }
}
