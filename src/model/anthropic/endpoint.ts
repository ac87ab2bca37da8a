import type { Config } from '../../domain/config/config.ts';
import { SanbotError } from '../../domain/errors.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Where requests go, and with which key. `from` names the setting that the key came from, for error messages. */
export type Endpoint = {
  readonly baseUrl: string;
  readonly host: string;
  /** True for the provider's own address, which accepts the key in one header; others also look for it in an older one. */
  readonly official: boolean;
  readonly key: Key;
};

export type Key = { readonly kind: 'api_key' | 'token'; readonly value: string; readonly from: string } | { readonly kind: 'none' };

const OFFICIAL = 'https://api.anthropic.com';

/**
 * Chooses the endpoint. The environment wins over the configuration and a key over a token, as in the SDK. The SDK's profiles on disk are
 * never read. A custom endpoint needs no key. Throws model_key or model_unreachable.
 */
export function chooseEndpoint(env: Env, config: Config['model']): Endpoint {
  const [address, source] = isSet(env.ANTHROPIC_BASE_URL)
    ? [env.ANTHROPIC_BASE_URL ?? '', 'ANTHROPIC_BASE_URL']
    : [config.baseUrl ?? OFFICIAL, 'model.baseUrl'];
  const url = parseAddress(address.trim(), source);
  // People paste the address including the path that the SDK adds.
  const baseUrl = url.href.replace(/\/(?:v1\/?)?(?:messages\/?)?$/, '');
  const official = url.host === new URL(OFFICIAL).host;
  const key = chooseKey(env, config);
  if (key.kind === 'none' && official) throw new SanbotError('model_key', `No API key is set for ${url.host}.`);
  return { baseUrl, host: url.host, official, key };
}

const parseAddress = (address: string, source: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SanbotError('model_unreachable', `${source} is not an http(s) address: ${address}`);
  }
  return url;
};

const chooseKey = (env: Env, config: Config['model']): Key => {
  if (isSet(env.ANTHROPIC_API_KEY)) return key('api_key', env.ANTHROPIC_API_KEY, 'ANTHROPIC_API_KEY');
  if (isSet(env.ANTHROPIC_AUTH_TOKEN)) return key('token', env.ANTHROPIC_AUTH_TOKEN, 'ANTHROPIC_AUTH_TOKEN');
  return isSet(config.apiKey ?? undefined) ? key('api_key', config.apiKey ?? undefined, 'model.apiKey') : { kind: 'none' };
};

const key = (kind: 'api_key' | 'token', raw: string | undefined, from: string): Key => {
  const value = (raw ?? '').trim();
  // A header cannot carry it, and the error of the network layer would print it.
  if (!/^[\x21-\x7e]+$/.test(value)) throw new SanbotError('model_key', `${from} contains characters that no key has.`);
  return { kind, value, from };
};

const isSet = (value: string | undefined): boolean => value !== undefined && value.trim() !== '';
