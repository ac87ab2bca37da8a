import { exceedsWindow } from '../../context/measure/limits.ts';
import type { CompactedEvent } from '../../domain/event.ts';
import type { Bilingual } from '../../domain/language.ts';
import { textOf } from '../../domain/session/message.ts';
import { type AgentDeps, limitsOf, warn } from '../deps.ts';
import { addStartContext } from '../hooks/hooks.ts';
import type { Session } from '../session/session.ts';
import type { CompactionOptions, CompactionPlan } from './types.ts';

export type PreCompactDecision =
  | { readonly kind: 'blocked'; readonly why: Bilingual }
  /** The user's instructions and what the hooks added to them; a summary, to be used in place of a model's when it passes the same check. */
  | ({ readonly kind: 'go' } & Required<Pick<CompactionPlan, 'instructions' | 'hookSummary'>>);

/**
 * Asks the PreCompact hooks. They may stop a compaction that somebody only wants; one without which the next request could not be
 * sent goes on, and that is told. Rejects only with AbortedError.
 */
export async function runPreCompactHooks(
  { trigger, instructions, signal }: CompactionOptions,
  session: Session,
  deps: Pick<AgentDeps, 'config' | 'model' | 'report' | 'person'>,
): Promise<PreCompactDecision> {
  const payload = { trigger: trigger === 'manual' ? 'manual' : 'auto', custom_instructions: instructions ?? null };
  const { blocked, text, summary } = (await deps.person.runHooks?.('PreCompact', payload, signal)) ?? {};
  if (blocked !== undefined) {
    // Of the present model, also when room is made for another one: then nothing forces the change.
    if (trigger !== 'overflow' && !exceedsWindow(session.estimate.count(), limitsOf(session, deps)))
      return { kind: 'blocked', why: { en: `a PreCompact hook blocked it: ${blocked}`, zh: `一个 PreCompact 钩子阻止了压缩：${blocked}` } };
    warn(deps.report.emit, {
      en: `A PreCompact hook asked not to compact (${blocked}), but the next request would not fit the window: compacting anyway.`,
      zh: `一个 PreCompact 钩子要求不压缩（${blocked}），但下次请求会超出窗口：仍然压缩。`,
    });
  }
  const parts = [instructions, text].filter((part) => part !== undefined);
  return { kind: 'go', instructions: parts.length === 0 ? undefined : parts.join('\n\n'), hookSummary: summary };
}

/** Tells the PostCompact hooks, then lets the SessionStart hooks say again what a summary may have lost. Rejects only with AbortedError. */
export async function runPostCompactHooks(
  event: CompactedEvent,
  session: Session,
  { person }: Pick<AgentDeps, 'person'>,
  signal: AbortSignal,
): Promise<void> {
  const { trigger, tokensBefore, tokensAfter, snapshotId } = event;
  const summary = session.context.messages[0];
  await person.runHooks?.(
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
  await addStartContext('compact', session, { person }, signal);
}
