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

import { resolve } from 'node:path';
import { type Catalogue, parseCatalogue } from '../../domain/config/catalogue.ts';
import { isInEnvironment } from '../../domain/config/choose-provider.ts';
import { modelNameText, type Provider, parseModelName } from '../../domain/config/endpoint-settings.ts';
import { errorReason, orFailure, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because, isBilingual, localize, sameInBoth } from '../../domain/language.ts';
import { parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { NO_TEXT } from '../../domain/value/text-bytes.ts';
import { catalogEntry, DEFAULT_MODEL, entryAt, factsFor, listingsAt, sourcesOf } from '../../model/catalog.ts';
import { catalogGroups } from '../../model/catalog-rows.ts';
import { anthropicEndpoint, anthropicHost, openaiEndpoint, openaiHost } from '../../model/http/choose-endpoint.ts';
import { createRoutes, type Route, type Routes } from '../../model/routes.ts';
import { isLoopback } from '../../net/proxy.ts';
import { sendFor } from '../../net/send.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { MAX_CATALOGUE_BYTES, useCatalogueOf } from '../../runtime/models/catalogue.ts';
import type { Settings } from '../../runtime/settings.ts';
import { unlinkIfExists, writeFileAtomic } from '../../store/files/atomic-write.ts';
import { ensureFolder } from '../../store/files/disk.ts';
import { readBrought } from '../../store/files/read-text.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { CommandContext } from '../command.ts';
import { openHome, settingsOf } from '../open-home.ts';
import { catalogueText, type EndpointListing, type ModelListing, modelsJson, modelsText, unusedKeyText } from './models-text.ts';

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

const DOWNLOAD_MS = 60_000;

/** Takes a catalogue from an address or a file, since the user has asked for it. The one in use stays where that fails. */
export async function refreshModels(from: string, options: HomeOptions, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const url = /^https?:/i.test(from) ? orUndefined(() => new URL(from)) : undefined;
  const path = resolve(environment.cwd(), from);
  const text = url === undefined ? readGiven(path) : await download(url, context);
  const source = url === undefined ? path : `${url.origin}${url.pathname}`;
  const parsed = parseCatalogue(parseJson(text));
  if (parsed.kind === 'bad') throw refused(source, parsed.problem);
  const { disk, home, paths } = openHome(options, context);
  const kept = { from: source, at: environment.now().toISOString(), catalogue: parsed.value };
  ensureFolder(disk, home);
  writeFileAtomic(disk, paths.catalogue, Buffer.from(`${JSON.stringify(kept)}\n`), { point: 'catalogue' });
  const count = countOf(parsed.value);
  io.out(`${safeLine(localize({ en: `Taken from ${source}: ${count} models.`, zh: `已从 ${source} 取得 ${count} 个模型。` }))}\n`);
}

function readGiven(path: string): string {
  const read = readBrought(path, MAX_CATALOGUE_BYTES);
  if (isBilingual(read)) throw refused(path, read);
  if (read.isGarbled) throw refused(path, NO_TEXT);
  if (read.isCut) throw refused(path, { en: 'it has more than 8 MB', zh: '它超过 8 MB' });
  return read.text;
}

const countOf = ({ providers }: Catalogue): number => providers.reduce((sum, { models }) => sum + models.length, 0);

/** Prices that somebody on the way can change limit nothing, so over plain HTTP only from this machine. */
async function download(url: URL, { environment }: CommandContext): Promise<string> {
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refused(url.origin, { en: 'only https is taken from another machine', zh: '来自其他机器时只接受 https' });
  const bounds = { received: MAX_CATALOGUE_BYTES, decoded: MAX_CATALOGUE_BYTES };
  const headers = { accept: 'application/json' };
  try {
    const answer = await sendFor(url, environment.env)(url, { headers, signal: environment.deadline(DOWNLOAD_MS), bounds });
    if (answer.ok) return await answer.text();
    answer.body.destroy();
    throw refused(url.origin, sameInBoth(`HTTP ${answer.status}`));
  } catch (error) {
    throw error instanceof SanbotError ? error : refused(url.origin, errorReason(error));
  }
}

const refused = (from: string, problem: Bilingual): SanbotError =>
  new SanbotError(
    'usage',
    because({ en: `No catalogue of models can be taken from ${from}`, zh: `无法从 ${from} 取得模型目录` }, problem),
    {
      en: 'What was used before stays. docs/models.md shows the form of a catalogue.',
      zh: '仍使用原来的数据。目录格式见 docs/models.md。',
    },
  );

export function forgetModels(options: HomeOptions, context: CommandContext): void {
  unlinkIfExists(openHome(options, context).paths.catalogue);
  context.io.out(`${localize({ en: 'The built-in table is used.', zh: '使用内置表。' })}\n`);
}
