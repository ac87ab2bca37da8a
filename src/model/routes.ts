import type { ResolvedConfig } from '../domain/config/config-layers.ts';
import { type Effort, splitEffort } from '../domain/config/effort.ts';
import { type ModelName, modelNameText, type Provider, parseModelName, providers } from '../domain/config/endpoint-settings.ts';
import { type DeclaredFacts, newestOfFamily, OFFLINE_MODEL } from './catalog.ts';
import type { EndpointSettings } from './http/choose-endpoint.ts';

/** Where a model is asked, and by which name it is known there. */
export type Route = {
  /** The endpoint as records name it: that of the settings, or for the unnamed one its provider. */
  readonly endpoint: string;
  readonly provider: Provider;
  readonly model: string;
  readonly effort?: Effort | undefined;
  readonly settings: EndpointSettings & DeclaredFacts;
  /** The models there that the declared window and price are said of; all of them, when undefined. */
  readonly declaredFor: string | undefined;
  readonly pricedFor: string | undefined;
};

export type Routes = {
  /** The full name that a session keeps: the endpoint's name in front, where it has one. */
  readonly fullName: (name: string) => string;
  readonly routeOf: (name: string) => Route;
  /**
   * From now on the model of this name is asked at the endpoint that a record names, whatever the settings would now take its name for.
   * False when that endpoint is not there any more.
   */
  readonly keep: (name: string, endpoint: string) => boolean;
};

/** The models that the window and the price of the unnamed endpoint are said of, by their full names. */
export type DeclaredNames = { contextWindow: string | undefined; price: string | undefined };

/** What a name stands for: an endpoint and its model; at the providers' own services a family's word is its newest model. */
export function resolveModelName(
  name: string,
  { endpoints, provider }: Pick<ResolvedConfig['model'], 'endpoints' | 'provider'>,
): ModelName {
  const parts = parseModelName(name, endpoints);
  const host = provider === 'anthropic' ? 'api.anthropic.com' : provider === 'openai-responses' ? 'api.openai.com' : undefined;
  const newest = host === undefined || parts.endpoint !== undefined ? undefined : newestOfFamily(parts.model, host);
  return newest === undefined ? parts : { ...parts, model: newest };
}

/** Decides by the settings where each model is asked. `declared` is read at each question. */
export function createRoutes(
  config: ResolvedConfig['model'],
  declared: DeclaredNames,
  isInEnvironment: (provider: Provider) => boolean,
): Routes {
  const kept = new Map<string, Route>();
  const made = new Map<string, Route>();
  const unnamed = (name: string, provider: Provider): Route => ({
    endpoint: provider,
    provider,
    model: name,
    settings: provider === config.provider ? { ...config, at: UNNAMED } : { ...nothingSet, at: UNNAMED },
    declaredFor: declared.contextWindow,
    pricedFor: declared.price,
  });
  const isAsDeclared = ({ settings, declaredFor, pricedFor }: Route): boolean =>
    settings.at !== UNNAMED || (declaredFor === declared.contextWindow && pricedFor === declared.price);
  /** The same route for the same answer: facts are asked for all the time, and are made once of each. */
  const routeOf = (name: string): Route => {
    const last = made.get(name);
    if (last !== undefined && (kept.has(splitEffort(name).name) || isAsDeclared(last))) return last;
    const route = routeFor(name);
    made.set(name, route);
    return route;
  };
  const routeFor = (text: string): Route => {
    const { name, effort: wanted } = splitEffort(text);
    const keptRoute = kept.get(name);
    if (keptRoute !== undefined) return { ...keptRoute, effort: wanted };
    if (name === OFFLINE_MODEL) return unnamed(name, 'offline');
    const { endpoint, model, effort } = parseModelName(text, config.endpoints);
    const settings = endpoint === undefined ? undefined : config.endpoints[endpoint];
    if (endpoint === undefined || settings === undefined) return { ...unnamed(name, config.provider), effort };
    const declaredFor = settings.model === null ? undefined : splitEffort(settings.model).name;
    return {
      ...{ endpoint, provider: settings.provider, model, effort, declaredFor, pricedFor: declaredFor },
      settings: { ...settings, at: `model.endpoints.${endpoint}` },
    };
  };
  return {
    fullName: (name) => (kept.has(splitEffort(name).name) ? name : modelNameText(resolveModelName(name, config))),
    routeOf,
    keep: (name, endpoint) => {
      const provider = providers.find((one) => one === endpoint);
      if (routeOf(name).endpoint === endpoint) return true;
      // The unnamed endpoint of another provider than the present one is that of the environment.
      if (provider === undefined || (provider !== config.provider && !isInEnvironment(provider))) return false;
      const { name: keptName } = splitEffort(name);
      kept.set(keptName, unnamed(keptName, provider));
      made.clear();
      return true;
    },
  };
}

/** Where the settings of the unnamed endpoint stand. */
const UNNAMED = 'model';

const nothingSet = { baseUrl: null, apiKey: null, apiKeyEnv: null, headers: {}, contextWindow: null, maxOutputTokens: null, price: null };
