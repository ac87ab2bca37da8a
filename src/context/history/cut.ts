import { isToolResult, isToolUse, type Message } from '../../domain/session/message.ts';

export type CutChoice =
  | { readonly kind: 'cut'; readonly index: number }
  | { readonly kind: 'cannot'; readonly why: 'too_short' | 'one_open_exchange' };

export type CutBounds = {
  readonly sizes: readonly number[];
  readonly keepTokens: number;
  /** Counted as sent: adjacent messages of one role count as one. */
  readonly keepMessages: number;
};

/**
 * Chooses where the kept tail starts: the longest within both bounds that starts at a legal index and leaves something to summarise, else
 * the shortest legal one. What every cut carries over (an older summary, the newest request, pins, notices that hold) is nothing to
 * summarise.
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

export const newestRequest = (messages: readonly Message[]): number => messages.findLastIndex((message) => message.origin === 'user');

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

/** For each index, true when a tail may start there: the message holds no result, and no result in the tail belongs to a call before it. */
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
