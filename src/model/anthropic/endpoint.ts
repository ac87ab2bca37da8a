import type { Env } from '../../net/proxy.ts';
import {
  type ChosenEndpoint,
  chooseAddress,
  chooseEndpoint,
  type EndpointSettings,
  type ProviderAddress,
} from '../http/choose-endpoint.ts';

const anthropic: ProviderAddress = {
  api: 'Messages API',
  official: 'https://api.anthropic.com',
  addressVariable: 'ANTHROPIC_BASE_URL',
  keyVariables: [
    { name: 'ANTHROPIC_API_KEY', kind: 'api_key' },
    { name: 'ANTHROPIC_AUTH_TOKEN', kind: 'token' },
  ],
  keyForSettings: true,
  // The SDK adds the path.
  baseOf: ({ href }) => href.replace(/\/(?:v1\/?)?(?:messages\/?)?$/, ''),
};

/** A key over a token, as in the SDK, whose profiles on disk are never read. Throws model_key or model_unreachable. */
export const anthropicEndpoint = (env: Env, settings: EndpointSettings): ChosenEndpoint => chooseEndpoint(env, settings, anthropic);

/** The host of that endpoint, for which no key is needed. Throws model_unreachable. */
export const anthropicHost = (env: Env, settings: EndpointSettings): string => chooseAddress(env, settings, anthropic).url.host;
