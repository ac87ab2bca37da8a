import { applyRecord } from '../../context/history/apply-record.ts';
import { chooseCut } from '../../context/history/cut.ts';
import { type Limits, withBatchTail } from '../../context/measure/limits.ts';
import type { Measure } from '../../context/measure/measure.ts';
import { type OffloadCandidate, planOffload } from '../../context/offload/offload.ts';
import { planPrune } from '../../context/offload/prune.ts';
import { cacheTtlMs, reportedTtl } from '../../context/relief/price-relief.ts';
import { durationMs } from '../../domain/value/duration.ts';
import { type AgentDeps, modelFacts, warn } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { offloadedResult, recordOf, storeBatch } from './store-stub.ts';

type OffloadDeps = Pick<AgentDeps, 'config' | 'measure'>;
type BatchDeps = OffloadDeps & Pick<AgentDeps, 'report'>;

export type Measured = Pick<Session, 'context' | 'estimate'>;

/** Results that leave the context together; of each, its stub shows `stubTokens` below its first two lines. */
export type OffloadBatch = {
  readonly when: 'pressure' | 'voluntary';
  readonly stubTokens: number;
  readonly candidates: readonly OffloadCandidate[];
};

/** Plans to move everything but the newest part, and what the model has not yet seen: the cache loses what stands behind it only once. */
export function planBatch(session: Measured, deps: OffloadDeps, limits: Limits): OffloadBatch {
  const target = { limits, stubTokens: limits.smallStubTokens, targetTokens: Number.POSITIVE_INFINITY };
  return { when: 'pressure', stubTokens: target.stubTokens, candidates: seenOf(candidatesFor(session, deps, target), session) };
}

/** From `batchTokens` on: a batch is made as soon as it frees `triggerTokens`. */
export function offloadEarly(session: Session, deps: BatchDeps, limits: Limits): void {
  if (session.estimate.count().tokens <= limits.batchTokens) return;
  const batch = planBatch(session, deps, limits);
  if (tokensSaved(batch.candidates) >= limits.triggerTokens) performBatch(batch, session, deps);
}

/**
 * Makes room at any rate: beside what a batch moves, the newest results too, the oldest first, down to the low-water mark. What the model has
 * just asked for and not yet seen stays, unless the context would be over the hard limit with it.
 */
export function offloadUnderPressure(session: Session, deps: BatchDeps, limits: Limits): void {
  const target = { limits, stubTokens: limits.smallStubTokens, targetTokens: limits.lowWaterTokens };
  const candidates = candidatesFor(session, deps, target);
  const seen = seenOf(candidates, session);
  const isEnough = session.estimate.count().tokens - tokensSaved(seen) <= limits.hardTokens;
  performBatch({ when: 'pressure', stubTokens: target.stubTokens, candidates: isEnough ? seen : candidates }, session, deps);
}

/** Without what the model has just asked for and not yet seen. */
function seenOf(candidates: readonly OffloadCandidate[], { context }: Measured): readonly OffloadCandidate[] {
  const unseenFrom = context.messages.findLastIndex((message) => message.origin === 'model');
  return candidates.filter(({ messageIndex }) => messageIndex < unseenFrom);
}

export const tokensSaved = (batch: readonly OffloadCandidate[]): number => batch.reduce((sum, { savesTokens }) => sum + savesTokens, 0);

/** Tokens of the messages from the first one that a batch changes on, as they are once it is done. */
export function tokensBehind(candidates: readonly OffloadCandidate[], sizes: readonly number[]): number {
  const first = candidates.reduce((min, { messageIndex }) => Math.min(min, messageIndex), sizes.length);
  return Math.max(0, sizes.slice(first).reduce((sum, size) => sum + size, 0) - tokensSaved(candidates));
}

export const messageSizes = ({ context, estimate }: Measured, measure: Measure): readonly number[] =>
  measure.messages(context.messages, estimate.ratio);

type StepLimits = { readonly limits: Limits; readonly cacheCold: boolean };

/**
 * Tool output beyond `maxToolOutputBytes`: where somebody set that, a batch goes on until it holds. Else old results leave once the
 * provider's cache is cold, and all is written anyway.
 */
export function limitToolOutput(session: Session, deps: BatchDeps, { limits, cacheCold }: StepLimits): void {
  if (session.estimate.count().toolOutputBytes <= limits.maxToolOutputBytes) return;
  if (deps.config.compaction.maxToolOutputBytes !== null) holdToolOutput(session, deps, limits);
  else if (cacheCold) performBatch({ ...planBatch(session, deps, limits), when: 'voluntary' }, session, deps);
}

