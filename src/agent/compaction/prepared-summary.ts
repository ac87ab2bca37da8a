import type { Message, Summary } from '../../domain/session/message.ts';
import { usageTotal } from '../../domain/session/message.ts';
import { type AgentDeps, withEmit } from '../deps.ts';
import { errorMessage, type Session } from '../session/session.ts';
import { noCost } from '../session/usage.ts';
import { type SummaryResult, summarise } from './summarise.ts';
import type { PreparedSummary, SummarySource } from './types.ts';

/** Starts one, unless there is one or the models for summaries are left alone for now. */
export function prepareSummary(source: SummarySource, session: Session, deps: AgentDeps): void {
  const { compaction } = deps.config;
  if (!deps.model.canSummarise || !compaction.useLLMSummary || session.summariser.prepared !== undefined) return;
  if (session.summariser.modelBreaker.isOpen(deps.clock.now().getTime())) return;
  const controller = new AbortController();
  const startedAt = deps.clock.now().getTime();
  // Beside a turn nothing of it is shown, and a summary by rule is made in no time when it is needed.
  const quietDeps = {
    ...withEmit(deps, () => undefined),
    config: { ...deps.config, compaction: { ...compaction, llmFallbackToRules: false } },
  };
  const finish = (outcome: SummaryResult): string | undefined => {
    const { usage, costUsd } = outcome.cost;
    if (usageTotal(usage) > 0) session.usage.record('compaction', usage, costUsd);
    const ms = Math.max(0, deps.clock.now().getTime() - startedAt);
    const event =
      outcome.kind === 'summarised'
        ? ({ type: 'summary_prepared', messages: source.toSummarise.length, usage, costUsd, ms } as const)
        : ({ type: 'summary_dropped', why: outcome.why, usage, costUsd } as const);
    prepared.pendingReport = () => deps.report.emit(event);
    return outcome.kind === 'summarised' ? outcome.text : undefined;
  };
  const { read: bodyOf } = session.bodies;
  const options = {
    ...source,
    instructions: undefined,
    targetTokens: source.limits.summaryTokens,
    manual: false,
    bodyOf,
    signal: controller.signal,
  };
  const result = summarise(options, session, quietDeps)
    .catch((error: unknown): SummaryResult => ({ kind: 'failed', why: errorMessage(error), cost: noCost }))
    .then(finish);
  const prepared: PreparedSummary = { source, stop: () => controller.abort(), result, pendingReport: undefined };
  session.summariser.prepared = prepared;
}

/** Tells, once, what came of it; where a line on the screen disturbs nothing. */
export function reportPreparedSummary({ summariser: { prepared } }: Session): void {
  const pendingReport = prepared?.pendingReport;
  if (prepared !== undefined) prepared.pendingReport = undefined;
  pendingReport?.();
}

/** Gives it up, whatever it has come to; nothing of the context changes by that. */
export function dropPreparedSummary(why: string, session: Session, deps: Pick<AgentDeps, 'report'>): void {
  const { prepared } = session.summariser;
  if (prepared === undefined) return;
  reportPreparedSummary(session);
  prepared.stop();
  session.summariser.prepared = undefined;
  deps.report.emit({ type: 'summary_dropped', why, ...noCost });
}

export type ReadySummary = {
  readonly text: string;
  /** What it stands for: exactly the beginning of what leaves now. */
  readonly messages: readonly Message[];
  /** Where the tail would begin if nothing else left. */
  readonly index: number;
  /** True when nothing else leaves. */
  readonly coversAll: boolean;
};

type SummaryScope = { readonly toSummarise: readonly Message[]; readonly earlier: Summary | undefined };

/**
 * The summary made ahead, for a compaction that takes `scope` out: waited for when it is not ready yet. Undefined when there is
 * none, when it failed, or when it is of something else; then it is gone. Messages are the same when their ids are: what
 * has become a stub or lost its thinking meanwhile says what it said.
 */
export async function awaitPreparedSummary(
  scope: SummaryScope,
  signal: AbortSignal,
  session: Session,
  deps: AgentDeps,
): Promise<ReadySummary | undefined> {
  const { prepared } = session.summariser;
  if (prepared === undefined) return undefined;
  const { toSummarise, earlier } = prepared.source;
  const isPrefix = earlier?.text === scope.earlier?.text && toSummarise.every(({ id }, at) => scope.toSummarise[at]?.id === id);
  if (!isPrefix) {
    dropPreparedSummary('what it summarises is no longer the beginning of what leaves', session, deps);
    return undefined;
  }
  deps.report.emit({ type: 'compaction_step', step: 'summary', part: 1, parts: 1 });
  const stop = () => prepared.stop();
  signal.addEventListener('abort', stop, { once: true });
  const text = await prepared.result;
  signal.removeEventListener('abort', stop);
  reportPreparedSummary(session);
  session.summariser.prepared = undefined;
  const lastId = toSummarise.at(-1)?.id;
  const index = session.context.messages.findIndex(({ id }) => id === lastId) + 1;
  return text === undefined || signal.aborted
    ? undefined
    : { text, messages: toSummarise, index, coversAll: toSummarise.length === scope.toSummarise.length };
}
