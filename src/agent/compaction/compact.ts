/**
 * Compaction: older messages of a session leave its context, and a summary with a ledger takes their place.
 *
 * The way is one line, and each file hands one value on to the next:
 *
 *   options -> plan.ts -> compaction-hooks.ts -> summary.ts -> new-context.ts -> commit.ts -> outcome
 *              CompactionPlan                    SummaryResult  PreparedCompaction
 *
 * A summary is a hook's, or one that was prepared beside the turn (prepared-summary.ts), or a model's (model-summary.ts), or made by
 * rule; whoever made it, it is checked, and a compaction that would not make the context smaller is refused. Until the one checkpoint in commit.ts nothing of the session has changed: a crash, a failure or a cancel before it leaves
 * the old context, and costs what was spent. What leaves is in a snapshot first, so every compaction can be rolled back. No decision of
 * when to compact is made here: that is fit/fit.ts, or the person.
 */

import { checkSummary } from '../../context/summary/summary-check.ts';
import { AbortedError } from '../../domain/errors.ts';
import type { SummaryMethod } from '../../domain/event.ts';
import { because, joinTexts } from '../../domain/language.ts';
import { usageTotal } from '../../domain/session/message.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import { type AgentDeps, warn } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { addCosts, type Cost, noCost } from '../session/usage.ts';
import { commitCompaction, emitCompactionFailure, runPreCompactHooks } from './commit.ts';
import { type SummaryDeps, summariseByModels } from './model-summary.ts';
import { type ContextDeps, newContext, prepareContext, tryContext } from './new-context.ts';
import { planAt, planCompaction, summaryByRule } from './plan.ts';
import { awaitPreparedSummary, type ReadySummary } from './prepared-summary.ts';
import { cancelledText } from './summary-way.ts';
import type {
  CompactionOptions,
  CompactionOutcome,
  CompactionPlan,
  NoCompaction,
  PreparedCompaction,
  Summarised,
  SummaryResult,
} from './types.ts';

/** The plan is another one when a summary that was prepared beside the turn lets more stay. */
type PlannedSummary =
  | { readonly kind: 'summarised'; readonly plan: CompactionPlan; readonly summary: Summarised }
  | Extract<SummaryResult, { kind: 'failed' }>;

/**
 * Has the summary of a plan made: the one prepared beside the turn, or a new one where that is not to be had. Its cost is given to `spend`
 * as soon as it is spent. A cancel is a failure here; rejects for no model.
 */
export async function summarise(
  plan: CompactionPlan,
  spend: (cost: Cost) => void,
  session: Session,
  deps: SummaryDeps & ContextDeps,
): Promise<PlannedSummary> {
  const isPlain = plan.instructions === undefined && plan.hookSummary === undefined;
  const ready = isPlain ? await awaitPreparedSummary(plan, session, deps) : undefined;
  if (plan.signal.aborted) return cancelled;
  const covered = ready === undefined ? undefined : takeReadySummary(ready, plan, session, deps);
  if (covered !== undefined) return covered;
  const summary = await summariseAnew(ready === undefined ? plan : withoutReady(plan, ready), session, deps);
  spend(summary.cost);
  if (summary.kind !== 'summarised') return summary;
  const memories = [...(ready?.memories ?? []), ...(summary.memories ?? [])];
  return { kind: 'summarised', plan, summary: { ...summary, memories } };
}

const cancelled: PlannedSummary = { kind: 'failed', why: cancelledText, cost: noCost };

/** A summary that was made beside the turn is enough by itself when all that came after it can stay. */
function takeReadySummary(ready: ReadySummary, plan: CompactionPlan, session: Session, deps: ContextDeps): PlannedSummary | undefined {
  const ownPlan = planAt(ready.index, plan, session);
  if (ownPlan === undefined) return undefined;
  const summary: Summarised = { kind: 'summarised', text: ready.text, method: 'model', memories: ready.memories ?? [], cost: noCost };
  const { tokens } = deps.measure.context(newContext(ownPlan, ready.text, session, deps), session.estimate.ratio);
  return ready.coversAll || tokens <= plan.limits.softTokens ? { kind: 'summarised', plan: ownPlan, summary } : undefined;
}

