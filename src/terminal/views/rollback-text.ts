import { type Bilingual, localize } from '../../domain/language.ts';
import { nameOfCall } from '../../domain/session/call-name.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import { isToolResult, isToolUse, type Message, resultText, textOf } from '../../domain/session/message.ts';
import type { MessageLine, PastMessageRow, RewindPreview, RollbackPreview } from '../chat/history-port.ts';
import { supersededText } from '../screen/context-line.ts';
import { formatCount, formatSize, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip, padEnd, wrap } from '../text/text-width.ts';
import { snapshotReasonText } from './history-table.ts';
import type { FileOutcome } from './restorable-file.ts';

/** `files`: whether files on disk were asked for on a command line; undefined where that is a question of its own, later. */
export type PreviewView = { readonly columns: number; readonly now: Date; readonly files?: boolean };

/** What a rollback would change, as a difference: `-` leaves the context, `+` comes back. Ends with a newline. */
export function rollbackPreviewText(preview: RollbackPreview, { columns, now, files }: PreviewView): string {
  const { snapshot, leaving, returning, since = 0 } = preview;
  const isSame = leaving.length === 0 && returning.length === 0;
  const lines = [
    ...wrap(takenText(snapshot, timeAgo(snapshot.at, now)), columns),
    `${localize({ en: '  messages  ', zh: '  消息   ' })}${formatCount(preview.messagesNow)} -> ${formatCount(snapshot.messages)}`,
    `${localize({ en: '  tokens    ', zh: '  token  ' })}${formatCount(preview.tokensNow)} -> ${formatCount(snapshot.tokens)}`,
    ...(snapshot.bodies === 0
      ? []
      : [localize({ en: `  ${pluralize(snapshot.bodies, 'offloaded result')} in it`, zh: `  其中有 ${snapshot.bodies} 个转存的结果` })]),
    ...differenceLines('-', leaving, columns),
    ...differenceLines('+', returning, columns),
    ...(since === 0 ? [] : wrap(sinceText(since), columns)),
    ...wrap(isSame ? localize({ en: 'The messages are the same.', zh: '消息相同。' }) : savedFirstText(files), columns),
  ];
  return `${lines.join('\n')}\n`;
}

const takenText = ({ id, reason, bytes }: RollbackPreview['snapshot'], ago: string): string =>
  localize({
    en: `Snapshot ${safeLine(id)}, taken ${ago} (${reason}, ${formatSize(bytes)})`,
    zh: `快照 ${safeLine(id)}，保存于 ${ago}（${snapshotReasonText(reason)}，${formatSize(bytes)}）`,
  });

export const savedFirstText = (files: boolean | undefined): string => {
  const { en, zh } = filesTexts[files === undefined ? 'later' : files ? 'asked' : 'left'];
  return localize({ en: `The present state is saved as a snapshot first. ${en}`, zh: `会先把当前状态保存为快照。${zh}` });
};

const filesTexts = {
  later: { en: 'Files on disk are touched only if you ask for it.', zh: '只有在你要求时才会改动磁盘上的文件。' },
  asked: {
    en: 'What SanBot has changed in files since then is restored too.',
    zh: '还会恢复 SanBot 自那时起在文件中所做的更改。',
  },
  left: { en: 'Files on disk stay as they are.', zh: '磁盘上的文件保持原样。' },
};

const sinceText = (since: number): string =>
  localize({
    en: `${pluralize(since, 'message')} came after that change and would leave the context with it; undoing the undo brings them back.`,
    zh: `此后又有 ${since} 条消息，会一并离开上下文；撤销这次撤销即可恢复。`,
  });

const MAX_SHOWN_MESSAGES = 6;

export function differenceLines(sign: '-' | '+', messages: readonly MessageLine[], columns: number): readonly string[] {
  const line = ({ who, text }: MessageLine): string =>
    clip(`  ${sign} ${who}${localize({ en: ': ', zh: '：' })}${safeLine(text)}`, columns);
  if (messages.length <= MAX_SHOWN_MESSAGES) return messages.map(line);
  const omitted = messages.length - MAX_SHOWN_MESSAGES;
  const omittedLine = `  ${sign} … ${localize({ en: `${pluralize(omitted, 'message')} more`, zh: `还有 ${omitted} 条消息` })}`;
  return [...messages.slice(0, MAX_SHOWN_MESSAGES / 2).map(line), omittedLine, ...messages.slice(-MAX_SHOWN_MESSAGES / 2).map(line)];
}

