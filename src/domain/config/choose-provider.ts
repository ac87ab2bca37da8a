import type { Bilingual } from '../language.ts';
import type { LayerSettings, Setting } from './config-settings.ts';
import { endpointsSchema, type Provider, parseModelName, providers } from './endpoint-settings.ts';

/** The variables that hold a key, and the one that holds an address, by the providers that they are for. */
const variablesOf: Readonly<Record<Provider, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'],
  'openai-chat': ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  'openai-responses': ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  offline: [],
};

export const keyVariablesFor = (provider: Provider): readonly string[] => variablesOf[provider].filter((name) => !name.endsWith('_URL'));

export const isInEnvironment = (provider: Provider, env: Readonly<Record<string, string | undefined>>): boolean =>
  variablesOf[provider].some((name) => (env[name] ?? '') !== '');

type ChosenProvider = { readonly value: Provider; readonly origin: string };

/**
 * The provider that is set, else `anthropic` when any source has a key or an address for it, else the offline one. What OpenAI's variables
 * hold may be for other programs: it sends nothing until the command line names a model. `settings` come in rising precedence.
 */
export function chooseProvider(settings: readonly Setting[], keyVariables: readonly string[]): ChosenProvider {
  const last = (key: string): Setting | undefined => settings.findLast((setting) => setting.key === key);
  const named = last('model.provider');
  const value = providers.find((one) => one === named?.value);
  if (named !== undefined && value !== undefined) return { value, origin: named.origin };
  const key = keyVariables.find((name) => variablesOf.anthropic.includes(name));
  if (key !== undefined) return { value: 'anthropic', origin: `env ${key}` };
  const own = settings.filter(({ origin, value: set }) => origin !== OPENAI_ADDRESS && set !== null);
  const reason = own.findLast((one) => one.key === 'model.apiKey') ?? own.findLast((one) => one.key === 'model.baseUrl');
  if (reason !== undefined) return { value: 'anthropic', origin: reason.origin };
  const address = settings.some(({ origin }) => origin === OPENAI_ADDRESS);
  const openaiKey = keyVariables.find((name) => variablesOf['openai-chat'].includes(name));
  if ((!address && openaiKey === undefined) || !namesModel(settings)) return { value: 'offline', origin: 'default' };
  // OpenAI has its newer API, the many servers that speak like it the older one.
  return address ? { value: 'openai-chat', origin: OPENAI_ADDRESS } : { value: 'openai-responses', origin: `env ${openaiKey}` };
}

const OPENAI_ADDRESS = 'env OPENAI_BASE_URL';

const namesModel = (settings: readonly Setting[]): boolean => {
  const name = settings.findLast(({ key, origin }) => key === 'model.name' && origin === '--model')?.value;
  if (typeof name !== 'string') return false;
  const endpoints = endpointsSchema.safeParse(settings.findLast(({ key }) => key === 'model.endpoints')?.value);
  return parseModelName(name, endpoints.data ?? {}).endpoint === undefined;
};

/**
 * The settings without the environment's address for another provider. The environment's key removes a file's and is not copied; OpenAI's
 * is not meant for an address that a file sets.
 */
export function withEnvironmentOf(
  provider: Provider,
  settings: readonly Setting[],
  layers: readonly Pick<LayerSettings, 'keyVariables'>[],
): readonly Setting[] {
  const variables = variablesOf[provider];
  const kept = settings.filter(
    ({ key, origin }) => key !== 'model.baseUrl' || !origin.startsWith('env ') || variables.includes(origin.slice(4)),
  );
  const key = layers.flatMap(({ keyVariables }) => keyVariables).find((name) => variables.includes(name));
  const address = kept.findLast((setting) => setting.key === 'model.baseUrl' && setting.value !== null);
  const isForFile = provider !== 'anthropic' && address !== undefined && !address.origin.startsWith('env ');
  return key === undefined || isForFile ? kept : [...kept, { key: 'model.apiKey', value: null, origin: `env ${key}` }];
}

const MODEL_KEYS: ReadonlySet<string> = new Set(['model.name', 'compaction.model']);

/** A project may choose among the models of the endpoint that the user works with; where a conversation goes is not its to say. */
export function keepEndpoint(
  settings: readonly Setting[],
  isProjects: (setting: Setting) => boolean,
): { readonly settings: readonly Setting[]; readonly notices: readonly Bilingual[] } {
  const own = settings.filter((setting) => !isProjects(setting));
  const named = own.findLast(({ key }) => key === 'model.endpoints');
  const endpoints = (named && endpointsSchema.safeParse(named.value).data) ?? {};
  const endpointOf = ({ value }: Setting): string | undefined =>
    typeof value === 'string' ? parseModelName(value, endpoints).endpoint : undefined;
  const chosen = own.findLast(({ key }) => key === 'model.name');
  const endpoint = chosen === undefined ? undefined : endpointOf(chosen);
  const isElsewhere = (setting: Setting): boolean => isProjects(setting) && MODEL_KEYS.has(setting.key) && endpointOf(setting) !== endpoint;
  return {
    settings: settings.filter((setting) => !isElsewhere(setting)),
    notices: settings.filter(isElsewhere).map(
      ({ origin, key }): Bilingual => ({
        en: `${origin}: ${key} is ignored: its model is at another endpoint than yours, and a project may not choose the endpoint.`,
        zh: `${origin}：忽略 ${key}：其模型所在的端点与你的不同，而项目不得选择端点。`,
      }),
    ),
  };
}
