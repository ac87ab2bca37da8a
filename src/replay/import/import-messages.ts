import type { ContentBlock } from '../../domain/session/message.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { isRecord, type Json, listAt, parseJson, recordAt, textAt } from './json.ts';
import { anthropicReply, anthropicUser, callBlock, recordedText, textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

export type MessageList = { readonly messages: readonly unknown[]; readonly system?: unknown };

/** Messages as the Anthropic API takes them. */
export function importAnthropic({ messages, system }: MessageList): readonly Transcript[] {
  const collector = collectSteps();
  if (system !== undefined) collector.system(recordedText(system, collector));
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) collector.damage(`message ${index + 1} is no object`);
    else if (message.role === 'user') anthropicUser(message.content, collector, collector.user);
    else if (message.role === 'assistant') collector.reply(anthropicReply(message.content, collector), `reply ${index}`);
    else if (message.role === 'system') collector.system(recordedText(message.content, collector));
    else collector.leaveOut(`${textAt(message, 'role') || 'unknown'} message`);
  }
  return [collector.finish('anthropic')];
}

/** Messages as OpenAI's chat completions take them; also plain lists of role and text. */
export function importOpenai({ messages }: MessageList): readonly Transcript[] {
  const collector = collectSteps();
  for (const [index, message] of messages.entries()) {
    if (isRecord(message)) takeOpenai(message, index, collector);
    else collector.damage(`message ${index + 1} is no object`);
  }
  return [collector.finish('openai')];
}

function takeOpenai(message: Json, index: number, collector: StepCollector): void {
  const said = recordedText(message.content, collector);
  switch (textAt(message, 'role')) {
    case 'system':
    case 'developer':
      collector.system(said);
      return;
    case 'user':
      collector.user(said);
      return;
    case 'tool':
      collector.result({ toolUseId: textAt(message, 'tool_call_id'), content: said, ok: true });
      return;
    case 'assistant': {
      const calls = listAt(message, 'tool_calls').map((call): ContentBlock => {
        const named = recordAt(call, 'function');
        const given = textAt(named, 'arguments');
        return callBlock(textAt(call, 'id'), textAt(named, 'name'), parseJson(given) ?? given);
      });
      collector.reply(said === '' ? calls : [textBlock(said), ...calls], `reply ${index}`);
      return;
    }
    default:
      collector.leaveOut(`${textAt(message, 'role') || 'unknown'} message`);
      return;
  }
}
