import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceRelief, type ReliefSizes, type RequestCost } from '../../src/context/relief/price-relief.ts';
import { runs } from '../support/runs.ts';

const anyTokens = fc.nat(200_000);

const anySizes: fc.Arbitrary<ReliefSizes> = fc
  .record({
    conversationTokens: anyTokens,
    baseTokens: fc.nat(20_000),
    newTokens: fc.nat(30_000),
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
  test('is finite and never negative, and asks for no negative tokens', () => {
    fc.assert(
      fc.property(anySizes, (sizes) => {
        const costOf: RequestCost = (usage) => {
          for (const tokens of Object.values(usage)) expect(tokens).toBeGreaterThanOrEqual(0);
          return listPrice(usage);
        };
        for (const price of Object.values(priceRelief(sizes, costOf))) expect(Number.isFinite(price) && price >= 0).toBe(true);
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
        expect(far.offload).toBeGreaterThanOrEqual(near.offload);
        expect(far.compact).toBe(near.compact);
        const full = priceRelief({ ...sizes, compaction: { ...compaction, bodyTokens: compaction.bodyTokens + more } }, listPrice);
        expect(full.offload).toBe(near.offload);
        expect(full.compact - near.compact).toBeCloseTo(compaction.onPrefix ? 0 : (more * 3) / 1_000_000, 9);
      }),
      { numRuns: runs(100) },
    );
  });

  test('of 80,000 tokens with 8,000 to keep: what is read, written and said', () => {
    const sizes: ReliefSizes = {
      ...{ tokens: 80_000, baseTokens: 5_000, newTokens: 2_000, batch: { removedTokens: 20_000, tokensBehind: 50_000 } },
      compaction: {
        ...{ keptTokens: 8_000, summaryTokens: 2_500, ledgerTokens: 4_000, instructionTokens: 1_500 },
        ...{ onPrefix: true, bodyTokens: 60_000 },
      },
    };
    const { offload, compact } = priceRelief(sizes, listPrice);
    // Offload: 10,000 read and 50,000 written. Compact: 78,000 read, 3,500 written, 2,500 out; then 5,000 read and 14,500 written.
    expect(offload).toBeCloseTo(0.003 + 0.1875, 6);
    expect(compact).toBeCloseTo(0.0234 + 0.013125 + 0.0375 + 0.0015 + 0.054375, 6);
  });
});
