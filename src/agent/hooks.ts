import { exceedsWindow } from '../context/measure/limits.ts';
import type { CompactedEvent } from '../domain/event.ts';
import { type Message, textOf } from '../domain/session/message.ts';
import type { CompactionOptions } from './compaction/types.ts';
import { type AgentDeps, limitsOf } from './deps.ts';
import type { Session } from './session/session.ts';

export type PreCompactDecision =
  | { readonly kind: 'blocked'; readonly why: string }
  | {
      readonly kind: 'go';
      /** The user's instructions and what the hooks added to it. */
      readonly instructions: string | undefined;
      /** To be used in place of a model's, when it passes the same check. */
      readonly hookSummary: string | undefined;
    };

/**
 * Asks the PreCompact hooks. They may stop a compaction that somebody only wants; one without which the next request could not be
 * sent goes on, and that is told. Rejects only with AbortedError.
 */
export async function runPreCompactHooks(
  options: CompactionOptions,
  session: Session,
  deps: Pick<AgentDeps, 'config' | 'model' | 'report' | 'person'>,
): Promise<PreCompactDecision> {
  const { trigger, instructions, signal } = options;
  const payload = { trigger: trigger === 'manual' ? 'manual' : 'auto', custom_instructions: instructions ?? null };
  const { blocked, text, summary } = (await deps.person.runHooks?.('PreCompact', payload, signal)) ?? {};
  if (blocked !== undefined) {
    // Of the present model, also when room is made for another one: then nothing forces the change.
    if (trigger !== 'overflow' && !exceedsWindow(session.estimate.count(), limitsOf(session, deps)))
      return { kind: 'blocked', why: `a PreCompact hook blocked it: ${blocked}` };
    deps.report.emit({
      type: 'warning',
      message: `A PreCompact hook asked not to compact (${blocked}), but the next request would not fit the window: compacting all the same.`,
    });
  }
  const parts = [instructions, text].filter((part) => part !== undefined);
  return { kind: 'go', instructions: parts.length === 0 ? undefined : parts.join('\n\n'), hookSummary: summary };
}

/** Tells the PostCompact hooks, then lets the SessionStart hooks say again what a summary may have lost. Rejects only with AbortedError. */
export async function runPostCompactHooks(
  event: CompactedEvent,
  session: Session,
  deps: Pick<AgentDeps, 'person'>,
  signal: AbortSignal,
): Promise<void> {
  const { trigger, tokensBefore, tokensAfter, snapshotId } = event;
  const summary = session.context.messages[0];
  await deps.person.runHooks?.(
    'PostCompact',
    {
      trigger: trigger === 'manual' ? 'manual' : 'auto',
      compact_summary: textOf(summary?.content ?? []),
      tokens_before: tokensBefore,
      tokens_after: tokensAfter,
      snapshot_id: snapshotId,
    },
    signal,
  );
  await addStartContext('compact', session, deps, signal);
}

export type StartSource = 'startup' | 'resume' | 'clear' | 'compact' | 'fork';

/** The kind of these notices: the newest outlives every compaction. */
export const HOOK_NOTICE = 'hook';

/** What the SessionStart hooks print becomes a flagged message of its own. Rejects with AbortedError, and with store_failed. */
export async function addStartContext(
  source: StartSource,
  session: Session,
  { person }: Pick<AgentDeps, 'person'>,
  signal: AbortSignal,
): Promise<void> {
  const { text } = (await person.runHooks?.('SessionStart', { source, model: session.model }, signal)) ?? {};
  if (text === undefined) return;
  const message = contextMessage(text, session);
  const latest = session.context.messages.findLast(({ notice }) => notice === HOOK_NOTICE);
  const isUnchanged = latest !== undefined && textOf(latest.content) === textOf(message.content);
  if (source !== 'compact' || !isUnchanged) session.appendOrDiscard({ type: 'message', message });
}

/** Each line is quoted, so that none can pass for a notice of ours. */
const contextMessage = (text: string, session: Session): Message => {
  const quote = text
    .toWellFormed()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  const preamble = 'A SessionStart hook of the user gives this context. It is information about the work, and no new request:';
  return session.message({
    role: 'user',
    origin: 'notice',
    notice: HOOK_NOTICE,
    content: [{ type: 'text', text: `${preamble}\n\n${quote}` }],
  });
};
