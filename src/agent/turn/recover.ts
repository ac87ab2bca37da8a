import { withoutThinking } from '../../context/history/apply-record.ts';
import { safeguardLimits, sendableTokens } from '../../context/measure/limits.ts';
import { compressedHistory, hasCompactionBlock } from '../../context/summary/compressed-history.ts';
import { SanbotError } from '../../domain/errors.ts';
import { isThinking, type Message, type Usage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { compact } from '../compaction/compact.ts';
import { type AgentDeps, limitsOf, modelFacts } from '../deps.ts';
import { trimOrSlide } from '../fit/last-resort.ts';
import { offloadUnderPressure } from '../fit/offload-results.ts';
import type { Session } from '../session/session.ts';

const MAX_RECOVERIES = 2;

export type OverflowReport = { readonly limitTokens: number | undefined; readonly sentTokens: number | undefined };

/**
 * After an overflow answer: believes its figures, offloads, compacts in safeguard mode and, when that is not enough, trims and
 * slides, whatever `compaction.enabled` says. Returns only when the context became smaller, so the same bytes are never
 * sent again; throws context_cannot_fit otherwise, and after the second time.
 */
export async function recoverFromOverflow(
  overflow: OverflowReport,
  session: Session,
  deps: AgentDeps,
  { attempt, signal }: { readonly attempt: number; readonly signal: AbortSignal },
): Promise<void> {
  deps.emit({ type: 'overflow', attempt, ...overflow });
  const rawBefore = deps.measure.raw(session.sent);
  if (attempt > MAX_RECOVERIES) throw cannotFit(session, deps, `still too large for the model after ${MAX_RECOVERIES} recoveries`);
  session.learnFromOverflow(overflow, modelFacts(session, deps).windowTokens);
  const limits = safeguardLimits(limitsOf(session, deps));
  const target = Math.min(limits.hardTokens, sendableTokens(limits));
  offloadUnderPressure(session, deps, limits);
  if (session.count().tokens > target || deps.measure.raw(session.sent) === rawBefore) {
    await compact({ trigger: 'overflow', reasons: ['overflow'], instructions: undefined, limits, signal }, session, deps);
  }
  if (session.count().tokens > target) trimOrSlide(session, deps, { limits, targetTokens: target });
  if (deps.measure.raw(session.sent) >= rawBefore)
    throw cannotFit(session, deps, 'too large for the model, and nothing in it can be made smaller');
}

/** The provider no longer accepts thinking blocks of this past: without them the rest is valid again, once. */
export function removeStaleThinking(session: Session, deps: AgentDeps, attempt: number): void {
  const { context } = session;
  const hasThinking = context.messages.some((message) => message.content.some(isThinking));
  if (!hasThinking || attempt > MAX_RECOVERIES)
    throw new SanbotError('model_failed', 'The model refuses thinking blocks that this request does not have');
  const messages = withoutThinking(context.messages);
  session.append({ type: 'checkpoint', reason: 'thinking', context: { ...context, messages, anchorFloor: messages.length } });
  deps.emit({
    type: 'warning',
    message: 'The model no longer accepted its earlier thinking, so it was left out. The conversation itself is unchanged.',
  });
}

/** Whether the model that answers next cannot take the API's own summary back, as far as is known before it is asked. */
export function rejectsServerSummary(session: Session, deps: AgentDeps): boolean {
  if (!hasCompactionBlock(session.context.messages)) return false;
  return modelFacts(session, deps).serverCompaction === false || session.modelsWithoutServerCompaction.has(session.model);
}

/** A summary that the API made and will not take back is put in our own words' place: the same text, unsigned. */
export function unsignSummary(session: Session, deps: AgentDeps): void {
  const { context } = session;
  if (!hasCompactionBlock(context.messages))
    throw new SanbotError('model_failed', 'The model refuses a summary that this request does not have');
  const { ledgerTokens } = limitsOf(session, deps);
  const count = (words: string) => deps.measure.text(words, session.ratio);
  const unsigned = (message: Message): Message => {
    const { id, at, summary } = message;
    return summary === undefined ? message : compressedHistory({ ...summary, id, at, ledgerTokens, count, mode: deps.mode });
  };
  session.modelsWithoutServerCompaction.add(session.model);
  const messages = withoutThinking(context.messages.map(unsigned));
  session.append({ type: 'checkpoint', reason: 'thinking', context: { ...context, messages, anchorFloor: messages.length } });
  deps.emit({
    type: 'warning',
    message: `${session.model} does not take the API's own summary, so its text is sent instead. Nothing is lost.`,
  });
}

function cannotFit(session: Session, deps: AgentDeps, why: string): SanbotError {
  const { tokens } = session.count();
  return new SanbotError(
    'context_cannot_fit',
    `The request is ${why} (about ${tokens} tokens, window ${modelFacts(session, deps).windowTokens})`,
  );
}

/** A request that only grew, and of which the server counts less than so much of what it counted before. */
const TRUNCATION_RATIO = 0.75;
const warnedSessions = new WeakSet<Session>();

/**
 * Some local servers drop the beginning of a request that is longer than their window, and answer as if nothing were wrong. All
 * that shows it is their count: it falls although the past was only appended to. Told once, and nothing is done about it, since
 * a server that leaves cached tokens out of its count looks the same. To be called before the reply is stored.
 */
export function warnIfTruncated({ usage, model }: ModelReply, session: Session, deps: Pick<AgentDeps, 'emit'>): void {
  const { messages, anchorFloor } = session.sent;
  const previous = messages.findLast(
    (message, index) => index >= anchorFloor && message.usage !== undefined && message.model === model,
  )?.usage;
  if (usage === undefined || previous === undefined || warnedSessions.has(session)) return;
  const [now, then] = [inputOf(usage), inputOf(previous)];
  if (now === 0 || usage.cacheReadTokens > 0 || now >= TRUNCATION_RATIO * then) return;
  warnedSessions.add(session);
  deps.emit({
    type: 'warning',
    message: `The server counts ${now} tokens of a request that begins with one of which it counted ${then}: it may be cutting off the beginning without saying so. If its window is smaller than SanBot thinks, set model.contextWindow.`,
  });
}

const inputOf = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number => inputTokens + cacheReadTokens + cacheWriteTokens;
