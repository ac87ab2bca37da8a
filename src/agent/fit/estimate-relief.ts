import type { Limits } from '../../context/measure/limits.ts';
import { tryContext } from '../compaction/new-context.ts';
import { planCompaction } from '../compaction/plan.ts';
import { summaryByRule } from '../compaction/summary.ts';
import type { CompactionPlan } from '../compaction/types.ts';
import type { Session } from '../session/session.ts';
import { messageSizes, planLargestBatch, tailStart, tokensSaved } from './offload-results.ts';
import { type ReliefDeps, reliefOptions, summarisesByRule } from './plan-relief.ts';

/**
 * What each way to make room would free and cost if it were taken now, by the functions that take it: tokens that leave the context, and
 * dollars with the next request, undefined where no price is known. Exact but for what is not written yet: the paths in stubs, and the
 * summary of a model, which counts as long as the last one or, before the first, as long as it may be.
 */
export function estimateRelief(session: Session, deps: ReliefDeps, limits: Limits) {
  const { context, bodies, model, cwd } = session;
  const settled = { context, bodies, model, cwd, estimate: session.estimate.settled() };
  const batch = planLargestBatch(settled, deps, limits);
  const compaction = expectCompaction(settled, deps, { limits, byRule: summarisesByRule(session, deps) });
  const keepFrom = compaction?.plan.index ?? tailStart(settled, deps.measure, limits);
  const options = reliefOptions(session, deps, { limits, batch, keepFrom, compaction });
  return {
    offload: { tokens: tokensSaved(batch.candidates), costUsd: options?.offload.costNow },
    compact: { tokens: compaction?.freedTokens ?? 0, costUsd: options?.compact.costNow },
  };
}

type Settled = Pick<Session, 'context' | 'estimate' | 'bodies' | 'model' | 'cwd'>;

/** Of /compact without instructions and hooks; undefined where it would do nothing. */
function expectCompaction(settled: Settled, deps: ReliefDeps, { limits, byRule }: { readonly limits: Limits; readonly byRule: boolean }) {
  const { signal } = new AbortController();
  const plan = planCompaction({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, settled, deps);
  const empty = plan === undefined ? undefined : tokensWith('', plan, settled, deps);
  if (plan === undefined || empty === undefined) return undefined;
  const text = byRule ? summaryByRule(plan, settled, deps) : plan.earlier?.text;
  const longest = limits.summaryTokens + Math.min(limits.shortSummaryTokens, limits.summaryTokens);
  const tokensAfter = text === undefined ? empty + longest : tokensWith(text, plan, settled, deps);
  if (tokensAfter === undefined || tokensAfter >= plan.tokensBefore) return undefined;
  const summaryTokens = text === undefined ? limits.summaryTokens : deps.measure.text(text, settled.estimate.ratio);
  const { systemTokens, toolsTokens } = settled.estimate.count();
  const keptTokens = messageSizes({ ...settled, context: { ...settled.context, messages: plan.kept } }, deps.measure);
  const kept = keptTokens.reduce((sum, tokens) => sum + tokens, 0);
  const ledgerTokens = Math.max(0, tokensAfter - systemTokens - toolsTokens - kept - summaryTokens);
  return { plan, freedTokens: plan.tokensBefore - tokensAfter, keptTokens: kept, ledgerTokens, summaryTokens, byRule };
}

/** Of the context with this summary; undefined where it would not be smaller, and a compaction would be refused. */
function tokensWith(text: string, plan: CompactionPlan, settled: Settled, deps: ReliefDeps): number | undefined {
  const prepared = tryContext(plan, text, settled, deps);
  return prepared.kind === 'prepared' ? prepared.tokensAfter : undefined;
}
