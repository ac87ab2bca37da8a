import type { AskModel, ModelFacts } from '../../agent/ports/model.ts';
import type { CountTokens } from '../../context/measure/count.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Warn } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { DEFAULT_MODEL, entryAt, type Known, type ProviderFacts } from '../../model/catalog.ts';
import type { AttemptPolicy } from '../../model/http/attempt.ts';
import { anthropicHost, openaiEndpoint, openaiHost } from '../../model/http/choose-endpoint.ts';
import type { Route } from '../../model/routes.ts';
import { isLoopback } from '../../net/proxy.ts';
import type { ProcessState, TimeAndChance } from '../environment.ts';
import { isOfflineChosen, type Settings } from '../settings.ts';

export type ModelsOptions = {
  readonly settings: Settings;
  readonly countTokens: CountTokens;
  readonly warn: Warn;
};

const RETRY_COUNT = 4;
const IDLE_TIMEOUT_MS = 180_000;
/** A server on this machine may read a long prompt for many minutes before its first word. */
const LOCAL_IDLE_TIMEOUT_MS = 30 * 60_000;
const MAX_RETRY_AFTER_MS = 60_000;
const MAX_TOTAL_RETRY_MS = 240_000;

/** Opens endpoints as their models are asked; the library of a provider is loaded then. */
export function createProviders(
  environment: ProcessState & TimeAndChance,
  { settings, countTokens, warn }: ModelsOptions,
  { factsOf, knownOf }: { readonly factsOf: (route: Route) => ModelFacts; readonly knownOf: (route: Route) => Known },
) {
  const { env, now, sleep, random, deadline } = environment;
  const policy = { env, sleep, random, retryCount: RETRY_COUNT, capRetryAfterMs: MAX_RETRY_AFTER_MS, maxTotalRetryMs: MAX_TOTAL_RETRY_MS };
  const opened = new Map<string, Promise<AskModel>>();
  const anthropicOptions = (route: Route) => ({
    ...policy,
    ...{ idleTimeoutMs: IDLE_TIMEOUT_MS, settings: route.settings, log: warn, modelSource: modelSourceOf(settings, env), deadline },
    known: (model: string) => knownOf({ ...route, model }),
  });
  const openaiOptions = (route: Route, api: string) => ({
    ...policy,
    ...idleTimeout(hostOf(env, route)),
    endpoint: () => openaiEndpoint(env, route.settings, api),
    modelSource: modelSourceOf(settings, env),
    facts: (model: string) => factsOf({ ...route, model }),
    ...{ warn, deadline },
  });
  const open = async (route: Route): Promise<AskModel> => {
    switch (route.provider) {
      case 'anthropic':
        return (await anthropic()).createAnthropic(anthropicOptions(route));
      case 'openai-chat':
        return (await import('../../model/openai-chat/openai-chat.ts')).createOpenAiChat(openaiOptions(route, 'chat completions API'));
      case 'openai-responses': {
        const reasons = (model: string) => entryAt(model, hostOf(env, route))?.reasons;
        const options = { ...openaiOptions(route, 'Responses API'), reasons };
        return (await import('../../model/openai-responses/openai-responses.ts')).createResponses(options);
      }
      case 'offline': {
        if (!isOfflineChosen(settings)) throw noModel();
        const options = { now, windowTokens: factsOf(route).windowTokens, countTokens };
        return (await import('../../model/offline/offline.ts')).createOffline(options);
      }
    }
  };
  return {
    /** The function that asks the models of an endpoint; one for each endpoint, since it learns what the server takes. */
    open: (route: Route): Promise<AskModel> => {
      const ask = opened.get(route.endpoint) ?? open(route);
      opened.set(route.endpoint, ask);
      return ask;
    },
    /** What the endpoint itself says about a model; undefined when it says nothing, or not in time. Never rejects. */
    fetchFacts: async (route: Route, signal: AbortSignal): Promise<ProviderFacts | undefined> => {
      if (route.provider === 'offline') return undefined;
      if (route.provider === 'anthropic') return (await anthropic()).fetchFacts(route.model, anthropicOptions(route), signal);
      return (await serverFacts()).fetchServerFacts(route.model, openaiOptions(route, 'list of models'), signal);
    },
    /** The models that the endpoint itself lists; none when it lists none, or not in time. Never rejects. */
    listModels: async (route: Route, signal: AbortSignal): Promise<readonly string[]> => {
      if (route.provider === 'offline') return [];
      if (route.provider === 'anthropic') return (await anthropic()).listModels(anthropicOptions(route), signal);
      return (await serverFacts()).listServerModels(openaiOptions(route, 'list of models'), signal);
    },
  };
}

const noModel = (): SanbotError =>
  new SanbotError(
    'model_key',
    { en: 'No model is set up', zh: '还没有设置模型' },
    {
      en: 'Run sanbot setup, or set ANTHROPIC_API_KEY; docs/models.md has a line for each service. SANBOT_PROVIDER=offline tries SanBot without a model.',
      zh: '请运行 sanbot setup，或设置 ANTHROPIC_API_KEY；docs/models.md 列出了各服务的写法。SANBOT_PROVIDER=offline 可在没有模型时试用 SanBot。',
    },
  );

const anthropic = () => import('../../model/anthropic/anthropic.ts');
const serverFacts = () => import('../../model/openai/server-facts.ts');

const idleTimeout = (host: string | undefined): Pick<AttemptPolicy, 'idleTimeoutMs'> => ({
  idleTimeoutMs: host !== undefined && isLoopback(host.replace(/:\d+$/, '')) ? LOCAL_IDLE_TIMEOUT_MS : IDLE_TIMEOUT_MS,
});

/** The host that requests go to; undefined where there is none, and while the address is none. */
export function hostOf(env: ProcessState['env'], { provider, settings }: Route): string | undefined {
  if (provider === 'offline') return undefined;
  return orUndefined(() => (provider === 'anthropic' ? anthropicHost(env, settings) : openaiHost(env, settings)));
}

/** Names the setting that a model's name came from, for errors. */
const modelSourceOf =
  ({ config, origins }: ModelsOptions['settings'], env: ProcessState['env']) =>
  (model: string): string => {
    const isNamed = (name: string | null | undefined): boolean => name === model || name?.endsWith(`/${model}`) === true;
    if (isNamed(env.SANBOT_MODEL)) return 'SANBOT_MODEL';
    if (isNamed(config.model.name)) return origins['model.name']?.startsWith('--') === true ? '--model' : 'model.name';
    return model === DEFAULT_MODEL ? "SanBot's default" : '--model, /model or compaction.model';
  };
