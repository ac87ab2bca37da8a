import { withoutThinking } from '../../context/history/apply-record.ts';
import { withOngoing, workingFolderIn } from '../../context/history/notices.ts';
import { insertAfterSummary, withPins } from '../../context/history/pins.ts';
import { openTasks } from '../../context/history/todo-list.ts';
import { TOOLS_NOTICE, toolChanges } from '../../context/prompt/tool-changes.ts';
import { compressedHistory, shortTermSummary } from '../../context/summary/compressed-history.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session/session.ts';
import type { CompactionPlan, NoCompaction, PreparedCompaction } from './types.ts';

export type ContextDeps = Pick<AgentDeps, 'config' | 'clock' | 'person' | 'prompts' | 'measure'>;
/** Whose context is replaced, and in whose tokens it is counted. */
type Estimated = Pick<Session, 'estimate' | 'model' | 'cwd'>;
type Summary = PreparedCompaction['summary'];

/** The compaction as it can be committed. Accepted only when it makes the context smaller. */
export function prepareContext(
  plan: CompactionPlan,
  { text, method }: Summary,
  { cost, ms }: Pick<PreparedCompaction, 'cost' | 'ms'>,
  session: Estimated,
  deps: ContextDeps,
): PreparedCompaction | Extract<NoCompaction, { kind: 'failed' }> {
  const { old, tokensBefore } = plan;
  const { measure } = deps;
  const summary = { text, method };
  const tokensOf = (context: SessionContext): number => measure.context(context, session.estimate.ratio).tokens;
  // Both by the same measure: what a provider reported for the old past says nothing about the new one.
  const isSmaller = (context: SessionContext): boolean => tokensOf(context) < tokensBefore && measure.raw(context) < measure.raw(old);
  const summarised = newContext(plan, summary, session, deps);
  const renewed = withPresentBase(summarised, plan, session, deps);
  // Tools that have grown by more than the summary saves wait for a compaction that has room for them.
  const context = isSmaller(renewed) ? renewed : summarised;
  const tokensAfter = tokensOf(context);
  if (!isSmaller(context))
    return {
      kind: 'failed',
      why: {
        en: `the summary would not make the context smaller (${tokensBefore} -> ${tokensAfter} tokens)`,
        zh: `摘要不会使上下文变小（${tokensBefore} -> ${tokensAfter} token）`,
      },
    };
  return { kind: 'prepared', plan, summary, context, tokensAfter, cost, ms };
}

/**
 * The summary, the pins whose messages leave, then what is kept, without thinking blocks: they are bound to a past that is no longer there.
 */
export function newContext(plan: CompactionPlan, { text }: Summary, session: Estimated, deps: ContextDeps): SessionContext {
  const { limits, old, earlier, toSummarise, kept, ledger } = plan;
  const count = (words: string) => deps.measure.text(words, session.estimate.ratio);
  const summary = compressedHistory({
    id: deps.clock.newId(),
    at: deps.clock.now().toISOString(),
    text,
    ledger,
    messages: (earlier?.messages ?? 0) + toSummarise.length,
    ledgerTokens: limits.ledgerTokens,
    count,
    cwd: workingFolderIn(old.messages) ?? session.cwd,
    mode: deps.person.repeatsMode === false ? undefined : deps.person.mode,
  });
  const pins = { id: `${summary.id}-pins`, at: summary.at };
  const context = {
    ...old,
    shortTermSummary: shortTermSummary(text, {
      tokens: limits.shortSummaryTokens,
      count,
      open: [...openTasks(ledger.todo), ...ledger.open],
    }),
    messages: withOngoing(withPins([summary, ...withoutThinking(kept)], old.pins ?? [], pins), deps.prompts.ongoing?.() ?? [], {
      id: `${summary.id}-ongoing`,
      at: summary.at,
    }),
  };
  return { ...context, anchorFloor: context.messages.length };
}

/** Tools that have changed since the session froze them are taken as they are now. */
function withPresentBase(context: SessionContext, plan: CompactionPlan, session: Estimated, deps: ContextDeps): SessionContext {
  const base = deps.prompts.base(plan.forModel ?? session.model);
  const present = withBase(context, base, deps, deps.config.compaction.keepSystemPrompt);
  return { ...present, anchorFloor: present.messages.length };
}

/** What a session freezes at its start, and takes anew only where its past changes anyway: the provider's cache begins with it. */
export type Base = Pick<SessionContext, 'system' | 'tools'>;

type BaseDeps = Pick<AgentDeps, 'clock'>;

/**
 * The context with this base in the place of its own, and with a message that says what became of the tools. Thinking in its messages must
 * be gone before it is sent: that is bound to the base. The system prompt alone changes only where `keepsSystem` is false.
 */
export function withBase(context: SessionContext, base: Base, { clock }: BaseDeps, keepsSystem: boolean): SessionContext {
  const changes = toolChanges(context.tools, base.tools);
  if (changes === undefined) return keepsSystem ? context : { ...context, system: base.system };
  const notice = {
    ...({ id: clock.newId(), at: clock.now().toISOString(), role: 'user', origin: 'notice', notice: TOOLS_NOTICE } as const),
    content: [{ type: 'text', text: changes } as const],
  };
  const messages = insertAfterSummary(
    context.messages.filter((message) => message.notice !== TOOLS_NOTICE),
    [notice],
  );
  return { ...context, ...base, messages };
}