/** The same plan for what the summary made beside the turn does not cover yet. */
const withoutReady = (plan: CompactionPlan, { text, messages }: ReadySummary): CompactionPlan => ({
  ...plan,
  toSummarise: plan.toSummarise.slice(messages.length),
  earlier: { text, ledger: plan.ledger, messages: 0 },
});

/** A hook's, by models, or by rule when there is no model for it, or the models are down and the user allows it. */
async function summariseAnew(plan: CompactionPlan, session: Session, deps: SummaryDeps): Promise<SummaryResult> {
  const { useLLMSummary, llmFallbackToRules } = deps.config.compaction;
  const byHook = plan.hookSummary === undefined ? undefined : checkHookSummary(plan.hookSummary, plan, session, deps);
  if (byHook !== undefined) return byHook;
  if (!deps.model.canSummarise || !useLLMSummary) return summariseByRule(plan, 'rules', session, deps);
  const byModels = await summariseByModels(plan, session, deps);
  if (byModels.kind === 'summarised' || plan.signal.aborted || !llmFallbackToRules) return byModels;
  warn(deps.report.emit, {
    en: `${byModels.why.en}.`,
    zh: `${byModels.why.zh}。`,
  });
  return { ...summariseByRule(plan, 'rules_degraded', session, deps), cost: byModels.cost };
}

/** A hook's summary has to pass the check that a model's has to; undefined, and told, when it does not. */
function checkHookSummary(
  hookSummary: string,
  { toSummarise, earlier }: CompactionPlan,
  session: Session,
  { measure, report }: Pick<AgentDeps, 'measure' | 'report'>,
): Summarised | undefined {
  const text = hookSummary.trim();
  const { ratio } = session.estimate;
  const sizes = measure.messages(toSummarise, ratio);
  const verdict = checkSummary(text, {
    stopReason: 'end_turn',
    hasToolCall: false,
    sourceTokens: sizes.reduce((sum, size) => sum + size, measure.text(earlier?.text ?? '', ratio)),
    tokens: measure.text(text, ratio),
  });
  if (verdict.kind === 'good') return { kind: 'summarised', text, method: 'hook', cost: noCost };
  warn(
    report.emit,
    because(
      { en: 'The summary of a PreCompact hook is not used', zh: '不使用 PreCompact 钩子的摘要' },
      joinTexts(verdict.problems, { en: ' ', zh: '' }),
    ),
  );
  return undefined;
}

const summariseByRule = (plan: CompactionPlan, method: SummaryMethod, session: Session, deps: Pick<AgentDeps, 'measure'>): Summarised => ({
  kind: 'summarised',
  text: summaryByRule(plan, session, deps),
  method,
  cost: noCost,
});

/**
 * Replaces older messages by a summary: prepares it, then commits it. Rejects with AbortedError when cancelled, and with store_failed
 * when the disk will not take the snapshot or the checkpoint; then the old context stands.
 */
export async function compact(options: CompactionOptions, session: Session, deps: AgentDeps): Promise<CompactionOutcome> {
  const prepared = await prepareCompaction(options, session, deps);
  return prepared.kind === 'prepared' ? commitCompaction(prepared, session, deps) : prepared;
}

/** Makes the summary and the context that would follow. Writes nothing but what the disk refused before. Rejects with AbortedError. */
export async function prepareCompaction(
  options: CompactionOptions,
  session: Session,
  deps: AgentDeps,
): Promise<PreparedCompaction | NoCompaction> {
  session.flush();
  session.estimate.settle();
  const { trigger, reasons } = options;
  const messages = session.context.messages.length;
  const { tokens } = session.estimate.count();
  const plan = planCompaction(options, session, deps);
  if (plan === undefined) {
    if (trigger === 'manual') deps.report.emit({ type: 'nothing_to_compact', messages, tokens });
    return { kind: 'nothing' };
  }
  deps.report.emit({ type: 'compaction_started', trigger, reasons, tokens, messages });
  const meter = createCostMeter(session);
  try {
    const outcome = await prepare(plan, meter, session, deps);
    if (outcome.kind === 'nothing') deps.report.emit({ type: 'nothing_to_compact', messages, tokens });
    else if (outcome.kind !== 'prepared') deps.report.emit({ type: 'compaction_failed', trigger, why: outcome.why, ...meter.total() });
    return outcome;
  } catch (error) {
    emitCompactionFailure(error, { trigger, cost: meter.total() }, deps);
    throw error;
  }
}

