import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chooseSummary,
  priceRelief,
  type ReliefSizes,
  type RequestCost,
  type SummarySizes,
} from '../../src/context/relief/price-relief.ts';
import { runs } from '../support/runs.ts';

const anyTokens = fc.nat(200_000);

const anySizes: fc.Arbitrary<ReliefSizes> = fc
  .record({
    conversationTokens: anyTokens,
    baseTokens: fc.nat(20_000),
    batch: fc.record({ removedTokens: anyTokens, tokensBehind: anyTokens }),
    freedTokens: anyTokens,
    request: fc.option(
      fc.record({ inputTokens: anyTokens, cacheReadTokens: anyTokens, cacheWriteTokens: anyTokens, outputTokens: fc.nat(10_000) }),
      { nil: undefined },
    ),
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

  test('grows for a batch with what stands behind its first change, and for a compaction with what its summary takes', () => {
    fc.assert(
      fc.property(anySizes, fc.nat(50_000), (sizes, more) => {
        const { batch, request } = sizes;
        const near = priceRelief(sizes, listPrice);
        const far = priceRelief({ ...sizes, batch: { ...batch, tokensBehind: batch.tokensBehind + more } }, listPrice);
        expect(far.offload).toBeGreaterThanOrEqual(near.offload);
        expect(far.compact).toBe(near.compact);
        if (request === undefined) return;
        const full = priceRelief({ ...sizes, request: { ...request, inputTokens: request.inputTokens + more } }, listPrice);
        expect(full.offload).toBe(near.offload);
        expect(full.compact - near.compact).toBeCloseTo((more * 3) / 1_000_000, 9);
      }),
      { numRuns: runs(100) },
    );
  });

  test('of 80,000 tokens of which 60,500 leave: what is read, written and said', () => {
    const request = { inputTokens: 3_500, cacheReadTokens: 78_000, cacheWriteTokens: 0, outputTokens: 2_500 };
    const sizes = {
      tokens: 80_000,
      baseTokens: 5_000,
      batch: { removedTokens: 20_000, tokensBehind: 50_000 },
      freedTokens: 60_500,
      request,
    };
    const { offload, compact } = priceRelief(sizes, listPrice);
    // Offload: 10,000 read and 50,000 written. Compact: 78,000 read, 3,500 new, 2,500 out; then 5,000 read and 14,500 written.
    expect(offload).toBeCloseTo(0.003 + 0.1875, 6);
    expect(compact).toBeCloseTo(0.0234 + 0.0105 + 0.0375 + 0.0015 + 0.054375, 6);
  });
});

describe('a summary is asked for', () => {
  const room = { end: 40, restoreTokens: 10_000, replyTokens: 2_400 };
  const sizes: SummarySizes = {
    ...{
      room,
      isWarm: true,
      shownTokens: 80_000,
      newTokens: 2_000,
      bodyTokens: 30_000,
      transcriptTokens: 70_000,
      instructionTokens: 1_500,
      summaryTokens: 2_000,
    },
  };
  const isOnPrefix = (more: Partial<SummarySizes>, costOf?: RequestCost) => chooseSummary({ ...sizes, ...more }, costOf).room !== undefined;

  test.each([
    ['at list prices', listPrice],
    ['where no price is known', undefined],
  ] as const)(
    'at the end of a conversation that is cached, and by a transcript where that is cheaper than to write all of it: %s',
    (_, costOf) => {
      expect(isOnPrefix({}, costOf)).toBe(true);
      expect(isOnPrefix({ room: undefined }, costOf)).toBe(false);
      expect(isOnPrefix({ isWarm: false }, costOf)).toBe(false);
      expect(isOnPrefix({ isWarm: false, shownTokens: 40_000 }, costOf)).toBe(true);
    },
  );

  test('with as much of the bodies as there is, whatever the room, which may make it the cheaper way', () => {
    const inputOf = (bodyTokens: number): number => chooseSummary({ ...sizes, bodyTokens }, listPrice).usage.inputTokens;
    expect([inputOf(0), inputOf(4_000), inputOf(30_000)]).toEqual([3_500, 7_500, 13_500]);
    expect(isOnPrefix({ isWarm: false, shownTokens: 54_000 })).toBe(false);
    expect(isOnPrefix({ isWarm: false, shownTokens: 54_000, bodyTokens: 0 })).toBe(true);
  });

  test('on a cold cache in the way that costs less', () => {
    const anySummary: fc.Arbitrary<SummarySizes> = fc.record({
      room: fc.constantFrom(room, undefined),
      isWarm: fc.constant(false),
      shownTokens: anyTokens,
      newTokens: fc.nat(30_000),
      bodyTokens: fc.nat(30_000),
      transcriptTokens: anyTokens,
      instructionTokens: fc.nat(3_000),
      summaryTokens: fc.nat(10_000),
    });
    fc.assert(
      fc.property(anySummary, (each) => {
        const chosen = chooseSummary(each, listPrice);
        for (const tokens of Object.values(chosen.usage)) expect(tokens).toBeGreaterThanOrEqual(0);
        expect(listPrice(chosen.usage)).toBeLessThanOrEqual(listPrice(chooseSummary({ ...each, room: undefined }, listPrice).usage));
      }),
      { numRuns: runs(100) },
    );
  });
});
