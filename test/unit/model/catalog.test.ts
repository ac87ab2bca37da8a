import { describe, expect, test } from 'vitest';
import type { Effort } from '../../../src/domain/config/effort.ts';
import type { Provider } from '../../../src/domain/config/endpoint-settings.ts';
import {
  ASSUMED_WINDOW_TOKENS,
  catalogEntry,
  DEFAULT_MODEL,
  factsFor,
  listingsAt,
  newestOfFamily,
  type ProviderFacts,
  sourcesOf,
} from '../../../src/model/catalog.ts';
import { catalogGroups } from '../../../src/model/catalog-rows.ts';
import { modelConfig } from '../../support/model-rig.ts';

const facts = (model: string, more: Partial<typeof modelConfig> = {}, provider: 'anthropic' | 'offline' = 'anthropic') =>
  factsFor(model, { ...modelConfig, ...more }, provider);
const usage = (inputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0) => ({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  outputTokens,
});

describe('the facts of a model', () => {
  test.each([
    [DEFAULT_MODEL, 1_000_000, 128_000],
    ['claude-opus-5-5', 1_000_000, 128_000],
    ['claude-haiku-4-5', 200_000, 64_000],
    ['claude-haiku-4-5-20251001', 200_000, 64_000],
  ])('%s has its own window', (name, windowTokens, maxOutputTokens) => {
    expect(facts(name)).toMatchObject({ windowTokens, maxOutputTokens, assumed: false });
  });

  test.each(['my-model', 'constructor', '__proto__', 'claude-sonnet-5-5-turbo'])(
    '%s is unknown: its window is assumed, and said to be [P14, C29, C128, X8]',
    (name) => {
      expect(facts(name)).toMatchObject({ windowTokens: ASSUMED_WINDOW_TOKENS, assumed: true });
      expect(facts(name).costUsd(usage(1))).toBeUndefined();
    },
  );

  test('a write that is kept for an hour costs twice the input, or what the user says of it', () => {
    const written = { ...usage(0, 0, 1_000_000), cacheWrite1hTokens: 400_000 };
    const input = 2;
    expect(facts(DEFAULT_MODEL)).toMatchObject({ hourCache: true });
    expect(facts(DEFAULT_MODEL).costUsd(written)).toBeCloseTo(0.6 * 1.25 * input + 0.4 * 2 * input);
    const price = { input: 1, cacheRead: 1, cacheWrite: 1, output: 1 };
    expect(facts('mine', { price })).toMatchObject({ hourCache: false });
    expect(facts('mine', { price: { ...price, cacheWrite1h: 5 } })).toMatchObject({ hourCache: true });
    expect(facts('mine', { price: { ...price, cacheWrite1h: 5 } }).costUsd(written)).toBeCloseTo(0.6 + 0.4 * 5);
  });

  test('what the user declares wins over the table, and is no assumption [C38, F11]', () => {
    const own = facts(DEFAULT_MODEL, {
      contextWindow: 50_000,
      maxOutputTokens: 2_000,
      price: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 },
    });
    expect(own).toMatchObject({ windowTokens: 50_000, maxOutputTokens: 2_000, assumed: false });
    expect(own.costUsd(usage(1_000_000, 1_000_000, 1_000_000, 1_000_000))).toBe(10);
    expect(facts('my-model', { contextWindow: 8_000 })).toMatchObject({ windowTokens: 8_000, maxOutputTokens: 8_000, assumed: false });
  });

  test('a declared window is that of one model: another has its own, and takes it over only where nobody knows better', () => {
    const config = { ...modelConfig, contextWindow: 16_000 };
    const at = (model: string, providerFacts?: ProviderFacts) =>
      factsFor(model, config, 'anthropic', { providerFacts, declaredFor: 'local' });
    expect(at('local')).toMatchObject({ windowTokens: 16_000, assumed: false });
    expect(at('claude-haiku-4-5')).toMatchObject({ windowTokens: 200_000, maxOutputTokens: 64_000, assumed: false });
    expect(at('other', { windowTokens: 64_000, maxOutputTokens: 4_000 })).toMatchObject({ windowTokens: 64_000, assumed: false });
    expect(at('other')).toMatchObject({ windowTokens: 16_000, maxOutputTokens: 16_000, assumed: true });
  });

  test('offline has a small window and costs nothing', () => {
    expect(facts('anything', {}, 'offline')).toMatchObject({ windowTokens: 32_000, assumed: false });
    expect(facts('anything', {}, 'offline').costUsd(usage(1_000_000))).toBe(0);
    expect(facts('anything', { contextWindow: 9_000 }, 'offline')).toMatchObject({ windowTokens: 9_000 });
  });
});

