import type { ContentBlock } from '../../domain/session/message.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt, tryParseJson } from './json.ts';
import { anthropicReply, anthropicUser, callBlock, recordedText, textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

export type MessageList = { readonly messages: readonly unknown[]; readonly system?: unknown };

/** Imports messages in the form of the Anthropic API. */
export function importAnthropic({ messages, system }: MessageList): readonly Transcript[] {
  const collector = collectSteps();
  if (system !== undefined) collector.system(recordedText(system, collector));
  for (const [index, message] of messages.entries()) {
    if (!isJsonObject(message)) collector.damage(`message ${index + 1} is no object`);
    else if (message.role === 'user') anthropicUser(message.content, collector, collector.user);
    else if (message.role === 'assistant') collector.reply(anthropicReply(message.content, collector), `reply ${index}`);
    else if (message.role === 'system') collector.system(recordedText(message.content, collector));
    else collector.leaveOut(`${stringAt(message, 'role') || 'unknown'} message`);
  }
  return [collector.finish('anthropic')];
}

/** Imports messages in the form of OpenAI's chat completions; also plain lists of role and text. */
export function importOpenai({ messages }: MessageList): readonly Transcript[] {
  const collector = collectSteps();
  for (const [index, message] of messages.entries()) {
    if (isJsonObject(message)) takeOpenai(message, index, collector);
    else collector.damage(`message ${index + 1} is no object`);
  }
  return [collector.finish('openai')];
}

function takeOpenai(message: JsonObject, index: number, collector: StepCollector): void {
  const text = recordedText(message.content, collector);
  switch (stringAt(message, 'role')) {
    case 'system':
    case 'developer':
      collector.system(text);
      return;
    case 'user':
      collector.user(text);
      return;
    case 'tool':
      collector.result({ toolUseId: stringAt(message, 'tool_call_id'), content: text, ok: true });
      return;
    case 'assistant': {
      const calls = arrayAt(message, 'tool_calls').map((call): ContentBlock => {
        const functionCall = objectAt(call, 'function');
        const args = stringAt(functionCall, 'arguments');
        return callBlock(stringAt(call, 'id'), stringAt(functionCall, 'name'), tryParseJson(args) ?? args);
      });
      collector.reply(text === '' ? calls : [textBlock(text), ...calls], `reply ${index}`);
      return;
    }
    default:
      collector.leaveOut(`${stringAt(message, 'role') || 'unknown'} message`);
      return;
  }
}
