/**
 * What SanBot knows of models without asking one: windows, output limits, prices, and how each thinks. The room has one folder for each
 * provider, and each is a function that asks a model and keeps the promise of `AskModel`.
 *
 * A model's name, the settings and what the provider told come in; facts come out. The user's own figure wins, then the provider's, then
 * the table; an unknown model has an assumed window, and says so, and no price.
 *
 * A name is never interpreted beyond its date: nothing is concluded from what a model is called.
 */

import type { ModelFacts } from '../agent/ports/model.ts';
import type { Catalogue } from '../domain/config/catalogue.ts';
import type { Config, Price } from '../domain/config/config.ts';
import type { Effort } from '../domain/config/effort.ts';
import type { Provider } from '../domain/config/endpoint-settings.ts';
import type { Usage } from '../domain/session/message.ts';
import { carefulMediaLimits, type MediaLimits } from '../domain/value/media-tokens.ts';
import { isOneOf } from '../domain/value/word-list.ts';
import { type CatalogEntry, type CatalogGroup, catalogGroups, type Source, sources, thinkingBudgets } from './catalog-rows.ts';
import { imagePricingOf } from './image-pricing.ts';
import { THINKING_ALLOWANCE_TOKENS } from './rough-tokens.ts';

/** The model that is used when neither the configuration nor a flag names one. */
export const DEFAULT_MODEL = 'claude-sonnet-5-5';
/** The name of the built-in substitute, which is no language model. */
export const OFFLINE_MODEL = 'offline';
/** Its window: small enough to see every remedy for a full context within an afternoon. */
export const OFFLINE_WINDOW_TOKENS = 32_000;
/** Assumed for a model whose window is unknown: large enough to work, small enough for most hosted models. */
export const ASSUMED_WINDOW_TOKENS = 200_000;
const ASSUMED_OUTPUT_TOKENS = 16_384;

export type { CatalogEntry, Source, Thinking } from './catalog-rows.ts';

/** A row of the table with its provider. */
export type Listing = CatalogEntry & Pick<CatalogGroup, 'provider' | 'host' | 'cacheMinutes'> & { readonly from?: Source };

const builtIn: readonly Listing[] = catalogGroups.flatMap(({ models, provider, host, cacheMinutes }) =>
  models.map((entry): Listing => ({ ...entry, provider, host, ...(cacheMinutes === undefined ? {} : { cacheMinutes }) })),
);

let listings: readonly Listing[] = builtIn;

/** From now on these figures come before those of the table; without any, the table alone counts. What they leave out is the table's. */
export function useCatalogue(catalogue: Catalogue | undefined, from: Source): void {
  const given = (catalogue?.providers ?? []).flatMap(({ models, ...group }) =>
    models.map((entry): Listing => {
      const known = builtIn.find(({ name, host }) => name === entry.name && host === group.host);
      const { step: _step, ...withoutStep } = known ?? {};
      return { ...(entry.price === undefined ? known : withoutStep), ...group, ...entry, sources: [], from };
    }),
  );
  const same = (one: Listing) => (other: Listing) => other.name === one.name && other.host === one.host;
  // The order of the table stays: the newest of a family stand first in it.
  listings = [...builtIn.map((entry) => given.find(same(entry)) ?? entry), ...given.filter((entry) => !builtIn.some(same(entry)))];
}

/**
 * Returns what the table says of a model where requests go to `host`. A dated name (claude-haiku-4-5-20251001, gpt-6.1-sol-2026-09-29)
 * means the model without the date, and VENDOR/MODEL the model where the whole is not listed; nothing else is guessed from a name.
 */
export const catalogEntry = (model: string, host?: string): Listing | undefined => {
  const name = model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  const byName = (wanted: string): readonly Listing[] => listings.filter((listing) => listing.name === wanted);
  const whole = byName(name);
  const found = whole.length > 0 ? whole : byName(name.slice(name.lastIndexOf('/') + 1));
  return found.find((listing) => listing.host === host) ?? found[0];
};

