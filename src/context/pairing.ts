import { type ContentBlock, isText, isToolResult, isToolUse, type Message, type WireMessage } from '../domain/message.ts';

/**
 * Why the provider would refuse these messages, one line each; empty when it would not. Every call must be answered in the
 * very next user message, results first and exactly once; roles alternate from user to user; nothing is empty.
 */
export function pairingProblems(messages: readonly WireMessage[]): readonly string[] {
  if (messages.length === 0) return ['there is no message'];
  const calledBefore = new Set<string>();
  const problems = messages.flatMap((message, index) => [
    ...shapeProblems(message, messages[index - 1]).map((problem) => `message ${index} ${problem}`),
    ...callProblems(message, messages[index + 1], calledBefore).map((problem) => `message ${index} ${problem}`),
    ...resultProblems(message, messages[index - 1]).map((problem) => `message ${index} ${problem}`),
  ]);
  return messages.at(-1)?.role === 'user' ? problems : [...problems, 'the last message is not from the user'];
}

function shapeProblems({ role, content }: WireMessage, before: WireMessage | undefined): readonly string[] {
  const problems: string[] = [];
  if (role === (before?.role ?? 'assistant'))
    problems.push(before === undefined ? 'is the first and not from the user' : `follows another ${role} message`);
  if (content.length === 0) problems.push('is empty');
  if (content.some((block) => isText(block) && isBlank(block.text))) problems.push('has an empty text block');
  return problems;
}

export const isBlank = (text: string): boolean => text.trim() === '';

function callProblems({ role, content }: WireMessage, next: WireMessage | undefined, calledBefore: Set<string>): readonly string[] {
  const answered = new Set(next?.role === 'user' ? next.content.filter(isToolResult).map((result) => result.tool_use_id) : []);
  return content.filter(isToolUse).flatMap(({ id }) => {
    const problems: string[] = [];
    if (role !== 'assistant') problems.push(`calls ${id} but is not from the assistant`);
    if (calledBefore.has(id)) problems.push(`calls ${id} a second time`);
    if (!answered.has(id)) problems.push(`calls ${id}, which the next message does not answer`);
    calledBefore.add(id);
    return problems;
  });
}

function resultProblems({ role, content }: WireMessage, before: WireMessage | undefined): readonly string[] {
  const called = new Set(before?.role === 'assistant' ? before.content.filter(isToolUse).map((call) => call.id) : []);
  const firstOther = content.findIndex((block) => !isToolResult(block));
  const seen = new Set<string>();
  return content.flatMap((block, index) => {
    if (!isToolResult(block)) return [];
    const id = block.tool_use_id;
    const problems: string[] = [];
    if (role !== 'user') problems.push(`has the result of ${id} but is not from the user`);
    if (!called.has(id)) problems.push(`has a result of ${id}, which the message before it does not call`);
    if (seen.has(id)) problems.push(`answers ${id} twice`);
    if (firstOther !== -1 && index > firstOther) problems.push(`has the result of ${id} after other content`);
    seen.add(id);
    return problems;
  });
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
