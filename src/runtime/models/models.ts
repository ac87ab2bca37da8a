/**
 * The models that the settings reach, put together as one: each is asked at its own endpoint. `providers.ts` opens an endpoint when one of
 * its models is asked, `cost-limit.ts` ends what has cost enough.
 *
 * Settings and the environment come in; a `Model` that keeps the promises of its port comes out, with the routes by which a name leads to an
 * endpoint.
 *
 * Nothing is sent before something is asked, and the library of a provider is loaded then. What wires say and which models there are is
 * known to model/ alone.
 */

import type { Model, ModelFacts } from '../../agent/ports/model.ts';
import type { MediaCounter } from '../../context/measure/block-tokens.ts';
import type { CountTokens } from '../../context/measure/count.ts';
import { createMeasure, type Measure } from '../../context/measure/measure.ts';
import { isInEnvironment } from '../../domain/config/choose-provider.ts';
import { type Effort, splitEffort, withEffort } from '../../domain/config/effort.ts';
import { modelNameText, parseModelName } from '../../domain/config/endpoint-settings.ts';
import { SanbotError, UnknownModel } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { inspectText, nearest } from '../../domain/text.ts';
import { type ImagePricing, usualImagePricing } from '../../domain/value/media-tokens.ts';
import { memoizeByObject } from '../../domain/value/memoize.ts';
import { catalogEntry, DEFAULT_MODEL, factsFor, type Known, listingsAt, OFFLINE_MODEL, type ProviderFacts } from '../../model/catalog.ts';
import { convertHistory } from '../../model/convert-history.ts';
import { createRoutes, type DeclaredNames, type Route, type Routes, resolveModelName } from '../../model/routes.ts';
import { pagesOfBase64 } from '../../tools/files/media/pdf-pages.ts';
import type { ProcessState, TimeAndChance } from '../environment.ts';
import { isOfflineChosen, type Settings } from '../settings.ts';
import { createProviders, hostOf, type ModelsOptions } from './providers.ts';

type Providers = ReturnType<typeof createProviders>;

/** A provider's library is loaded for the first request. Throws config_invalid when the provider has no model of its own and none is named. */
export function createModels(environment: ProcessState & TimeAndChance, options: ModelsOptions) {
  const { config, declaredFor, origins } = options.settings;
  const isOffline = (name: string): boolean => routes.routeOf(name).provider === 'offline';
  const modelName = newSessionModel(options.settings);
  const named = (name: string | undefined): string => splitEffort(name ?? modelName).name;
  const declared: DeclaredNames = { contextWindow: named(declaredFor.contextWindow), price: named(declaredFor.price) };
  const routes = createRoutes(config.model, declared, (provider) => isInEnvironment(provider, environment.env));
  const reportedFacts = new Map<string, ProviderFacts | undefined>();
  const knownOf = (route: Route): Known => ({
    providerFacts: reportedFacts.get(keyOf(route)),
    declaredFor: route.declaredFor,
    pricedFor: route.pricedFor,
    host: hostOf(environment.env, route),
    effort: route.effort,
  });
  const makeFacts = (route: Route): ModelFacts => ({
    ...factsFor(route.model, route.settings, route.provider, knownOf(route)),
    pagesOf: pagesOfBase64,
  });
  let factsOf = memoizeByObject(makeFacts);
  const learn = (route: Route, facts: ProviderFacts | undefined): void => {
    reportedFacts.set(keyOf(route), facts);
    factsOf = memoizeByObject(makeFacts);
  };
  const providers = createProviders(environment, options, { factsOf: (route) => factsOf(route), knownOf });
  const model: Model = {
    ask: async (request, stream) => {
      const route = routes.routeOf(request.model);
      const ask = await providers.open(route);
      const { model: name, effort, endpoint } = route;
      const sent = { ...request, model: name, messages: convertHistory(request.messages, endpoint), ...(effort && { effort }) };
      return ask(sent, stream).catch((error) => naming(error, { route, providers, signal: environment.deadline(LIST_TIMEOUT_MS) }));
    },
    facts: (name) => factsOf(routes.routeOf(name)),
    endpointOf: (name) => recordedEndpoint(routes.routeOf(name)),
    fetchFacts: async (name, signal) => {
      const route = routes.routeOf(name);
      const { providerFacts: _, ...known } = knownOf(route);
      if (reportedFacts.has(keyOf(route)) || !factsFor(route.model, route.settings, route.provider, known).assumed) return;
      learn(route, undefined);
      learn(route, await providers.fetchFacts(route, signal));
    },
  };
  return {
    /** `isOffline`: the built-in model without a language model would answer for a name; `isMissing`: nothing would, since none is set up. */
    ...{ model, routes, isOffline },
    isMissing: (name: string): boolean => isOffline(name) && !isOfflineChosen(options.settings),
    /** The one that a new session has, by its full name. */
    modelName,
    /** A window that an option of the command line declares is meant for the model of this name. */
    declareWindowFor: (name: string): void => {
      if (origins['model.contextWindow'] === '--context-window') declared.contextWindow = named(name);
    },
    known: (signal: AbortSignal) => knownModels(environment, options.settings, { routes, providers, modelName }, signal),
    /** Throws usage with the nearest name where the endpoint of a model lists its models, and not this one. */
    requireListed: async (name: string, signal: AbortSignal) => checkListed(routes.routeOf(name), providers, signal),
    /** What the endpoint of a model lists, by the names that models have there. Never rejects. */
    listModels: (name: string, signal: AbortSignal) => providers.listModels(routes.routeOf(name), signal),
  };
}

