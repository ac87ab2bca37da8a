import { carryOverMessages } from '../../context/history/notices.ts';
import { insertAfterSummary, withoutPinsNotice } from '../../context/history/pins.ts';
import type { Limits } from '../../context/measure/limits.ts';
import { planTrim, type SlideResult, slideWindow } from '../../context/offload/trim.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import type { AgentDeps } from '../deps.ts';
import { pinCost } from '../memory/pins.ts';
import { flushMemories } from '../memory/remember.ts';
import type { Session } from '../session/session.ts';
import { recordOutcome, takeSnapshot } from '../session/snapshot.ts';

type LastResortDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'report' | 'disk' | 'measure'>;

export type LastResortOptions = { readonly limits: Limits; readonly targetTokens: number };

/**
 * The last rungs: trims single messages, then drops the oldest exchanges whole. What goes is in a snapshot first. Throws
 * context_cannot_fit with the figures when even that does not bring the context to the target.
 */
export function trimOrSlide(session: Session, deps: LastResortDeps, { limits, targetTokens }: LastResortOptions): void {
  session.estimate.settle();
  const { measure } = deps;
  const context = session.estimate.trusted(session.context);
  const { ratio } = session.estimate;
  const tokensBefore = session.estimate.count().tokens;
  const trimmed = planTrim(context, { measure, ratio, limits, targetTokens, keep: (text) => session.bodies.save(text)?.path });
  const trimmedContext = trimmed === undefined ? context : resetTo(context, trimmed);
  const tokensTrimmed = measure.context(trimmedContext, ratio).tokens;
  const slideResult = tokensTrimmed > targetTokens ? slide(trimmedContext, targetTokens, session, deps) : undefined;
  const next = slideResult === undefined ? trimmedContext : resetTo(trimmedContext, slideResult.messages);
  const tokensAfter = measure.context(next, ratio).tokens;
  if (tokensAfter > targetTokens) throw cannotFit(session, deps, { minTokens: tokensAfter, limits, targetTokens });
  const snapshot = takeSnapshot('window', session, deps);
  flushMemories(context.messages, session, deps);
  session.append({ type: 'checkpoint', reason: 'window', snapshotId: snapshot.id, context: next });
  const messages = next.messages.length;
  const line = `${tokensBefore} -> ${tokensAfter} tokens, ${slideResult?.dropped ?? 0} messages dropped`;
  recordOutcome(snapshot.id, { tokensAfter, line }, session, deps);
  if (trimmed !== undefined)
    deps.report.emit({ type: 'trimmed', messages, tokensBefore, tokensAfter: tokensTrimmed, snapshotId: snapshot.id });
  if (slideResult !== undefined)
    deps.report.emit({
      type: 'window_slid',
      dropped: slideResult.dropped,
      tokensBefore: tokensTrimmed,
      tokensAfter,
      snapshotId: snapshot.id,
    });
}

/** Slides, and carries on what must not go: pins, notices that still hold and the task list. Their room is set aside first. */
function slide(
  context: SessionContext,
  targetTokens: number,
  session: Session,
  { clock, measure }: LastResortDeps,
): SlideResult | undefined {
  const { ratio } = session.estimate;
  const stamp = { id: clock.newId(), at: clock.now().toISOString() };
  const withoutPins = { ...context, messages: withoutPinsNotice(context.messages) };
  const candidates = carryOverMessages(withoutPins.messages, { kept: [], pins: context.pins ?? [], meta: stamp });
  const reservedTokens = candidates.reduce((sum, message) => sum + measure.message(message, ratio), 0);
  const slideResult = slideWindow(withoutPins, { measure, ratio, targetTokens: targetTokens - reservedTokens });
  if (slideResult === undefined) return undefined;
  const carriedMessages = carryOverMessages(withoutPins.messages, { kept: slideResult.messages, pins: context.pins ?? [], meta: stamp });
  return { ...slideResult, messages: insertAfterSummary(slideResult.messages, carriedMessages) };
}

/** The past has changed, so usage reported for it measures nothing any more. */
const resetTo = (context: SessionContext, messages: readonly Message[]): SessionContext => ({
  ...context,
  messages,
  anchorFloor: messages.length,
});

function cannotFit(
  session: Session,
  deps: LastResortDeps,
  { minTokens, limits, targetTokens }: LastResortOptions & { readonly minTokens: number },
): SanbotError {
  const { systemTokens, toolsTokens } = session.estimate.count();
  const pins = session.context.pins?.length ? pinCost(session, deps).tokens : undefined;
  return new SanbotError('context_cannot_fit', {
    en: `The request cannot be made smaller than ${groupDigits(minTokens)} tokens, and at most ${groupDigits(targetTokens)} of the model's ${groupDigits(limits.modelWindowTokens)} may be used (system prompt ${groupDigits(systemTokens)}, tools ${groupDigits(toolsTokens)}${pins === undefined ? '' : `, pins ${groupDigits(pins)}: /unpin frees them`})`,
    zh: `请求无法缩小到 ${groupDigits(minTokens)} token 以下，而模型的 ${groupDigits(limits.modelWindowTokens)} token 中最多可用 ${groupDigits(targetTokens)}（系统提示词 ${groupDigits(systemTokens)}，工具 ${groupDigits(toolsTokens)}${pins === undefined ? '' : `，固定的消息 ${groupDigits(pins)}：/unpin 可释放`}）`,
  });
}
