import { localize } from '../../domain/language.ts';
import { anthropicHost } from '../../model/anthropic/endpoint.ts';
import { DEFAULT_MODEL, listingsAt } from '../../model/catalog.ts';
import { isSet } from '../../model/http/endpoint.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { Settings } from '../../runtime/settings.ts';
import { type Choice, chooseOne, type PromptIo, searchOne, typeLine, typeSecret } from '../../terminal/input/prompts.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { type FoundServer, findLocalServers, listModelsAt } from './local-servers.ts';
import { type EndpointChoice, endpointNameFor, type ModelChoice } from './model-choice.ts';
import { badAddress, choiceNames, keyQuestion, setupTexts } from './setup-text.ts';

type Asked = {
  readonly environment: Environment;
  readonly settings: Settings;
  readonly io: PromptIo;
  readonly show: (text: string) => void;
};

/** What follows a choice of the first list: the rest of it, or undefined to see the list again. */
type Next = () => Promise<ModelChoice | 'leave' | undefined>;

/** Asks until something is chosen; undefined to leave everything as it is. Rejects with AbortedError for Ctrl-C. */
export async function askChoice(asked: Asked): Promise<ModelChoice | undefined> {
  asked.show(localize(setupTexts.looking));
  const servers = await findLocalServers(asked.environment);
  for (;;) {
    const next = await chooseOne<Next>(
      localize(setupTexts.whichService),
      { choices: firstChoices(asked, servers), tip: localize(setupTexts.chooseTip) },
      asked.io,
    );
    const choice = await next();
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
  const openaiChoice = openai && {
    name: choiceNames.openaiKeyFound(openai.baseUrl === null ? 'api.openai.com' : new URL(openai.baseUrl).host),
    value: () => modelAt(openai, asked),
  };
  return [
    claude,
    ...(openaiChoice === undefined ? [] : [openaiChoice]),
    ...servers.map((server) => ({
      name: choiceNames.localServer(server.title, server.port, server.models.length),
      value: () => modelAt(server.endpoint, asked, server.models),
    })),
    { name: choiceNames.otherEndpoint(), value: () => typedEndpoint(asked) },
    { name: choiceNames.offline(), value: async () => ({ kind: 'offline' }) as const },
    { name: choiceNames.leave(), value: async () => 'leave' as const },
  ];
}

/** Undefined where the address of the environment is none. */
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

async function typedEndpoint(asked: Asked): Promise<ModelChoice | undefined> {
  const baseUrl = (await typeLine(localize(setupTexts.address), asked.io)).trim();
  if (!isAddress(baseUrl)) {
    asked.show(badAddress(baseUrl));
    return undefined;
  }
  const key = (await typeSecret(localize(setupTexts.optionalKey), asked.io)).trim();
  const endpoint = { name: endpointNameFor(baseUrl), provider: 'openai-chat', baseUrl, apiKey: key || null, apiKeyEnv: null } as const;
  return modelAt(endpoint, asked);
}

async function modelAt(endpoint: EndpointChoice, asked: Asked, known?: readonly string[]): Promise<ModelChoice | undefined> {
  const { environment, io, show } = asked;
  const names = known ?? (await listModelsAt(environment, endpoint, environment.deadline(LIST_TIMEOUT_MS)));
  if (names.length === 0) show(localize(setupTexts.noList));
  const model = names.length === 0 ? await typeName(io) : await pickModel(names, io);
  return model === '' ? undefined : { kind: 'endpoint', endpoint, model };
}

const LIST_TIMEOUT_MS = 5_000;

const typeName = async (io: PromptIo): Promise<string> => (await typeLine(localize(setupTexts.name), io)).trim();

/** More are searched through. */
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
  const chosen = await chooseOne(
    localize(setupTexts.whichModel),
    { choices: [...choices, other], tip: localize(setupTexts.chooseTip) },
    io,
  );
  return chosen === '' ? typeName(io) : chosen;
}