/** The rows of one host, for a list of what can be used there. */
export const listingsAt = (host: string): readonly Listing[] => listings.filter((listing) => listing.host === host);

/** The newest model of a family that is named by its word alone (opus, haiku), by the table of a host, which has the newest first. */
export const newestOfFamily = (word: string, host: string): string | undefined =>
  /^[a-z]{3,}$/.test(word) && word !== 'claude' && word !== 'gpt'
    ? listingsAt(host).find(({ name }) => name.split('-').includes(word))?.name
    : undefined;

export const sourcesOf = ({ sources: names, from }: Pick<Listing, 'sources' | 'from'>): readonly Source[] => [
  ...(from === undefined ? [] : [from]),
  ...names.map((name) => sources[name]),
];

/** What the provider itself says about a model. */
export type ProviderFacts = { readonly windowTokens: number | undefined; readonly maxOutputTokens: number | undefined };

/** What is known beside the settings and the table. */
export type Known = {
  readonly providerFacts?: ProviderFacts | undefined;
  /** The model that the configured window is said of; every model, when left out. */
  readonly declaredFor?: string | undefined;
  /** The same for the configured price. */
  readonly pricedFor?: string | undefined;
  /** The host that requests go to. */
  readonly host?: string | undefined;
  /** How hard the model is told to think. */
  readonly effort?: Effort | undefined;
};

export type DeclaredFacts = Pick<Config['model'], 'contextWindow' | 'maxOutputTokens' | 'price'>;

/**
 * Returns the window, output and price of a model. The user's configuration wins, then the provider's facts, then the table; an unknown
 * model gets an assumed window and no price. A configured window holds for the model that it is said of; for another one it is only an
 * assumption where nothing better is known, and so it is with a configured price.
 */
export function factsFor(
  model: string,
  config: DeclaredFacts,
  provider: Provider,
  { providerFacts, declaredFor = model, pricedFor = model, host, effort }: Known = {},
): ModelFacts {
  if (provider === 'offline') return offlineFacts(config);
  const entry = provider === 'anthropic' ? catalogEntry(model) : entryAt(model, host);
  const declaredWindow = declaredFor === model ? config.contextWindow : null;
  const knownWindow = declaredWindow ?? providerFacts?.windowTokens ?? entry?.windowTokens;
  const declaredPrice = pricedFor === model ? config.price : null;
  const windowTokens = knownWindow ?? config.contextWindow ?? ASSUMED_WINDOW_TOKENS;
  return {
    windowTokens,
    assumed: knownWindow === undefined,
    maxOutputTokens:
      config.maxOutputTokens ?? Math.min(providerFacts?.maxOutputTokens ?? entry?.maxOutputTokens ?? ASSUMED_OUTPUT_TOKENS, windowTokens),
    keepsOnePrefix: provider !== 'anthropic' && host !== undefined && isLocal(host),
    thinkingTokens: summaryThinking(entry, provider, effort),
    // Every model of the Messages API sees; of others, those that are known to.
    seesImages: entry?.images ?? provider === 'anthropic',
    imagePricing: imagePricingOf(entry, provider),
    mediaLimits: mediaLimitsAt(host, windowTokens),
    takesEffort: takesEffort(entry, { provider, host }),
    cacheLifeMs: entry?.cacheMinutes === undefined ? undefined : entry.cacheMinutes * MINUTE_MS,
    hourCache: provider === 'anthropic' && (declaredPrice ?? entry?.price ?? config.price)?.cacheWrite1h !== undefined,
    priceStepTokens: declaredPrice === null ? entry?.step?.aboveInputTokens : undefined,
    costUsd: (usage) => {
      const price = declaredPrice ?? priceOf(entry, usage) ?? config.price;
      return price === null ? undefined : usageCost(usage, price);
    },
  };
}

/** As much as a request for a summary at the end of a conversation has room for beside the summary. */
function summaryThinking(entry: CatalogEntry | undefined, provider: Provider, effort: Effort | undefined): number {
  if (provider === 'openai-responses') return entry?.reasons === false ? 0 : THINKING_ALLOWANCE_TOKENS;
  if (entry?.thinking === 'budget') return effort === undefined ? 0 : thinkingBudgets[effort];
  return entry?.thinking === 'always' || entry?.thinking === 'adaptive' ? THINKING_ALLOWANCE_TOKENS : 0;
}

