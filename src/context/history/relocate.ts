import type { SessionContext } from '../../domain/session/context.ts';
import { type ContentBlock, isCompaction, type Message } from '../../domain/session/message.ts';
import { mapStrings } from '../../domain/value/json.ts';
import { withoutThinking } from './apply-record.ts';
import { PINS_NOTICE } from './pins.ts';

/**
 * Moves a context to another place on disk: `from` becomes `to` in results, calls and summaries; what people and the model said stays. A
 * past that changed loses its thinking. The same object when there is nothing to change.
 */
export function relocateContext(context: SessionContext, from: string, to: string): SessionContext {
  const messages = context.messages.map((message) => relocateMessage(message, from, to));
  const shortTermSummary = context.shortTermSummary.replaceAll(from, () => to);
  if (shortTermSummary === context.shortTermSummary && messages.every((message, index) => message === context.messages[index]))
    return context;
  const kept = withoutThinking(messages);
  return { ...context, shortTermSummary, messages: kept, anchorFloor: kept.length };
}

/** Does the same for one message, without removing thinking blocks. Returns the same object when there is nothing to change. */
export function relocateMessage(message: Message, from: string, to: string): Message {
  if (message.origin === 'user' || message.notice === PINS_NOTICE) return message;
  const content = message.content.map((block) => (isVerbatim(block, message) ? block : replacePath(block, from, to)));
  const summary = message.summary === undefined ? undefined : replacePath(message.summary, from, to);
  if (summary === message.summary && content.every((block, index) => block === message.content[index])) return message;
  return { ...message, content: content satisfies readonly ContentBlock[], ...(summary === undefined ? {} : { summary }) };
}

const isVerbatim = (block: ContentBlock, { origin }: Message): boolean =>
  isCompaction(block) || (block.type === 'text' && origin === 'model');

const replacePath = <Value>(value: Value, from: string, to: string): Value => mapStrings(value, (text) => text.replaceAll(from, () => to));
