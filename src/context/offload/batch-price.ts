import type { OffloadCandidate } from './offload.ts';

/**
 * Steps until removing one token has paid for rewriting one: a cached token costs a tenth, one written to the cache one and a quarter, and
 * everything behind a change is rewritten once.
 */
const REWRITE_STEPS = 11.5;

/** True when removing tokens from the past now is cheaper than carrying them through the expected steps. */
export function voluntaryOffloadPays(plan: {
  readonly removedTokens: number;
  /** Tokens after the first changed message, which the provider's cache loses. */
  readonly tokensBehind: number;
  readonly expectedSteps: number;
  readonly cacheCold: boolean;
}): boolean {
  if (plan.removedTokens <= 0) return false;
  return plan.cacheCold || plan.expectedSteps >= (REWRITE_STEPS * plan.tokensBehind) / plan.removedTokens;
}

export type BatchBounds = {
  /** Tokens of each message of the context, in message order. */
  readonly sizes: readonly number[];
  /** What the batch has to remove at any cost. */
  readonly minTokens: number;
};

/**
 * Drops the oldest results of a batch where that makes it cheaper: everything behind the first change is written to the provider's cache
 * anew, so a batch starts where the fewest tokens are rewritten for each token removed. Keeps the order of the batch; returns the whole
 * batch when no start removes `minTokens`.
 */
export function fromCheapestStart(batch: readonly OffloadCandidate[], { sizes, minTokens }: BatchBounds): readonly OffloadCandidate[] {
  const savingsByIndex = new Map<number, number>();
  for (const { messageIndex, savesTokens } of batch)
    savingsByIndex.set(messageIndex, (savingsByIndex.get(messageIndex) ?? 0) + savesTokens);
  let removedTokens = 0;
  let tokensBehind = 0;
  let best: { readonly start: number; readonly price: number } | undefined;
  for (let start = sizes.length - 1; start >= 0; start--) {
    tokensBehind += sizes[start] ?? 0;
    const savings = savingsByIndex.get(start);
    if (savings === undefined) continue;
    removedTokens += savings;
    const price = (tokensBehind - removedTokens) / removedTokens;
    if (removedTokens >= minTokens && (best === undefined || price <= best.price)) best = { start, price };
  }
  const from = best?.start ?? 0;
  return batch.filter(({ messageIndex }) => messageIndex >= from);
}
