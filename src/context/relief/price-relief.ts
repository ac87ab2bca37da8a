import { noUsage, type Usage } from '../../domain/session/message.ts';

/** A context, in tokens as the provider counts them. */
export type ReliefSizes = {
  readonly tokens: number;
  /** System prompt and tools; no relief changes them. */
  readonly baseTokens: number;
  /** Since the last request; not in the provider's cache yet. */
  readonly newTokens: number;
  readonly batch: {
    readonly removedTokens: number;
    /** From the first change on, once it is done: written to the cache anew. */
    readonly tokensBehind: number;
  };
  readonly compaction: {
    readonly keptTokens: number;
    readonly summaryTokens: number;
    readonly ledgerTokens: number;
    /** What the request for the summary has beside the conversation. */
    readonly instructionTokens: number;
    /** The request begins with the session's own past, as the provider's cache has it. */
    readonly onPrefix: boolean;
    readonly byRule?: boolean;
    /** In files, of what leaves: a request of its own restores it. */
    readonly bodyTokens: number;
  };
};

export type RequestCost = (usage: Usage) => number;

/** What a batch and a compaction cost with the next request, a summary included. Finite, and never negative. */
export function priceRelief(sizes: ReliefSizes, costOf: RequestCost): { readonly offload: number; readonly compact: number } {
  const { tokens, baseTokens, batch } = sizes;
  const offloadedTokens = Math.max(baseTokens, tokens - batch.removedTokens);
  const rewritten = Math.min(batch.tokensBehind, offloadedTokens - baseTokens);
  const { keptTokens, ledgerTokens, summaryTokens, onPrefix, byRule } = sizes.compaction;
  const compactedTokens = Math.min(tokens, baseTokens + keptTokens + ledgerTokens + summaryTokens);
  const summary = byRule === true ? 0 : costOf(onPrefix ? prefixSummary(sizes) : transcriptSummary(sizes));
  return {
    offload: costOf(readAndWrite(offloadedTokens - rewritten, rewritten)),
    compact: summary + costOf(readAndWrite(baseTokens, compactedTokens - baseTokens)),
  };
}

/** On the session's own past, only what is new is written. */
function prefixSummary({ tokens, newTokens, compaction: { instructionTokens, summaryTokens } }: ReliefSizes): Usage {
  const uncached = Math.min(tokens, newTokens);
  return {
    ...noUsage,
    cacheReadTokens: tokens - uncached,
    cacheWriteTokens: uncached + instructionTokens,
    outputTokens: summaryTokens,
  };
}

/** A request of its own is input that no cache has: all that leaves, with its bodies. */
function transcriptSummary({ tokens, baseTokens, compaction }: ReliefSizes): Usage {
  const { keptTokens, bodyTokens, instructionTokens, summaryTokens } = compaction;
  const leaving = Math.max(0, tokens - baseTokens - keptTokens) + bodyTokens;
  return { ...noUsage, inputTokens: instructionTokens + leaving, outputTokens: summaryTokens };
}

const readAndWrite = (cacheReadTokens: number, cacheWriteTokens: number): Usage => ({ ...noUsage, cacheReadTokens, cacheWriteTokens });
