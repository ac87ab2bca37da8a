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
  arrayAt,
  functionCallBlock,
  leaveOutMessage,
  objectAt,
  objectLines,
  objectsIn,
  type Recording,
  recordedText,
  stringAt,
  textBlock,
  UNKNOWN,
} from './recorded-content.ts';

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

/**
 * Transcripts of Entire, version 1, one JSON object a line, in which each call has its result inside it.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `user` | what the user typed |
 * | `assistant` | a reply with its calls and their results |
 * | other lines | left out, counted |
 */

/** A line of Entire's transcripts of version 1: it names its version and the agent that it was recorded from. */
export const isEntireLine = (entry: Fields): boolean =>
  typeof entry.v === 'number' && typeof entry.agent === 'string' && typeof entry.cli_version === 'string';

export function readEntire(recording: Recording, collector: StepCollector): void {
  let replies = 0;
  for (const entry of objectLines(recording, collector)) {
    if (entry.type === 'user') collector.user(recordedText(entry.content, collector));
    else if (entry.type === 'assistant') {
      const content = arrayAt(entry, 'content');
      collector.reply(anthropicReply(content, collector), stringAt(entry, 'id') || `reply ${++replies}`);
      for (const call of content) {
        const result = objectAt(call, 'result');
        if (stringAt(call, 'type') === 'tool_use' && Object.keys(result).length > 0)
          collector.result({
            toolUseId: stringAt(call, 'id'),
            content: recordedText(result.output, collector),
            ok: !/error|fail|reject|cancel/i.test(stringAt(result, 'status')),
          });
      }
    } else collector.leaveOut(stringAt(entry, 'type') || UNKNOWN);
  }
}
