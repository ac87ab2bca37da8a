import { containsPin, pinBudget, pinOf, pinsNotice } from '../../context/history/pins.ts';
import type { Limits } from '../../context/measure/limits.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Pin } from '../../domain/session/context.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import { type AgentDeps, type LimitsDeps, limitsOf } from '../deps.ts';
import type { Session } from '../session/session.ts';

export type PinCost = { readonly tokens: number; readonly budgetTokens: number };

export type PinDeps = LimitsDeps & Pick<AgentDeps, 'measure'>;

/** What the pins take at most, wherever they stand, and what they may take, with the session's model or within other limits. */
export function pinCost(session: Session, deps: PinDeps, within = limitsNow(session, deps)): PinCost {
  return { tokens: tokensOfPins(session.context.pins ?? [], session, deps), budgetTokens: pinBudget(within.limits, within.baseTokens) };
}

function limitsNow(session: Session, deps: LimitsDeps): { readonly limits: Limits; readonly baseTokens: number } {
  const { systemTokens, toolsTokens } = session.estimate.count();
  return { limits: limitsOf(session, deps), baseTokens: systemTokens + toolsTokens };
}

export const tokensOfPins = (pins: readonly Pin[], session: Session, { measure }: Pick<AgentDeps, 'measure'>): number =>
  pins.length === 0 ? 0 : measure.message(pinsNotice(pins, { id: '', at: '' }), session.estimate.ratio);

/**
 * Pins a message: its text stays word for word, through every rung, rollback, resume and fork. No tool of a session leads here. Throws refused, with
 * figures, when there is no text or no room; then nothing has changed.
 */
export function pinMessage(index: number, session: Session, deps: PinDeps & Pick<AgentDeps, 'clock'>): Pin {
  const message = session.context.messages[index];
  const pin = message === undefined ? undefined : pinOf(message, session.bodies.read);
  if (pin === undefined)
    throw new SanbotError(
      'refused',
      { en: `Message ${index + 1} has no text to pin`, zh: `第 ${index + 1} 条消息没有可固定的文字` },
      LIST_HINT,
    );
  const existing = session.context.pins ?? [];
  if (existing.some(({ messageId }) => messageId === pin.messageId)) return pin;
  const pins = [...existing, pin];
  const { tokens: before, budgetTokens } = pinCost(session, deps);
  const tokens = tokensOfPins(pins, session, deps);
  if (tokens > budgetTokens) throw overBudget(pin, { tokens, budgetTokens, before });
  session.appendOrDiscard({ type: 'pins', pins });
  // A stub's body is not in the context yet.
  if (!containsPin(session.context.messages, pin))
    session.append({ type: 'message', message: pinsNotice([pin], { id: deps.clock.newId(), at: deps.clock.now().toISOString() }) });
  return pin;
}

type PinTokens = PinCost & { readonly before: number };

const overBudget = (pin: Pin, { tokens, budgetTokens, before }: PinTokens): SanbotError =>
  new SanbotError(
    'refused',
    {
      en: `It is not pinned: pins may take ${groupDigits(budgetTokens)} tokens here, ${groupDigits(before)} are taken, and with this text of ${groupDigits(pin.text.length)} characters it would be ${groupDigits(tokens)}`,
      zh: `没有固定：此处固定的消息最多可占 ${groupDigits(budgetTokens)} token，已占 ${groupDigits(before)}，加上这段 ${groupDigits(pin.text.length)} 个字符的文字将达到 ${groupDigits(tokens)}`,
    },
    before > 0
      ? {
          en: 'Free some with /unpin, or send the part that matters as a message of its own and pin that.',
          zh: '用 /unpin 释放一些，或把重要的部分单独发成一条消息再固定。',
        }
      : { en: 'Send the part that matters as a message of its own and pin that.', zh: '把重要的部分单独发成一条消息再固定。' },
  );

const LIST_HINT = { en: 'Type /pin to see the messages with their numbers.', zh: '输入 /pin 查看消息及其编号。' };

/** Takes a pin off; the text leaves with the next rung. Throws refused when it was not pinned. */
export function unpinMessage(messageId: string, session: Session): void {
  const pins = session.context.pins ?? [];
  const remaining = pins.filter((pin) => pin.messageId !== messageId);
  if (remaining.length === pins.length)
    throw new SanbotError(
      'refused',
      { en: 'It is not pinned', zh: '它没有被固定' },
      { en: '/pins lists what is.', zh: '/pins 列出固定的消息。' },
    );
  session.appendOrDiscard({ type: 'pins', pins: remaining });
}
