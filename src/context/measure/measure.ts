/**
 * The size of a context, and when it is too large. One counter stands behind every trigger, figure and display: tokens by one tokenizer,
 * times a ratio that is learned from what the provider reports.
 *
 * The count of a whole is the sum of its parts, and messages are counted once, since they never change. What a provider reported is
 * trusted, only the rest is estimated. Images and documents have the price that the provider names, outside of the ratio.
 *
 * Nothing is made smaller here.
 */

import type { SessionContext, ToolSpec } from '../../domain/session/context.ts';
import { isText, isToolResult, isToolUse, type Message, resultText, type Usage, usageTotal } from '../../domain/session/message.ts';
import { type Earlier, memoizeByObject, memoizeGrowing, memoizeRecent } from '../../domain/value/memoize.ts';
import { type BlockWeight, blockWeight, jsonOf, type MediaCounter, usualMediaCounter } from './block-tokens.ts';
import { type CountTokens, mostTokens, utf8Bytes } from './count.ts';

/** The size of the next request. `tokens` is the sum of its three parts; system and tools are always estimated. */
export type ContextCount = {
  readonly tokens: number;
  readonly systemTokens: number;
  readonly toolsTokens: number;
  readonly messagesTokens: number;
  /** UTF-8 bytes of the tool results in the context, stubs included. */
  readonly toolOutputBytes: number;
  /** What the user said and the replies that ended a turn; remarks beside a call, results, summaries and notices do not count. */
  readonly saidMessages: number;
  /** True when `tokens` contains the provider's own figure for an earlier part of this context. */
  readonly anchored: boolean;
};

export type Measure = ReturnType<typeof createMeasure>;

/** Current Claude models count 1.55 times as many tokens as o200k does, over code, prose, JSON and Chinese (232 slices; -35 % to +38 %). */
export const SEED_RATIO = 1.55;

const MESSAGE_OVERHEAD_TOKENS = 5;
/** The provider's own text about tools, before the first of them (317 to 586 of its tokens). */
const TOOLS_PREAMBLE_TOKENS = 380;
const TOOL_OVERHEAD_TOKENS = 20;
/** Stop reasons of a reply that ended normally. A reply that was cut off, refused or ended for an unknown reason is not an anchor. */
const normalStops: ReadonlySet<string> = new Set(['end_turn', 'tool_use', 'stop_sequence', 'pause_turn']);

const LAST_TEXTS = { minChars: 1, maxChars: Number.POSITIVE_INFINITY, keptChars: 0 };

/** `counter` says how the model that answers now counts images; asked each time, since the model may change. */
export const createMeasure = (count: CountTokens, counter: () => MediaCounter = () => usualMediaCounter) => ({
  ...measureBy(count, counter),
  /** The same as `context` with at least as many tokens, by `mostTokens`: to prove that no limit is near. */
  most: measureBy(mostTokens, counter).context,
});

/** A `ratio` turns our raw count into the model's tokens. Each step costs only what it adds. */
function measureBy(count: CountTokens, counter: () => MediaCounter) {
  // What one rule weighs, another weighs otherwise.
  const tallies = memoizeByObject((each: MediaCounter) => createTally(count, each));
  const tally = () => tallies(counter());
  const toolsRaw = memoizeByObject((tools: readonly ToolSpec[]) => rawToolTokens(tools, count));
  const recent = memoizeRecent(count, LAST_TEXTS);
  const system = (context: SessionContext): number => recent(context.system) + recent(context.shortTermSummary);

  return {
    context: (context: SessionContext, ratio: number): ContextCount => {
      const sums = tally().sums(context.messages);
      const total = sums.at(-1) ?? zeroWeight;
      const anchor = anchorOf(context);
      const past = (anchor === undefined ? undefined : sums[anchor.index + 1]) ?? zeroWeight;
      const estimated = { system: Math.ceil(ratio * system(context)), tools: Math.ceil(ratio * toolsRaw(context.tools)) };
      const fromUsage = anchor === undefined ? undefined : usageTotal(anchor.usage);
      const rest = Math.ceil(ratio * (total.text - past.text)) + total.media - past.media;
      const tokens = (fromUsage ?? estimated.system + estimated.tools) + rest;
      const systemTokens = Math.min(estimated.system, tokens);
      const toolsTokens = Math.min(estimated.tools, tokens - systemTokens);
      const messagesTokens = tokens - systemTokens - toolsTokens;
      const { toolOutputBytes, saidMessages } = total;
      return { tokens, systemTokens, toolsTokens, messagesTokens, toolOutputBytes, saidMessages, anchored: anchor !== undefined };
    },
    message: (message: Message, ratio: number): number => tokensOf(tally().one(message), ratio),
    messages: (messages: readonly Message[], ratio: number): readonly number[] => {
      const { one } = tally();
      return messages.map((message) => tokensOf(one(message), ratio));
    },
    text: (text: string, ratio: number): number => Math.ceil(ratio * count(text)),
    /** The whole context by the tokenizer alone, as if there were no usage, and its images and documents. */
    raw: (context: SessionContext): number => {
      const { text, media } = tally().sums(context.messages).at(-1) ?? zeroWeight;
      return system(context) + toolsRaw(context.tools) + text + media;
    },
    /** The part of it that images and documents are: what is left is the basis of the ratio. */
    media: (context: SessionContext): number => (tally().sums(context.messages).at(-1) ?? zeroWeight).media,
  };
}

