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
import type { Config, Price } from '../domain/config/config.ts';
import type { Usage } from '../domain/session/message.ts';
import { usageCost } from '../domain/session/usage-cost.ts';

/** The model that is used when neither the configuration nor a flag names one. */
export const DEFAULT_MODEL = 'claude-sonnet-5-5';
/** The name of the built-in substitute, which is no language model. */
export const OFFLINE_MODEL = 'offline';
/** Its window: small enough to see every remedy for a full context within an afternoon. */
export const OFFLINE_WINDOW_TOKENS = 32_000;
/** Assumed for a model whose window is unknown: large enough to work, small enough for most hosted models. */
export const ASSUMED_WINDOW_TOKENS = 200_000;
const ASSUMED_OUTPUT_TOKENS = 16_384;

/**
 * How a model thinks: `always` cannot be turned off; `adaptive` decides by itself and can be turned off; `budget` thinks only when given a
 * budget (which SanBot does not request); `none` does not think.
 */
export type Thinking = 'always' | 'adaptive' | 'budget' | 'none';

export type CatalogEntry = {
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  readonly thinking: Thinking;
  /** Whether the API summarises for this model; omitted where the provider's pages do not say. */
  readonly serverCompaction?: boolean;
  /** Dollars per million tokens. */
  readonly price?: Price;
  /** Above this many input tokens the whole request is charged at this `price`. */
  readonly step?: { readonly aboveInputTokens: number; readonly price: Price };
};

// A cache read costs a tenth of the input price; a cache write (five minutes) costs a quarter more than input.
const dollars = (input: number, output: number): Price => ({ input, cacheRead: input * 0.1, cacheWrite: input * 1.25, output });
const millionTokens = { windowTokens: 1_000_000, maxOutputTokens: 128_000 } as const;

/** From the provider's pages of October 2026, older models as announced; a model without a price here has none on those pages. */
const catalog: Readonly<Record<string, CatalogEntry>> = {
  'claude-fable-5-2': { ...millionTokens, serverCompaction: true, thinking: 'always' },
  'claude-mythos-5-2': { ...millionTokens, serverCompaction: true, thinking: 'always' },
  'claude-fable-5-1': { ...millionTokens, serverCompaction: true, thinking: 'always', price: dollars(10, 50) },
  'claude-mythos-5-1': { ...millionTokens, serverCompaction: true, thinking: 'always' },
  'claude-opus-5-5': { ...millionTokens, serverCompaction: true, thinking: 'always', price: dollars(4, 20) },
  'claude-sonnet-5-5': { ...millionTokens, serverCompaction: true, thinking: 'adaptive', price: dollars(2, 10) },
  'claude-haiku-5-5': {
    ...millionTokens,
    thinking: 'adaptive',
    price: dollars(0.1, 0.5),
    step: { aboveInputTokens: 100_000, price: dollars(0.5, 2.5) },
  },
  'claude-fable-5': { ...millionTokens, serverCompaction: true, thinking: 'always' },
  'claude-mythos-5': { ...millionTokens, serverCompaction: true, thinking: 'always' },
  'claude-opus-5': { ...millionTokens, serverCompaction: true, thinking: 'adaptive' },
  'claude-sonnet-5': { ...millionTokens, serverCompaction: true, thinking: 'adaptive' },
  'claude-opus-4-8': { ...millionTokens, serverCompaction: true, thinking: 'adaptive' },
  'claude-opus-4-7': { ...millionTokens, serverCompaction: true, thinking: 'adaptive' },
  'claude-opus-4-6': { ...millionTokens, serverCompaction: true, thinking: 'adaptive', price: dollars(5, 25) },
  'claude-sonnet-4-6': { ...millionTokens, maxOutputTokens: 64_000, serverCompaction: true, thinking: 'adaptive', price: dollars(3, 15) },
  'claude-haiku-4-5': { windowTokens: 200_000, maxOutputTokens: 64_000, thinking: 'budget', price: dollars(1, 5) },
  'claude-opus-4-5': { windowTokens: 200_000, maxOutputTokens: 64_000, serverCompaction: false, thinking: 'budget', price: dollars(5, 25) },
  'claude-sonnet-4-5': {
    windowTokens: 200_000,
    maxOutputTokens: 64_000,
    serverCompaction: false,
    thinking: 'budget',
    price: dollars(3, 15),
  },
};

/** A dated name (claude-haiku-4-5-20251001) means the model without the date; nothing else is guessed from a name. */
export const catalogEntry = (model: string): CatalogEntry | undefined => {
  const name = model.replace(/-\d{8}$/, '');
  return Object.hasOwn(catalog, name) ? catalog[name] : undefined;
};

/** What the provider itself says about a model. */
export type ProviderFacts = { readonly windowTokens: number | undefined; readonly maxOutputTokens: number | undefined };

/** What is known beside the settings and the table. */
export type Known = {
  readonly providerFacts?: ProviderFacts | undefined;
  /** The model that the configured window is said of; every model, when left out. */
  readonly declaredFor?: string | undefined;
};

/**
 * Returns the window, output and price of a model. The user's configuration wins, then the provider's facts, then the table; an unknown
 * model gets an assumed window and no price. A configured window holds for the model that it is said of; for another one it is only an
 * assumption where nothing better is known. A configured price applies to every model that is used, summaries included.
 */
export function factsFor(
  model: string,
  config: Config['model'],
  provider: 'anthropic' | 'offline',
  { providerFacts, declaredFor = model }: Known = {},
): ModelFacts {
  if (provider === 'offline') return offlineFacts(config);
  const entry = catalogEntry(model);
  const declaredWindow = declaredFor === model ? config.contextWindow : null;
  const knownWindow = declaredWindow ?? providerFacts?.windowTokens ?? entry?.windowTokens;
  const windowTokens = knownWindow ?? config.contextWindow ?? ASSUMED_WINDOW_TOKENS;
  return {
    windowTokens,
    assumed: knownWindow === undefined,
    maxOutputTokens:
      config.maxOutputTokens ?? Math.min(providerFacts?.maxOutputTokens ?? entry?.maxOutputTokens ?? ASSUMED_OUTPUT_TOKENS, windowTokens),
    serverCompaction: entry?.serverCompaction,
    priceStepTokens: config.price === null ? entry?.step?.aboveInputTokens : undefined,
    costUsd: (usage) => cost(usage, config.price ?? priceOf(entry, usage)),
  };
}

const offlineFacts = (config: Config['model']): ModelFacts => {
  const windowTokens = config.contextWindow ?? OFFLINE_WINDOW_TOKENS;
  return {
    windowTokens,
    assumed: false,
    serverCompaction: false,
    maxOutputTokens: config.maxOutputTokens ?? Math.min(ASSUMED_OUTPUT_TOKENS, windowTokens),
    costUsd: () => 0,
  };
};

const priceOf = (entry: CatalogEntry | undefined, usage: Usage): Price | undefined => {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return entry?.step !== undefined && input > entry.step.aboveInputTokens ? entry.step.price : entry?.price;
};

const cost = (usage: Usage, price: Price | undefined): number | undefined => (price === undefined ? undefined : usageCost(usage, price));
