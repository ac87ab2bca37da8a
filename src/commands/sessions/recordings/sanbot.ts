/**
 * SanBot's own sessions: a log, from its first message on, or what `sanbot export` writes: the same records, then the bodies of results.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | header | the system prompt and the folder; of a fork the messages before it |
 * | message | what the user typed, a notice, a reply or results, with what checkpoints replaced |
 * | a result that went to a file | its text where the file has it; else its stub, counted |
 * | summaries, checkpoints and other records | left out, counted |
 * | a line that is no JSON, an export without its end | damage |
 */

import { type StepCollector, takeMessage } from '../../../context/history/collect-steps.ts';
import type { ReadBody } from '../../../domain/session/message.ts';
import { type LogRecord, logRecordSchema } from '../../../domain/session/record.ts';
import { parseJson } from '../../../domain/value/json.ts';
import { linesOf, objectAt, type Recording, stringAt } from './recorded-content.ts';

export function readSanbot(recording: Recording, collector: StepCollector): void {
  for (const { number, text: line } of linesOf(recording)) {
    const entry = parseJson(line);
    if (entry === undefined) collector.damage({ en: `line ${number} is not JSON`, zh: `第 ${number} 行不是 JSON` });
    else takeEntry(entry, collector, () => undefined);
  }
}

export function readExportedFile(recording: Recording, collector: StepCollector): void {
  const bodies = exportedBodyTexts(recording);
  let hasEnd = false;
  for (const { number, text: line } of linesOf(recording)) {
    const part = parseJson(line);
    const type = stringAt(part, 'type');
    if (part === undefined) collector.damage({ en: `line ${number} is not JSON`, zh: `第 ${number} 行不是 JSON` });
    else if (type === 'record') takeEntry(objectAt(part, 'record'), collector, ({ sha256 }) => bodies.get(sha256));
    else if (type === 'end') hasEnd = true;
    else if (type !== 'sanbot-export' && type !== 'body') collector.leaveOut(type || { en: 'unknown part', zh: '未知部分' });
  }
  if (!hasEnd) collector.damage({ en: 'its end is missing', zh: '缺少结尾' });
}

function exportedBodyTexts(recording: Recording): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  for (const { text: line } of linesOf(recording)) {
    const part = parseJson(line);
    if (stringAt(part, 'type') === 'body') bodies.set(stringAt(objectAt(part, 'ref'), 'sha256'), stringAt(part, 'text'));
  }
  return bodies;
}

function takeEntry(entry: unknown, collector: StepCollector, bodyOf: ReadBody): void {
  const record = logRecordSchema.safeParse(entry);
  if (record.success) takeRecord(record.data, collector, bodyOf);
  else collector.leaveOut({ en: `${stringAt(entry, 'type') || 'unknown'} record`, zh: `${stringAt(entry, 'type') || '未知'} 记录` });
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