/** Nobody waits longer to see a list. */
const LIST_TIMEOUT_MS = 5_000;

/**
 * What can be named here, endpoint by endpoint and by the names that models have here: those that the settings name, then those that the endpoint itself lists, then those
 * that the table knows of its host. All endpoints are asked at once. Rejects never; what does not answer in time lists nothing.
 */
function knownModels(
  environment: ProcessState & TimeAndChance,
  { config: { model: settings } }: Settings,
  { routes, providers, modelName }: { readonly routes: Routes; readonly providers: Providers; readonly modelName: string },
  signal: AbortSignal,
): Promise<readonly { readonly endpoint: string; readonly names: readonly string[] }[]> {
  const bounded = AbortSignal.any([signal, environment.deadline(LIST_TIMEOUT_MS)]);
  const named = parseModelName(modelName, settings.endpoints);
  const own = settings.provider === 'offline' ? [] : [{ endpoint: undefined, model: null }];
  const others = Object.entries(settings.endpoints).map(([endpoint, { model }]) => ({ endpoint, model }));
  return Promise.all(
    [...own, ...others].map(async ({ endpoint, model }) => {
      // Any name leads to the endpoint; which one makes no difference to its list.
      const route = routes.routeOf(modelNameText({ endpoint, model: model ?? named.model }));
      const listed = await providers.listModels(route, bounded);
      const host = hostOf(environment.env, route);
      const table = host === undefined ? [] : listingsAt(host).map(({ name }) => name);
      const set = [...(named.endpoint === endpoint ? [named.model] : []), ...(model === null ? [] : [model])];
      const names = [...new Set([...set, ...listed, ...table])].map((name) => modelNameText({ endpoint, model: name }));
      return { endpoint: endpoint ?? route.provider, names };
    }),
  );
}

async function checkListed(route: Route, providers: Providers, signal: AbortSignal): Promise<void> {
  const listed = await providers.listModels(route, signal);
  if (!isInList(route.model, listed)) throw notListed(route.model, listed);
}

/** A name that an endpoint refused, with the nearest of those that it lists: only then is it asked for them. */
async function naming(
  error: unknown,
  { route, providers, signal }: { readonly route: Route; readonly providers: Providers; readonly signal: AbortSignal },
): Promise<never> {
  if (!(error instanceof UnknownModel)) throw error;
  const others = (await providers.listModels(route, signal)).filter((one) => one !== route.model);
  const near = nearestModel(route.model, others);
  throw near === undefined ? error : new SanbotError(error.code, error.shown.message, didYouMean(near));
}

