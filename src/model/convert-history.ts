import { type ContentBlock, isText, isToolUse, type WireMessage } from '../domain/session/message.ts';
import { findLastGrowing, flatMapGrowing, memoizeByName } from '../domain/value/memoize.ts';
import { inTags, isTagged } from './http/thinking-tags.ts';

/** Every reply of the first version came from it, or from the offline model, whose replies hold nothing of its own. */
const FIRST_ENDPOINT = 'anthropic';

/**
 * Returns the messages as an endpoint can take them, whoever answered before: of the replies of other endpoints the words and the calls.
 * Their thinking, and whatever else is bound to who made it, is left out, since no other provider takes it back. The endpoint's own replies
 * stay as they came. Pure, and the same bytes at every request, so that a change of the endpoint costs its cache once. The log keeps all:
 * back at the endpoint where it was said, a reply is sent whole again. The same message gives the same object.
 */
export function convertHistory(messages: readonly WireMessage[], endpoint: string): readonly WireMessage[] {
  if (lastForeign(endpoint)(messages) === -1) return messages;
  const kept = keptAt(endpoint)(messages);
  if (kept.length === messages.length) return kept;
  // A reply of which nothing is left stood between two messages of the user.
  const merged: WireMessage[] = [];
  for (const message of kept) {
    const last = merged.at(-1);
    if (message.role !== 'user' || last?.role !== 'user') merged.push(message);
    else merged[merged.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
  }
  return merged;
}

/** The newest message that is not taken as it is. */
const lastForeign = memoizeByName((endpoint) =>
  findLastGrowing(
    (message: WireMessage) =>
      message.endpoint !== undefined || (message.role === 'assistant' && (endpoint !== FIRST_ENDPOINT || message.content.some(isTagged))),
  ),
);

type Keep = (messages: readonly WireMessage[]) => readonly WireMessage[];

/** What each endpoint takes of a conversation, message by message, without those of which nothing is left. */
const keptAt = memoizeByName(
  (endpoint: string): Keep =>
    flatMapGrowing((message: WireMessage) => {
      const { role, content, endpoint: from = FIRST_ENDPOINT } = message;
      const isOwn = role === 'user' || from === endpoint;
      if (isOwn && message.endpoint === undefined) return [inTags(message)];
      const kept = isOwn ? inTags(message).content : content.flatMap(portable);
      return kept.length === 0 ? [] : [{ role, content: kept }];
    }),
);

/** What any endpoint takes of a block of a reply: words and calls, without the fields that its maker added. */
export const portable = (block: ContentBlock): readonly ContentBlock[] => {
  if (isText(block)) return [{ type: 'text', text: block.text }];
  if (isToolUse(block)) return [{ type: 'tool_use', id: block.id, name: block.name, input: block.input }];
  return [];
};
