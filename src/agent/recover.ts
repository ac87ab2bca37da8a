import { withoutThinking } from '../context/apply-record.ts';
import { safeguard } from '../context/limits.ts';
import { sendableTokens } from '../context/pressure.ts';
import { SanbotError } from '../domain/errors.ts';
import { isThinking } from '../domain/message.ts';
import { compact } from './compact.ts';
import { type AgentDeps, factsOf, limitsOf } from './deps.ts';
import { slideOrTrim } from './last-resort.ts';
import { offloadUnderPressure } from './offload-results.ts';
import type { Session } from './session.ts';

const MAX_RECOVERIES = 2;

export type Stated = { readonly limitTokens: number | undefined; readonly sentTokens: number | undefined };

/**
 * After an overflow answer: believes its figures, offloads, compacts in safeguard mode and, when that is not enough, trims and
 * slides, whatever `compaction.enabled` says. Returns only when the context became smaller, so the same bytes are never
 * sent again; throws context_cannot_fit otherwise, and after the second time.
 */
export async function recoverFromOverflow(
  stated: Stated,
  session: Session,
  deps: AgentDeps,
  { attempt, signal }: { readonly attempt: number; readonly signal: AbortSignal },
): Promise<void> {
  deps.emit({ type: 'overflow', attempt, ...stated });
  const rawBefore = deps.measure.raw(session.sent);
  if (attempt > MAX_RECOVERIES) throw cannotFit(session, deps, `still too large for the model after ${MAX_RECOVERIES} recoveries`);
  session.learnFromOverflow(stated, factsOf(session, deps).windowTokens);
  const limits = safeguard(limitsOf(session, deps));
  const target = Math.min(limits.hardTokens, sendableTokens(limits));
  offloadUnderPressure(session, deps, limits);
  if (session.count().tokens > target || deps.measure.raw(session.sent) === rawBefore) {
    await compact({ trigger: 'overflow', reasons: ['overflow'], instructions: undefined, limits, signal }, session, deps);
  }
  if (session.count().tokens > target) slideOrTrim(session, deps, { limits, targetTokens: target });
  if (deps.measure.raw(session.sent) >= rawBefore)
    throw cannotFit(session, deps, 'too large for the model, and nothing in it can be made smaller');
}

/** The provider no longer accepts thinking blocks of this past: without them the rest is valid again, once. */
export function removeStaleThinking(session: Session, deps: AgentDeps, attempt: number): void {
  const { context } = session;
  const has = context.messages.some((message) => message.content.some(isThinking));
  if (!has || attempt > MAX_RECOVERIES)
    throw new SanbotError('model_failed', 'The model refuses thinking blocks that this request does not have');
  const messages = withoutThinking(context.messages);
  session.append({ type: 'checkpoint', reason: 'thinking', context: { ...context, messages, anchorFloor: messages.length } });
  deps.emit({
    type: 'warning',
    message: 'The model no longer accepted its earlier thinking, so it was left out. The conversation itself is unchanged.',
  });
}

function cannotFit(session: Session, deps: AgentDeps, why: string): SanbotError {
  const { tokens } = session.count();
  return new SanbotError(
    'context_cannot_fit',
    `The request is ${why} (about ${tokens} tokens, window ${factsOf(session, deps).windowTokens})`,
  );
}