/** What `rollback --json` prints. Fields are added here, never taken away. */
export type RollbackReport = {
  /** The snapshot that is current again. */
  readonly restored: string;
  /** The snapshot of the state before: rolling back to it undoes this. */
  readonly undo: string;
  readonly messages: number;
  readonly tokens: number;
  readonly text?: string;
  readonly memories?: { readonly superseded: number; readonly restored: number } | undefined;
  readonly files?: readonly FileOutcome[];
};

export const rollbackJson = ({ restored, undo, messages, tokens, text, memories, files }: RollbackReport): string =>
  `${JSON.stringify({ restored, undo, messages, tokens, text, memories, files })}\n`;

export const rollbackResultText = ({ restored, undo, messages, tokens, text, memories }: RollbackReport): string =>
  `${localize({
    en: `${text === undefined ? `Restored ${safeLine(restored)}` : 'Rewound to before that message'}: ${pluralize(messages, 'message')}, ${formatCount(tokens)} tokens. Undo: sanbot rollback --snapshot ${safeLine(undo)}`,
    zh: `${text === undefined ? `已恢复 ${safeLine(restored)}` : '已回退到该消息之前'}：${formatCount(messages)} 条消息，${formatCount(tokens)} token。撤销：sanbot rollback --snapshot ${safeLine(undo)}`,
  })}\n${memories === undefined ? '' : `${supersededText(memories)}\n`}`;

/** Which messages a rollback brings back and which leave the context; messages are the same when their ids are. */
export function rollbackDifference(
  current: readonly Message[],
  target: readonly Message[],
): { readonly returning: readonly MessageLine[]; readonly leaving: readonly MessageLine[] } {
  const idsNow = new Set(current.map(({ id }) => id));
  const idsThen = new Set(target.map(({ id }) => id));
  return {
    returning: target.filter(({ id }) => !idsNow.has(id)).map(messageLine),
    leaving: current.filter(({ id }) => !idsThen.has(id)).map(messageLine),
  };
}

const speakerNames: Bilingual<Readonly<Record<Message['origin'], string>>> = {
  en: { user: 'you', model: 'assistant', tools: 'tools', summary: 'summary', notice: 'notice', interrupted: 'tools' },
  zh: { user: '你', model: '助手', tools: '工具', summary: '摘要', notice: '通知', interrupted: '工具' },
};

export function messageLine(message: Message): MessageLine {
  const messageText = textOf(message.content);
  const calls = message.content.filter(isToolUse).map(calledTool);
  const results = message.content.filter(isToolResult).map(resultText);
  const text =
    messageText !== ''
      ? messageText
      : calls.length > 0
        ? calls.map(({ name, input }) => nameOfCall(name, input)).join(localize({ en: ', ', zh: '、' }))
        : results.join(' ');
  return {
    who: localize(speakerNames)[message.origin],
    text: text.slice(0, 400).replaceAll(/\s+/g, ' ').trim().slice(0, 200).toWellFormed(),
  };
}

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

export function messagesText(
  messages: readonly PastMessageRow[],
  { sessionId, columns, now }: { readonly sessionId: string; readonly columns: number; readonly now: Date },
): string {
  if (messages.length === 0)
    return localize({
      en: 'You have not written anything in this session yet.\n',
      zh: '你在本会话中还没有写过任何内容。\n',
    });
  const width = String(messages.length).length;
  const lines = messages.map((message, i) => clip(`${String(i + 1).padStart(width)}  ${messageChoice(message, now)}`, columns));
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

/** An hour of the clock would be that of another place: what is written down is in UTC. */
export const messageChoice = ({ at, text }: PastMessageRow, now: Date): string =>
  `${padEnd(timeAgo(at, now), AGE_COLUMNS)}  ${safeLine(text.slice(0, 400))}`;

const AGE_COLUMNS = 10;
