import type { ModelRequest } from '../../../src/agent/ports/model.ts';
import { blockWeight, jsonOf, usualMediaCounter } from '../../../src/context/measure/block-tokens.ts';
import type { CountTokens } from '../../../src/context/measure/count.ts';
import type { ContentBlock } from '../../../src/domain/session/message.ts';
import { memoizeByObject } from '../../../src/domain/value/memoize.ts';

/** The price of a cached token, and of one written to the cache, in plain input tokens. */
export const READ_PRICE = 0.1;
export const WRITE_PRICE = 1.25;

export type InputUsage = {
  readonly inputTokens: number;
  /** How many of these a prompt cache still has from the previous request: the longest common prefix in whole blocks. */
  readonly cachedTokens: number;
};

export const inputCost = ({ inputTokens, cachedTokens }: InputUsage): number =>
  cachedTokens * READ_PRICE + (inputTokens - cachedTokens) * WRITE_PRICE;

/** The tokens of one content block of any type, text and media together. */
export function blockTokens(block: ContentBlock, count: CountTokens): number {
  const { text, media } = blockWeight(block, count, usualMediaCounter);
  return text + media;
}

type Segment = { readonly text: string; readonly tokens: number };

const MESSAGE_TOKENS = 5;

/** Measures request after request, each against the one before, in the order in which a provider's cache reads them. */
export function createCacheCost(count: CountTokens): (request: ModelRequest) => InputUsage {
  let previous: readonly Segment[] = [];
  const segmentsByText = new Map<string, Segment>();
  const textSegment = (text: string): Segment => {
    const cached = segmentsByText.get(text);
    if (cached !== undefined) return cached;
    const segment = { text, tokens: count(text) };
    segmentsByText.set(text, segment);
    return segment;
  };
  const blockSegment = memoizeByObject((block: ContentBlock): Segment => ({ text: jsonOf(block), tokens: blockTokens(block, count) }));
  return ({ tools, system, messages }) => {
    const current: Segment[] = [textSegment(jsonOf(tools)), ...system.map(textSegment)];
    for (const { role, content } of messages) current.push({ text: role, tokens: MESSAGE_TOKENS }, ...content.map(blockSegment));
    let sharedCount = 0;
    while (sharedCount < current.length && sharedCount < previous.length && isSameSegment(current[sharedCount], previous[sharedCount]))
      sharedCount++;
    const tokensOf = (segments: readonly Segment[]): number => segments.reduce((sum, { tokens }) => sum + tokens, 0);
    previous = current;
    return { inputTokens: tokensOf(current), cachedTokens: tokensOf(current.slice(0, sharedCount)) };
  };
}

const isSameSegment = (a: Segment | undefined, b: Segment | undefined): boolean => a === b || a?.text === b?.text;