describe('the price of a request', () => {
  test('counts cached input and cache writes at prices of their own', () => {
    const { costUsd } = facts(DEFAULT_MODEL);
    expect(costUsd(usage(1_000_000))).toBeCloseTo(2, 10);
    expect(costUsd(usage(0, 1_000_000))).toBeCloseTo(0.1, 10);
    expect(costUsd(usage(0, 0, 1_000_000))).toBeCloseTo(2.5, 10);
    expect(costUsd(usage(0, 0, 0, 1_000_000))).toBeCloseTo(10, 10);
  });

  test('steps up for the whole request above 100,000 tokens of input where the model does', () => {
    const { costUsd } = facts('claude-haiku-5-5');
    expect(costUsd(usage(40_000, 60_000, 0, 1_000))).toBeCloseTo((40_000 * 0.1 + 60_000 * 0.01 + 1_000 * 0.5) / 1e6, 10);
    expect(costUsd(usage(40_001, 60_000, 0, 1_000))).toBeCloseTo((40_001 * 0.5 + 60_000 * 0.05 + 1_000 * 2.5) / 1e6, 10);
    expect(facts('claude-haiku-5-5').priceStepTokens).toBe(100_000);
    expect(facts(DEFAULT_MODEL).priceStepTokens).toBeUndefined();
  });
});

test('the newest models cannot be told not to think', () => {
  expect(catalogEntry('claude-opus-5-5')?.thinking).toBe('always');
  expect(catalogEntry('claude-haiku-4-5')?.thinking).toBe('budget');
});

const rows = catalogGroups.flatMap(({ host, models }) => models.map((entry) => ({ ...entry, host })));

