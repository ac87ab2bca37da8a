import { isToolResult, resultText, textOf } from '../domain/message.ts';
import { type LogRecord, logRecordSchema } from '../domain/record.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { linesOf, parseJson, type Recording, textAt } from './json.ts';
import { isStubbed } from './stubbed.ts';
import type { Transcript } from './transcript.ts';

/** A log of SanBot itself, from its first message on: what checkpoints replaced is in it too. */
export function importSanbot(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
  for (const { number, text: line } of linesOf(recording)) {
    const entry = parseJson(line);
    const record = logRecordSchema.safeParse(entry);
    if (record.success) takeRecord(record.data, collector);
    else if (entry === undefined) collector.damage(`line ${number} is no JSON`);
    else collector.leaveOut(`${textAt(entry, 'type') || 'unknown'} record`);
  }
  return [collector.finish('sanbot')];
}

function takeRecord(record: LogRecord, collector: StepCollector): void {
  if (record.type === 'header') {
    collector.system(record.context.system);
    collector.cwd(record.cwd);
    return;
  }
  if (record.type !== 'message') {
    collector.leaveOut(record.type === 'checkpoint' ? `checkpoint (${record.reason})` : record.type);
    return;
  }
  const { message } = record;
  if (message.role === 'assistant') {
    collector.reply(message.content, message.id);
    return;
  }
  for (const result of message.content.filter(isToolResult)) {
    if (isStubbed(message, result.tool_use_id)) collector.leaveOut('body that the log has only the stub of');
    collector.result({ toolUseId: result.tool_use_id, content: resultText(result), ok: result.is_error !== true });
  }
  const said = textOf(message.content);
  if (message.origin === 'user') collector.user(said);
  else if (message.origin === 'notice') collector.notice(said);
  else if (message.origin === 'summary') collector.leaveOut('summary');
}