async function prepare(
  plan: CompactionPlan,
  meter: ReturnType<typeof createCostMeter>,
  session: Session,
  deps: AgentDeps,
): Promise<PreparedCompaction | NoCompaction> {
  const decision = await runPreCompactHooks(plan, session, deps);
  if (decision.kind === 'blocked') return decision;
  const startedAt = deps.clock.now().getTime();
  const { instructions, hookSummary } = decision;
  const futile = tooLittle(plan, session, deps);
  if (futile !== undefined) return orNothing(futile, plan, meter);
  const result = await summarise({ ...plan, instructions, hookSummary }, meter.add, session, deps);
  if (plan.signal.aborted) throw new AbortedError();
  if (result.kind === 'failed') {
    if (usageTotal(meter.total().usage) > 0) rememberFutile(plan, session, { freed: true, paid: true });
    return { kind: 'failed', why: result.why };
  }
  const ms = Math.max(0, deps.clock.now().getTime() - startedAt);
  const prepared = prepareContext(result.plan, result.summary, { cost: meter.total(), ms }, session, deps);
  if (prepared.kind === 'prepared') return prepared;
  rememberFutile(plan, session, { freed: false, paid: usageTotal(meter.total().usage) > 0 });
  return orNothing(prepared, plan, meter);
}

/** For a person who asked, that there is nothing to gain is an answer and no failure, unless it was paid for. */
const orNothing = <Failed>(
  failed: Failed,
  { trigger }: CompactionPlan,
  meter: ReturnType<typeof createCostMeter>,
): Failed | { kind: 'nothing' } => (trigger === 'manual' && usageTotal(meter.total().usage) === 0 ? { kind: 'nothing' } : failed);

/** Fails where not even an empty summary would help, and tells the user where one of the length that is asked for would not. */
function tooLittle(plan: CompactionPlan, session: Session, deps: AgentDeps): Extract<NoCompaction, { kind: 'failed' }> | undefined {
  const { trigger, limits, tokensBefore } = plan;
  const empty = tryContext(plan, '', session, deps);
  if (empty.kind === 'failed') {
    rememberFutile(plan, session, { freed: false, paid: false });
    return empty;
  }
  if (trigger === 'manual' && tokensBefore - empty.tokensAfter <= limits.summaryTokens)
    warn(deps.report.emit, {
      en: `There is little to compact: at most ${groupDigits(tokensBefore - empty.tokensAfter)} of ${groupDigits(tokensBefore)} tokens can leave the context, and the summary may take ${groupDigits(limits.summaryTokens)} in their place.`,
      zh: `可压缩的内容很少：${groupDigits(tokensBefore)} token 中最多能从上下文移出 ${groupDigits(tokensBefore - empty.tokensAfter)}，而摘要可能占用 ${groupDigits(limits.summaryTokens)}。`,
    });
  return undefined;
}

function rememberFutile(
  { tokensBefore }: CompactionPlan,
  session: Session,
  { freed, paid }: { readonly freed: boolean; readonly paid: boolean },
): void {
  session.rememberFutile({ tokens: Math.round(tokensBefore), model: session.model, freed }, { paid });
}

/** What one compaction cost so far; each part counts as the session's usage as soon as it is spent. */
function createCostMeter({ usage }: Session) {
  let total = noCost;
  return {
    total: () => total,
    add: (cost: Cost): void => {
      total = addCosts(total, cost);
      if (usageTotal(cost.usage) > 0) usage.record('compaction', cost.usage, cost.costUsd);
    },
  };
}
