import type { WireMessage } from '../../src/domain/session/message.ts';

/**
 * What the API refuses, written from its own rules as a machine that reads one block after the other and remembers which
 * calls wait for an answer. It shares nothing with the validator of the product.
 */
export function apiRefusals(messages: readonly WireMessage[]): readonly string[] {
  const refusals: string[] = [];
  const used: string[] = [];
  let waiting: string[] = [];
  let turn = 'assistant';
  for (const { role, content } of messages) {
    if (role === turn) refusals.push(`two ${role} messages in a row, or the first is not the user's`);
    turn = role;
    if (content.length === 0) refusals.push('content is empty');
    let resultsOver = false;
    let next: string[] = [];
    for (const block of content) {
      const inside: readonly unknown[] = block.type === 'tool_result' && Array.isArray(block.content) ? block.content : [];
      if ([block, ...inside].some(isBlankText)) refusals.push('text is blank');
      if (block.type !== 'tool_result') resultsOver = true;
      if (block.type === 'tool_result') {
        const id = String(block.tool_use_id);
        if (role !== 'user' || resultsOver || !waiting.includes(id)) refusals.push(`unexpected result ${id}`);
        waiting = waiting.filter((other) => other !== id);
      }
      if (block.type === 'tool_use') {
        const id = String(block.id);
        if (role !== 'assistant' || used.includes(id)) refusals.push(`unexpected call ${id}`);
        used.push(id);
        next = [...next, id];
      }
    }
    if (role === 'user' && waiting.length > 0) refusals.push(`no result for ${waiting.join()}`);
    waiting = role === 'assistant' ? next : [];
  }
  if (turn !== 'user') refusals.push('the last message is not from the user');
  if (waiting.length > 0) refusals.push(`no result for ${waiting.join()}`);
  return refusals;
}

const isBlankText = (block: unknown): boolean =>
  typeof block === 'object' &&
  block !== null &&
  'type' in block &&
  block.type === 'text' &&
  'text' in block &&
  String(block.text).trim() === '';
