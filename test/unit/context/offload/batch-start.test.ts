import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromCheapestStart } from '../../../../src/context/offload/batch-price.ts';
import type { OffloadCandidate } from '../../../../src/context/offload/offload.ts';

const result = (messageIndex: number, savesTokens: number): OffloadCandidate => ({
  messageIndex,
  savesTokens,
  toolUseId: `t${messageIndex}`,
  tool: 'read_file',
  ok: true,
  content: 'body',
});

describe('a batch of results to be offloaded', () => {
  // A small result at the very start, then much text, then the bulk.
  const sizes = [10, 50, 6_000, 2_000, 100, 3_000, 100];
  const batch = [result(5, 2_900), result(3, 1_900), result(1, 20)];

  test('leaves a small old result where it is when that spares the cache what stands behind it [C57, C58]', () => {
    expect(fromCheapestStart(batch, { sizes, minTokens: 4_000 })).toEqual(batch.slice(0, 2));
  });

  test('begins later still when the rest is enough and cheaper, and goes as far back as it must [C58]', () => {
    expect(fromCheapestStart(batch, { sizes, minTokens: 2_000 })).toEqual(batch.slice(0, 1));
    expect(fromCheapestStart(batch, { sizes, minTokens: 4_801 })).toEqual(batch);
    expect(fromCheapestStart(batch, { sizes, minTokens: 9_000 })).toEqual(batch);
  });

  test('removes what it has to whenever the whole batch does, and no other start that does is cheaper', () => {
    const anyBatch = fc
      .array(fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 5_000 })), { minLength: 1, maxLength: 30 })
      .map((messages) => ({
        sizes: messages.map(([beside, saves]) => beside + saves),
        batch: messages.flatMap(([beside, saves], index) => (beside % 2 === 0 ? [result(index, saves)] : [])),
      }));
    fc.assert(
      fc.property(anyBatch, fc.nat(40_000), ({ sizes, batch }, leastTokens) => {
        const saved = (some: readonly OffloadCandidate[]) => some.reduce((sum, { savesTokens }) => sum + savesTokens, 0);
        const price = (some: readonly OffloadCandidate[]) => {
          const behind = sizes.slice(some[0]?.messageIndex ?? sizes.length).reduce((sum, size) => sum + size, 0);
          return (behind - saved(some)) / saved(some);
        };
        const chosen = fromCheapestStart(batch, { sizes, minTokens: leastTokens });
        expect(chosen).toEqual(batch.slice(batch.length - chosen.length));
        if (saved(batch) < leastTokens) expect(chosen).toEqual(batch);
        else {
          expect(saved(chosen)).toBeGreaterThanOrEqual(leastTokens);
          for (const [start] of batch.entries()) {
            const other = batch.slice(start);
            if (saved(other) >= leastTokens && chosen.length > 0) expect(price(chosen)).toBeLessThanOrEqual(price(other));
          }
        }
      }),
    );
  });
});
