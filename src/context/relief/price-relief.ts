import { noUsage, type Usage } from '../../domain/session/message.ts';
import type { ReliefOption, ReliefOptions } from './choose-relief.ts';

/** A context at the hard limit, in tokens as the provider counts them. */
export type ReliefSizes = {
  /** The next request as it stands. */
  readonly tokens: number;
  /** System prompt and tools; no relief changes them. */
  readonly baseTokens: number;
  /** Since the last request; not in the provider's cache yet. */
  readonly newTokens: number;
  /** How far the context may grow. */
  readonly hardTokens: number;
  /** By how much each step makes it grow. */
  readonly growthTokens: number;
  readonly batch: {
    readonly removedTokens: number;
    /** From the first change on, once it is done: written to the cache anew. */
    readonly tokensBehind: number;
  };
  readonly compaction: {
    /** What stays as it is. */
    readonly keptTokens: number;
    /** What the model is to write. */
    readonly summaryTokens: number;
    /** What stands in the context beside it. */
    readonly ledgerTokens: number;
    /** What the request for the summary has beside the conversation. */
    readonly instructionTokens: number;
    /** The request begins with the session's own past, as the provider's cache has it. Never so right after a batch. */
    readonly onPrefix: boolean;
    /** No model is asked for the summary. */
    readonly byRule?: boolean;
    /** In files, of what leaves: a request of its own restores it. */
    readonly bodyTokens: number;
  };
};

/** What one request costs, in dollars. */
export type RequestCost = (usage: Usage) => number;

/**
 * Of what an agent reads or runs, this share is made again although the context no longer shows it. In 28 recorded sessions 9.5 to 16.2 %
 * of the calls were repeated, and 65 to 74 % of those were still in the context.
 */
const LOOK_UP_SHARE = 0.04;

/** Prices the ways out of a full context. Every figure is finite and none is negative. */
export function priceRelief(sizes: ReliefSizes, costOf: RequestCost): ReliefOptions {
  const { tokens, baseTokens, batch } = sizes;
  const offloadedTokens = Math.max(baseTokens, tokens - batch.removedTokens);
  const { keptTokens, ledgerTokens, summaryTokens } = sizes.compaction;
  const compactedTokens = Math.min(tokens, baseTokens + keptTokens + ledgerTokens + summaryTokens);
  const bothTokens = Math.min(offloadedTokens, compactedTokens);
  const conversation = offloadedTokens - baseTokens;
  const rewritten = Math.min(batch.tokensBehind, conversation);
  const offload = priceOption(sizes, costOf, {
    tokensAfter: offloadedTokens,
    readableTokens: conversation,
    requests: [readAndWrite(offloadedTokens - rewritten, rewritten)],
  });
  const readableTokens = Math.min(keptTokens, tokens - baseTokens);
  const compact = priceOption(sizes, costOf, {
    tokensAfter: compactedTokens,
    readableTokens,
    requests: [
      ...(sizes.compaction.byRule === true ? [] : [sizes.compaction.onPrefix ? prefixSummary(sizes) : transcriptSummary(sizes)]),
      readAndWrite(baseTokens, compactedTokens - baseTokens),
    ],
  });
  const both = priceOption(sizes, costOf, {
    tokensAfter: bothTokens,
    readableTokens: Math.min(readableTokens, conversation),
    requests: [transcriptSummary(sizes), readAndWrite(baseTokens, bothTokens - baseTokens)],
  });
  return { offload, compact, both };
}

type Relief = Pick<ReliefOption, 'tokensAfter' | 'readableTokens'> & { readonly requests: readonly Usage[] };

function priceOption(
  { tokens, baseTokens, hardTokens, growthTokens }: ReliefSizes,
  costOf: RequestCost,
  { tokensAfter, readableTokens, requests }: Relief,
): ReliefOption {
  const lostTokens = Math.max(0, tokens - baseTokens - readableTokens);
  const costNow = requests.reduce((sum, usage) => sum + costOf(usage), 0);
  const lookUpCost = costOf(readAndWrite(0, Math.round(LOOK_UP_SHARE * lostTokens)));
  // It grows from what it is then to the hard limit.
  const costPerStep = costOf(readAndWrite(Math.round((tokensAfter + Math.max(tokensAfter, hardTokens)) / 2), 0));
  const steps = Math.max(1, Math.floor((hardTokens - tokensAfter) / Math.max(1, growthTokens)));
  return { tokensAfter, readableTokens, costNow, lookUpCost, costPerStep, steps };
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
