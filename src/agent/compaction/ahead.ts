import type { Message, Summary } from '../../domain/session/message.ts';
import { usageTotal } from '../../domain/session/message.ts';
import type { AgentDeps } from '../deps.ts';
import { reasonOf, type Session } from '../session/session.ts';
import { nothingSpent, type Summarised, summarise } from './summarise.ts';
import type { Ahead, AheadOf } from './types.ts';

/** Starts one, unless there is one or the models for summaries are left alone for now. */
export function startAhead(of: AheadOf, session: Session, deps: AgentDeps): void {
  const { compaction } = deps.config;
  if (!deps.canSummarise || !compaction.useLLMSummary || session.ahead !== undefined) return;
  if (session.summaryBreaker.isOpen(deps.now().getTime())) return;
  const stop = new AbortController();
  const started = deps.now().getTime();
  // Beside a turn nothing of it is shown, and a summary by rule is made in no time when it is needed.
  const quiet = { ...deps, emit: () => undefined, config: { ...deps.config, compaction: { ...compaction, llmFallbackToRules: false } } };
  const finish = (made: Summarised): string | undefined => {
    const { usage, costUsd } = made.spent;
    if (usageTotal(usage) > 0) session.book('compaction', usage, costUsd);
    const ms = Math.max(0, deps.now().getTime() - started);
    const ended =
      made.kind === 'summarised'
        ? ({ type: 'summary_prepared', messages: of.material.length, usage, costUsd, ms } as const)
        : ({ type: 'summary_dropped', why: made.why, usage, costUsd } as const);
    ahead.news = () => deps.emit(ended);
    return made.kind === 'summarised' ? made.text : undefined;
  };
  const { read: bodyOf } = session.bodies;
  const wish = { ...of, instructions: undefined, targetTokens: of.limits.summaryTokens, asked: false, bodyOf, signal: stop.signal };
  const done = summarise(wish, session, quiet)
    .catch((error: unknown): Summarised => ({ kind: 'failed', why: reasonOf(error), spent: nothingSpent }))
    .then(finish);
  const ahead: Ahead = { of, stop: () => stop.abort(), done, news: undefined };
  session.ahead = ahead;
}

/** Tells, once, what came of it; where a line on the screen disturbs nothing. */
export function tellAhead({ ahead }: Session): void {
  const news = ahead?.news;
  if (ahead !== undefined) ahead.news = undefined;
  news?.();
}

/** Gives it up, whatever it has come to; nothing of the context changes by that. */
export function dropAhead(why: string, session: Session, deps: Pick<AgentDeps, 'emit'>): void {
  const { ahead } = session;
  if (ahead === undefined) return;
  tellAhead(session);
  ahead.stop();
  session.ahead = undefined;
  deps.emit({ type: 'summary_dropped', why, ...nothingSpent });
}

export type ReadyAhead = {
  readonly text: string;
  /** What it stands for: exactly the beginning of what leaves now. */
  readonly material: readonly Message[];
  /** Where the tail would begin if nothing else left. */
  readonly index: number;
  /** True when nothing else leaves. */
  readonly isWhole: boolean;
};

type Leaving = { readonly material: readonly Message[]; readonly earlier: Summary | undefined };

/**
 * The summary made ahead, for a compaction that takes `leaving` out: waited for when it is not ready yet. Undefined when there is
 * none, when it failed, or when it is of something else; then it is gone. Messages are the same when their ids are: what
 * has become a stub or lost its thinking meanwhile says what it said.
 */
export async function awaitAhead(
  leaving: Leaving,
  signal: AbortSignal,
  session: Session,
  deps: AgentDeps,
): Promise<ReadyAhead | undefined> {
  const { ahead } = session;
  if (ahead === undefined) return undefined;
  const { material, earlier } = ahead.of;
  const isBeginning = earlier?.text === leaving.earlier?.text && material.every(({ id }, at) => leaving.material[at]?.id === id);
  if (!isBeginning) {
    dropAhead('what it summarises is no longer the beginning of what leaves', session, deps);
    return undefined;
  }
  deps.emit({ type: 'compaction_step', step: 'summary', part: 1, parts: 1 });
  const stop = () => ahead.stop();
  signal.addEventListener('abort', stop, { once: true });
  const text = await ahead.done;
  signal.removeEventListener('abort', stop);
  tellAhead(session);
  session.ahead = undefined;
  const last = material.at(-1)?.id;
  const index = session.context.messages.findIndex(({ id }) => id === last) + 1;
  return text === undefined || signal.aborted ? undefined : { text, material, index, isWhole: material.length === leaving.material.length };
}
