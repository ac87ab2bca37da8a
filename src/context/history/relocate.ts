import type { SessionContext } from '../../domain/session/context.ts';
import { type ContentBlock, isCompaction, type Message } from '../../domain/session/message.ts';
import { withoutThinking } from './apply-record.ts';
import { PINS_NOTICE } from './pins.ts';

/**
 * A context for another place on disk: where a folder's path stands in what tools, the model's calls and summaries say, the new one
 * stands instead, so that a stub leads to the body that was copied along. What people and the model said in words stays as it is.
 * When anything changed, thinking blocks go: they are bound to the past as it was. The same object when there is nothing to change.
 */
export function relocateContext(context: SessionContext, from: string, to: string): SessionContext {
  const messages = context.messages.map((message) => relocateMessage(message, from, to));
  const shortTermSummary = context.shortTermSummary.replaceAll(from, () => to);
  if (shortTermSummary === context.shortTermSummary && messages.every((message, index) => message === context.messages[index]))
    return context;
  const kept = withoutThinking(messages);
  return { ...context, shortTermSummary, messages: kept, anchorFloor: kept.length };
}

/** The same for one message, its thinking left as it is; the same object when there is nothing to change. */
export function relocateMessage(message: Message, from: string, to: string): Message {
  if (message.origin === 'user' || message.notice === PINS_NOTICE) return message;
  const content = message.content.map((block) => (isVerbatim(block, message) ? block : replacePath(block, from, to)));
  const summary = message.summary === undefined ? undefined : replacePath(message.summary, from, to);
  if (summary === message.summary && content.every((block, index) => block === message.content[index])) return message;
  return { ...message, content: content satisfies readonly ContentBlock[], ...(summary === undefined ? {} : { summary }) };
}

/** What the model said in words, and what is signed. */
const isVerbatim = (block: ContentBlock, { origin }: Message): boolean =>
  isCompaction(block) || (block.type === 'text' && origin === 'model');

/** Every text inside a value, with the one path in place of the other; the value itself when there is none. */
function replacePath<T>(value: T, from: string, to: string): T;
function replacePath(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return value.includes(from) ? value.replaceAll(from, () => to) : value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => replacePath(item, from, to));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [key, replacePath(field, from, to)] as const);
  const isSame = entries.every(([key, field]) => field === Object.getOwnPropertyDescriptor(value, key)?.value);
  return isSame ? value : Object.fromEntries(entries);
}
