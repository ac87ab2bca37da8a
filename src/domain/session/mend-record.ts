import { mendReply } from './admit-reply.ts';
import type { SessionContext } from './context.ts';
import type { Message } from './message.ts';
import type { LogRecord } from './record.ts';

/** Returns a record without what no provider takes back, as 0.1.0 could store it; the same record when there is nothing. */
export function mendRecord(record: LogRecord): LogRecord {
  if (record.type === 'message') {
    const message = mendMessage(record.message);
    return message === record.message ? record : { ...record, message };
  }
  if (record.type === 'branch' && record.entry.type === 'message') {
    const message = mendMessage(record.entry.message);
    return message === record.entry.message ? record : { ...record, entry: { ...record.entry, message } };
  }
  if (record.type !== 'checkpoint') return record;
  const context = mendContext(record.context);
  return context === record.context ? record : { ...record, context };
}

function mendContext(context: SessionContext): SessionContext {
  const messages = context.messages.map(mendMessage);
  return messages.every((message, index) => message === context.messages[index]) ? context : { ...context, messages };
}

export function mendMessage(message: Message): Message {
  if (message.role === 'user') return message;
  const content = mendReply(message.content);
  return content === message.content ? message : { ...message, content };
}
