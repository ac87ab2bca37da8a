/**
 * A session of pi, one JSON object a line. Newer files are trees of entries (`id`, `parentId`).
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `session` | the folder |
 * | `message` of `user`, `assistant`, `toolResult` | what the user typed, a reply with its calls, a result |
 * | entries of branches that do not end with the last entry | left out, counted |
 * | thinking, empty replies, other entries | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import type { ContentBlock } from '../../../domain/session/message.ts';
import { type Fields, isObject } from '../../../domain/value/json.ts';
import {
  arrayAt,
  callBlock,
  leaveOutMessage,
  objectAt,
  objectLines,
  type Recording,
  recordedText,
  stringAt,
  textBlock,
  UNKNOWN,
} from './recorded-content.ts';

export function readPi(recording: Recording, collector: StepCollector): void {
  const entries = [...objectLines(recording, collector)];
  const branch = lastBranch(entries);
  for (const [index, entry] of entries.entries()) {
    if (branch !== undefined && 'parentId' in entry && !branch.has(stringAt(entry, 'id')))
      collector.leaveOut({ en: 'other branch', zh: '其他分支' });
    else takeEntry(entry, index, collector);
  }
}

/** Undefined for an older file, whose entries have no parents. */
function lastBranch(entries: readonly Fields[]): ReadonlySet<string> | undefined {
  const inTree = entries.filter((entry) => typeof entry.id === 'string' && 'parentId' in entry);
  if (inTree.every(({ parentId }) => typeof parentId !== 'string')) return undefined;
  const byId = new Map(inTree.map((entry) => [stringAt(entry, 'id'), entry]));
  let current = inTree.at(-1);
  const branch = new Set<string>();
  while (current !== undefined && !branch.has(stringAt(current, 'id'))) {
    branch.add(stringAt(current, 'id'));
    current = byId.get(stringAt(current, 'parentId'));
  }
  return branch;
}

function takeEntry(entry: Fields, index: number, collector: StepCollector): void {
  const type = stringAt(entry, 'type');
  // All lines were read before the first of them is taken.
  collector.time(stringAt(entry, 'timestamp'));
  if (type === 'session') collector.cwd(stringAt(entry, 'cwd'));
  else if (type === 'message') takeMessage(objectAt(entry, 'message'), index, collector);
  else collector.leaveOut(type || UNKNOWN);
}

function takeMessage(message: Fields, index: number, collector: StepCollector): void {
  const role = stringAt(message, 'role');
  if (role === 'assistant') collector.reply(replyBlocks(message, collector), `reply ${index}`);
  else if (role === 'user') collector.user(recordedText(message.content, collector));
  else if (role === 'toolResult') {
    const content = recordedText(message.content, collector);
    collector.result({ toolUseId: stringAt(message, 'toolCallId'), content, ok: message.isError !== true });
  } else leaveOutMessage(role, collector);
}

function replyBlocks(message: Fields, collector: StepCollector): readonly ContentBlock[] {
  const parts = arrayAt(message, 'content');
  if (parts.length === 0) collector.leaveOut({ en: 'empty reply', zh: '空回答' });
  return parts.flatMap((part): readonly ContentBlock[] => {
    if (!isObject(part)) return [];
    if (part.type === 'text') return [textBlock(stringAt(part, 'text'))];
    if (part.type === 'toolCall') return [callBlock(stringAt(part, 'id'), stringAt(part, 'name'), part.arguments)];
    collector.leaveOut({ en: `${stringAt(part, 'type') || 'unknown'} in a reply`, zh: `回答中的 ${stringAt(part, 'type') || '未知内容'}` });
    return [];
  });
}
