/**
 * Messages as JSON in the form of an API: of Anthropic, or of OpenAI's chat completions. Plain lists of role and text are of the second.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `system`, `developer` | the system prompt |
 * | `user` | what the user typed, and results in blocks |
 * | `assistant` | a reply; `tool_use` blocks or `tool_calls` as calls |
 * | `tool` | the result of its call |
 * | thinking without a signature, other roles, other parts | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import type { Fields } from '../../../domain/value/json.ts';
import {
  anthropicReply,
  anthropicUser,
  functionCallBlock,
  leaveOutMessage,
  objectsIn,
  recordedText,
  textBlock,
} from './recorded-content.ts';
import { arrayAt, stringAt } from './recording.ts';

export type MessageList = { readonly messages: readonly unknown[]; readonly system?: unknown };

export function readAnthropic({ messages, system }: MessageList, collector: StepCollector): void {
  if (system !== undefined) collector.system(recordedText(system, collector));
  for (const [index, message] of objectsIn(messages, { en: 'message', zh: '消息' }, collector)) {
    if (message.role === 'user') anthropicUser(message.content, collector, collector.user);
    else if (message.role === 'assistant') collector.reply(anthropicReply(message.content, collector), `reply ${index}`);
    else if (message.role === 'system') collector.system(recordedText(message.content, collector));
    else leaveOutMessage(stringAt(message, 'role'), collector);
  }
}

export function readOpenai({ messages }: MessageList, collector: StepCollector): void {
  for (const [index, message] of objectsIn(messages, { en: 'message', zh: '消息' }, collector)) takeOpenai(message, index, collector);
}

function takeOpenai(message: Fields, index: number, collector: StepCollector): void {
  const text = recordedText(message.content, collector);
  const role = stringAt(message, 'role');
  if (role === 'system' || role === 'developer') collector.system(text);
  else if (role === 'user') collector.user(text);
  else if (role === 'tool') collector.result({ toolUseId: stringAt(message, 'tool_call_id'), content: text, ok: true });
  else if (role === 'assistant') {
    const calls = arrayAt(message, 'tool_calls').map(functionCallBlock);
    collector.reply(text === '' ? calls : [textBlock(text), ...calls], `reply ${index}`);
  } else leaveOutMessage(role, collector);
}
