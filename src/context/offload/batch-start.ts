import type { OffloadCandidate } from './offload.ts';

export type BatchBounds = {
  /** Tokens of each message of the context, in the same order. */
  readonly sizes: readonly number[];
  /** What the batch has to remove, whatever it costs. */
  readonly leastTokens: number;
};

/**
 * The batch without its oldest results, as many of them as make it cheaper: all that stands behind the first change is written to the
 * provider's cache anew, so a batch begins where the fewest tokens are written anew for each that it removes. In the order
 * in which it was given; the whole batch when even that does not remove `leastTokens`.
 */
export function fromCheapestStart(batch: readonly OffloadCandidate[], { sizes, leastTokens }: BatchBounds): readonly OffloadCandidate[] {
  const saved = new Map<number, number>();
  for (const { messageIndex, savesTokens } of batch) saved.set(messageIndex, (saved.get(messageIndex) ?? 0) + savesTokens);
  let removed = 0;
  let behind = 0;
  let best: { readonly start: number; readonly price: number } | undefined;
  for (let start = sizes.length - 1; start >= 0; start--) {
    behind += sizes[start] ?? 0;
    const saves = saved.get(start);
    if (saves === undefined) continue;
    removed += saves;
    const price = (behind - removed) / removed;
    if (removed >= leastTokens && (best === undefined || price <= best.price)) best = { start, price };
  }
  const from = best?.start ?? 0;
  return batch.filter(({ messageIndex }) => messageIndex >= from);
}
