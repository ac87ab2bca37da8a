import type { ContentBlock } from '../../domain/session/message.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { arrayAt, isJsonObject, type JsonObject, linesOf, objectAt, type Recording, stringAt, tryParseJson } from './json.ts';
import { callBlock, recordedText, textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

/** Imports a session of pi. Newer files are trees of entries (id, parentId): only the branch that ends with the last entry is taken. */
export function importPi(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
  const entries: JsonObject[] = [];
  for (const { number, text: line } of linesOf(recording)) {
    const entry = tryParseJson(line);
    if (isJsonObject(entry)) entries.push(entry);
    else collector.damage(`line ${number} is no JSON object`);
  }
  const branch = lastBranch(entries);
  for (const [index, entry] of entries.entries()) {
    if (branch !== undefined && !branch.has(stringAt(entry, 'id')) && stringAt(entry, 'type') !== 'session')
      collector.leaveOut('other branch');
    else takeEntry(entry, index, collector);
  }
  return [collector.finish('pi')];
}

function lastBranch(entries: readonly JsonObject[]): ReadonlySet<string> | undefined {
  const byId = new Map(entries.map((entry) => [stringAt(entry, 'id'), entry]));
  let current = entries.at(-1);
  if (current === undefined || typeof current.parentId !== 'string') return undefined;
  const branch = new Set<string>();
  while (current !== undefined && !branch.has(stringAt(current, 'id'))) {
    branch.add(stringAt(current, 'id'));
    current = byId.get(stringAt(current, 'parentId'));
  }
  return branch;
}

function takeEntry(entry: JsonObject, index: number, collector: StepCollector): void {
  const type = stringAt(entry, 'type');
  if (type === 'session') {
    collector.cwd(stringAt(entry, 'cwd'));
    return;
  }
  if (type !== 'message') {
    collector.leaveOut(type || 'unknown');
    return;
  }
  const message = objectAt(entry, 'message');
  switch (stringAt(message, 'role')) {
    case 'user':
      collector.user(recordedText(message.content, collector));
      return;
    case 'toolResult':
      collector.result({
        toolUseId: stringAt(message, 'toolCallId'),
        content: recordedText(message.content, collector),
        ok: message.isError !== true,
      });
      return;
    case 'assistant':
      collector.reply(replyBlocks(message, collector), `reply ${index}`);
      return;
    default:
      collector.leaveOut(`${stringAt(message, 'role') || 'unknown'} message`);
      return;
  }
}

function replyBlocks(message: JsonObject, collector: StepCollector): readonly ContentBlock[] {
  const parts = arrayAt(message, 'content');
  if (parts.length === 0) collector.leaveOut('empty reply');
  return parts.flatMap((part): readonly ContentBlock[] => {
    if (!isJsonObject(part)) return [];
    if (part.type === 'text') return [textBlock(stringAt(part, 'text'))];
    if (part.type === 'toolCall') return [callBlock(stringAt(part, 'id'), stringAt(part, 'name'), part.arguments)];
    collector.leaveOut(`${stringAt(part, 'type') || 'unknown'} in a reply`);
    return [];
  });
}
