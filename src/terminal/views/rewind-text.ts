import { type Message, textOf } from '../../domain/session/message.ts';
import type { PastMessageRow, RewindPreview } from '../chat/rollback-port.ts';
import { formatCount, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import { rollbackDifference } from './rollback-difference.ts';
import { differenceLines } from './rollback-text.ts';

/** What going back to before a message would change; `messages` is the context as it was then. */
export function rewindPreview(
  current: readonly Message[],
  target: { readonly message: Message; readonly messages: readonly Message[] },
): RewindPreview {
  return {
    message: { id: target.message.id, at: target.message.at, text: textOf(target.message.content) },
    messagesNow: current.length,
    messagesThen: target.messages.length,
    ...rollbackDifference(current, target.messages),
  };
}

/** The same as a difference: `-` leaves the context, `+` comes back. Ends with a newline. */
export function rewindPreviewText(preview: RewindPreview, { columns, now }: { readonly columns: number; readonly now: Date }): string {
  const { message, messagesNow, messagesThen, leaving, returning } = preview;
  const lines = [
    clip(`Before your message of ${timeAgo(message.at, now)}: ${safeLine(message.text.slice(0, 400))}`, columns),
    `  messages  ${formatCount(messagesNow)} -> ${formatCount(messagesThen)}`,
    ...differenceLines('-', leaving, columns),
    ...differenceLines('+', returning, columns),
    'The present state is saved as a snapshot first. Files on disk are touched only if you ask for it.',
  ];
  return `${lines.join('\n')}\n`;
}

/** The messages to go back to, the oldest first, with their numbers. Ends with a newline. */
export function messagesText(
  messages: readonly PastMessageRow[],
  { sessionId, columns }: { readonly sessionId: string; readonly columns: number },
): string {
  if (messages.length === 0) return 'You have not written anything in this session yet.\n';
  const width = String(messages.length).length;
  const lines = messages.map((message, i) => clip(`${String(i + 1).padStart(width)}  ${messageChoice(message)}`, columns));
  const hint = `${pluralize(messages.length, 'message')}. Rewind to just before one: sanbot rollback --session ${safeLine(sessionId)} --to-message N`;
  return `${[...lines, hint].join('\n')}\n`;
}

export const messagesJson = (messages: readonly PastMessageRow[]): string =>
  `${JSON.stringify(
    messages.map((message, i) => ({ number: i + 1, ...message })),
    null,
    2,
  )}\n`;

/** One message in one line. */
export const messageChoice = ({ at, text }: PastMessageRow): string =>
  `${at.slice(0, 16).replace('T', ' ')}  ${safeLine(text.slice(0, 400))}`;
