import { type Bilingual, localize } from '../../domain/language.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import { isToolResult, isToolUse, type Message, resultText, textOf } from '../../domain/session/message.ts';
import type { MessageLine } from '../chat/history-port.ts';

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

/** A message in one line for people. */
export function messageLine(message: Message): MessageLine {
  const messageText = textOf(message.content);
  const calls = message.content.filter(isToolUse).map((call) => calledTool(call).name);
  const results = message.content.filter(isToolResult).map(resultText);
  const text =
    messageText !== ''
      ? messageText
      : calls.length > 0
        ? localize({ en: `calls ${calls.join(', ')}`, zh: `调用 ${calls.join('、')}` })
        : results.join(' ');
  return {
    who: localize(speakerNames)[message.origin],
    text: text.slice(0, 400).replaceAll(/\s+/g, ' ').trim().slice(0, 200).toWellFormed(),
  };
}
