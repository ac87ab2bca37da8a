import { localize } from '../../domain/language.ts';
import { isToolResult, type Message, type ReadBody, resultText, stubOf, textOf } from '../../domain/session/message.ts';
import { type LogRecord, logRecordSchema } from '../../domain/session/record.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { linesOf, objectAt, type Recording, stringAt, tryParseJson } from './json.ts';
import type { Transcript } from './transcript.ts';

/** Imports a log of SanBot itself from its first message on, including what checkpoints replaced. */
export function importSanbot(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
  for (const { number, text: line } of linesOf(recording)) {
    const entry = tryParseJson(line);
    if (entry === undefined) collector.damage(localize({ en: `line ${number} is no JSON`, zh: `第 ${number} 行不是 JSON` }));
    else takeEntry(entry, collector, () => undefined);
  }
  return [collector.finish('sanbot')];
}

/** Imports what `sanbot export` writes: the same log, each record in a part of its own, then the bodies that its stubs stand for. */
export function importExportedFile(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
  const bodies = exportedBodyTexts(recording);
  let hasEnd = false;
  for (const { number, text: line } of linesOf(recording)) {
    const part = tryParseJson(line);
    const type = stringAt(part, 'type');
    if (part === undefined) collector.damage(localize({ en: `line ${number} is no JSON`, zh: `第 ${number} 行不是 JSON` }));
    else if (type === 'record') takeEntry(objectAt(part, 'record'), collector, ({ sha256 }) => bodies.get(sha256));
    else if (type === 'end') hasEnd = true;
    else if (type !== 'sanbot-export' && type !== 'body') collector.leaveOut(type || localize({ en: 'unknown part', zh: '未知部分' }));
  }
  if (!hasEnd) collector.damage(localize({ en: 'its end is missing', zh: '缺少结尾' }));
  return [collector.finish('sanbot')];
}

function exportedBodyTexts(recording: Recording): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  for (const { text: line } of linesOf(recording)) {
    const part = tryParseJson(line);
    if (stringAt(part, 'type') === 'body') bodies.set(stringAt(objectAt(part, 'ref'), 'sha256'), stringAt(part, 'text'));
  }
  return bodies;
}

function takeEntry(entry: unknown, collector: StepCollector, bodyOf: ReadBody): void {
  const record = logRecordSchema.safeParse(entry);
  if (record.success) takeRecord(record.data, collector, bodyOf);
  else
    collector.leaveOut(localize({ en: `${stringAt(entry, 'type') || 'unknown'} record`, zh: `${stringAt(entry, 'type') || '未知'} 记录` }));
}

function takeRecord(record: LogRecord, collector: StepCollector, bodyOf: ReadBody): void {
  if (record.type === 'header') {
    collector.system(record.context.system);
    collector.cwd(record.cwd);
    // A fork begins with the messages that precede it.
    for (const message of record.context.messages) takeMessage(message, collector, bodyOf);
  } else if (record.type === 'message') takeMessage(record.message, collector, bodyOf);
  else collector.leaveOut(record.type === 'checkpoint' ? `checkpoint (${record.reason})` : record.type);
}

/** Adds a message. When `bodyOf` does not have a body, the stub is used instead, and counted. */
export function takeMessage(message: Message, collector: StepCollector, bodyOf: ReadBody): void {
  collector.time(message.at);
  if (message.role === 'assistant') {
    collector.reply(message.content, message.id);
    return;
  }
  for (const result of message.content.filter(isToolResult)) {
    const stub = stubOf(message, result);
    const body = stub === undefined ? undefined : bodyOf(stub.body);
    if (stub !== undefined && body === undefined)
      collector.leaveOut(localize({ en: 'body that the log has only the stub of', zh: '日志中只有占位文本的正文' }));
    const said = message.refusals?.find(({ toolUseId }) => toolUseId === result.tool_use_id)?.said;
    collector.result({
      toolUseId: result.tool_use_id,
      content: body ?? resultText(result),
      ok: result.is_error !== true,
      ...(said === undefined ? {} : { said }),
    });
  }
  const text = textOf(message.content);
  if (message.origin === 'user') collector.user(text);
  else if (message.origin === 'notice') collector.notice(text);
  else if (message.origin === 'summary') collector.leaveOut(localize({ en: 'summary', zh: '摘要' }));
}
