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

import { AbortedError } from '../../domain/errors.ts';
import { usageTotal } from '../../domain/session/message.ts';
import { type AgentDeps, warn } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { addCosts, type Cost, noCost } from '../session/usage.ts';
import { commitCompaction, emitCompactionFailure } from './commit.ts';
import { runPreCompactHooks } from './compaction-hooks.ts';
import { prepareContext, tryContext } from './new-context.ts';
import { planCompaction } from './plan.ts';
import { summarise } from './summary.ts';
import type { CompactionOptions, CompactionOutcome, CompactionPlan, NoCompaction, PreparedCompaction } from './types.ts';

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
      en: `There is little to compact: at most ${tokensBefore - empty.tokensAfter} of ${tokensBefore} tokens can leave the context, and the summary may take ${limits.summaryTokens} in their place.`,
      zh: `可压缩的内容很少：${tokensBefore} token 中最多能从上下文移出 ${tokensBefore - empty.tokensAfter}，而摘要可能占用 ${limits.summaryTokens}。`,
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