describe('the table', () => {
  test('every row says where its figures were read, and when', () => {
    for (const row of rows) {
      expect(row.sources.length, row.name).toBeGreaterThan(0);
      for (const { address, version, read } of sourcesOf(row)) {
        expect(address).toMatch(/^https:\/\//);
        expect(version).not.toBe('');
        expect(read).toMatch(/^2026-\d{2}(?:-\d{2})?$/);
      }
    }
  });

  test('no model stands twice at one host', () => {
    const keys = rows.map(({ name, host }) => `${host} ${name}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('figures make sense: an output within the window, a cached token no dearer than another, a step that is dearer', () => {
    for (const { name, windowTokens, maxOutputTokens, price, step } of rows) {
      if (windowTokens !== undefined && maxOutputTokens !== undefined) expect(maxOutputTokens, name).toBeLessThanOrEqual(windowTokens);
      if (price === undefined) continue;
      expect(price.cacheRead, name).toBeLessThanOrEqual(price.input);
      expect(price.cacheWrite, name).toBeGreaterThanOrEqual(price.input);
      expect(price.output, name).toBeGreaterThanOrEqual(price.input);
      if (step === undefined) continue;
      expect(step.price.input, name).toBeGreaterThan(price.input);
      expect(step.aboveInputTokens, name).toBeLessThan(windowTokens ?? 0);
    }
  });
});

describe('a model at an endpoint', () => {
  const at = (model: string, host: string | undefined, providerFacts?: ProviderFacts) =>
    factsFor(model, modelConfig, 'anthropic', { host, providerFacts });

  test('has its price at its own host; a Claude model everywhere', () => {
    expect(catalogEntry('gpt-oss-120b', 'api.cerebras.ai')?.price?.input).toBe(0.35);
    expect(catalogEntry('openai/gpt-oss-120b', 'api.groq.com')?.price?.input).toBe(0.15);
    expect(at(DEFAULT_MODEL, 'gateway.example.com').costUsd(usage(1_000_000))).toBeCloseTo(2, 10);
    expect(listingsAt('api.openai.com').length).toBeGreaterThan(10);
  });

  test('a date in a name, of either form, and the vendor before it are no part of the model', () => {
    expect(catalogEntry('gpt-6.1-sol-2026-09-29')?.name).toBe('gpt-6.1-sol');
    expect(catalogEntry('openai/gpt-6.1-sol', 'openrouter.ai')?.name).toBe('gpt-6.1-sol');
    expect(catalogEntry('openai/gpt-6.1-sol-mini', 'openrouter.ai')).toBeUndefined();
  });

  test('is known of the newest families of each, and nothing is taken over for a newer name', () => {
    const of = (model: string, host: string) => factsFor(model, modelConfig, 'openai-chat', { host });
    const openai = of('gpt-6.2-astra', 'api.openai.com');
    expect(openai).toMatchObject({ windowTokens: 1_050_000, maxOutputTokens: 128_000, assumed: false, priceStepTokens: 272_000 });
    expect(openai.costUsd(usage(100_000, 100_000, 0, 1_000))).toBeCloseTo(0.8 + 0.04 + 0.04, 10);
    const gemini = of('gemini-4-neon', 'generativelanguage.googleapis.com');
    expect(gemini).toMatchObject({ windowTokens: 1_048_576, maxOutputTokens: 65_536, assumed: false, seesImages: true });
    expect(gemini.costUsd(usage(1_000_000, 0, 0, 100_000))).toBeCloseTo(3 + 1.5, 10);
    expect(newestOfFamily('sol', 'api.openai.com')).toBe('gpt-6.2-sol');
    const newer = of('gpt-6.3-sol', 'api.openai.com');
    expect(newer).toMatchObject({ windowTokens: ASSUMED_WINDOW_TOKENS, assumed: true });
    expect(newer.costUsd(usage(1))).toBeUndefined();
  });
});

describe('the price and the cache of an OpenAI model', () => {
  const at = (model: string, host: string | undefined, provider: 'openai-chat' | 'openai-responses' = 'openai-responses') =>
    factsFor(model, modelConfig, provider, { host });

  test('are those of its own host: what is cached costs less, and what is written only since GPT-5.6 more', () => {
    const newer = at('gpt-6-sol', 'api.openai.com');
    expect(newer.costUsd(usage(100_000, 100_000, 10_000, 1_000))).toBeCloseTo(0.2 + 0.02 + 0.025 + 0.01, 10);
    const older = at('gpt-5.2', 'api.openai.com', 'openai-chat');
    expect(older.costUsd(usage(100_000, 100_000, 10_000, 1_000))).toBeCloseTo(0.175 + 0.0175 + 0.0175 + 0.014, 10);
    expect([newer.cacheLifeMs, older.cacheLifeMs]).toEqual([30 * 60_000, 5 * 60_000]);
  });

  test('double above 272,000 tokens of input, cached ones among them, where the model has such a step', () => {
    const { costUsd, priceStepTokens } = at('gpt-6-sol', 'api.openai.com');
    expect(priceStepTokens).toBe(272_000);
    expect(costUsd(usage(2_000, 271_000, 0, 1_000))).toBeCloseTo((2_000 * 4 + 271_000 * 0.4 + 1_000 * 15) / 1e6, 10);
  });

  test('are not known at a gateway, which keeps the window, nor at a server of one’s own, which keeps nothing', () => {
    expect(at('openai/gpt-6-sol', 'openrouter.ai')).toMatchObject({ windowTokens: 1_050_000, assumed: false, cacheLifeMs: undefined });
    expect(at('openai/gpt-6-sol', 'openrouter.ai').costUsd(usage(1))).toBeUndefined();
    for (const host of ['localhost:11434', '127.0.0.1:8080', '192.168.1.7:1234', 'gpu-box:8000', '[::1]:8080', undefined])
      expect(at('gpt-6-sol', host), host).toMatchObject({ windowTokens: ASSUMED_WINDOW_TOKENS, assumed: true });
  });

  test('a price that the endpoint sets wins over the table', () => {
    const price = { input: 1, cacheRead: 0.5, cacheWrite: 1, output: 2 };
    const facts = factsFor('gpt-6-sol', { ...modelConfig, price }, 'openai-chat', { host: 'api.openai.com' });
    expect(facts.costUsd(usage(1_000_000, 1_000_000, 0, 1_000_000))).toBeCloseTo(3.5, 10);
    expect(facts.priceStepTokens).toBeUndefined();
  });
});

test('a summary has room for thinking where the model thinks then: always, by itself, or with a budget that it was given', () => {
  const host = 'api.openai.com';
  const thinks = (model: string, provider: Provider, effort?: Effort) =>
    factsFor(model, modelConfig, provider, { effort, host }).thinkingTokens;
  expect(thinks('claude-opus-5-5', 'anthropic')).toBe(8_000);
  expect(thinks('claude-haiku-4-5', 'anthropic')).toBe(0);
  expect(thinks('claude-haiku-4-5', 'anthropic', 'high')).toBe(16_384);
  expect(thinks('gpt-4.1', 'openai-responses')).toBe(0);
  expect(thinks('not-in-the-table', 'openai-responses')).toBe(8_000);
  expect(thinks('not-in-the-table', 'openai-chat')).toBe(0);
});

test('a server of one’s own has one prefix in memory; of a provider nothing is taken for granted', () => {
  const keeps = (host: string) => factsFor('qwen', modelConfig, 'openai-chat', { host }).keepsOnePrefix;
  expect(['localhost:11434', '192.168.1.4:8080', 'api.openai.com'].map(keeps)).toEqual([true, true, false]);
});
