/**
 * Makes the next request fit the model's window, and gives up as little as will do.
 *
 * The rungs: old results go to files as soon as that frees enough (offload-results.ts); where the provider's cache is cold, others are sent in part
 * (prune-results.ts); older messages are summarised (../compaction); at last single messages are trimmed or the oldest exchanges dropped
 * (last-resort.ts).
 *
 * In: a session and the limits of its model. Out: the same session, whose request can be sent, or context_cannot_fit with the figures
 * that say what takes the room. A rung makes the context smaller or is not taken, and counters that live for one turn bound the climb,
 * so it always ends. Below the hard limit nothing is summarised or dropped, and what is left as it was keeps its bytes, which is what
 * the provider's cache lives on. Nothing is sent from here.
 */

import { exceedsWindow, judgePressure, type Limits, sendableTokens } from '../../context/measure/limits.ts';
import type { ContextCount } from '../../context/measure/measure.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { PressureReason } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import { compact } from '../compaction/compact.ts';
import type { SummaryDeps } from '../compaction/model-summary.ts';
import { prepareSummary, reportPreparedSummary } from '../compaction/prepared-summary.ts';
import { type AgentDeps, isFarFromLimits, limitsOf, windowTooSmall } from '../deps.ts';
import type { Emit } from '../ports/effects.ts';
import type { Session } from '../session/session.ts';
import { trimOrSlide } from './last-resort.ts';
import {
  isCacheCold,
  limitToolOutput,
  offloadEarly,
  offloadUnderPressure,
  performBatch,
  planBatch,
  pruneWhenCold,
  tokensSaved,
} from './offload-results.ts';

/** After this many compactions in a turn that were full again at once, going on would only burn money [C2, C6]. */
const MAX_REFILLS = 3;
/** Full again within this many steps counts as a refill. */
const REFILL_STEPS = 2;
/** A compaction that would not have made the context smaller is not tried again until the context has grown by so much. */
const FUTILE_GROWTH = 5 / 4;
/** After this many failures in a turn, the summary is not tried again until the next one [C7, C8]. */
const MAX_FAILURES = 3;
const SMALL_WINDOW_HINT = {
  en: 'Use a model with a larger window (--model), or say how large it really is (SANBOT_CONTEXT_WINDOW).',
  zh: '请改用窗口更大的模型（--model），或说明窗口的实际大小（SANBOT_CONTEXT_WINDOW）。',
};

/** The context ladder of one turn. Its counters bound the climb; a new turn starts with new ones. */
export function createFit() {
  const counters = newCounters();
  return {
    makeFit: (session: Session, deps: AgentDeps, signal: AbortSignal): Promise<void> => makeFit(session, deps, { counters, signal }),
  };
}

const newCounters = () => ({
  ...{ steps: 0, refills: 0, failures: 0, softReported: false, declined: false },
  compactedAtStep: Number.NEGATIVE_INFINITY,
});
type FitCounters = ReturnType<typeof newCounters>;
export type Fit = ReturnType<typeof createFit>;

type FitRun = { readonly counters: FitCounters; readonly signal: AbortSignal };

/** Makes the context sendable, or rejects with context_cannot_fit and the figures. Each rung shrinks the context or is skipped. */
async function makeFit(session: Session, deps: AgentDeps, ladder: FitRun): Promise<void> {
  ladder.counters.steps += 1;
  reportPreparedSummary(session);
  if (isFarFromLimits(session, deps)) return;
  const limits = limitsOf(session, deps);
  const count = session.estimate.count();
  const problem = windowTooSmall(session, deps, limits);
  if (problem !== undefined) throw new SanbotError('context_cannot_fit', problem, SMALL_WINDOW_HINT);
  const pressure = judgePressure(count, limits);
  if (pressure.level !== 'hard') {
    const reasons = pressure.reasons.filter((reason) => reason !== 'tool_output');
    if (reasons.length > 0) emitContextHigh(reasons, count, { limits, counters: ladder.counters, emit: deps.report.emit });
    offloadEarly(session, deps, limits);
    limitToolOutput(session, deps, { limits, cacheCold: isCacheCold(session, deps) });
    pruneWhenCold(session, deps, limits);
    if (reasons.length > 0 && judgePressure(session.estimate.count(), limits).level === 'soft')
      startBackgroundSummary(session, deps, limits);
    return;
  }
  await relieve(session, deps, { ...ladder, limits, reasons: pressure.reasons });
  pruneWhenCold(session, deps, limits);
  if (exceedsWindow(session.estimate.count(), limits) && deps.config.compaction.enabled)
    trimOrSlide(session, deps, { limits, targetTokens: sendableTokens(limits) });
}

type Relief = FitRun & { readonly limits: Limits; readonly reasons: readonly PressureReason[] };

/** At the hard limit: a batch of results where that is enough, else a compaction, which reads the results where they stand. */
async function relieve(session: Session, deps: AgentDeps, run: Relief): Promise<void> {
  const { limits, reasons } = run;
  // Files make room for tokens; too many messages they leave as many.
  if (!reasons.includes('messages')) {
    const batch = planBatch(session, deps, limits);
    if (isEnough(tokensSaved(batch.candidates), session, limits)) performBatch(batch, session, deps);
    // Soon after a compaction another one does little: what files can free then, they free first.
    else if (isRefill(run.counters)) offloadUnderPressure(session, deps, limits);
  }
  if (needsCompaction(session, limits)) await compactOnce(session, deps, run);
  // The compaction was not made, or was not enough.
  if (judgePressure(session.estimate.count(), limits).reasons.includes('tokens')) offloadUnderPressure(session, deps, limits);
}

const isEnough = (savedTokens: number, { estimate }: Session, limits: Limits): boolean =>
  savedTokens >= limits.triggerTokens && estimate.count().tokens - savedTokens <= limits.hardTokens;

