import { newestRequest } from '../../context/history/cut.ts';
import type { Limits } from '../../context/measure/limits.ts';
import { reportedTtl } from '../../context/relief/cache-ttl.ts';
import { chooseRelief, type ReliefChoice, type ReliefOptions } from '../../context/relief/choose-relief.ts';
import { growthPerStep } from '../../context/relief/growth.ts';
import { priceRelief, type ReliefSizes, type RequestCost } from '../../context/relief/price-relief.ts';
import { summaryOf } from '../../context/summary/compressed-history.ts';
import { type Message, noUsage, type Usage } from '../../domain/session/message.ts';
import { canSummariseOnPrefix } from '../compaction/prefix-summary.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { messageSizes, type OffloadBatch, planPressureBatch, tailStart, tokensBehind, tokensSaved } from './offload-results.ts';
import { isCacheCold } from './prune-results.ts';

export type ReliefDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'measure' | 'report' | 'prompts' | 'person'>;

type ReliefSetting = {
  readonly limits: Limits;
  readonly canCompact: boolean;
  /** Whether a compaction would follow a batch that frees so many tokens. */
  readonly compactsAfter: (freedTokens: number) => boolean;
};

/** Plans the batch for a context at the hard limit, and chooses whether it or a compaction comes first. Changes nothing. */
export function planRelief(
  session: Session,
  deps: ReliefDeps,
  setting: ReliefSetting,
): { readonly choice: ReliefChoice; readonly batch: OffloadBatch } {
  const { limits, canCompact, compactsAfter } = setting;
  const largest = planPressureBatch(session, deps, limits);
  const keepFrom = tailStart(session, deps.measure, limits);
  const batch = canCompact && compactsAfter(tokensSaved(largest.candidates)) ? beforeTail(largest, keepFrom) : largest;
  const removedTokens = tokensSaved(batch.candidates);
  const options = canCompact ? reliefOptions(session, deps, { limits, batch, keepFrom }) : undefined;
  const choice = chooseRelief({
    order: deps.config.compaction.relief,
    canOffload: batch.candidates.length > 0,
    canCompact,
    cacheCold: isCacheCold(session, deps),
    summaryByRule: summarisesByRule(session, deps),
    newestOnly: batch.candidates.every(({ messageIndex }) => messageIndex >= keepFrom),
    offloadFallsShort: compactsAfter(removedTokens),
    options,
  });
  return { choice, batch };
}

/** Where a compaction follows in any case, what it keeps stays whole: what was read last is what the next edit needs. */
const beforeTail = (batch: OffloadBatch, keepFrom: number): OffloadBatch => ({
  ...batch,
  candidates: batch.candidates.filter(({ messageIndex }) => messageIndex < keepFrom),
});

/** Undefined where no price is known. What is written stays in the cache as long as what was written last. */
function pricesOf(session: Session, deps: ReliefDeps): RequestCost | undefined {
  const { costUsd } = modelFacts(session, deps);
  if (costUsd(noUsage) === undefined) return undefined;
  const isHour = reportedTtl(session.sent.messages) === '1h';
  return (usage: Usage): number => costUsd(isHour ? { ...usage, cacheWrite1hTokens: usage.cacheWriteTokens } : usage) ?? 0;
}

/** What offloading the batch, compacting, or both would lead to; undefined where no price is known. */
export function reliefOptions(session: Session, deps: ReliefDeps, plan: SizedPlan): ReliefOptions | undefined {
  const costOf = pricesOf(session, deps);
  return costOf && priceRelief(sizesOf(session, deps, plan), costOf);
}

/** No model would make the summary. */
export function summarisesByRule(
  { summariser }: Session,
  { config, model, clock }: Pick<AgentDeps, 'config' | 'model' | 'clock'>,
): boolean {
  const isAsked = config.compaction.useLLMSummary && (model.canSummarise || model.rulesStandForModel === true);
  return !isAsked || summariser.modelBreaker.isOpen(clock.now().getTime());
}

type SizedPlan = {
  readonly limits: Limits;
  readonly batch: Pick<OffloadBatch, 'candidates'>;
  readonly keepFrom: number;
  /** Where it is known better than by the limits. */
  readonly compaction?: Pick<ReliefSizes['compaction'], 'keptTokens' | 'ledgerTokens' | 'summaryTokens' | 'byRule'> | undefined;
};

function sizesOf(session: Session, deps: ReliefDeps, { limits, batch, keepFrom, compaction }: SizedPlan): ReliefSizes {
  const { messages } = session.context;
  const { candidates } = batch;
  const sizes = messageSizes(session, deps.measure);
  const { tokens, systemTokens, toolsTokens } = session.estimate.count();
  const sum = (from: number, to?: number): number => sizes.slice(from, to).reduce((total, size) => total + size, 0);
  const request = newestRequest(messages);
  const lastReply = messages.findLastIndex(({ origin }) => origin === 'model');
  return {
    tokens,
    baseTokens: systemTokens + toolsTokens,
    newTokens: sum(Math.max(0, lastReply)),
    hardTokens: limits.hardTokens,
    growthTokens: growthPerStep(messages, sizes) ?? tokens,
    batch: { removedTokens: tokensSaved(candidates), tokensBehind: tokensBehind(candidates, sizes) },
    compaction: {
      keptTokens: sum(keepFrom) + (request >= 0 && request < keepFrom ? sum(request, request + 1) : 0),
      bodyTokens: Math.round((bodyBytes(messages.slice(0, keepFrom)) / BYTES_PER_TOKEN) * session.estimate.ratio),
      ...summarySizes(session, deps, { limits, sizes }),
      ...compaction,
    },
  };
}

/** Of our own count, in English text and code. */
const BYTES_PER_TOKEN = 4;

const bodyBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, { stubs = [] }) => sum + stubs.reduce((bytes, { body }) => bytes + body.bytes, 0), 0);

/** As long as the last summary was, where there is one; else as long as the next may be. */
function summarySizes(
  session: Session,
  deps: ReliefDeps,
  { limits, sizes }: { readonly limits: Limits; readonly sizes: readonly number[] },
): Pick<ReliefSizes['compaction'], 'summaryTokens' | 'ledgerTokens' | 'instructionTokens' | 'onPrefix'> {
  const { measure, prompts } = deps;
  const { ratio } = session.estimate;
  const earlier = summaryOf(session.context.messages);
  const { first, update } = prompts.summary();
  const instructionTokens = measure.text(earlier === undefined ? first : update, ratio);
  const onPrefix = canSummariseOnPrefix(session, deps, limits);
  if (earlier === undefined) return { summaryTokens: limits.summaryTokens, ledgerTokens: limits.ledgerTokens, instructionTokens, onPrefix };
  const summaryTokens = measure.text(earlier.text, ratio);
  return { summaryTokens, ledgerTokens: Math.max(0, (sizes[0] ?? 0) - summaryTokens), instructionTokens, onPrefix };
}
