import type { Message } from '../../domain/session/message.ts';
import { legalCuts } from '../history/cut.ts';
import { type Limits, REPLY_SHARE } from '../measure/limits.ts';

/** What a request for a summary shows of a conversation, and what it may have beside it. */
export type PrefixRoom = {
  /** The conversation is shown up to here. */
  readonly end: number;
  readonly restoreTokens: number;
  /** The most that the reply may take. */
  readonly replyTokens: number;
};

type RoomOptions = {
  readonly messages: readonly Message[];
  /** Tokens of each message. */
  readonly sizes: readonly number[];
  /** Where the tail begins, which a compaction keeps. */
  readonly index: number;
  /** What the window leaves beside the whole conversation, the instructions and the model's thinking; negative where that is too much. */
  readonly leftTokens: number;
  /** Some of what leaves is in files. */
  readonly hasBodies: boolean;
  readonly limits: Pick<Limits, 'summaryTokens' | 'summaryRoomTokens' | 'restoreTokens'>;
};

/**
 * What of the window goes to what. Where it is too small for everything, messages of the tail are not shown, the newest first, since they stay in the
 * context anyway; then less of the bodies is, and at last the reply has no more than it is asked for. Undefined where not even that fits.
 */
export function choosePrefixRoom({ messages, sizes, index, leftTokens, hasBodies, limits }: RoomOptions): PrefixRoom | undefined {
  const { summaryTokens, summaryRoomTokens, restoreTokens } = limits;
  const wantedTokens = summaryRoomTokens + (hasBodies ? restoreTokens : 0);
  const legal = legalCuts(messages);
  let best = { end: messages.length, left: leftTokens };
  let left = leftTokens;
  for (let end = messages.length - 1; end >= index && best.left < wantedTokens; end--) {
    left += sizes[end] ?? 0;
    if (legal[end]) best = { end, left };
  }
  const replyTokens = Math.min(summaryRoomTokens, best.left);
  if (replyTokens < summaryTokens * REPLY_SHARE) return undefined;
  return { end: best.end, replyTokens, restoreTokens: Math.min(restoreTokens, best.left - replyTokens) };
}
