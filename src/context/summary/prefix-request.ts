import { isText, isToolUse, type Message, textOf } from '../../domain/session/message.ts';
import { legalCuts } from '../history/cut.ts';
import { toWire } from '../history/wire.ts';
import { type Limits, REPLY_SHARE } from '../measure/limits.ts';
import { quoteLine } from '../text/quote.ts';
import { fillPrompt, instructionsValue, partsOfPrompt, type SummaryPrompts } from './summary-request.ts';

type PrefixRequestOptions = {
  readonly messages: readonly Message[];
  readonly index: number;
  /** Where what the request shows of the conversation ends: behind `index`, or there. */
  readonly end: number;
  readonly hasSummary: boolean;
  readonly instructions: string | undefined;
  readonly targetTokens: number;
  readonly prompts: SummaryPrompts;
};

const RULES_START = 'How to write it:';

/** What of the prompts stands in such a message, unfilled: how long it will be. */
export const summaryRules = (prompts: SummaryPrompts, { hasSummary }: Pick<PrefixRequestOptions, 'hasSummary'>): string =>
  prompts.prefix + partsOfPrompt(hasSummary ? prompts.update : prompts.first, RULES_START)[0] + prompts.memories;

/** The message that asks for a summary at the end of the conversation, so that all before it is read from the provider's cache. */
export function prefixInstructions(options: PrefixRequestOptions): string {
  const { prompts, hasSummary, targetTokens, instructions } = options;
  const [template] = partsOfPrompt(hasSummary ? prompts.update : prompts.first, RULES_START);
  const values = {
    targetTokens: String(Math.max(1, targetTokens)),
    instructions: instructionsValue(instructions),
    memories: prompts.memories.trim(),
  };
  const rules = fillPrompt(template, values).trim();
  return fillPrompt(prompts.prefix, { scope: scopeOf(options), rules }).trim();
}

function scopeOf({ messages, index, end, hasSummary }: PrefixRequestOptions): string {
  const [first, ...others] = messages.slice(index, end);
  const replaced = hasSummary
    ? ' The summary at its start, [Compressed History], is replaced too: what still holds of it must be in yours.'
    : '';
  const newest = end < messages.length ? ' The newest messages stay as they are and are not shown here.' : '';
  if (first === undefined) return `The whole conversation leaves.${newest}${replaced}`;
  const count = toWire([first, ...others]).length;
  return `What leaves is everything before the last ${count === 1 ? 'message' : `${count} messages`}. These stay as they are; they begin with ${nameOf(first)}. Summarise what stands before that; look at what follows only to see how things stand now.${newest}${replaced}`;
}

const QUOTE_CHARS = 160;

function nameOf({ origin, content }: Message): string {
  const call = content.find(isToolUse);
  const text = quoteLine(textOf(content.filter(isText)), QUOTE_CHARS);
  const speaker = origin === 'user' ? "the user's message" : origin === 'model' ? 'your message' : 'the note';
  if (text !== '') return `${speaker} "${text}"`;
  return call === undefined ? 'the message after that' : `your call of ${call.name} ${quoteLine(JSON.stringify(call.input), QUOTE_CHARS)}`;
}

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
