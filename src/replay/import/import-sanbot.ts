import { type BodyOf, isToolResult, type Message, resultText, textOf } from '../../domain/session/message.ts';
import { type LogRecord, logRecordSchema } from '../../domain/session/record.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { linesOf, parseJson, type Recording, recordAt, textAt } from './json.ts';
import type { Transcript } from './transcript.ts';

/** A log of SanBot itself, from its first message on: what checkpoints replaced is in it too. */
export function importSanbot(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
  for (const { number, text: line } of linesOf(recording)) {
    const entry = parseJson(line);
    if (entry === undefined) collector.damage(`line ${number} is no JSON`);
    else takeEntry(entry, collector, () => undefined);
  }
  return [collector.finish('sanbot')];
}

/** What `sanbot export` writes: the same log, each record in a part of its own, and after it the bodies that its stubs stand for. */
export function importExported(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
  const bodies = bodiesIn(recording);
  let ended = false;
  for (const { number, text: line } of linesOf(recording)) {
    const part = parseJson(line);
    const type = textAt(part, 'type');
    if (part === undefined) collector.damage(`line ${number} is no JSON`);
    else if (type === 'record') takeEntry(recordAt(part, 'record'), collector, ({ sha256 }) => bodies.get(sha256));
    else if (type === 'end') ended = true;
    else if (type !== 'sanbot-export' && type !== 'body') collector.leaveOut(type || 'unknown part');
  }
  if (!ended) collector.damage('its end is missing');
  return [collector.finish('sanbot')];
}

function bodiesIn(recording: Recording): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { text: line } of linesOf(recording)) {
    const part = parseJson(line);
    if (textAt(part, 'type') === 'body') found.set(textAt(recordAt(part, 'ref'), 'sha256'), textAt(part, 'text'));
  }
  return found;
}

function takeEntry(entry: unknown, collector: StepCollector, bodyOf: BodyOf): void {
  const record = logRecordSchema.safeParse(entry);
  if (record.success) takeRecord(record.data, collector, bodyOf);
  else collector.leaveOut(`${textAt(entry, 'type') || 'unknown'} record`);
}

function takeRecord(record: LogRecord, collector: StepCollector, bodyOf: BodyOf): void {
  if (record.type === 'header') {
    collector.system(record.context.system);
    collector.cwd(record.cwd);
    // A fork begins with what was said before it.
    for (const message of record.context.messages) takeMessage(message, collector, bodyOf);
  } else if (record.type === 'message') takeMessage(record.message, collector, bodyOf);
  else collector.leaveOut(record.type === 'checkpoint' ? `checkpoint (${record.reason})` : record.type);
}

/** A body that `bodyOf` does not have is taken as its stub, and counted. */
export function takeMessage(message: Message, collector: StepCollector, bodyOf: BodyOf): void {
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
