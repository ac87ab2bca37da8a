/**
 * A chat of Gemini CLI: one JSON object, in which each call contains its result.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `user` | what the user typed |
 * | `gemini` | a reply; `toolCalls` as calls with their results |
 * | `thoughts`, messages of other types | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import type { ContentBlock } from '../../../domain/session/message.ts';
import { type Fields, isObject } from '../../../domain/value/json.ts';
import { callBlock, leaveOutMessage, objectsIn, recordedText, textBlock } from './recorded-content.ts';
import { arrayAt, objectAt, stringAt } from './recording.ts';

export function readGeminiCli(file: Fields, collector: StepCollector): void {
  for (const [index, message] of objectsIn(arrayAt(file, 'messages'), { en: 'message', zh: '消息' }, collector)) {
    const type = stringAt(message, 'type');
    if (type === 'user') collector.user(recordedText(message.content, collector));
    else if (type === 'gemini') takeReply(message, index, collector);
    else leaveOutMessage(type, collector);
  }
}

function takeReply(message: Fields, index: number, collector: StepCollector): void {
  for (const _ of arrayAt(message, 'thoughts')) collector.leaveOut({ en: 'thought', zh: '思考' });
  const text = recordedText(message.content, collector);
  const calls = arrayAt(message, 'toolCalls').filter(isObject);
  const blocks: readonly ContentBlock[] = [
    ...(text === '' ? [] : [textBlock(text)]),
    ...calls.map((call) => callBlock(stringAt(call, 'id'), stringAt(call, 'name'), call.args)),
  ];
  collector.reply(blocks, `reply ${index}`);
  for (const call of calls) takeResult(call, collector);
}

function takeResult(call: Fields, collector: StepCollector): void {
  const texts = arrayAt(call, 'result').map((part) => {
    const response = objectAt(objectAt(part, 'functionResponse'), 'response');
    return stringAt(response, 'output') || stringAt(response, 'error') || stringAt(part, 'text');
  });
  if (texts.length === 0) return;
  collector.result({ toolUseId: stringAt(call, 'id'), content: texts.join('\n'), ok: stringAt(call, 'status') === 'success' });
}
