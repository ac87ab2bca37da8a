import { localize } from '../../domain/language.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
import type { PastMessageRow, RewindPreview } from '../chat/history-port.ts';
import { formatCount, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip, wrap } from '../text/text-width.ts';
import { differenceLines, type PreviewView, rollbackDifference, savedFirstText } from './rollback-text.ts';

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
export function rewindPreviewText(preview: RewindPreview, { columns, now, files }: PreviewView): string {
  const { message, messagesNow, messagesThen, leaving, returning } = preview;
  const lines = [
    clip(beforeText(timeAgo(message.at, now), safeLine(message.text.slice(0, 400))), columns),
    `${localize({ en: '  messages  ', zh: '  消息   ' })}${formatCount(messagesNow)} -> ${formatCount(messagesThen)}`,
    ...differenceLines('-', leaving, columns),
    ...differenceLines('+', returning, columns),
    ...wrap(savedFirstText(files), columns),
  ];
  return `${lines.join('\n')}\n`;
}

const beforeText = (ago: string, text: string): string =>
  localize({ en: `Before your message of ${ago}: ${text}`, zh: `回到你 ${ago}的消息之前：${text}` });

/** The messages to go back to, the oldest first, with their numbers. Ends with a newline. */
export function messagesText(
  messages: readonly PastMessageRow[],
  { sessionId, columns }: { readonly sessionId: string; readonly columns: number },
): string {
  if (messages.length === 0)
    return localize({
      en: 'You have not written anything in this session yet.\n',
      zh: '你在本会话中还没有写过任何内容。\n',
    });
  const width = String(messages.length).length;
  const lines = messages.map((message, i) => clip(`${String(i + 1).padStart(width)}  ${messageChoice(message)}`, columns));
  const command = `sanbot rollback --session ${safeLine(sessionId)} --to-message N`;
  const hint = localize({
    en: `${pluralize(messages.length, 'message')}. Rewind to just before one: ${command}`,
    zh: `${messages.length} 条消息。回退到其中一条之前：${command}`,
  });
  return `${[...lines, hint].join('\n')}\n`;
}

export const messagesJson = (messages: readonly PastMessageRow[]): string =>
  `${JSON.stringify(
    messages.map((message, i) => ({ number: i + 1, ...message })),
    null,
    2,
  )}\n`;

export const messageChoice = ({ at, text }: PastMessageRow): string =>
  `${at.slice(0, 16).replace('T', ' ')}  ${safeLine(text.slice(0, 400))}`;
