import { applyRecord } from '../../context/history/apply-record.ts';
import type { Limits } from '../../context/measure/limits.ts';
import { priceRelief, type ReliefSizes } from '../../context/relief/price-relief.ts';
import { tryContext } from '../compaction/new-context.ts';
import { planCompaction, summaryByRule } from '../compaction/plan.ts';
import { chooseSummaryWay, pricesOf } from '../compaction/summary-way.ts';
import type { CompactionPlan } from '../compaction/types.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { messageSizes, type OffloadBatch, planBatch, tokensBehind, tokensSaved } from './offload-results.ts';
import { recordOf, storeBatch } from './store-stub.ts';

type ReliefDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'measure' | 'report' | 'prompts' | 'person'>;

/**
 * What each way to make room would free and cost if it were taken now, by the functions that take it: tokens that leave the context, and
 * dollars with the next request, undefined where no price is known. Exact but for what is not written yet: the paths in stubs, and the
 * summary of a model, which counts as long as the last one or, before the first, as long as it may be.
 */
export function estimateRelief(session: Session, deps: ReliefDeps, limits: Limits) {
  const { context, bodies, model, cwd } = session;
  const settled = { context, bodies, model, cwd, estimate: session.estimate.settled() };
  const batch = planBatch(settled, deps, limits);
  const byRule = summarisesByRule(session, deps);
  const compaction = expectCompaction(settled, deps, { limits, byRule });
  const request = byRule || compaction === undefined ? undefined : chooseSummaryWay(session, deps, compaction.plan).usage;
  const { tokens, systemTokens, toolsTokens } = session.estimate.count();
  const { candidates } = batch;
  const sizes: ReliefSizes = {
    ...{ tokens, baseTokens: systemTokens + toolsTokens, freedTokens: compaction?.freedTokens ?? 0, request },
    batch: { removedTokens: tokensSaved(candidates), tokensBehind: tokensBehind(candidates, messageSizes(session, deps.measure)) },
  };
  const costOf = pricesOf(session, deps);
  const costUsd = costOf && priceRelief(sizes, costOf);
  return {
    offload: { tokens: freedBy(batch, settled, deps), costUsd: costUsd?.offload },
    compact: { tokens: sizes.freedTokens, costUsd: costUsd?.compact },
  };
}

/** By the very stubs that a batch would leave; nothing is stored. */
function freedBy({ candidates, stubTokens }: OffloadBatch, { context, estimate, bodies }: Settled, { measure }: ReliefDeps): number {
  const save = (body: string) => ({ ref: bodies.refOf(body), path: bodies.path(bodies.refOf(body)) });
  const { stubs } = storeBatch(candidates, { bodies: { ...bodies, save } }, stubTokens);
  if (stubs.length === 0) return 0;
  const after = measure.context(applyRecord(context, recordOf(stubs)), estimate.ratio).tokens;
  return Math.max(0, estimate.count().tokens - after);
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
  return { plan, freedTokens: plan.tokensBefore - tokensAfter };
}

/** Of the context with this summary; undefined where it would not be smaller, and a compaction would be refused. */
function tokensWith(text: string, plan: CompactionPlan, settled: Settled, deps: ReliefDeps): number | undefined {
  const prepared = tryContext(plan, text, settled, deps);
  return prepared.kind === 'prepared' ? prepared.tokensAfter : undefined;
}

/** No model would make the summary. */
function summarisesByRule({ summariser }: Session, { config, model, clock }: Pick<AgentDeps, 'config' | 'model' | 'clock'>): boolean {
  const isAsked = config.compaction.useLLMSummary && (model.canSummarise || model.rulesStandForModel === true);
  return !isAsked || summariser.modelBreaker.isOpen(clock.now().getTime());
}
