import type { Limits } from '../../context/measure/limits.ts';
import { errorReason } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type Message, usageTotal } from '../../domain/session/message.ts';
import { type AgentDeps, withEmit } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { noCost } from '../session/usage.ts';
import { type SummaryDeps, summariseByModels } from './model-summary.ts';
import { planCompaction } from './plan.ts';
import type { CompactionPlan, PreparedSummary, Summarised, SummaryResult } from './types.ts';

/** Starts one, unless there is one, nothing would leave, or the models for summaries are left alone for now. */
export function prepareSummary(limits: Limits, session: Session, deps: SummaryDeps): void {
  const { clock, config, model, report } = deps;
  if (!model.canSummarise || !config.compaction.useLLMSummary || session.summariser.prepared !== undefined) return;
  const startedAt = clock.now().getTime();
  if (session.summariser.modelBreaker.isOpen(startedAt)) return;
  const controller = new AbortController();
  const { signal } = controller;
  const plan = planCompaction({ trigger: 'auto', reasons: [], instructions: undefined, limits, signal }, session, deps);
  if (plan === undefined) return;
  const finish = (outcome: SummaryResult): Summarised | undefined => {
    const { usage, costUsd } = outcome.cost;
    if (usageTotal(usage) > 0) session.usage.record('compaction', usage, costUsd);
    const ms = Math.max(0, clock.now().getTime() - startedAt);
    const event =
      outcome.kind === 'summarised'
        ? ({ type: 'summary_prepared', messages: plan.toSummarise.length, usage, costUsd, ms } as const)
        : ({ type: 'summary_dropped', why: outcome.why, usage, costUsd } as const);
    prepared.pendingReport = () => report.emit(event);
    return outcome.kind === 'summarised' ? outcome : undefined;
  };
  // Beside a turn nothing of it is shown; a summary by rule is made in no time when it is needed.
  const result = summariseByModels(
    plan,
    session,
    withEmit(deps, () => undefined),
  )
    .catch((error: unknown): SummaryResult => ({ kind: 'failed', why: errorReason(error), cost: noCost }))
    .then(finish);
  const prepared: PreparedSummary = { plan, stop: () => controller.abort(), result, pendingReport: undefined };
  session.summariser.prepared = prepared;
}

/** Tells, once, what came of it; where a line on the screen disturbs nothing. */
export function reportPreparedSummary({ summariser: { prepared } }: Session): void {
  const pendingReport = prepared?.pendingReport;
  if (prepared !== undefined) prepared.pendingReport = undefined;
  pendingReport?.();
}

/** Gives it up, whatever it has come to; nothing of the context changes by that. */
export function dropPreparedSummary(why: Bilingual, session: Session, { report }: Pick<AgentDeps, 'report'>): void {
  const { prepared } = session.summariser;
  if (prepared === undefined) return;
  reportPreparedSummary(session);
  prepared.stop();
  session.summariser.prepared = undefined;
  report.emit({ type: 'summary_dropped', why, ...noCost });
}

export type ReadySummary = Pick<Summarised, 'text' | 'memories'> & {
  /** What it stands for: exactly the beginning of what leaves now. */
  readonly messages: readonly Message[];
  /** Where the tail would begin if nothing else left. */
  readonly index: number;
  /** True when nothing else leaves. */
  readonly coversAll: boolean;
};

/**
 * The summary made ahead, for a compaction of this plan: waited for when it is not ready yet. Undefined when there is none, when it
 * failed, or when it is of something else; then it is gone. Messages are the same when their ids are: what has become a stub or lost its
 * thinking meanwhile says what it said.
 */
export async function awaitPreparedSummary(
  { toSummarise: leaving, earlier: standing, signal }: CompactionPlan,
  session: Session,
  deps: Pick<AgentDeps, 'report'>,
): Promise<ReadySummary | undefined> {
  const { prepared } = session.summariser;
  if (prepared === undefined) return undefined;
  const { toSummarise, earlier } = prepared.plan;
  const isPrefix = earlier?.text === standing?.text && toSummarise.every(({ id }, at) => leaving[at]?.id === id);
  if (!isPrefix) {
    dropPreparedSummary(
      { en: 'what it summarises is no longer the oldest part of the conversation', zh: '它所摘要的内容已不再是对话中最早的部分' },
      session,
      deps,
    );
    return undefined;
  }
  deps.report.emit({ type: 'compaction_step', step: 'summary', part: 1, parts: 1 });
  const stop = () => prepared.stop();
  signal.addEventListener('abort', stop, { once: true });
  const ready = await prepared.result;
  signal.removeEventListener('abort', stop);
  reportPreparedSummary(session);
  session.summariser.prepared = undefined;
  const lastId = toSummarise.at(-1)?.id;
  const index = session.context.messages.findIndex(({ id }) => id === lastId) + 1;
  return ready === undefined || signal.aborted
    ? undefined
    : { ...ready, messages: toSummarise, index, coversAll: toSummarise.length === leaving.length };
}
