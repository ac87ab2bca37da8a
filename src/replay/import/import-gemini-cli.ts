import type { ContentBlock } from '../../domain/session/message.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { isRecord, type Json, listAt, recordAt, textAt } from './json.ts';
import { callBlock, recordedText, textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

/** A chat of Gemini CLI: one JSON object; each call has its result inside. */
export function importGeminiCli(file: Json): readonly Transcript[] {
  const collector = collectSteps();
  for (const [index, message] of listAt(file, 'messages').entries()) {
    if (isRecord(message)) takeMessage(message, index, collector);
    else collector.damage(`message ${index + 1} is no object`);
  }
  return [collector.finish('gemini-cli')];
}

function takeMessage(message: Json, index: number, collector: StepCollector): void {
  const type = textAt(message, 'type');
  if (type === 'user') {
    collector.user(recordedText(message.content, collector));
    return;
  }
  if (type !== 'gemini') {
    collector.leaveOut(`${type || 'unknown'} message`);
    return;
  }
  for (const _ of listAt(message, 'thoughts')) collector.leaveOut('thought');
  const said = recordedText(message.content, collector);
  const calls = listAt(message, 'toolCalls').filter(isRecord);
  const blocks: readonly ContentBlock[] = [
    ...(said === '' ? [] : [textBlock(said)]),
    ...calls.map((call) => callBlock(textAt(call, 'id'), textAt(call, 'name'), call.args)),
  ];
  collector.reply(blocks, `reply ${index}`);
  for (const call of calls) takeResult(call, collector);
}

function takeResult(call: Json, collector: StepCollector): void {
  const texts = listAt(call, 'result').map((part) => {
    const response = recordAt(recordAt(part, 'functionResponse'), 'response');
    return textAt(response, 'output') || textAt(response, 'error') || textAt(part, 'text');
  });
  if (texts.length === 0) return;
  collector.result({ toolUseId: textAt(call, 'id'), content: texts.join('\n'), ok: textAt(call, 'status') === 'success' });
}
