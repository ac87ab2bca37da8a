/**
 * A session of OpenCode, as `opencode export` writes it: one JSON object with its messages, each in parts.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `text` of `user` | what the user typed; a notice where it is `synthetic` |
 * | `text` of `assistant` | a reply |
 * | `tool` | a call with its result |
 * | messages and parts behind the point that `revert` names | left out, counted |
 * | `text` that is `ignored`: the model never got it | left out, counted |
 * | summaries, reasoning, steps, snapshots, patches, files, other parts | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import type { ContentBlock } from '../../../domain/session/message.ts';
import type { RecordedResult } from '../../../domain/session/transcript.ts';
import { type Fields, isObject, isString } from '../../../domain/value/json.ts';
import { arrayAt, callBlock, leaveOutMessage, objectAt, objectsIn, REWOUND, stringAt, textBlock } from './recorded-content.ts';

export const isOpencode = (file: Fields): boolean =>
  isObject(file.info) && arrayAt(file, 'messages').some((message) => isObject(message) && isObject(message.info) && 'parts' in message);

export function readOpencode(file: Fields, collector: StepCollector): void {
  const info = objectAt(file, 'info');
  const revert = objectAt(info, 'revert');
  const [toMessage, toPart] = [stringAt(revert, 'messageID'), stringAt(revert, 'partID')];
  collector.cwd(stringAt(info, 'directory'));
  let isReverted = false;
  const seen = new Set<string>();
  for (const [, message] of objectsIn(arrayAt(file, 'messages'), { en: 'message', zh: '消息' }, collector)) {
    const said = objectAt(message, 'info');
    const id = stringAt(said, 'id');
    const parts = arrayAt(message, 'parts');
    const cut = toMessage !== '' && id === toMessage ? parts.findIndex((part) => stringAt(part, 'id') === toPart) : -1;
    isReverted ||= toMessage !== '' && id === toMessage && cut === -1;
    if (isReverted) collector.leaveOut(REWOUND);
    else if (id !== '' && seen.has(id)) collector.leaveOut({ en: 'message that was written twice', zh: '重复写入的消息' });
    else takeMessage(said, cut === -1 ? parts : parts.slice(0, cut), collector);
    if (cut !== -1) for (const _ of parts.slice(cut)) collector.leaveOut(REWOUND);
    isReverted ||= cut !== -1;
    seen.add(id);
  }
}

function takeMessage(info: Fields, parts: readonly unknown[], collector: StepCollector): void {
  const role = stringAt(info, 'role');
  const { created } = objectAt(info, 'time');
  if (typeof created === 'number' && Math.abs(created) < 8.64e15) collector.time(new Date(created).toISOString());
  if (info.summary === true) collector.leaveOut({ en: 'summary by OpenCode', zh: 'OpenCode 的摘要' });
  else if (role === 'user') takeUser(parts, collector);
  else if (role === 'assistant') takeReply(stringAt(info, 'id'), parts, collector);
  else leaveOutMessage(role, collector);
}

function takeUser(parts: readonly unknown[], collector: StepCollector): void {
  const typed: string[] = [];
  for (const part of parts) {
    const text = stringAt(part, 'text');
    if (stringAt(part, 'type') !== 'text') leaveOutPart(part, collector);
    else if (isObject(part) && part.ignored === true) collector.leaveOut({ en: 'text for the screen', zh: '仅供屏幕显示的文本' });
    else if (isObject(part) && part.synthetic === true) collector.notice(text);
    else typed.push(text);
  }
  if (typed.length > 0) collector.user(typed.join('\n'));
}

function takeReply(id: string, parts: readonly unknown[], collector: StepCollector): void {
  const blocks: ContentBlock[] = [];
  const results: RecordedResult[] = [];
  for (const part of parts) {
    const type = stringAt(part, 'type');
    const state = objectAt(part, 'state');
    const toolUseId = stringAt(part, 'callID') || stringAt(part, 'id');
    if (type === 'text') blocks.push(textBlock(stringAt(part, 'text')));
    else if (type === 'tool') {
      blocks.push(callBlock(toolUseId, stringAt(part, 'tool'), state.input ?? {}));
      const content = [state.output, state.error].find((each) => isString(each));
      if (isString(content)) results.push({ toolUseId, content, ok: stringAt(state, 'status') === 'completed' });
    } else leaveOutPart(part, collector);
  }
  collector.reply(blocks, id);
  for (const result of results) collector.result(result);
}

const leaveOutPart = (part: unknown, { leaveOut }: StepCollector): void => {
  const type = stringAt(part, 'type') || 'unknown';
  leaveOut({ en: `${type} part`, zh: `${type} 部分` });
};