const MINUTE_MS = 60_000;

/** Known of the providers themselves only: a gateway in front of them may refuse the field. */
function takesEffort(entry: CatalogEntry | undefined, at: { readonly provider: Provider; readonly host: string | undefined }) {
  if (entry?.reasons === false) return false;
  const isOwn = at.host === (at.provider === 'anthropic' ? 'api.anthropic.com' : 'api.openai.com');
  return isOwn && entry !== undefined ? entry.reasons : undefined;
}

/**
 * What the table says of a model at an endpoint. A Claude model costs the same behind every gateway; elsewhere a price holds at its own
 * host only, since the same open model is sold at many prices, and run for none. A server of one's own may have loaded any model with any
 * window, so the table says nothing of it.
 */
export function entryAt(model: string, host: string | undefined): Listing | undefined {
  const entry = catalogEntry(model, host);
  if (entry === undefined || entry.host === host) return entry;
  if (host === undefined || isLocal(host)) return undefined;
  const { price: _price, step: _step, cacheMinutes: _minutes, ...rest } = entry;
  return rest;
}

/** This machine, or one of its own network. A port may follow. */
export const isLocal = (host: string): boolean => isOwn(host.replace(/:\d+$/, ''));
const isOwn = isOneOf(
  /^(?:[^.:]+|.*\.(?:localhost|local|lan|internal|home\.arpa)|\[[\da-f:]+\])$/i,
  /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$|^0\.0\.0\.0$/,
);

const offlineFacts = (config: DeclaredFacts): ModelFacts => {
  const windowTokens = config.contextWindow ?? OFFLINE_WINDOW_TOKENS;
  return {
    windowTokens,
    assumed: false,
    maxOutputTokens: config.maxOutputTokens ?? Math.min(ASSUMED_OUTPUT_TOKENS, windowTokens),
    takesEffort: false,
    costUsd: () => 0,
  };
};

const priceOf = (entry: CatalogEntry | undefined, usage: Usage): Price | undefined => {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return entry?.step !== undefined && input > entry.step.aboveInputTokens ? entry.step.price : entry?.price;
};

const PER_MILLION = 1_000_000;

/** Providers that keep a write for an hour take twice the price of input for it, and 1.25 times that of input for five minutes. */
const HOUR_SHARE = 2 / 1.25;

/** Dollars for what a request used, at prices for a million tokens. */
export function usageCost(usage: Usage, price: Price): number {
  const hourTokens = Math.min(usage.cacheWrite1hTokens ?? 0, usage.cacheWriteTokens);
  const total =
    usage.inputTokens * price.input +
    usage.cacheReadTokens * price.cacheRead +
    (usage.cacheWriteTokens - hourTokens) * price.cacheWrite +
    hourTokens * (price.cacheWrite1h ?? price.cacheWrite * HOUR_SHARE) +
    usage.outputTokens * price.output;
  return total / PER_MILLION;
}

/** Models with a larger window take more pages. */
const SMALL_WINDOW_TOKENS = 200_000;

/**
 * What a provider takes in one request, by its host. Read on 2026-11-23: Anthropic takes 32 MB, 100 pages and, of a model with more than
 * 200,000 tokens, 600, and above 20 images only small ones. OpenAI takes 500 images; its page for
 * PDFs said 100 pages and 32 MB in 2025 and names larger sizes and no pages since, which is not relied on. A gateway may take less than the provider behind it. None of it was tested against the live services.
 */
function mediaLimitsAt(host: string | undefined, windowTokens: number): MediaLimits {
  if (host === 'api.anthropic.com') return { ...carefulMediaLimits, pages: windowTokens > SMALL_WINDOW_TOKENS ? 600 : 100 };
  if (host === 'api.openai.com') return { ...carefulMediaLimits, count: 500 };
  return carefulMediaLimits;
}
