import { resolveConfig } from '../../domain/config/config-layers.ts';
import { setValue } from '../../domain/config/config-text.ts';
import type { NamedEndpoint, NamedEndpoints } from '../../domain/config/endpoint-settings.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

export type EndpointChoice = Pick<NamedEndpoint, 'baseUrl' | 'apiKey' | 'apiKeyEnv'> & {
  readonly name: string;
  readonly provider: 'openai-chat' | 'openai-responses';
};

export type ModelChoice =
  | { readonly kind: 'offline' }
  | { readonly kind: 'claude'; readonly model: string; readonly key: string | undefined }
  | { readonly kind: 'endpoint'; readonly endpoint: EndpointChoice; readonly model: string };

export function withChoice(text: string, choice: ModelChoice): string {
  const settings = settingsOf(text, choice);
  return Object.entries(settings).reduce((edited, [key, value]) => setValue(edited, key, value), text);
}

function settingsOf(text: string, choice: ModelChoice): Readonly<Record<string, unknown>> {
  switch (choice.kind) {
    case 'offline':
      return { 'model.provider': 'offline', 'model.name': undefined };
    case 'claude': {
      const key = choice.key === undefined ? {} : { 'model.apiKey': choice.key, 'model.apiKeyEnv': undefined };
      return { 'model.provider': 'anthropic', 'model.name': choice.model, ...key };
    }
    case 'endpoint': {
      const { name: wanted, provider, baseUrl, apiKey, apiKeyEnv } = choice.endpoint;
      const name = freeName(endpointsIn(text), wanted, choice);
      const at = `model.endpoints.${name}`;
      const written = { provider, baseUrl, apiKey, apiKeyEnv, model: choice.model };
      const keys = Object.entries(written).map(([key, value]) => [`${at}.${key}`, value ?? undefined]);
      return { ...Object.fromEntries(keys), 'model.name': name };
    }
  }
}

const endpointsIn = (text: string): NamedEndpoints => {
  const resolved = resolveConfig([{ kind: 'file', path: 'config.json', trust: 'user', text }]);
  return resolved.kind === 'ok' ? resolved.config.model.endpoints : {};
};

/** The name itself, unless it stands for another place or model: what is said of that one must not be said of this. */
function freeName(endpoints: NamedEndpoints, wanted: string, { endpoint, model }: Extract<ModelChoice, { kind: 'endpoint' }>): string {
  const isFree = (name: string): boolean => {
    const taken = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
    return taken === undefined || (taken.baseUrl === endpoint.baseUrl && taken.model === model);
  };
  let name = wanted;
  for (let n = 2; !isFree(name); n += 1) name = `${wanted}-${n}`;
  return name;
}

/** A name for the endpoint at an address, without the dots that part the keys of settings. */
export function endpointNameFor(baseUrl: string): string {
  const host = orUndefined(() => new URL(baseUrl).host) ?? '';
  const words = host.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return /^(?:localhost|127-0-0-1)\b/.test(words) || words === '' ? 'local' : words.slice(0, 40);
}
