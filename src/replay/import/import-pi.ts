import type { ContentBlock } from '../../domain/session/message.ts';
import { collectSteps, type StepCollector } from './collect-steps.ts';
import { isRecord, type Json, linesOf, listAt, parseJson, type Recording, recordAt, textAt } from './json.ts';
import { callBlock, recordedText, textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

/** A session of pi. Newer files are trees of entries (id, parentId): then the branch that ends with the last entry is taken. */
export function importPi(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
  const entries: Json[] = [];
  for (const { number, text: line } of linesOf(recording)) {
    const entry = parseJson(line);
    if (isRecord(entry)) entries.push(entry);
    else collector.damage(`line ${number} is no JSON object`);
  }
  const taken = lastBranch(entries);
  for (const [index, entry] of entries.entries()) {
    if (taken !== undefined && !taken.has(textAt(entry, 'id')) && textAt(entry, 'type') !== 'session') collector.leaveOut('other branch');
    else takeEntry(entry, index, collector);
  }
  return [collector.finish('pi')];
}

function lastBranch(entries: readonly Json[]): ReadonlySet<string> | undefined {
  const byId = new Map(entries.map((entry) => [textAt(entry, 'id'), entry]));
  let at = entries.at(-1);
  if (at === undefined || typeof at.parentId !== 'string') return undefined;
  const branch = new Set<string>();
  while (at !== undefined && !branch.has(textAt(at, 'id'))) {
    branch.add(textAt(at, 'id'));
    at = byId.get(textAt(at, 'parentId'));
  }
  return branch;
}

function takeEntry(entry: Json, index: number, collector: StepCollector): void {
  const type = textAt(entry, 'type');
  if (type === 'session') {
    collector.cwd(textAt(entry, 'cwd'));
    return;
  }
  if (type !== 'message') {
    collector.leaveOut(type || 'unknown');
    return;
  }
  const message = recordAt(entry, 'message');
  switch (textAt(message, 'role')) {
    case 'user':
      collector.user(recordedText(message.content, collector));
      return;
    case 'toolResult':
      collector.result({
        toolUseId: textAt(message, 'toolCallId'),
        content: recordedText(message.content, collector),
        ok: message.isError !== true,
      });
      return;
    case 'assistant':
      collector.reply(replyBlocks(message, collector), `reply ${index}`);
      return;
    default:
      collector.leaveOut(`${textAt(message, 'role') || 'unknown'} message`);
      return;
  }
}

function replyBlocks(message: Json, collector: StepCollector): readonly ContentBlock[] {
  const parts = listAt(message, 'content');
  if (parts.length === 0) collector.leaveOut('empty reply');
  return parts.flatMap((part): readonly ContentBlock[] => {
    if (!isRecord(part)) return [];
    if (part.type === 'text') return [textBlock(textAt(part, 'text'))];
    if (part.type === 'toolCall') return [callBlock(textAt(part, 'id'), textAt(part, 'name'), part.arguments)];
    collector.leaveOut(`${textAt(part, 'type') || 'unknown'} in a reply`);
    return [];
  });
}
