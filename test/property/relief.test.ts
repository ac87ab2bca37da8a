import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseRelief, type ReliefOption, type ReliefSituation } from '../../src/context/relief/choose-relief.ts';
import { priceRelief, type ReliefSizes, type RequestCost } from '../../src/context/relief/price-relief.ts';
import { runs } from '../support/runs.ts';

const anyTokens = fc.nat(200_000);
const anyDollars = fc.double({ min: 0, max: 5, noNaN: true });
const anyOption: fc.Arbitrary<ReliefOption> = fc.record({
  tokensAfter: anyTokens,
  readableTokens: anyTokens,
  costNow: anyDollars,
  costPerStep: anyDollars,
  lookUpCost: anyDollars,
  steps: fc.integer({ min: 1, max: 200 }),
});
const anyOptions = fc.record({ offload: anyOption, compact: anyOption, both: anyOption });
const anySituation: fc.Arbitrary<ReliefSituation> = fc.record({
  order: fc.constantFrom('auto', 'offload-first'),
  canOffload: fc.boolean(),
  canCompact: fc.boolean(),
  cacheCold: fc.boolean(),
  summaryByRule: fc.boolean(),
  newestOnly: fc.boolean(),
  offloadFallsShort: fc.boolean(),
  options: fc.option(anyOptions, { nil: undefined }),
});

/** Where price alone decides. */
const open = { order: 'auto', canOffload: true, canCompact: true, cacheCold: false, summaryByRule: false, newestOnly: false } as const;
const perStep = ({ costNow, lookUpCost, costPerStep, steps }: ReliefOption) => (costNow + lookUpCost) / steps + costPerStep;

describe('which relief comes first', () => {
  test('is an offload wherever there is one and its order was asked for, the cache is cold, no model summarises, no compaction is allowed, only the newest part changes, or no price is known', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const { first } = chooseRelief(situation);
        const { order, canOffload, canCompact, cacheCold, summaryByRule, newestOnly, options } = situation;
        if (!canOffload) expect(first).toBe('compact');
        else if (order === 'offload-first' || !canCompact || cacheCold || summaryByRule || newestOnly || options === undefined)
          expect(first).toBe('offload');
      }),
      { numRuns: runs(500) },
    );
  });

  test('is a compaction only where it costs at least a quarter less than what it replaces, and then says by which figures', () => {
    fc.assert(
      fc.property(anyOptions, fc.boolean(), (options, offloadFallsShort) => {
        const choice = chooseRelief({ ...open, options, offloadFallsShort });
        const replaced = offloadFallsShort ? options.both : options.offload;
        const [compact, offload] = [perStep(options.compact), perStep(replaced)];
        if (choice.first === 'compact')
          expect(choice).toEqual({ first: 'compact', why: 'cheaper', compact: options.compact, offload: replaced });
        if (Math.abs(compact - 0.75 * offload) > 1e-9) expect(choice.first).toBe(compact < 0.75 * offload ? 'compact' : 'offload');
      }),
      { numRuns: runs(100) },
    );
  });

  test('does not depend on the currency, and a dearer compaction is never chosen where a cheaper one was not', () => {
    fc.assert(
      fc.property(anyOptions, fc.boolean(), fc.constantFrom(0.5, 2, 8), anyDollars, (options, offloadFallsShort, rate, more) => {
        const scaled = (option: ReliefOption): ReliefOption => ({
          ...option,
          costNow: option.costNow * rate,
          lookUpCost: option.lookUpCost * rate,
          costPerStep: option.costPerStep * rate,
        });
        const choose = (of: typeof options) => chooseRelief({ ...open, options: of, offloadFallsShort }).first;
        expect(choose({ offload: scaled(options.offload), compact: scaled(options.compact), both: scaled(options.both) })).toBe(
          choose(options),
        );
        const dearer = { ...options, compact: { ...options.compact, costNow: options.compact.costNow + more } };
        if (choose(options) === 'offload') expect(choose(dearer)).toBe('offload');
      }),
      { numRuns: runs(100) },
    );
  });

  test('is an offload where nothing costs anything', () => {
    fc.assert(
      fc.property(anySizes, (sizes) => {
        const options = priceRelief(sizes, () => 0);
        expect(chooseRelief({ ...open, offloadFallsShort: true, options })).toEqual({ first: 'offload', why: 'not_cheaper' });
      }),
      { numRuns: runs(100) },
    );
  });
});

