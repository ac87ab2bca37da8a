/**
 * Which models can be used here. `sanbot models` lists the endpoints that are set, what can be named at each, and what is known of it;
 * `sanbot setup` lets a person choose one, tries it, and saves the choice.
 *
 * In come the settings, the environment and the table of models; out goes text for a person, or JSON. Each figure says whether the settings,
 * the table or nobody gave it, and the JSON also where the table has it from.
 *
 * The list asks no endpoint, so that it needs neither network nor key, and shows no key. Setup asks only servers on this machine and what
 * was chosen, and writes nothing before a choice has worked.
 */

import { isInEnvironment } from '../../domain/config/choose-provider.ts';
import { modelNameText, type Provider, parseModelName } from '../../domain/config/endpoint-settings.ts';
import { orFailure, SanbotError } from '../../domain/errors.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { catalogEntry, DEFAULT_MODEL, entryAt, factsFor, listingsAt, sourcesOf } from '../../model/catalog.ts';
import { catalogGroups } from '../../model/catalog-rows.ts';
import { anthropicEndpoint, anthropicHost, openaiEndpoint, openaiHost } from '../../model/http/choose-endpoint.ts';
import { createRoutes, type Route, type Routes } from '../../model/routes.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { useCatalogueOf } from '../../runtime/models/catalogue.ts';
import type { Settings } from '../../runtime/settings.ts';
import type { CommandContext } from '../command.ts';
import { settingsOf } from '../open-home.ts';
import { catalogueText, type EndpointListing, type ModelListing, modelsJson, modelsText, unusedKeyText } from './models-text.ts';

import { forgetModels, refreshModels } from './refresh-models.ts';

export type ShowModelsOptions = HomeOptions & {
  readonly all?: boolean;
  readonly json?: boolean;
  readonly refresh?: string;
  readonly forget?: boolean;
};

export async function showModels(options: ShowModelsOptions, { environment, io }: CommandContext): Promise<void> {
  if (options.refresh !== undefined) await refreshModels(options.refresh, options, { environment, io });
  else if (options.forget === true) forgetModels(options, { environment, io });
  if (options.refresh !== undefined || options.forget === true) return;
  const settings = settingsOf(options, { environment, io });
  const inUse = useCatalogueOf(settings.home);
  const { env } = environment;
  const endpoints = endpointsOf(settings, env);
  const others = options.all === true ? knownElsewhere(endpoints) : [];
  if (options.json === true) io.out(modelsJson({ endpoints, others }, inUse));
  else {
    io.out(modelsText({ endpoints, others }, io.columns));
    if (inUse.kind === 'kept') io.out(`\n${catalogueText(inUse.kept)}\n`);
    if (hasUnusedKey(settings, env)) io.out(`\n${unusedKeyText()}\n`);
  }
}

type Env = CommandContext['environment']['env'];

type Opened = { readonly env: Env; readonly routes: Routes; readonly current: string | undefined };

function endpointsOf({ config: { model: settings }, declaredFor }: Settings, env: Env): readonly EndpointListing[] {
  const { provider, endpoints } = settings;
  const name = settings.name ?? (provider === 'anthropic' ? DEFAULT_MODEL : undefined);
  const current = name === undefined ? undefined : modelNameText(parseModelName(name, endpoints));
  const declared = { contextWindow: declaredFor.contextWindow ?? current, price: declaredFor.price ?? current };
  const opened = { env, current, routes: createRoutes(settings, declared, (one) => isInEnvironment(one, env)) };
  const unnamed = { name: undefined, settings: { ...settings, at: 'model' } };
  const named = Object.entries(endpoints).map(([one, endpoint]) =>
    listEndpoint(
      { name: one, provider: endpoint.provider, settings: { ...endpoint, at: `model.endpoints.${one}` }, model: endpoint.model },
      opened,
    ),
  );
  return provider === 'offline' ? named : [listEndpoint({ ...unnamed, provider }, opened), ...named];
}

