import { withoutThinking } from '../../context/history/apply-record.ts';
import { withOngoing, workingFolderIn } from '../../context/history/notices.ts';
import { insertAfterSummary, withPins } from '../../context/history/pins.ts';
import { openTasks } from '../../context/history/todo-list.ts';
import { TOOLS_NOTICE, toolChanges } from '../../context/prompt/prompt-changes.ts';
import { compressedHistory, shortTermSummary } from '../../context/summary/compressed-history.ts';
import { checkEditedSummary } from '../../context/summary/summary-check.ts';
import type { CompactedEvent } from '../../domain/event.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import type { Message } from '../../domain/session/message.ts';
import { type MemoryCounts, RECEIPT_VERSION, type Receipt } from '../../domain/session/snapshot.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { liveHashes, uniqueStubs } from '../session/snapshot.ts';
import { noCost } from '../session/usage.ts';
import type { CompactionPlan, NoCompaction, PreparedCompaction } from './types.ts';

export type CommittedCompaction = {
  readonly event: CompactedEvent;
  readonly archivePath: string | undefined;
  readonly memories: MemoryCounts;
};

/** More than a person reads; the snapshot has them all. */
const MAX_BODIES = 100;

/** What a compaction did, for its snapshot's meta. */
export function receiptOf(
  prepared: PreparedCompaction,
  result: CommittedCompaction,
  session: Session,
  { measure }: Pick<AgentDeps, 'measure'>,
): Receipt {
  const { plan, context } = prepared;
  const { event, archivePath, memories } = result;
  const tokensOf = (messages: readonly Message[]): number =>
    messages.reduce((sum, message) => sum + measure.message(message, session.estimate.ratio), 0);
  const removed = removedMessages(plan);
  const summary = context.messages[0];
  const live = liveHashes(context.messages);
  const bodies = uniqueStubs(plan.old.messages).map(({ tool, body }) => ({
    path: session.bodies.path(body),
    tool,
    bytes: body.bytes,
    retired: !live.has(body.sha256),
  }));
  return {
    v: RECEIPT_VERSION,
    trigger: event.trigger,
    method: event.method,
    kept: { messages: plan.kept.length, tokens: tokensOf(plan.kept) },
    summarised: { messages: removed.length, tokens: tokensOf(removed) },
    summary: { tokens: tokensOf(summary === undefined ? [] : [summary]), standsFor: summary?.summary?.messages ?? 0 },
    bodies: bodies.slice(0, MAX_BODIES),
    moreBodies: Math.max(0, bodies.length - MAX_BODIES),
    filesRetired: event.bodiesRetired,
    archive: archivePath ?? null,
    ledger: ledgerCounts(plan.ledger),
    memories,
    usage: event.usage,
    costUsd: event.costUsd ?? null,
  };
}

/** The messages that a compaction takes out of the context, an earlier summary apart: it lives on in the new one. */
export function removedMessages({ kept, toSummarise }: Pick<CompactionPlan, 'kept' | 'toSummarise'>): readonly Message[] {
  const keptIds = new Set(kept.map(({ id }) => id));
  return toSummarise.filter(({ id }) => !keptIds.has(id));
}

/** How many facts the ledger has of each kind, those it has none of left out. */
export const ledgerCounts = (ledger: Ledger): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(ledger).flatMap(([kind, facts]) => {
      const count = facts === undefined ? 0 : Array.isArray(facts) ? facts.length : 1;
      return count === 0 ? [] : [[kind, count]];
    }),
  );

export type ContextDeps = Pick<AgentDeps, 'config' | 'clock' | 'person' | 'prompts' | 'measure'>;
/** Whose context is replaced, and in whose tokens it is counted. */
type Estimated = Pick<Session, 'estimate' | 'model' | 'cwd'>;

/** The compaction as it can be committed. Accepted only when it makes the context smaller. */
export function prepareContext(
  plan: CompactionPlan,
  summary: PreparedCompaction['summary'],
  { cost, ms }: Pick<PreparedCompaction, 'cost' | 'ms'>,
  session: Estimated,
  deps: ContextDeps,
): PreparedCompaction | Extract<NoCompaction, { kind: 'failed' }> {
  const { old, tokensBefore } = plan;
  const { measure } = deps;
  const tokensOf = (context: SessionContext): number => measure.context(context, session.estimate.ratio).tokens;
  // Both by the same measure: what a provider reported for the old past says nothing about the new one.
  const isSmaller = (context: SessionContext): boolean => tokensOf(context) < tokensBefore && measure.raw(context) < measure.raw(old);
  const summarised = newContext(plan, summary.text, session, deps);
  const renewed = withPresentBase(summarised, plan, session, deps);
  // Tools that have grown by more than the summary saves wait for a compaction that has room for them.
  const context = isSmaller(renewed) ? renewed : summarised;
  const tokensAfter = tokensOf(context);
  if (!isSmaller(context))
    return {
      kind: 'failed',
      why: {
        en: `the summary would not make the context smaller (${groupDigits(tokensBefore)} -> ${groupDigits(tokensAfter)} tokens)`,
        zh: `摘要不会使上下文变小（${groupDigits(tokensBefore)} -> ${groupDigits(tokensAfter)} token）`,
      },
    };
  return { kind: 'prepared', plan, summary, context, tokensAfter, cost, ms };
}

/** What would come of this summary, in a context that nobody will see. */
export const tryContext = (plan: CompactionPlan, text: string, session: Estimated, deps: ContextDeps) =>
  prepareContext(plan, { text, method: 'rules' }, { cost: noCost, ms: 0 }, session, {
    ...deps,
    clock: { ...deps.clock, newId: () => '' },
  });

type Revision =
  | { readonly kind: 'revised'; readonly prepared: PreparedCompaction; readonly warnings: readonly Bilingual[] }
  | { readonly kind: 'refused'; readonly problems: readonly Bilingual[] };

/** The same compaction with the text that the user made of its summary, checked like any summary; what is gathered by rule stays. */
export function reviseSummary(prepared: PreparedCompaction, draft: string, session: Session, deps: ContextDeps): Revision {
  const { plan, summary } = prepared;
  const { measure } = deps;
  const { ratio } = session.estimate;
  const text = draft.trim();
  if (text === summary.text.trim()) return { kind: 'revised', prepared, warnings: [] };
  const removedTokens = removedMessages(plan).reduce((sum, message) => sum + measure.message(message, ratio), 0);
  const sourceTokens = removedTokens + measure.text(plan.earlier?.text ?? '', ratio);
  const { problems, warnings } = checkEditedSummary(text, { sourceTokens, tokens: measure.text(text, ratio) });
  if (problems.length > 0) return { kind: 'refused', problems };
  const revision = prepareContext(plan, { ...summary, text, method: 'edited' }, prepared, session, deps);
  return revision.kind === 'prepared' ? { kind: 'revised', prepared: revision, warnings } : { kind: 'refused', problems: [revision.why] };
}

/** The summary, the pins whose messages leave, then what is kept without its thinking: that is bound to a past that is gone. */
export function newContext(plan: CompactionPlan, text: string, session: Estimated, deps: ContextDeps): SessionContext {
  const { limits, old, earlier, toSummarise, kept, ledger } = plan;
  const count = (words: string) => deps.measure.text(words, session.estimate.ratio);
  const isForeign = old.messages.some(({ imported }) => imported === true);
  const written = compressedHistory({
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
  const summary = isForeign ? { ...written, imported: true } : written;
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
