import {
  type ContentBlock,
  isCompaction,
  isText,
  isThinking,
  isToolResult,
  type Message,
  type WireMessage,
} from '../../domain/session/message.ts';
import { isBlank } from './pairing.ts';

/** Stands where the API needs a user message and there is none. */
const BRIDGE: WireMessage = { role: 'user', content: [{ type: 'text', text: '(nothing was said here)' }] };

/**
 * The messages as the API takes them. Adjacent user messages become one, results first; what the assistant said stays as it
 * is. Left out, because the API refuses it: blank text blocks, and messages with nothing left in them. Half characters become
 * replacement characters. Same input, same bytes; a longer conversation only appends, but for what is merged into its last message.
 * A summary by the API goes first, as the assistant's, and alone; what we add to it follows as the user's.
 */
export function toWire(messages: readonly Message[]): readonly WireMessage[] {
  const wire: WireMessage[] = [];
  let pending: (readonly ContentBlock[])[] = [];
  const flush = (): void => {
    if (pending.length > 0) wire.push({ role: 'user', content: pending.length === 1 ? (pending[0] ?? []) : resultsFirst(pending.flat()) });
    pending = [];
  };
  for (const message of messages) {
    const content = sendable(message);
    if (content.length === 0) continue;
    if (message.role === 'user') {
      const block = content.find(isCompaction);
      if (block === undefined) pending.push(content);
      else {
        wire.push({ role: 'assistant', content: [block] });
        pending.push(content.filter((other) => other !== block));
      }
      continue;
    }
    flush();
    if (wire.at(-1)?.role !== 'user') wire.push(BRIDGE);
    wire.push({ role: 'assistant', content });
  }
  flush();
  return wire;
}

const sendableCache = new WeakMap<Message, readonly ContentBlock[]>();

/** What of a message is sent; remembered by its identity, since messages never change. The message's own content where all of it is. */
function sendable(message: Message): readonly ContentBlock[] {
  const cached = sendableCache.get(message);
  if (cached !== undefined) return cached;
  const content = sendableBlocks(message);
  sendableCache.set(message, content);
  return content;
}

function sendableBlocks({ role, origin, content: blocks }: Message): readonly ContentBlock[] {
  // Another program's summary in the middle of a conversation is no longer valid as one; what it says is.
  const content = origin !== 'summary' && blocks.some(isCompaction) ? blocks.map(asTextBlock) : blocks;
  const kept = wellFormed(withoutBlanks(content));
  if (role === 'assistant' && kept.every(isThinking)) return [];
  return role === 'user' ? resultsFirst(kept) : kept;
}

const asTextBlock = (block: ContentBlock): ContentBlock => (isCompaction(block) ? { type: 'text', text: block.content } : block);

function withoutBlanks(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const isBlankText = (block: ContentBlock): boolean => isText(block) && isBlank(block.text);
  const kept = content.some(isBlankText) ? content.filter((block) => !isBlankText(block)) : content;
  const inner = kept.map((block) => {
    if (!isToolResult(block) || typeof block.content === 'string' || block.content === undefined) return block;
    const remaining = withoutBlanks(block.content);
    return remaining === block.content ? block : { ...block, content: remaining };
  });
  return inner.some((block, index) => block !== kept[index]) ? inner : kept;
}

function resultsFirst(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const firstOther = content.findIndex((block) => !isToolResult(block));
  const isOrdered = firstOther === -1 || !content.slice(firstOther).some(isToolResult);
  return isOrdered ? content : [...content.filter(isToolResult), ...content.filter((block) => !isToolResult(block))];
}

/** The same value when no string in it holds half a character, which the API refuses as invalid JSON. */
function wellFormed<Value>(value: Value): Value;
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const copy = items.map((item) => wellFormed(item));
    return copy.some((item, index) => !Object.is(item, items[index])) ? copy : value;
  }
  const entries = Object.entries(value);
  const copy = entries.map(([key, item]) => [wellFormed(key), wellFormed(item)] as const);
  return copy.some(([key, item], index) => key !== entries[index]?.[0] || !Object.is(item, entries[index]?.[1]))
    ? Object.fromEntries(copy)
    : value;
}
