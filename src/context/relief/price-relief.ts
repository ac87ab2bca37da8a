import { noUsage, type Usage } from '../../domain/session/message.ts';
import type { PrefixRoom } from '../summary/prefix-request.ts';

/** A context, in tokens as the provider counts them. */
export type ReliefSizes = {
  readonly tokens: number;
  /** System prompt and tools; no relief changes them. */
  readonly baseTokens: number;
  readonly batch: {
    readonly removedTokens: number;
    /** From the first change on, once it is done: written to the cache anew. */
    readonly tokensBehind: number;
  };
  /** What a compaction frees. */
  readonly freedTokens: number;
  /** What asking a model for its summary uses; undefined where none is asked. */
  readonly request: Usage | undefined;
};

export type RequestCost = (usage: Usage) => number;

/** What a batch and a compaction cost with the next request, a summary included. Finite, and never negative. */
export function priceRelief(sizes: ReliefSizes, costOf: RequestCost): { readonly offload: number; readonly compact: number } {
  const { tokens, baseTokens, batch, freedTokens, request } = sizes;
  const offloadedTokens = Math.max(baseTokens, tokens - batch.removedTokens);
  const rewritten = Math.min(batch.tokensBehind, offloadedTokens - baseTokens);
  return {
    offload: costOf(readAndWrite(offloadedTokens - rewritten, rewritten)),
    compact:
      (request === undefined ? 0 : costOf(request)) + costOf(readAndWrite(baseTokens, Math.max(0, tokens - freedTokens - baseTokens))),
  };
}

const readAndWrite = (cacheReadTokens: number, cacheWriteTokens: number): Usage => ({ ...noUsage, cacheReadTokens, cacheWriteTokens });

export type SummarySizes = {
  /** What a request at the end of the conversation may have; undefined where there can be none. */
  readonly room: PrefixRoom | undefined;
  /** The provider has what it sent last in its cache. */
  readonly isWarm: boolean;
  /** What such a request shows of the conversation, system prompt and tools included, and how much of that was not sent before. */
  readonly shownTokens: number;
  readonly newTokens: number;
  /** What is in files of what leaves: more of it than that cannot be shown again, whatever room there is. */
  readonly bodyTokens: number;
  /** What leaves, with its bodies, as far as a transcript shows them. */
  readonly transcriptTokens: number;
  readonly instructionTokens: number;
  /** What the model is to write. */
  readonly summaryTokens: number;
};

/** Where no price is known: reading a tenth of input, writing a quarter more, and output five times as much. */
const usualCost: RequestCost = ({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }) =>
  inputTokens + cacheReadTokens / 10 + cacheWriteTokens * 1.25 + outputTokens * 5;

/**
 * How to ask a model for a summary: at the end of the conversation, in this `room`, where the provider has it in its cache; where all would be
 * written anew, in whichever way costs less; and by a transcript where there is no room.
 */
export function chooseSummary(sizes: SummarySizes, costOf: RequestCost = usualCost): { readonly room?: PrefixRoom; readonly usage: Usage } {
  const { room, isWarm, shownTokens, bodyTokens, transcriptTokens, instructionTokens, summaryTokens: outputTokens } = sizes;
  const byTranscript = { ...noUsage, inputTokens: instructionTokens + transcriptTokens, outputTokens };
  if (room === undefined) return { usage: byTranscript };
  const newTokens = Math.min(shownTokens, sizes.newTokens);
  const usage = {
    ...{ ...noUsage, inputTokens: newTokens + Math.min(room.restoreTokens, bodyTokens) + instructionTokens, outputTokens },
    [isWarm ? 'cacheReadTokens' : 'cacheWriteTokens']: shownTokens - newTokens,
  };
  return isWarm || costOf(usage) < costOf(byTranscript) ? { room, usage } : { usage: byTranscript };
}
