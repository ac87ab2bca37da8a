import {
  type ContentBlock,
  isCompaction,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type WireMessage,
} from '../../domain/session/message.ts';
import { stoppedResults } from './stopped-call.ts';

/**
 * Why the provider would refuse these messages, one line each; empty when it would not. Every call must be answered in the
 * very next user message, results first and exactly once; roles alternate from user to user; nothing is empty. A summary by the
 * API may stand before them all, and nowhere else. What is only to be summarised may end with the assistant.
 */
export function pairingProblems(messages: readonly WireMessage[], purpose: 'reply' | 'compaction' = 'reply'): readonly string[] {
  if (messages.length === 0) return ['there is no message'];
  const problems: string[] = [];
  const calledBefore = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const found: string[] = [];
    checkShape(message, messages[index - 1], found);
    checkCalls(message, { next: messages[index + 1], calledBefore }, found);
    checkResults(message, messages[index - 1], found);
    for (const problem of found) problems.push(`message ${index} ${problem}`);
  }
  if (purpose === 'reply' && messages.at(-1)?.role !== 'user') problems.push('the last message is not from the user');
  return problems;
}

function checkShape({ role, content }: WireMessage, before: WireMessage | undefined, found: string[]): void {
  const compacted = content.some(isCompaction);
  const opens = compacted && before === undefined && role === 'assistant' && content.length === 1;
  if (compacted && !opens) found.push('has a summary by the API that is not first and alone');
  if (before === undefined && role !== 'user' && !opens) found.push('is the first and not from the user');
  if (role === before?.role) found.push(`follows another ${role} message`);
  if (content.length === 0) found.push('is empty');
  if (content.some(hasBlankText)) found.push('has an empty text block');
}

const hasBlankText = (block: ContentBlock): boolean => {
  if (isText(block)) return isBlank(block.text);
  return isToolResult(block) && Array.isArray(block.content) && block.content.some(hasBlankText);
};

export const isBlank = (text: string): boolean => text.trim() === '';

type Around = { readonly next: WireMessage | undefined; readonly calledBefore: Set<string> };

function checkCalls({ role, content }: WireMessage, { next, calledBefore }: Around, found: string[]): void {
  for (const block of content) {
    if (!isToolUse(block)) continue;
    const { id } = block;
    if (role !== 'assistant') found.push(`calls ${id} but is not from the assistant`);
    if (calledBefore.has(id)) found.push(`calls ${id} a second time`);
    if (next?.role !== 'user' || !next.content.some((answer) => isToolResult(answer) && answer.tool_use_id === id)) {
      found.push(`calls ${id}, which the next message does not answer`);
    }
    calledBefore.add(id);
  }
}

function checkResults({ role, content }: WireMessage, before: WireMessage | undefined, found: string[]): void {
  let otherSeen = false;
  for (const [index, block] of content.entries()) {
    if (!isToolResult(block)) {
      otherSeen = true;
      continue;
    }
    const id = block.tool_use_id;
    if (role !== 'user') found.push(`has the result of ${id} but is not from the user`);
    if (before?.role !== 'assistant' || !before.content.some((call) => isToolUse(call) && call.id === id)) {
      found.push(`has a result of ${id}, which the message before it does not call`);
    }
    if (content.findIndex((other) => isToolResult(other) && other.tool_use_id === id) < index) found.push(`answers ${id} twice`);
    if (otherSeen) found.push(`has the result of ${id} after other content`);
  }
}

/** Results for the calls of the last assistant message that have none, so that an interrupted session can go on. */
export function closeOpenCalls(messages: readonly Message[]): readonly ContentBlock[] {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  return resultsFor(openCalls(messages, last));
}

const resultsFor = (ids: readonly string[]): readonly ContentBlock[] =>
  ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: stoppedResults.unknown, is_error: true }));

/** The calls of one assistant message that no message before the next assistant message answers. */
function openCalls(messages: readonly Message[], index: number): readonly string[] {
  const asked = messages[index]?.content.filter(isToolUse) ?? [];
  if (asked.length === 0) return [];
  const answered = new Set<string>();
  for (let next = index + 1; messages[next]?.role === 'user'; next++) {
    for (const block of messages[next]?.content ?? []) if (isToolResult(block)) answered.add(block.tool_use_id);
  }
  return asked.map((call) => call.id).filter((id) => !answered.has(id));
}

/**
 * A conversation from which a damaged log has lost messages, made whole: calls without a result get one that says so, and
 * results without their call go. The calls of the last reply are left open, for `closeOpenCalls`. The same array when all is well.
 */
export function mendPairs(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  let waiting = new Set<string>();
  let whole = true;
  const mended = messages.flatMap((message, index): readonly Message[] => {
    if (message.role === 'user') {
      const content = message.content.filter((block) => !isToolResult(block) || waiting.delete(block.tool_use_id));
      if (content.length === message.content.length) return [message];
      whole = false;
      return content.length === 0 ? [] : [{ ...message, content }];
    }
    waiting = new Set(message.content.filter(isToolUse).map((call) => call.id));
    const content = index === last ? [] : resultsFor(openCalls(messages, index));
    if (content.length === 0) return [message];
    whole = false;
    return [message, { id: `${message.id}-closed`, at: message.at, role: 'user', origin: 'interrupted', content }];
  });
  return whole ? messages : mended;
}
