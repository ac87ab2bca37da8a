import { localize } from '../../domain/language.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { arrayAt, type JsonObject, stringAt } from './json.ts';
import { anthropicReply, anthropicUser, functionCallBlock, objectsIn, recordedText, textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

export type MessageList = { readonly messages: readonly unknown[]; readonly system?: unknown };

/** Imports messages in the form of the Anthropic API. */
export function importAnthropic({ messages, system }: MessageList): readonly Transcript[] {
  const collector = collectSteps();
  if (system !== undefined) collector.system(recordedText(system, collector));
  for (const [index, message] of objectsIn(messages, { en: 'message', zh: '消息' }, collector)) {
    if (message.role === 'user') anthropicUser(message.content, collector, collector.user);
    else if (message.role === 'assistant') collector.reply(anthropicReply(message.content, collector), `reply ${index}`);
    else if (message.role === 'system') collector.system(recordedText(message.content, collector));
    else
      collector.leaveOut(
        localize({ en: `${stringAt(message, 'role') || 'unknown'} message`, zh: `${stringAt(message, 'role') || '未知'} 消息` }),
      );
  }
  return [collector.finish('anthropic')];
}

/** Imports messages in the form of OpenAI's chat completions; also plain lists of role and text. */
export function importOpenai({ messages }: MessageList): readonly Transcript[] {
  const collector = collectSteps();
  for (const [index, message] of objectsIn(messages, { en: 'message', zh: '消息' }, collector)) takeOpenai(message, index, collector);
  return [collector.finish('openai')];
}

function takeOpenai(message: JsonObject, index: number, collector: StepCollector): void {
  const text = recordedText(message.content, collector);
  const role = stringAt(message, 'role');
  if (role === 'system' || role === 'developer') collector.system(text);
  else if (role === 'user') collector.user(text);
  else if (role === 'tool') collector.result({ toolUseId: stringAt(message, 'tool_call_id'), content: text, ok: true });
  else if (role === 'assistant') {
    const calls = arrayAt(message, 'tool_calls').map(functionCallBlock);
    collector.reply(text === '' ? calls : [textBlock(text), ...calls], `reply ${index}`);
  } else collector.leaveOut(localize({ en: `${role || 'unknown'} message`, zh: `${role || '未知'} 消息` }));
}
