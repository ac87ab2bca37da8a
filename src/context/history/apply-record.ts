import type { SessionContext } from '../../domain/session/context.ts';
import { isThinking, type Message } from '../../domain/session/message.ts';
import type { NewRecord } from '../../domain/session/record.ts';
import { withStubs } from '../offload/offload.ts';

/** The context after one more record of the log. The same function serves the live session and opening it again. */
export function applyRecord(context: SessionContext, record: NewRecord): SessionContext {
  switch (record.type) {
    case 'header':
    case 'checkpoint':
      return record.context;
    case 'message':
      return { ...context, messages: [...context.messages, record.message] };
    case 'offload': {
      const messages = withoutThinking(withStubs(context.messages, record.stubs));
      return { ...context, messages, anchorFloor: messages.length };
    }
    case 'pins':
      return { ...context, pins: record.pins };
    case 'model':
      // What one model counted is no measure for another.
      return { ...context, anchorFloor: context.messages.length };
    case 'title':
    case 'file':
      return context;
    default:
      record satisfies never;
      return context;
  }
}

/**
 * The messages without any thinking block: these are signed for the past they followed, and it has changed. A message that
 * was nothing but thinking goes as well; it holds no call and is never sent, so no pair and no request changes by that.
 */
export function withoutThinking(messages: readonly Message[]): readonly Message[] {
  if (!messages.some((message) => message.content.some(isThinking))) return messages;
  return messages.flatMap((message) => {
    if (!message.content.some(isThinking)) return [message];
    const content = message.content.filter((block) => !isThinking(block));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}
