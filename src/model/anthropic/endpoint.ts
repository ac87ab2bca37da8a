import type { Config } from '../../domain/config/config.ts';
import { SanbotError } from '../../domain/errors.ts';
import { type Endpoint, type Env, isSet, type Key, parseAddress, readKey } from '../http/endpoint.ts';

/** `official` is true for the provider's own address, which accepts the key in one header; others also look for it in an older one. */
export type AnthropicEndpoint = Endpoint & { readonly official: boolean };

const OFFICIAL = 'https://api.anthropic.com';

/**
 * Chooses the endpoint. The environment wins over the configuration and a key over a token, as in the SDK. The SDK's profiles on disk are
 * never read. A custom endpoint needs no key. Throws model_key or model_unreachable.
 */
export function chooseEndpoint(env: Env, config: Config['model']): AnthropicEndpoint {
  const [address, source] = isSet(env.ANTHROPIC_BASE_URL)
    ? [env.ANTHROPIC_BASE_URL, 'ANTHROPIC_BASE_URL']
    : [config.baseUrl ?? OFFICIAL, 'model.baseUrl'];
  const url = parseAddress(address, source);
  // People paste the address including the path that the SDK adds.
  const baseUrl = url.href.replace(/\/(?:v1\/?)?(?:messages\/?)?$/, '');
  const official = url.host === new URL(OFFICIAL).host;
  const key = chooseKey(env, config);
  if (key.kind === 'none' && official) throw new SanbotError('model_key', `No API key is set for ${url.host}.`);
  return { baseUrl, host: url.host, official, key, api: 'Messages API', addressSettings: 'ANTHROPIC_BASE_URL or model.baseUrl' };
}

const chooseKey = (env: Env, config: Config['model']): Key => {
  if (isSet(env.ANTHROPIC_API_KEY)) return readKey('api_key', env.ANTHROPIC_API_KEY, 'ANTHROPIC_API_KEY');
  if (isSet(env.ANTHROPIC_AUTH_TOKEN)) return readKey('token', env.ANTHROPIC_AUTH_TOKEN, 'ANTHROPIC_AUTH_TOKEN');
  return isSet(config.apiKey) ? readKey('api_key', config.apiKey, 'model.apiKey') : { kind: 'none' };
};
