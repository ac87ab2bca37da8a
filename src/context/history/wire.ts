import {
  type ContentBlock,
  isCompaction,
  isText,
  isThinking,
  isToolResult,
  type Message,
  type WireMessage,
} from '../../domain/session/message.ts';
import { mapStrings } from '../../domain/value/json.ts';
import { type Earlier, grownFrom, memoizeByObject, memoizeGrowing } from '../../domain/value/memoize.ts';
import { isBlank } from './pairing.ts';

const BRIDGE: WireMessage = { role: 'user', content: [{ type: 'text', text: '(nothing was said here)' }] };

/**
 * The messages as the API accepts them: adjacent user messages merged, results first, nothing blank, no lone surrogates. Same input, same
 * bytes; a longer conversation only appends, but for what is merged into its last message, and the shared beginning is the same objects.
 */
export const toWire = (messages: readonly Message[]): readonly WireMessage[] => wireOf(messages).wire;

type Wire = {
  readonly wire: readonly WireMessage[];
  /** Where each reply ends, in the messages and in what is sent of them: nothing that follows is merged into what stands before. */
  readonly ends: readonly ReplyEnd[];
};

type ReplyEnd = { readonly messages: number; readonly sent: number };

const wireOf = memoizeGrowing((messages: readonly Message[], earlier: Earlier<Message, Wire> | undefined): Wire => {
  const ends = earlier === undefined ? [] : endsWithin(earlier);
  const start = ends.at(-1) ?? { messages: 0, sent: 0 };
  const wire = earlier === undefined ? [] : grownFrom(earlier.value.wire, start.sent, earlier.value.wire.slice(0, start.sent));
  let pending: (readonly ContentBlock[])[] = [];
  const flush = (): void => {
    if (pending.length > 0) wire.push({ role: 'user', content: pending.length === 1 ? (pending[0] ?? []) : resultsFirst(pending.flat()) });
    pending = [];
  };
  for (const [at, message] of messages.slice(start.messages).entries()) {
    const content = sendable(message);
    if (content.length === 0) continue;
    if (message.role === 'user') {
      pending.push(content);
      continue;
    }
    flush();
    if (wire.at(-1)?.role !== 'user') wire.push(BRIDGE);
    wire.push(message.endpoint === undefined ? { role: 'assistant', content } : { role: 'assistant', content, endpoint: message.endpoint });
    ends.push({ messages: start.messages + at + 1, sent: wire.length });
  }
  flush();
  return { wire, ends };
});

const endsWithin = ({ value: { ends }, shared }: Earlier<Message, Wire>): ReplyEnd[] =>
  ends.slice(0, ends.findLastIndex(({ messages }) => messages <= shared) + 1);

/** The part of a message that is sent, by identity where that is all of it: messages never change. */
const sendable = memoizeByObject(({ role, content: blocks }: Message): readonly ContentBlock[] => {
  // A summary that an API made and signed, as a version before 0.2.0 could ask it to, is sent in its words.
  const content = blocks.some(isCompaction) ? blocks.map(asTextBlock) : blocks;
  // The API refuses lone surrogates as invalid JSON.
  const kept = mapStrings(withoutBlanks(content), toWellFormed, toWellFormed);
  if (role === 'assistant' && kept.every(isThinking)) return [];
  return role === 'user' ? resultsFirst(kept) : kept;
});

const toWellFormed = (text: string): string => text.toWellFormed();

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
