import { inOneLine } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { DEFAULT_MODEL, listingsAt } from '../../model/catalog.ts';
import { anthropicHost, isSet, openaiEndpoint } from '../../model/http/choose-endpoint.ts';

import { type ListOptions, listServerModels, listStatus } from '../../model/openai/server-facts.ts';
import { isLoopback } from '../../net/proxy.ts';
import type { Environment } from '../../runtime/environment.ts';
import { isInList, notListed } from '../../runtime/models/models.ts';
import type { Settings } from '../../runtime/settings.ts';
import { type Choice, chooseOne, LeftByEscape, type PromptIo, searchOne, typeLine, typeSecret } from '../../terminal/input/prompts.ts';
import { numbered } from '../../terminal/input/questions.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { type EndpointChoice, endpointNameFor, type ModelChoice } from './model-choice.ts';
import { badAddress, choiceNames, keyQuestion, noAnswerAt, setupTexts } from './setup-text.ts';

type Asked = {
  readonly environment: Environment;
  readonly settings: Settings;
  readonly io: PromptIo;
  readonly show: (text: string) => void;
};

type Next = () => Promise<ModelChoice | 'leave' | undefined>;

/** Asks until something is chosen; undefined to leave everything as it is. Rejects with AbortedError for Ctrl-C. */
export async function askChoice(asked: Asked): Promise<ModelChoice | undefined> {
  asked.show(localize(setupTexts.looking));
  const servers = await findLocalServers(asked.environment);
  for (;;) {
    const next = await chooseOne<Next>(localize(setupTexts.whichService), list(firstChoices(asked, servers)), asked.io);
    const choice = await next().catch((error: unknown) => {
      if (error instanceof LeftByEscape) return undefined;
      throw error;
    });
    if (choice !== undefined) return choice === 'leave' ? undefined : choice;
  }
}

function firstChoices(asked: Asked, servers: readonly FoundServer[]): readonly Choice<Next>[] {
  const { env } = asked.environment;
  const variable = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'].find((name) => isSet(env[name]));
  const openai = isSet(env.OPENAI_API_KEY) ? openaiInEnvironment(env.OPENAI_BASE_URL) : undefined;
  const claude =
    variable === undefined
      ? { name: choiceNames.claudeKeyTyped(), value: () => typedClaude(asked) }
      : { name: choiceNames.claudeKeyFound(variable), value: () => claudeWith(undefined, asked) };
  const service = (name: string, endpoint: EndpointChoice) => ({ name, value: () => keyedEndpoint(endpoint, asked) });
  const openaiChoice =
    openai === undefined
      ? service(choiceNames.openaiKeyTyped(), openaiService)
      : {
          name: choiceNames.openaiKeyFound(openai.baseUrl === null ? 'api.openai.com' : new URL(openai.baseUrl).host),
          value: () => modelAt(openai, asked),
        };
  return [
    claude,
    openaiChoice,
    service(choiceNames.openRouter(), openRouter),
    ...servers.map((server) => ({
      name: choiceNames.localServer(server.title, server.port, server.models.length),
      value: () => modelAt(server.endpoint, asked, server.models),
    })),
    { name: choiceNames.otherEndpoint(), value: () => typedEndpoint(asked) },
    { name: choiceNames.offline(), value: async () => ({ kind: 'offline' }) as const },
    { name: choiceNames.leave(), value: async () => 'leave' as const },
  ];
}

function openaiInEnvironment(address: string | undefined): EndpointChoice | undefined {
  const key = { apiKey: null, apiKeyEnv: 'OPENAI_API_KEY' };
  if (!isSet(address)) return { name: 'openai', provider: 'openai-responses', baseUrl: null, ...key };
  const baseUrl = address.trim();
  return isAddress(baseUrl) ? { name: endpointNameFor(baseUrl), provider: 'openai-chat', baseUrl, ...key } : undefined;
}

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

async function typedClaude(asked: Asked): Promise<ModelChoice | undefined> {
  const { config } = asked.settings;
  const host = anthropicHost(asked.environment.env, { ...config.model, at: 'model' });
  const key = (await typeSecret(keyQuestion(host), asked.io)).trim();
  return key === '' ? undefined : claudeWith(key, asked);
}

async function claudeWith(key: string | undefined, { io }: Asked): Promise<ModelChoice> {
  const names = listingsAt('api.anthropic.com').map(({ name }) => name);
  return { kind: 'claude', key, model: await pickModel([...new Set([DEFAULT_MODEL, ...names])], io) };
}

const openaiService: EndpointChoice = {
  name: 'openai',
  provider: 'openai-responses',
  baseUrl: 'https://api.openai.com/v1',
  apiKey: null,
  apiKeyEnv: null,
};
const openRouter: EndpointChoice = {
  name: 'openrouter',
  provider: 'openai-chat',
  baseUrl: 'https://openrouter.ai/api/v1',
  apiKey: null,
  apiKeyEnv: null,
};

/** The address is tried before a key is asked for, and asked for again where nothing answers. */
async function typedEndpoint(asked: Asked): Promise<ModelChoice | undefined> {
  for (;;) {
    const baseUrl = (await typeLine(localize(setupTexts.address), asked.io)).trim();
    const endpoint = { name: endpointNameFor(baseUrl), provider: 'openai-chat', baseUrl, apiKey: null, apiKeyEnv: null } as const;
    if (!isAddress(baseUrl)) asked.show(badAddress(baseUrl));
    else if ((await statusAt(asked.environment, endpoint)) === undefined) asked.show(noAnswerAt(baseUrl));
    else return keyedEndpoint(endpoint, asked);
  }
}

