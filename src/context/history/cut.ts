import { isToolResult, isToolUse, type Message } from '../../domain/session/message.ts';

export type CutChoice =
  | { readonly kind: 'cut'; readonly index: number }
  | { readonly kind: 'cannot'; readonly why: 'too_short' | 'one_open_exchange' };

export type CutBounds = {
  /** Tokens of each message, in the same order. */
  readonly sizes: readonly number[];
  readonly keepTokens: number;
  /** Messages as sent: neighbours of one role are one. */
  readonly keepMessages: number;
};

/**
 * Chooses where the kept tail starts: the longest tail within both bounds that begins at a legal place and leaves something
 * to summarise; when none is within them, the shortest legal one, so a cut always drops something. An older summary, the newest
 * request, carried pins and notices that still hold are not something: they are carried over whatever the cut is.
 */
export function chooseCut(messages: readonly Message[], { sizes, keepTokens, keepMessages }: CutBounds): CutChoice {
  const first = firstRemovable(messages);
  if (first === -1 || first >= messages.length - 1) return { kind: 'cannot', why: 'too_short' };
  const legal = legalCuts(messages);
  let best: number | undefined;
  let tokens = 0;
  let sentCount = 0;
  for (let index = messages.length - 1; index > first; index--) {
    tokens += sizes[index] ?? 0;
    if (messages[index]?.role !== messages[index + 1]?.role) sentCount++;
    if (best !== undefined && (tokens > keepTokens || sentCount > keepMessages)) break;
    if (legal[index]) best = index;
  }
  return best === undefined ? { kind: 'cannot', why: 'one_open_exchange' } : { kind: 'cut', index: best };
}

/** The newest message of the user's own, or -1. */
export const newestRequest = (messages: readonly Message[]): number => messages.findLastIndex((message) => message.origin === 'user');

/** The first message that a compaction would take out of the context, or -1. */
function firstRemovable(messages: readonly Message[]): number {
  const request = newestRequest(messages);
  const afterSummary = messages.findIndex((message) => message.origin !== 'summary');
  const newest = new Map(messages.map((message) => [message.notice, message]));
  return messages.findIndex(
    (message, index) =>
      afterSummary !== -1 &&
      index >= afterSummary &&
      index !== request &&
      (message.notice === undefined || newest.get(message.notice) !== message),
  );
}

/** For each index, whether a tail may start there: not with a result, and no result in it belongs to a call before it. */
export function legalCuts(messages: readonly Message[]): readonly boolean[] {
  const callIds = new Set(messages.flatMap((message) => message.content.filter(isToolUse)).map((call) => call.id));
  const legal = messages.map(() => false);
  const openIds = new Set<string>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const content = messages[index]?.content ?? [];
    for (const block of content) if (isToolResult(block) && callIds.has(block.tool_use_id)) openIds.add(block.tool_use_id);
    for (const block of content) if (isToolUse(block)) openIds.delete(block.id);
    legal[index] = openIds.size === 0 && !content.some(isToolResult);
  }
  return legal;
}
