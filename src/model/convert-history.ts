import { type ContentBlock, isCompaction, isText, isToolUse, type WireMessage } from '../domain/session/message.ts';

/** Every reply of the first version came from it, or from the offline model, whose replies hold nothing of its own. */
const FIRST_ENDPOINT = 'anthropic';

/**
 * Returns the messages as an endpoint can take them, whoever answered before: of the replies of other endpoints the words and the calls.
 * Their thinking, and whatever else is bound to who made it, is left out, since no other provider takes it back. The endpoint's own replies
 * stay as they came. Pure, and the same bytes at every request, so that a change of the endpoint costs its cache once. The log keeps all:
 * back at the endpoint where it was said, a reply is sent whole again.
 */
export function convertHistory(messages: readonly WireMessage[], endpoint: string): readonly WireMessage[] {
  const converted: WireMessage[] = [];
  for (const { role, content, endpoint: from = FIRST_ENDPOINT } of messages) {
    const last = converted.at(-1);
    const kept = role === 'user' || from === endpoint || content.every(isCompaction) ? content : content.flatMap(portable);
    if (kept.length === 0) continue;
    // A reply of which nothing is left stood between two messages of the user.
    if (role === 'user' && last?.role === 'user') converted[converted.length - 1] = { role, content: [...last.content, ...kept] };
    else converted.push({ role, content: kept });
  }
  return converted;
}

/** Without the fields that its maker added. */
const portable = (block: ContentBlock): readonly ContentBlock[] => {
  if (isText(block)) return [{ type: 'text', text: block.text }];
  if (isToolUse(block)) return [{ type: 'tool_use', id: block.id, name: block.name, input: block.input }];
  return [];
};
