/**
 * A chat of Gemini CLI, in which each call contains its result: one JSON object, or in newer versions one a line.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `user` | what the user typed; a notice where the program sets up its context |
 * | `gemini` | a reply; `toolCalls` as calls with their results |
 * | a message whose id comes again | its last state, in its first place |
 * | `$rewindTo`: the message that it names and those behind it | left out, counted |
 * | `$set` with `messages`: they are in the place of those before | left out, counted |
 * | `thoughts`, messages of other types, other lines | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import type { ContentBlock } from '../../../domain/session/message.ts';
import { type Fields, isObject, isString } from '../../../domain/value/json.ts';
import {
  arrayAt,
  callBlock,
  EARLIER,
  leaveOutMessage,
  objectAt,
  objectLines,
  objectsIn,
  REWOUND,
  type Recording,
  recordedText,
  stringAt,
  TWICE,
  textBlock,
} from './recorded-content.ts';

export const isGeminiLine = (entry: Fields): boolean =>
  '$rewindTo' in entry || '$set' in entry || (isString(entry.projectHash) && isString(entry.sessionId)) || isGeminiReply(entry);

const isGeminiReply = (entry: Fields): boolean => entry.type === 'gemini' && isString(entry.id);

export function readGeminiCli(file: Fields, collector: StepCollector): void {
  takeMessages(arrayAt(file, 'messages'), collector);
}

/** The lines say what became of the messages, so that all are read before the first is taken. */
export function readGeminiLines(recording: Recording, collector: StepCollector): void {
  let messages = new Map<string, Fields>();
  const replace = (list: readonly unknown[]): void => {
    const ids = new Set(list.map((message) => stringAt(message, 'id')));
    for (const id of messages.keys()) collector.leaveOut(ids.has(id) ? EARLIER : REPLACED);
    messages = new Map();
    for (const message of list) put(message);
  };
  const put = (message: unknown): void => {
    const id = stringAt(message, 'id') || `#${messages.size}`;
    if (messages.has(id)) collector.leaveOut(EARLIER);
    if (isObject(message)) messages.set(id, message);
  };
  let rewoundTo: unknown;
  for (const entry of objectLines(recording, collector)) {
    const isAgain = '$rewindTo' in entry && entry.$rewindTo === rewoundTo;
    rewoundTo = entry.$rewindTo;
    if (isAgain) collector.leaveOut(TWICE);
    else if ('$rewindTo' in entry) rewind(messages, stringAt(entry, '$rewindTo'), collector);
    else if (Array.isArray(objectAt(entry, '$set').messages)) replace(arrayAt(objectAt(entry, '$set'), 'messages'));
    else if (isString(entry.type)) put(entry);
    else if (Array.isArray(entry.messages)) for (const message of entry.messages) put(message);
    else collector.leaveOut('$set' in entry ? '$set' : { en: 'head', zh: '文件头' });
  }
  takeMessages([...messages.values()], collector);
}

const REPLACED = { en: 'message that was replaced', zh: '被替换的消息' };

/** A message that there is not takes all of them away. */
function rewind(messages: Map<string, Fields>, to: string, collector: StepCollector): void {
  let isGone = !messages.has(to);
  for (const id of messages.keys()) {
    isGone ||= id === to;
    if (isGone) collector.leaveOut(REWOUND);
    if (isGone) messages.delete(id);
  }
}

function takeMessages(messages: readonly unknown[], collector: StepCollector): void {
  for (const [index, message] of objectsIn(messages, { en: 'message', zh: '消息' }, collector)) {
    const type = stringAt(message, 'type');
    const text = type === 'user' ? recordedText(message.content, collector) : '';
    if (type === 'user') (text.trimStart().startsWith('<session_context>') ? collector.notice : collector.user)(text);
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
