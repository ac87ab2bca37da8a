import { noUsage, type Usage } from '../../domain/session/message.ts';

/** All requests together, summaries included; the part of the summaries apart. */
export type SessionUsage = {
  readonly requests: number;
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  readonly compactionUsage: Usage;
  readonly compactionCostUsd: number | undefined;
};

export const noSessionUsage: SessionUsage = { requests: 0, usage: noUsage, costUsd: 0, compactionUsage: noUsage, compactionCostUsd: 0 };

/** What one request, or the requests of one compaction, used and cost on top of it. */
export const addRequestUsage = (
  total: SessionUsage,
  purpose: 'turn' | 'compaction',
  { usage, costUsd }: { readonly usage: Usage; readonly costUsd: number | undefined },
): SessionUsage => ({
  ...total,
  requests: total.requests + 1,
  usage: addUsage(total.usage, usage),
  costUsd: addCostUsd(total.costUsd, costUsd),
  ...(purpose === 'compaction' && {
    compactionUsage: addUsage(total.compactionUsage, usage),
    compactionCostUsd: addCostUsd(total.compactionCostUsd, costUsd),
  }),
});

export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  outputTokens: a.outputTokens + b.outputTokens,
});

/** A cost that is not known makes the sum unknown. */
export const addCostUsd = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;
