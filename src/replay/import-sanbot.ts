import { type BodyRef, isToolResult, type Message, resultText, textOf } from '../domain/message.ts';
import { type LogRecord, logRecordSchema } from '../domain/record.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { linesOf, parseJson, textAt } from './json.ts';
import type { Transcript } from './transcript.ts';

/** A log of SanBot itself, from its first message on: what checkpoints replaced is in it too. */
export function importSanbot(text: string): readonly Transcript[] {
  const collector = collectSteps();
  for (const { number, text: line } of linesOf(text)) {
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
  } else if (record.type === 'message') takeMessage(record.message, collector, () => undefined);
  else collector.leaveOut(record.type === 'checkpoint' ? `checkpoint (${record.reason})` : record.type);
}

/** A body that `bodyOf` does not have is taken as its stub, and counted. */
export function takeMessage(message: Message, collector: StepCollector, bodyOf: (ref: BodyRef) => string | undefined): void {
  if (message.role === 'assistant') {
    collector.reply(message.content, message.id);
    return;
  }
  for (const result of message.content.filter(isToolResult)) {
    const stub = message.stubs?.find(({ toolUseId }) => toolUseId === result.tool_use_id);
    const body = stub === undefined ? undefined : bodyOf(stub.body);
    if (stub !== undefined && body === undefined) collector.leaveOut('body that the log has only the stub of');
    collector.result({ toolUseId: result.tool_use_id, content: body ?? resultText(result), ok: result.is_error !== true });
  }
  const said = textOf(message.content);
  if (message.origin === 'user') collector.user(said);
  else if (message.origin === 'notice') collector.notice(said);
  else if (message.origin === 'summary') collector.leaveOut('summary');
}