type NamedSettings = {
  readonly name: string | undefined;
  readonly provider: Exclude<Provider, 'offline'>;
  readonly settings: Route['settings'];
  readonly model?: string | null;
};

function listEndpoint({ name, provider, settings, model = null }: NamedSettings, opened: Opened): EndpointListing {
  const { env, routes, current } = opened;
  const isClaude = provider === 'anthropic';
  const problem = orFailure(() => (isClaude ? anthropicEndpoint(env, settings) : openaiEndpoint(env, settings, 'API')));
  const host = orUndefined(() => (isClaude ? anthropicHost(env, settings) : openaiHost(env, settings)));
  const fullName = (one: string): string => modelNameText({ endpoint: name, model: one });
  const isHere = current !== undefined && routes.routeOf(current).endpoint === (name ?? provider);
  const named = [...(isHere ? [current] : []), ...(model === null ? [] : [fullName(model)])];
  const listed = host === undefined ? [] : listingsAt(host).map((entry) => fullName(entry.name));
  return {
    name: name ?? provider,
    provider,
    host: host ?? null,
    problem: problem instanceof SanbotError ? problem.shown.message : null,
    models: [...new Set([...named, ...listed])].map((full) => listModel(routes.routeOf(full), { full, host, isDefault: full === current })),
  };
}

type ListedAs = { readonly full: string; readonly host: string | undefined; readonly isDefault: boolean };

function listModel(route: Route, { full, host, isDefault }: ListedAs): ModelListing {
  const { settings, declaredFor, pricedFor } = route;
  const facts = factsFor(route.model, settings, route.provider, { declaredFor, pricedFor, host });
  const entry = route.provider === 'anthropic' ? catalogEntry(route.model) : entryAt(route.model, host);
  const isSaidOf = (name: string | undefined): boolean => (name ?? route.model) === route.model;
  const hasOwnWindow = settings.contextWindow !== null && isSaidOf(declaredFor);
  const hasOwnPrice = settings.price !== null && (isSaidOf(pricedFor) || entry?.price === undefined);
  return {
    ...entryListing(entry),
    name: full,
    isDefault,
    windowTokens: facts.windowTokens,
    windowFrom: facts.assumed ? 'assumed' : hasOwnWindow ? 'settings' : 'table',
    maxOutputTokens: facts.maxOutputTokens,
    ...(hasOwnPrice ? { price: settings.price, priceFrom: 'settings' as const } : {}),
  };
}

function knownElsewhere(endpoints: readonly EndpointListing[]): readonly EndpointListing[] {
  const hosts = new Set(endpoints.map(({ host }) => host));
  const others = catalogGroups.filter(({ host }, i) => !hosts.has(host) && catalogGroups.findIndex((group) => group.host === host) === i);
  return others.map(({ provider, host }) => ({
    name: provider,
    provider: null,
    host,
    problem: null,
    models: listingsAt(host).map((entry) => ({ ...entryListing(entry), name: entry.name, isDefault: false })),
  }));
}

const entryListing = (entry: ReturnType<typeof catalogEntry>): Omit<ModelListing, 'name' | 'isDefault'> => ({
  windowTokens: entry?.windowTokens ?? null,
  windowFrom: entry?.windowTokens === undefined ? null : 'table',
  maxOutputTokens: entry?.maxOutputTokens ?? null,
  price: entry?.price === undefined ? null : { ...entry.price, ...(entry.step === undefined ? {} : { step: entry.step }) },
  priceFrom: entry?.price === undefined ? null : 'table',
  images: entry?.images ?? null,
  tools: entry?.tools ?? null,
  reasons: entry?.reasons ?? null,
  sources: entry === undefined ? [] : sourcesOf(entry),
});

/** Whether the environment has what nothing here uses: it merely stands there, and sends nothing anywhere. */
function hasUnusedKey({ config: { model: settings } }: Settings, env: Env): boolean {
  const used = [settings.provider, ...Object.values(settings.endpoints).map(({ provider }) => provider)];
  return !used.some((one) => one.startsWith('openai')) && isInEnvironment('openai-chat', env);
}