/**
 * A few messages are compacted only where they could not be sent, even if there is no room at their end then to ask a model that thinks for
 * a summary: a transcript is used. Compacting earlier stopped 7 of 250 turns of large results in windows of 16,000 to 48,000 tokens, in place of 2.
 */
function needsCompaction({ context, estimate }: Session, limits: Limits): boolean {
  const count = estimate.count();
  if (context.messages.length < limits.minMessages) return exceedsWindow(count, limits);
  return judgePressure(count, limits).level === 'hard';
}

/** False where compactions are switched off, failed too often in this turn, or would be in vain as the last one was. */
function mayCompact(
  session: Session,
  { config }: Pick<AgentDeps, 'config'>,
  { counters, limits }: FitRun & { readonly limits: Limits },
): boolean {
  const count = session.estimate.count();
  if (!config.compaction.enabled || isInVain(session, count, limits)) return false;
  return counters.failures < MAX_FAILURES || exceedsWindow(count, limits);
}

/** One that would free a little is made all the same before messages are dropped for want of room. */
function isInVain({ relief: { futile }, model }: Session, count: ContextCount, limits: Limits): boolean {
  if (futile === undefined || futile.model !== model || count.tokens >= futile.tokens * FUTILE_GROWTH) return false;
  return !(futile.freed && exceedsWindow(count, limits));
}

async function compactOnce(session: Session, deps: AgentDeps, run: Relief): Promise<void> {
  const { counters, signal, limits, reasons } = run;
  if (!mayCompact(session, deps, run)) return;
  if (!(await confirmCompaction(session, deps, { counters, signal, limits }))) return;
  countRefill(session, counters, limits);
  const outcome = await compact({ trigger: 'auto', reasons, instructions: undefined, limits, signal }, session, deps);
  if (outcome.kind === 'compacted') {
    counters.compactedAtStep = counters.steps;
    counters.failures = 0;
  }
  if (outcome.kind === 'failed') counters.failures += 1;
  // Asked again at every step, a hook would say the same; the next turn asks it again.
  if (outcome.kind === 'blocked') counters.failures = MAX_FAILURES;
}

/** `askFirst`: the person may put an automatic compaction off for this turn, as long as the request can still be sent. */
async function confirmCompaction(
  session: Session,
  { config, person }: Pick<AgentDeps, 'config' | 'person'>,
  { counters, signal, limits }: FitRun & { readonly limits: Limits },
): Promise<boolean> {
  if (!config.compaction.askFirst) return true;
  const { tokens } = session.estimate.count();
  if (!counters.declined)
    counters.declined = !(await person.confirm(
      localize({
        en: `The context is nearly full (${groupDigits(tokens)} of ${groupDigits(limits.windowTokens)} tokens). Compact now?`,
        zh: `上下文快满了（${groupDigits(tokens)} / ${groupDigits(limits.windowTokens)} token）。现在压缩吗？`,
      }),
      signal,
    ));
  if (!counters.declined) return true;
  if (!exceedsWindow(session.estimate.count(), limits)) return false;
  throw new SanbotError(
    'context_cannot_fit',
    {
      en: `The next request would not fit (${groupDigits(tokens)} of ${groupDigits(limits.modelWindowTokens)} tokens), and you chose not to compact`,
      zh: `下一次请求放不下（${groupDigits(tokens)} / ${groupDigits(limits.modelWindowTokens)} token），而你选择了不压缩`,
    },
    { en: 'Use /compact, or /rollback to an earlier snapshot.', zh: '请用 /compact，或用 /rollback 回到较早的快照。' },
  );
}

/** `compaction.background`: what the hard limit would make leave is summarised beside the turn, before it comes to that. */
function startBackgroundSummary(session: Session, deps: SummaryDeps, limits: Limits): void {
  const { background, enabled } = deps.config.compaction;
  if (!background || !enabled || session.summariser.prepared !== undefined || session.context.messages.length < limits.minMessages) return;
  prepareSummary(limits, session, deps);
}

const isRefill = ({ steps, compactedAtStep }: FitCounters): boolean => steps - compactedAtStep <= REFILL_STEPS;

function countRefill(session: Session, counters: FitCounters, limits: Limits): void {
  if (!isRefill(counters)) return;
  counters.refills += 1;
  if (counters.refills <= MAX_REFILLS) return;
  const { tokens, systemTokens, toolsTokens } = session.estimate.count();
  throw new SanbotError(
    'context_cannot_fit',
    {
      en: `The context was full again right after ${MAX_REFILLS} compactions in this turn (${groupDigits(tokens)} tokens now, ${groupDigits(limits.hardTokens)} allowed; system prompt ${groupDigits(systemTokens)}, tools ${groupDigits(toolsTokens)}), so the turn was stopped`,
      zh: `本轮压缩 ${MAX_REFILLS} 次后上下文又立即满了（现在 ${groupDigits(tokens)} token，上限 ${groupDigits(limits.hardTokens)}；系统提示词 ${groupDigits(systemTokens)}，工具 ${groupDigits(toolsTokens)}），因此停止了本轮`,
    },
    {
      en: 'Ask for less at a time (smaller files, narrower searches), or use a model with a larger window.',
      zh: '每次少要求一些（更小的文件、更窄的搜索），或改用窗口更大的模型。',
    },
  );
}

function emitContextHigh(
  reasons: readonly PressureReason[],
  count: ContextCount,
  { limits, counters, emit }: { readonly limits: Limits; readonly counters: FitCounters; readonly emit: Emit },
): void {
  if (counters.softReported) return;
  counters.softReported = true;
  emit({ type: 'context_high', reasons, tokens: count.tokens, softTokens: limits.softTokens, hardTokens: limits.hardTokens });
}