/** With small stubs; where those alone are too much, with stubs of their first two lines. */
function holdToolOutput(session: Session, deps: BatchDeps, limits: Limits): void {
  const targetBytes = limits.maxToolOutputBytes;
  for (const stubTokens of [limits.smallStubTokens, 0]) {
    if (session.estimate.count().toolOutputBytes <= targetBytes) return;
    const target = { limits, stubTokens, targetTokens: Number.POSITIVE_INFINITY, targetBytes };
    performBatch({ when: 'voluntary', stubTokens, candidates: seenOf(candidatesFor(session, deps, target), session) }, session, deps);
  }
}

type Target = { readonly limits: Limits; readonly stubTokens: number; readonly targetTokens: number; readonly targetBytes?: number };

function candidatesFor(session: Measured, { measure, config }: OffloadDeps, { limits, ...target }: Target): readonly OffloadCandidate[] {
  if (!config.offload.enabled) return [];
  const keepFrom = tailStart(session, measure, withBatchTail(limits));
  return planOffload(session.context, { measure, ratio: session.estimate.ratio, config: config.offload, keepFrom, ...target });
}

/** Where the tail begins that a compaction with these limits would keep. */
export function tailStart(session: Measured, measure: Measure, limits: Limits): number {
  const { messages } = session.context;
  const sizes = messageSizes(session, measure);
  const choice = chooseCut(messages, { sizes, keepTokens: limits.keepTokens, keepMessages: limits.keepMessages });
  return choice.kind === 'cut' ? choice.index : 0;
}

/** Every body is on disk before the one record that puts the stubs in its place. */
export function performBatch(
  { when, stubTokens, candidates }: OffloadBatch,
  session: Session,
  { measure, report }: Pick<AgentDeps, 'measure' | 'report'>,
): void {
  if (candidates.length === 0) return;
  session.estimate.settle();
  const tokensBefore = session.estimate.count().tokens;
  const { stubs, full } = storeBatch(candidates, session, stubTokens);
  if (full)
    warn(report.emit, {
      en: "Old results stay in the context: the session's offload.maxSessionBytes is used up.",
      zh: '旧结果留在上下文中：会话的 offload.maxSessionBytes 已用完。',
    });
  if (stubs.length === 0) return;
  const record = recordOf(stubs);
  // What was pruned is sent whole again once the past has changed.
  if (session.pruned !== undefined && measure.context(applyRecord(session.context, record), session.estimate.ratio).tokens >= tokensBefore)
    return;
  session.append(record);
  const results = stubs.filter(({ shrunk }) => shrunk !== true).map(offloadedResult);
  report.emit({ type: 'offloaded', when, results, tokensBefore, tokensAfter: session.estimate.count().tokens });
}

type PruneDeps = CacheDeps & Pick<AgentDeps, 'measure' | 'report'>;
export type CacheDeps = Pick<AgentDeps, 'config' | 'clock' | 'model'>;

/**
 * Leaves out of the next requests what older tool results hold, down to the low-water mark, when the provider's cache is cold
 * anyway and the context above the soft limit. Changes only what is sent. What is pruned stays so until the past changes
 * otherwise; the reply to the first such request says so in the log, so that it holds after a restart and a rollback too.
 */
export function pruneWhenCold(session: Session, deps: PruneDeps, limits: Limits): void {
  const { pruning } = deps.config;
  if (pruning.mode === 'off' || !isCacheCold(session, deps)) return;
  if (session.estimate.count().tokens <= limits.softTokens) return;
  session.estimate.settle();
  const tokensBefore = session.estimate.count().tokens;
  const previous = session.pruned;
  const { measure } = deps;
  const { context } = session;
  const { ratio } = session.estimate;
  const pruned = planPrune(context, { measure, ratio, config: pruning, previous, targetTokens: limits.lowWaterTokens });
  if (pruned === undefined) return;
  session.prune(pruned);
  const newResults = pruned.results.filter((result) => !previous?.results.includes(result));
  const cleared = newResults.filter(({ headChars, tailChars }) => headChars + tailChars === 0).length;
  const tokensAfter = session.estimate.count().tokens;
  deps.report.emit({ type: 'pruned', trimmed: newResults.length - cleared, cleared, tokensBefore, tokensAfter });
}

/** Whether the last reply is so long ago that the provider has forgotten the prefix. */
export function isCacheCold(session: Session, deps: CacheDeps): boolean {
  const last = session.context.messages.findLast((message) => message.origin === 'model');
  return last !== undefined && deps.clock.now().getTime() - Date.parse(last.at) > cacheLifeMs(session, deps);
}

/** How long the provider keeps what it was sent: `pruning.ttl`, or longer where it says so. */
const cacheLifeMs = (session: Session, { config, model }: Omit<CacheDeps, 'clock'>): number =>
  Math.max(
    durationMs(config.pruning.ttl) ?? 0,
    modelFacts(session, { model }).cacheLifeMs ?? 0,
    reportedTtl(session.sent.messages) === '1h' ? cacheTtlMs['1h'] : 0,
  );