/** A list has a model also under its date, its tag, or without the variant behind a colon. */
export const isInList = (model: string, listed: readonly string[]): boolean => {
  const [base = model] = model.split(':');
  return listed.length === 0 || catalogEntry(model) !== undefined || listed.some((one) => one === base || isVariant(one, model));
};

const isVariant = (listed: string, model: string): boolean =>
  listed === model ||
  listed === `${model}:latest` ||
  (listed.startsWith(`${model}-`) && /^-(?:\d{8}|\d{4}-\d\d-\d\d)$/.test(listed.slice(model.length)));

export function notListed(model: string, listed: readonly string[]): SanbotError {
  const near = nearestModel(model, listed);
  return new SanbotError(
    'usage',
    { en: `The endpoint does not list a model ${inspectText(model)}`, zh: `该端点没有列出模型 ${inspectText(model)}` },
    near === undefined ? { en: '/model lists those that it has.', zh: '/model 列出可用的模型。' } : didYouMean(near),
  );
}

const nearestModel = (model: string, listed: readonly string[]): string | undefined =>
  nearest(model, listed) ?? listed.find((one) => one.includes(model));

const didYouMean = (near: string): Bilingual => ({ en: `Did you mean ${near}?`, zh: `是否想输入 ${near}？` });

const keyOf = ({ endpoint, model }: Route): string => `${endpoint}/${model}`;

/** Absent from the records of the first version, whose sessions all were at this one, or offline. */
const recordedEndpoint = ({ endpoint }: Route): string | undefined =>
  endpoint === 'anthropic' || endpoint === 'offline' ? undefined : endpoint;

function newSessionModel({ config: { model: settings }, origins }: Settings): string {
  /** What is said of the model wins over what is said of all, and this run over both. */
  const effortOf = (ofName: Effort | undefined): Effort | undefined =>
    (origins['model.effort'] === '--effort' ? undefined : ofName) ?? settings.effort ?? undefined;
  const { name, provider } = settings;
  const parts = name === null ? undefined : resolveModelName(name, settings);
  const named = (full: string): string => withEffort(full, effortOf(parts?.effort));
  if (parts?.endpoint !== undefined) return named(modelNameText(parts));
  if (provider === 'offline') return OFFLINE_MODEL;
  if (parts !== undefined) return named(modelNameText(parts));
  if (provider === 'anthropic') return named(DEFAULT_MODEL);
  throw new SanbotError(
    'config_invalid',
    {
      en: `The provider ${provider} has no model of its own, and none is named`,
      zh: `服务方 ${provider} 没有默认模型，而且没有指定模型`,
    },
    { en: 'Name one: --model, SANBOT_MODEL or model.name.', zh: '请指定一个：--model、SANBOT_MODEL 或 model.name。' },
  );
}

/** What measures a conversation, whoever answers in it. */
export const measureFor = (
  { count, model }: { readonly count: CountTokens; readonly model: Pick<Model, 'facts'> },
  modelName: () => string,
): Measure => createMeasure(count, mediaCounter(model, modelName));

/** Returns how the model that answers now counts images and documents: the same object for the same rule. */
function mediaCounter({ facts }: Pick<Model, 'facts'>, modelName: () => string): () => MediaCounter {
  const counterFor = memoizeByObject(
    (pricing: ImagePricing): MediaCounter => ({ pricing, pagesOf: (base64) => facts(modelName()).pagesOf?.(base64) }),
  );
  return () => {
    const { seesImages, imagePricing } = facts(modelName());
    return seesImages === true ? counterFor(imagePricing ?? usualImagePricing) : unseen;
  };
}

const unseen: MediaCounter = { pricing: undefined, pagesOf: () => undefined };
