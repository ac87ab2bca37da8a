import type { Config } from '../../domain/config/config.ts';
import { SanbotError } from '../../domain/errors.ts';
import { redact } from '../../domain/value/redact.ts';
import type { Env } from '../../net/proxy.ts';

/** Where requests go, and with which key. */
export type Endpoint = {
  readonly baseUrl: string;
  readonly host: string;
  readonly key: Key;
  /** Headers that the user has set for it, by their names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What should answer there, and the settings that hold the address: for error messages. */
  readonly api: string;
  readonly addressSettings: string;
};

/** `from` names the setting that the key came from. */
export type Key = { readonly kind: 'api_key' | 'token'; readonly value: string; readonly from: string } | { readonly kind: 'none' };

/** The settings of one endpoint, and where they stand: "model" for the unnamed one, else "model.endpoints.NAME". */
export type EndpointSettings = Pick<Config['model'], 'baseUrl' | 'apiKey' | 'apiKeyEnv' | 'headers'> & { readonly at: string };

/** What a provider's endpoints have in common. */
type ProviderAddress = {
  readonly api: string;
  /** Its own address, where requests go when no other is set. */
  readonly official: string;
  readonly addressVariable: string;
  readonly keyVariables: readonly { readonly name: string; readonly kind: 'api_key' | 'token' }[];
  /** Whether the key of the environment also goes to an address that the unnamed endpoint's settings hold. */
  readonly keyForSettings: boolean;
  /** The base address of what people paste, which may have the path that is added. */
  readonly baseOf: (address: URL) => string;
};

/** `official` is true for the provider's own address. */
export type ChosenEndpoint = Endpoint & { readonly official: boolean };

/**
 * Chooses the address and the key of an endpoint. The environment's address and key are the unnamed endpoint's and win over the settings; a
 * named one has the environment's key only at the provider's own address. An address that is not the provider's needs no key. Throws
 * model_key or model_unreachable.
 */
function chooseEndpoint(env: Env, settings: EndpointSettings, provider: ProviderAddress): ChosenEndpoint {
  const { at, headers } = settings;
  const { url, isOwnAddress } = chooseAddress(env, settings, provider);
  const official = url.host === new URL(provider.official).host;
  const mayUseVariable = !isOwnAddress || (at === 'model' && provider.keyForSettings);
  const key = chooseKey(env, settings, mayUseVariable ? provider.keyVariables : []);
  if (key.kind === 'none' && official && headers.authorization === undefined) throw noKey(url, settings, provider);
  const addressSettings = at === 'model' ? `${provider.addressVariable} or model.baseUrl` : `${at}.baseUrl`;
  return { baseUrl: provider.baseOf(url), host: url.host, official, key, headers, api: provider.api, addressSettings };
}

/** The address alone, for which no key is needed; `isOwnAddress` when the settings hold it. Throws model_unreachable. */
function chooseAddress(env: Env, { at, baseUrl }: EndpointSettings, { addressVariable, official }: ProviderAddress) {
  const fromVariable = at === 'model' ? env[addressVariable] : undefined;
  return isSet(fromVariable)
    ? { url: parseAddress(fromVariable, addressVariable), isOwnAddress: false }
    : { url: parseAddress(baseUrl ?? official, `${at}.baseUrl`), isOwnAddress: baseUrl !== null };
}

function chooseKey(env: Env, { at, apiKey, apiKeyEnv }: EndpointSettings, variables: ProviderAddress['keyVariables']): Key {
  if (apiKeyEnv !== null) {
    const value = env[apiKeyEnv];
    if (isSet(value)) return readKey('api_key', value, apiKeyEnv);
    const message = {
      en: `${apiKeyEnv} is not set, and ${at}.apiKeyEnv says that it holds the key.`,
      zh: `${apiKeyEnv} 没有设置，而 ${at}.apiKeyEnv 指定密钥在其中。`,
    };
    const hint = {
      en: `Set ${apiKeyEnv}, or name another variable in ${at}.apiKeyEnv.`,
      zh: `请设置 ${apiKeyEnv}，或在 ${at}.apiKeyEnv 中指定另一个变量。`,
    };
    throw new SanbotError('model_key', message, hint);
  }
  const own = isSet(apiKey) ? readKey('api_key', apiKey, `${at}.apiKey`) : undefined;
  if (at !== 'model' && own !== undefined) return own;
  const variable = variables.find(({ name }) => isSet(env[name]));
  return variable === undefined ? (own ?? { kind: 'none' }) : readKey(variable.kind, env[variable.name] ?? '', variable.name);
}

/** Reads an address; `from` names the setting that holds it. Throws model_unreachable when it is none. */
function parseAddress(address: string, from: string): URL {
  const text = address.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SanbotError('model_unreachable', {
      en: `${from} is not an http(s) address: ${redact(text)}`,
      zh: `${from} 不是 http(s) 地址：${redact(text)}`,
    });
  }
  return url;
}

/** Reads a key. Throws model_key, and does not print it, when no header can carry it. */
export function readKey(kind: 'api_key' | 'token', raw: string, from: string): Key {
  const value = raw.trim();
  // The error of the network layer would print it.
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new SanbotError('model_key', { en: `${from} contains characters that no key has.`, zh: `${from} 含有密钥中不会有的字符。` });
  return { kind, value, from };
}

export const isSet = (value: string | null | undefined): value is string => typeof value === 'string' && value.trim() !== '';

function noKey({ host }: URL, { at }: EndpointSettings, { keyVariables }: ProviderAddress): SanbotError {
  const name = keyVariables[0]?.name ?? `${at}.apiKey`;
  const hint = {
    en: `Set ${name} or ${at}.apiKey, or choose a model with sanbot setup; SANBOT_PROVIDER=offline needs none.`,
    zh: `请设置 ${name} 或 ${at}.apiKey，或用 sanbot setup 选择模型；SANBOT_PROVIDER=offline 不需要密钥。`,
  };
  return new SanbotError('model_key', { en: `No API key is set for ${host}.`, zh: `没有为 ${host} 设置 API 密钥。` }, hint);
}

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

const openai = (api: string): ProviderAddress => ({
  api,
  official: 'https://api.openai.com/v1',
  addressVariable: 'OPENAI_BASE_URL',
  keyVariables: [{ name: 'OPENAI_API_KEY', kind: 'api_key' }],
  // The variable often stands there for other programs: to an address that somebody has set, it goes only when they say so.
  keyForSettings: false,
  baseOf: withoutPath,
});

/** The endpoint of one of OpenAI's two wires, or of a server that speaks it. Throws model_key or model_unreachable. */
export const openaiEndpoint = (env: Env, settings: EndpointSettings, api: string): ChosenEndpoint =>
  chooseEndpoint(env, settings, openai(api));

/** The host of that endpoint, for which no key is needed. Throws model_unreachable. */
export const openaiHost = (env: Env, settings: EndpointSettings): string => chooseAddress(env, settings, openai('')).url.host;

/** Without the path that is added. An address without any path means the one that all these servers have. */
function withoutPath(address: URL): string {
  const base = new URL(address);
  base.pathname = base.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|responses|models|embeddings)$/, '') || '/v1';
  return base.href;
}
