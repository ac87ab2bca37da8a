import { insertAfterSummary, withoutPinsNotice } from '../../context/history/pins.ts';
import { carryOverMessages } from '../../context/history/standing.ts';
import type { Limits } from '../../context/measure/limits.ts';
import { planTrim } from '../../context/offload/trim.ts';
import { type SlideResult, slideWindow } from '../../context/offload/window.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import type { AgentDeps } from '../deps.ts';
import { pinCost } from '../memory/pins.ts';
import { flushMemories } from '../memory/remember.ts';
import type { Session } from '../session/session.ts';
import { takeSnapshot } from '../session/snapshot.ts';

export type LastResort = { readonly limits: Limits; readonly targetTokens: number };

/**
 * The last rungs: trims single messages, then drops the oldest exchanges whole. What goes is in a snapshot first. Throws
 * context_cannot_fit with the figures when even that does not bring the context to the target.
 */
export function slideOrTrim(session: Session, deps: AgentDeps, { limits, targetTokens }: LastResort): void {
  session.settleRatio();
  const { measure } = deps;
  const { ratio, context } = session;
  const tokensBefore = session.count().tokens;
  const trimmed = planTrim(context, { measure, ratio, limits, targetTokens, keep: (text) => session.bodies.save(text)?.path });
  const middle = trimmed === undefined ? context : resetTo(context, trimmed);
  const tokensTrimmed = measure.context(middle, ratio).tokens;
  const slid = tokensTrimmed > targetTokens ? slide(middle, targetTokens, session, deps) : undefined;
  const next = slid === undefined ? middle : resetTo(middle, slid.messages);
  const tokensAfter = measure.context(next, ratio).tokens;
  if (tokensAfter > targetTokens) throw cannotFit(session, deps, { least: tokensAfter, limits, targetTokens });
  const snapshot = takeSnapshot('window', session, deps);
  flushMemories(context.messages, session, deps);
  session.append({ type: 'checkpoint', reason: 'window', snapshotId: snapshot.id, context: next });
  const messages = next.messages.length;
  const line = `${tokensBefore} -> ${tokensAfter} tokens, ${slid?.dropped ?? 0} messages dropped`;
  deps.snapshots.noteOutcome(snapshot.id, { at: deps.now().toISOString(), messages, tokensAfter, line });
  if (trimmed !== undefined) deps.emit({ type: 'trimmed', messages, tokensBefore, tokensAfter: tokensTrimmed, snapshotId: snapshot.id });
  if (slid !== undefined)
    deps.emit({ type: 'window_slid', dropped: slid.dropped, tokensBefore: tokensTrimmed, tokensAfter, snapshotId: snapshot.id });
}

/**
 * Slides, and carries on what must not go with the oldest exchanges: pins, notices that still hold and the task list. Their room
 * is set aside first.
 */
function slide(context: SessionContext, targetTokens: number, session: Session, deps: AgentDeps): SlideResult | undefined {
  const { measure } = deps;
  const { ratio } = session;
  const made = { id: deps.newId(), at: deps.now().toISOString() };
  const bare = { ...context, messages: withoutPinsNotice(context.messages) };
  const mayGo = carryOverMessages(bare.messages, { kept: [], pins: context.pins ?? [], meta: made });
  const room = mayGo.reduce((sum, message) => sum + measure.message(message, ratio), 0);
  const slid = slideWindow(bare, { measure, ratio, targetTokens: targetTokens - room });
  if (slid === undefined) return undefined;
  const stands = carryOverMessages(bare.messages, { kept: slid.messages, pins: context.pins ?? [], meta: made });
  return { ...slid, messages: insertAfterSummary(slid.messages, stands) };
}

/** The past has changed, so usage reported for it measures nothing any more. */
const resetTo = (context: SessionContext, messages: readonly Message[]): SessionContext => ({
  ...context,
  messages,
  anchorFloor: messages.length,
});

function cannotFit(
  session: Session,
  deps: AgentDeps,
  { least, limits, targetTokens }: LastResort & { readonly least: number },
): SanbotError {
  const { systemTokens, toolsTokens } = session.count();
  const pins = session.context.pins?.length ? `, pins ${pinCost(session, deps).tokens}: /unpin frees them` : '';
  return new SanbotError(
    'context_cannot_fit',
    `The request cannot be made smaller than ${least} tokens, and at most ${targetTokens} of the model's ${limits.modelWindowTokens} may be used (system prompt ${systemTokens}, tools ${toolsTokens}${pins})`,
  );
}