/** So is a key: one that is refused is asked for again. None where the server wants none. */
async function keyedEndpoint(endpoint: EndpointChoice, asked: Asked): Promise<ModelChoice | undefined> {
  for (;;) {
    const question =
      endpoint === openaiService || endpoint === openRouter
        ? keyQuestion(new URL(endpoint.baseUrl ?? '').host)
        : localize(setupTexts.optionalKey);
    const withKey = { ...endpoint, apiKey: (await typeSecret(question, asked.io)).trim() || null };
    const status = await statusAt(asked.environment, withKey);
    if (status !== 401 && status !== 403) return modelAt(withKey, asked);
    asked.show(localize(setupTexts.keyRefused));
  }
}

async function modelAt(endpoint: EndpointChoice, asked: Asked, known?: readonly string[]): Promise<ModelChoice | undefined> {
  const { environment, io, show } = asked;
  const names = known ?? (await listModelsAt(environment, endpoint, environment.deadline(LIST_TIMEOUT_MS)));
  if (names.length === 0) show(localize(setupTexts.noList));
  const model = names.length === 0 ? await typeName(io) : await pickModel(names, io);
  if (!isInList(model, names)) {
    show(`${safeLine(localize(inOneLine(notListed(model, names))))}\n`);
    return modelAt(endpoint, asked, names);
  }
  return model === '' ? undefined : { kind: 'endpoint', endpoint, model };
}

const LIST_TIMEOUT_MS = 5_000;

const typeName = async (io: PromptIo): Promise<string> => (await typeLine(localize(setupTexts.name), io)).trim();

const MAX_CHOICES = 9;

async function pickModel(names: readonly string[], io: PromptIo): Promise<string> {
  const choices = names.map((name) => ({ name: safeLine(name), value: name }));
  if (names.length > MAX_CHOICES)
    return searchOne(
      localize(setupTexts.whichModel),
      (typed) => [
        ...choices.filter(({ value }) => value.includes(typed)),
        ...(typed === '' || names.includes(typed) ? [] : [{ name: safeLine(typed), value: typed }]),
      ],
      io,
    );
  const other = { name: choiceNames.otherModel(), value: '' };
  const chosen = await chooseOne(localize(setupTexts.whichModel), list([...choices, other]), io);
  return chosen === '' ? typeName(io) : chosen;
}

const list = <T>(choices: readonly Choice<T>[]) => ({ choices: numbered(choices), tip: localize(setupTexts.chooseTip) });

type LocalServer = { readonly name: string; readonly title: string; readonly port: number };
type FoundServer = LocalServer & { readonly endpoint: EndpointChoice; readonly models: readonly string[] };

const localServers: readonly LocalServer[] = [
  { name: 'ollama', title: 'Ollama', port: 11434 },
  { name: 'lmstudio', title: 'LM Studio', port: 1234 },
  { name: 'llamacpp', title: 'llama.cpp', port: 8080 },
  { name: 'vllm', title: 'vLLM', port: 8000 },
];

export function localServersOf(env: Environment['env']): readonly LocalServer[] {
  const [, host = '', port] = /^(?:https?:\/\/)?([^:/]*|\[[^\]]*\])(?::(\d{1,5}))?\/?$/.exec(env.OLLAMA_HOST?.trim() ?? '') ?? [];
  const isHere = host === '' || host === '0.0.0.0' || isLoopback(host);
  return localServers.map((server) =>
    server.name === 'ollama' && isHere && port !== undefined ? { ...server, port: Number(port) } : server,
  );
}

const TIMEOUT_MS = 1_000;

/** The servers on this machine that list models, all asked at once, without a key. Never rejects. */
async function findLocalServers(environment: Environment): Promise<readonly FoundServer[]> {
  const signal = environment.deadline(TIMEOUT_MS);
  const found = await Promise.all(
    localServersOf(environment.env).map(async (server) => {
      const baseUrl = `http://127.0.0.1:${server.port}/v1`;
      const endpoint = { name: server.name, provider: 'openai-chat', baseUrl, apiKey: null, apiKeyEnv: null } as const;
      return { ...server, endpoint, models: await listModelsAt(environment, endpoint, signal) };
    }),
  );
  return found.filter(({ models }) => models.length > 0);
}

/** The models that an endpoint lists; none when it lists none, or cannot be reached. Never rejects. */
const listModelsAt = (environment: Environment, endpoint: EndpointChoice, signal: AbortSignal): Promise<readonly string[]> => {
  return listServerModels(listOptions(environment, endpoint), signal);
};

/** With what status the endpoint answers when its models are asked for; undefined when nothing answers. Never rejects. */
const statusAt = (environment: Environment, endpoint: EndpointChoice): Promise<number | undefined> =>
  listStatus(listOptions(environment, endpoint), environment.deadline(LIST_TIMEOUT_MS));

function listOptions({ env, deadline }: Environment, endpoint: EndpointChoice): ListOptions {
  const settings = { ...endpoint, headers: {}, at: `model.endpoints.${endpoint.name}` };
  return { endpoint: () => openaiEndpoint(env, settings, 'list of models'), env, deadline };
}
