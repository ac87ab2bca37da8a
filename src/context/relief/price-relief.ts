import { type Message, noUsage, type Usage } from '../../domain/session/message.ts';
import { findLastGrowing } from '../../domain/value/memoize.ts';
import type { PrefixRoom } from '../summary/restore-bodies.ts';

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

/** How long an entry of the provider's cache is to live after it was last read. */
export type CacheTtl = '5m' | '1h';
export const cacheTtlMs: Readonly<Record<CacheTtl, number>> = { '5m': 300_000, '1h': 3_600_000 };

/** Of eight recorded sessions at a terminal: 33 of 1,088 requests came after 5 to 60 minutes, 4 later. Counts as much as fifty requests. */
const expectedPauses = { requests: 50, overFiveMinutes: 1.5, overAnHour: 0.2 };

/** What came before says little of how the person works now. */
const MAX_MESSAGES = 1_000;
const MAX_REPLIES = 16;

/**
 * What costs less for each request to expect, by the pauses and writes of this session: an hour makes every write dearer, five minutes make
 * the whole past a write after each pause. Five minutes where no price is known.
 */
export function chooseCacheTtl(messages: readonly Message[], count: () => number, costUsd: (usage: Usage) => number | undefined): CacheTtl {
  const newest = messages.slice(-MAX_MESSAGES);
  const usual = usualWrite(newest);
  // Before the first reply all of it is written, however much that is, and the prices alone decide.
  const tokens = usual === undefined ? 1 : count();
  const written = Math.min(tokens, usual ?? tokens);
  const { pause, absence } = chancesOf(newest);
  const costOf = (cacheWriteTokens: number, ttl: CacheTtl): number =>
    costUsd({
      ...noUsage,
      cacheReadTokens: tokens - cacheWriteTokens,
      cacheWriteTokens,
      ...(ttl === '1h' && { cacheWrite1hTokens: cacheWriteTokens }),
    }) ?? 0;
  const fiveMinutes = (1 - pause - absence) * costOf(written, '5m') + (pause + absence) * costOf(tokens, '5m');
  const anHour = (1 - absence) * costOf(written, '1h') + absence * costOf(tokens, '1h');
  return anHour < fiveMinutes ? '1h' : '5m';
}

/** How likely it is that a request comes after a pause that an entry of five minutes does not outlive, or after one that none does. */
function chancesOf(messages: readonly Message[]): { readonly pause: number; readonly absence: number } {
  let { requests, overFiveMinutes, overAnHour } = expectedPauses;
  let repliedAt: number | undefined;
  messages.forEach(({ origin, at }, i) => {
    if (origin !== 'model') return;
    const gap = repliedAt === undefined ? 0 : Date.parse(messages[i - 1]?.at ?? at) - repliedAt;
    requests += 1;
    if (gap > cacheTtlMs['1h']) overAnHour += 1;
    else if (gap > cacheTtlMs['5m']) overFiveMinutes += 1;
    repliedAt = Date.parse(at);
  });
  return { pause: overFiveMinutes / requests, absence: overAnHour / requests };
}

/** The median of what the newest requests wrote: one after a pause wrote everything again. Undefined before the first reply. */
function usualWrite(messages: readonly Message[]): number | undefined {
  const writes = messages
    .flatMap(({ usage }) => (usage === undefined ? [] : [usage.cacheWriteTokens + usage.inputTokens]))
    .slice(-MAX_REPLIES);
  return writes.sort((a, b) => a - b)[Math.floor((writes.length - 1) / 2)];
}

/** What the provider said of its newest write to the cache: an endpoint that keeps nothing for an hour reports no such tokens. */
export function reportedTtl(messages: readonly Message[]): CacheTtl {
  const usage = messages[lastWrite(messages)]?.usage;
  return (usage?.cacheWrite1hTokens ?? 0) > 0 ? '1h' : '5m';
}

const lastWrite = findLastGrowing(({ usage }: Message) => (usage?.cacheWriteTokens ?? 0) > 0);
