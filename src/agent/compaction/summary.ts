import { checkSummary } from '../../context/summary/summary-check.ts';
import type { SummaryMethod } from '../../domain/event.ts';
import { because, joinTexts } from '../../domain/language.ts';
import { type AgentDeps, warn } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { type Cost, noCost } from '../session/usage.ts';
import { cancelledText } from './ask-for-summary.ts';
import { type SummaryDeps, summariseByModels } from './model-summary.ts';
import { type ContextDeps, newContext } from './new-context.ts';
import { planAt } from './plan.ts';
import { awaitPreparedSummary, type ReadySummary } from './prepared-summary.ts';
import { summaryByRule } from './summary-by-rule.ts';
import type { CompactionPlan, Summarised, SummaryResult } from './types.ts';

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