const anySizes: fc.Arbitrary<ReliefSizes> = fc
  .record({
    conversationTokens: anyTokens,
    baseTokens: fc.nat(20_000),
    newTokens: fc.nat(30_000),
    hardTokens: anyTokens,
    growthTokens: fc.nat(20_000),
    batch: fc.record({ removedTokens: anyTokens, tokensBehind: anyTokens }),
    compaction: fc.record({
      keptTokens: anyTokens,
      summaryTokens: fc.nat(10_000),
      ledgerTokens: fc.nat(5_000),
      instructionTokens: fc.nat(3_000),
      onPrefix: fc.boolean(),
      bodyTokens: anyTokens,
    }),
  })
  .map(({ conversationTokens, ...sizes }) => ({ ...sizes, tokens: sizes.baseTokens + conversationTokens }));

/** Dollars for a million tokens: input 3, read 0.30, written 3.75, output 15. */
const listPrice: RequestCost = ({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }) =>
  (inputTokens * 3 + cacheReadTokens * 0.3 + cacheWriteTokens * 3.75 + outputTokens * 15) / 1_000_000;

describe('the price of a relief', () => {
  test('is finite and never negative, of no more tokens than there were, and asks for no negative tokens', () => {
    fc.assert(
      fc.property(anySizes, (sizes) => {
        const costOf: RequestCost = (usage) => {
          for (const tokens of Object.values(usage)) expect(tokens).toBeGreaterThanOrEqual(0);
          return listPrice(usage);
        };
        const { offload, compact, both } = priceRelief(sizes, costOf);
        for (const option of [offload, compact, both]) {
          for (const figure of Object.values(option)) expect(Number.isFinite(figure) && figure >= 0).toBe(true);
          expect(option.tokensAfter).toBeLessThanOrEqual(sizes.tokens);
          expect(option.steps).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('grows for a batch with what stands behind its first change, and for a compaction of its own with the bodies of what leaves', () => {
    fc.assert(
      fc.property(anySizes, fc.nat(50_000), (sizes, more) => {
        const { batch, compaction } = sizes;
        const near = priceRelief(sizes, listPrice);
        const far = priceRelief({ ...sizes, batch: { ...batch, tokensBehind: batch.tokensBehind + more } }, listPrice);
        expect(far?.offload.costNow).toBeGreaterThanOrEqual(near?.offload.costNow ?? Number.NaN);
        expect(far?.compact).toEqual(near?.compact);
        const full = priceRelief({ ...sizes, compaction: { ...compaction, bodyTokens: compaction.bodyTokens + more } }, listPrice);
        expect(full?.offload).toEqual(near?.offload);
        const dearer = (full?.compact.costNow ?? 0) - (near?.compact.costNow ?? 0);
        expect(dearer).toBeCloseTo(compaction.onPrefix ? 0 : (more * 3) / 1_000_000, 9);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('a context of 80,000 tokens at its limit, with 8,000 to keep', () => {
  const sizes: ReliefSizes = {
    tokens: 80_000,
    baseTokens: 5_000,
    newTokens: 2_000,
    hardTokens: 80_000,
    growthTokens: 2_000,
    batch: { removedTokens: 20_000, tokensBehind: 50_000 },
    compaction: {
      keptTokens: 8_000,
      summaryTokens: 2_500,
      ledgerTokens: 4_000,
      instructionTokens: 1_500,
      onPrefix: true,
      bodyTokens: 60_000,
    },
  };

  test('is compacted on its cached past, where a batch in its middle would rewrite 50,000 tokens', () => {
    const options = priceRelief(sizes, listPrice);
    // Offload: 10,000 read and 50,000 written. Compact: 78,000 read, 3,500 written, 2,500 out; then 5,000 read and 14,500 written.
    expect(options?.offload.costNow).toBeCloseTo(0.003 + 0.1875, 6);
    expect(options?.compact.costNow).toBeCloseTo(0.0234 + 0.013125 + 0.0375 + 0.0015 + 0.054375, 6);
    expect(options?.offload.steps).toBe(10);
    expect(options?.compact.steps).toBe(30);
    expect(options?.compact.readableTokens).toBe(8_000);
    expect(chooseRelief({ ...open, offloadFallsShort: false, options }).why).toBe('cheaper');
  });

  test('is offloaded where the batch stands near its end', () => {
    const options = priceRelief({ ...sizes, batch: { removedTokens: 40_000, tokensBehind: 9_000 } }, listPrice);
    expect(chooseRelief({ ...open, offloadFallsShort: false, options }).why).toBe('not_cheaper');
  });
});
