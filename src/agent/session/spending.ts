import { noUsage, type Usage } from '../../domain/session/message.ts';

/** All requests together, summaries included; the part of the summaries apart. */
export type Spending = {
  readonly requests: number;
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  readonly compactionUsage: Usage;
  readonly compactionCostUsd: number | undefined;
};

export const unspent: Spending = { requests: 0, usage: noUsage, costUsd: 0, compactionUsage: noUsage, compactionCostUsd: 0 };

/** What one request, or the requests of one compaction, used and cost on top of it. */
export const spentMore = (
  spent: Spending,
  purpose: 'turn' | 'compaction',
  { usage, costUsd }: { readonly usage: Usage; readonly costUsd: number | undefined },
): Spending => ({
  ...spent,
  requests: spent.requests + 1,
  usage: addUsage(spent.usage, usage),
  costUsd: addCost(spent.costUsd, costUsd),
  ...(purpose === 'compaction' && {
    compactionUsage: addUsage(spent.compactionUsage, usage),
    compactionCostUsd: addCost(spent.compactionCostUsd, costUsd),
  }),
});

export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  outputTokens: a.outputTokens + b.outputTokens,
});

/** A cost that is not known makes the sum unknown. */
export const addCost = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;
