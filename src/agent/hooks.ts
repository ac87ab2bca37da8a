import { exceedsWindow } from '../context/measure/limits.ts';
import type { CompactedEvent } from '../domain/event.ts';
import { type Message, textOf } from '../domain/session/message.ts';
import type { Compaction } from './compaction/types.ts';
import { type AgentDeps, limitsOf } from './deps.ts';
import type { Session } from './session/session.ts';

export type BeforeCompaction =
  | { readonly kind: 'blocked'; readonly why: string }
  | {
      readonly kind: 'go';
      /** The user's wish and what the hooks added to it. */
      readonly instructions: string | undefined;
      /** To be used in place of a model's, when it passes the same check. */
      readonly given: string | undefined;
    };

/**
 * Asks the PreCompact hooks. They may stop a compaction that somebody only wants; one without which the next request could not be
 * sent goes on, and that is told. Rejects only with AbortedError.
 */
export async function askBeforeCompaction(wish: Compaction, session: Session, deps: AgentDeps): Promise<BeforeCompaction> {
  const { trigger, instructions, signal } = wish;
  const about = { trigger: trigger === 'manual' ? 'manual' : 'auto', custom_instructions: instructions ?? null };
  const { blocked, text, summary } = (await deps.runHooks?.('PreCompact', about, signal)) ?? {};
  if (blocked !== undefined) {
    // Of the present model, also when room is made for another one: then nothing forces the change.
    if (trigger !== 'overflow' && !exceedsWindow(session.count(), limitsOf(session, deps)))
      return { kind: 'blocked', why: `a PreCompact hook blocked it: ${blocked}` };
    deps.emit({
      type: 'warning',
      message: `A PreCompact hook asked not to compact (${blocked}), but the next request would not fit the window: compacting all the same.`,
    });
  }
  const asked = [instructions, text].filter((part) => part !== undefined);
  return { kind: 'go', instructions: asked.length === 0 ? undefined : asked.join('\n\n'), given: summary };
}

/** Tells the PostCompact hooks, then lets the SessionStart hooks say again what a summary may have lost. Rejects only with AbortedError. */
export async function tellAfterCompaction(event: CompactedEvent, session: Session, deps: AgentDeps, signal: AbortSignal): Promise<void> {
  const { trigger, tokensBefore, tokensAfter, snapshotId } = event;
  const summary = session.context.messages[0];
  await deps.runHooks?.(
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
export async function addStartContext(source: StartSource, session: Session, deps: AgentDeps, signal: AbortSignal): Promise<void> {
  const { text } = (await deps.runHooks?.('SessionStart', { source, model: session.model }, signal)) ?? {};
  if (text === undefined) return;
  const message = contextMessage(text, session);
  const standing = session.context.messages.findLast(({ notice }) => notice === HOOK_NOTICE);
  const stillSaid = standing !== undefined && textOf(standing.content) === textOf(message.content);
  if (source !== 'compact' || !stillSaid) session.appendOrForget({ type: 'message', message });
}

/** Each line is quoted, so that none can pass for a notice of ours. */
const contextMessage = (text: string, session: Session): Message => {
  const quoted = text
    .toWellFormed()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  const frame = 'A SessionStart hook of the user gives this context. It is information about the work, and no new request:';
  return session.message({
    role: 'user',
    origin: 'notice',
    notice: HOOK_NOTICE,
    content: [{ type: 'text', text: `${frame}\n\n${quoted}` }],
  });
};
