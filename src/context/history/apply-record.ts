/**
 * The conversation as data: what a log's records make of a context, where it can be cut, what must stay together, and what its past was.
 * The whole room is pure: no clock, no disk, no model; the same input always gives the same bytes.
 *
 * Messages and records come in; new values come out, and the ones that came in are never changed. A call stays with its result, the user's
 * newest request and what is pinned survive every cut, and what goes to the API keeps its prefix byte for byte.
 *
 * It decides nothing about when a context is made smaller (`measure`) or by what (`offload`, `summary`). Our own messages are known by
 * their fields, and never by their text.
 */

import type { SessionContext } from '../../domain/session/context.ts';
import { isThinking, type Message } from '../../domain/session/message.ts';
import type { NewRecord } from '../../domain/session/record.ts';
import { withStubs } from '../offload/offload.ts';

/** Returns the context after one more log record. Live sessions and reopened sessions both use this function. */
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
      // Token counts of one model do not apply to another.
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
 * Removes all thinking blocks: they are signed for the messages before them, and those have changed. A message that held only thinking is
 * removed as well; it holds no call and is never sent, so no call/result pair and no request changes.
 */
export function withoutThinking(messages: readonly Message[]): readonly Message[] {
  if (!messages.some((message) => message.content.some(isThinking))) return messages;
  return messages.flatMap((message) => {
    if (!message.content.some(isThinking)) return [message];
    const content = message.content.filter((block) => !isThinking(block));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}
