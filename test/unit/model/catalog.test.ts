import { describe, expect, test } from 'vitest';
import { ASSUMED_WINDOW_TOKENS, catalogEntry, DEFAULT_MODEL, factsFor, type ProviderFacts } from '../../../src/model/catalog.ts';
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
  test('counts cached input at a tenth and cache writes at five quarters', () => {
    const { costUsd } = facts(DEFAULT_MODEL);
    expect(costUsd(usage(1_000_000))).toBeCloseTo(2, 10);
    expect(costUsd(usage(0, 1_000_000))).toBeCloseTo(0.2, 10);
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