/** Returns the last reply whose reported usage measures exactly this past. */
export function anchorOf({ messages, anchorFloor }: SessionContext): { readonly index: number; readonly usage: Usage } | undefined {
  for (let index = messages.length - 1; index >= anchorFloor; index--) {
    const message = messages[index];
    if (message?.usage !== undefined && isAnchor(message, message.usage)) return { index, usage: message.usage };
  }
  return undefined;
}

/** Some endpoints report no input at all; such usage says nothing about the context. */
function isAnchor(message: Message, usage: Usage): boolean {
  const isModelReply = message.origin === 'model' && message.role === 'assistant' && message.content.length > 0;
  return isModelReply && usageTotal(usage) > usage.outputTokens && message.stopReason !== undefined && normalStops.has(message.stopReason);
}

type Weight = BlockWeight & Pick<ContextCount, 'toolOutputBytes' | 'saidMessages'>;

const tokensOf = ({ text, media }: Weight, ratio: number): number => Math.ceil(ratio * text) + media;

const zeroWeight: Weight = { text: 0, media: 0, toolOutputBytes: 0, saidMessages: 0 };

/** Weighs each message once, and adds up only the new part of a list that grew. */
function createTally(count: CountTokens, counter: MediaCounter) {
  const one = memoizeByObject((message: Message) => weigh(message, count, counter));
  const sums = memoizeGrowing((messages: readonly Message[], earlier: Earlier<Message, readonly Weight[]> | undefined) => {
    const running = earlier?.value.slice(0, earlier.shared + 1) ?? [zeroWeight];
    for (const message of messages.slice(running.length - 1)) running.push(addWeights(running.at(-1) ?? zeroWeight, one(message)));
    return running;
  });
  return { one, sums };
}

const addWeights = (a: Weight, b: Weight): Weight => ({
  text: a.text + b.text,
  media: a.media + b.media,
  toolOutputBytes: a.toolOutputBytes + b.toolOutputBytes,
  saidMessages: a.saidMessages + b.saidMessages,
});

function weigh(message: Message, count: CountTokens, counter: MediaCounter): Weight {
  const isSaid = message.origin === 'user' || (message.origin === 'model' && !message.content.some(isToolUse));
  let text = MESSAGE_OVERHEAD_TOKENS;
  let media = 0;
  let toolOutputBytes = 0;
  let saidMessages = 0;
  for (const block of message.content) {
    const weight = blockWeight(block, count, counter);
    text += weight.text;
    media += weight.media;
    if (isToolResult(block)) toolOutputBytes += utf8Bytes(resultText(block));
    if (isSaid && isText(block) && block.text.trim() !== '') saidMessages = 1;
  }
  return { text, media, toolOutputBytes, saidMessages };
}

function rawToolTokens(tools: readonly ToolSpec[], count: CountTokens): number {
  const counts = tools.map(
    ({ name, description, inputSchema }) => TOOL_OVERHEAD_TOKENS + count(name) + count(description) + count(jsonOf(inputSchema)),
  );
  return counts.reduce((sum, tokens) => sum + tokens, counts.length === 0 ? 0 : TOOLS_PREAMBLE_TOKENS);
}

/** No tokenizer and no text has been seen beyond these; a ratio outside them means that the figures are wrong. */
export const MIN_RATIO = 0.8;
export const MAX_RATIO = 4;
/** Below this the overhead that we cannot see outweighs the text. */
const MIN_SAMPLE_TOKENS = 100;
const RISING_RATE = 0.6;
const FALLING_RATE = 0.3;

/** The first comparison replaces the seed; later ones pull, upwards faster, each as at most twice or half of the ratio. */
export function calibrate(
  ratio: number,
  { rawTokens, reportedTokens }: { readonly rawTokens: number; readonly reportedTokens: number },
): number {
  const sample = reportedTokens / rawTokens;
  if (!(rawTokens >= MIN_SAMPLE_TOKENS) || !Number.isFinite(sample) || sample <= 0) return ratio;
  const clampedSample = clamp(sample, ratio / 2, ratio * 2);
  const rate = ratio === SEED_RATIO ? 1 : clampedSample > ratio ? RISING_RATE : FALLING_RATE;
  return clamp(ratio + rate * (clampedSample - ratio), MIN_RATIO, MAX_RATIO);
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));
