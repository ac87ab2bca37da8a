import type { Env } from '../../net/proxy.ts';
import {
  type ChosenEndpoint,
  chooseAddress,
  chooseEndpoint,
  type EndpointSettings,
  type ProviderAddress,
} from '../http/choose-endpoint.ts';

const openai = (api: string): ProviderAddress => ({
  api,
  official: 'https://api.openai.com/v1',
  addressVariable: 'OPENAI_BASE_URL',
  keyVariables: [{ name: 'OPENAI_API_KEY', kind: 'api_key' }],
  // The variable often stands there for other programs: to an address that somebody has set, it goes only when they say so.
  keyForSettings: false,
  baseOf,
});

/** The endpoint of one of OpenAI's two wires, or of a server that speaks it. Throws model_key or model_unreachable. */
export const openaiEndpoint = (env: Env, settings: EndpointSettings, api: string): ChosenEndpoint =>
  chooseEndpoint(env, settings, openai(api));

/** The host of that endpoint, for which no key is needed. Throws model_unreachable. */
export const openaiHost = (env: Env, settings: EndpointSettings): string => chooseAddress(env, settings, openai('')).url.host;

/** Without the path that is added. An address without any path means the one that all these servers have. */
function baseOf(address: URL): string {
  const base = new URL(address);
  base.pathname = base.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|responses|models|embeddings)$/, '') || '/v1';
  return base.href;
}
