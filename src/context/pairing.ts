import { type ContentBlock, isText, isToolResult, isToolUse, type Message, type WireMessage } from '../domain/message.ts';

/**
 * Why the provider would refuse these messages, one line each; empty when it would not. Every call must be answered in the
 * very next user message, results first and exactly once; roles alternate from user to user; nothing is empty.
 */
export function pairingProblems(messages: readonly WireMessage[]): readonly string[] {
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
  if (messages.at(-1)?.role !== 'user') problems.push('the last message is not from the user');
  return problems;
}

function checkShape({ role, content }: WireMessage, before: WireMessage | undefined, found: string[]): void {
  if (before === undefined && role !== 'user') found.push('is the first and not from the user');
  if (role === before?.role) found.push(`follows another ${role} message`);
  if (content.length === 0) found.push('is empty');
  if (content.some((block) => isText(block) && isBlank(block.text))) found.push('has an empty text block');
}

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
  const asked = messages[last]?.content.filter(isToolUse) ?? [];
  const answered = new Set(
    messages
      .slice(last + 1)
      .flatMap((message) => message.content.filter(isToolResult))
      .map((result) => result.tool_use_id),
  );
  return asked
    .filter((call) => !answered.has(call.id))
    .map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: INTERRUPTED, is_error: true }));
}

const INTERRUPTED = 'Interrupted: this call has no result. It may not have run, or only in part; check before you run it again.';
