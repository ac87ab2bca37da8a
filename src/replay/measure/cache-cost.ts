import type { ModelRequest } from '../../agent/ports.ts';
import { blockTokens, jsonOf } from '../../context/measure/block-tokens.ts';
import type { CountTokens } from '../../context/measure/count.ts';
import type { ContentBlock } from '../../domain/session/message.ts';

/** What a cached token and one written to the cache cost, in plain input tokens. */
export const READ_PRICE = 0.1;
export const WRITE_PRICE = 1.25;

export type RequestCost = {
  readonly inputTokens: number;
  /** Of these, how many a prompt cache still has from the request before: the longest common prefix in whole blocks. */
  readonly cachedTokens: number;
};

export const costOf = ({ inputTokens, cachedTokens }: RequestCost): number =>
  cachedTokens * READ_PRICE + (inputTokens - cachedTokens) * WRITE_PRICE;

type Segment = { readonly text: string; readonly tokens: number };

const MESSAGE_TOKENS = 5;

/** Weighs request after request, each against the one before, in the order in which a provider's cache reads them. */
export function createCacheCost(count: CountTokens): (request: ModelRequest) => RequestCost {
  let before: readonly Segment[] = [];
  const blocks = new WeakMap<ContentBlock, Segment>();
  const fixed = new Map<string, Segment>();
  const ofText = (text: string): Segment => {
    const known = fixed.get(text);
    if (known !== undefined) return known;
    const made = { text, tokens: count(text) };
    fixed.set(text, made);
    return made;
  };
  const ofBlock = (block: ContentBlock): Segment => {
    const known = blocks.get(block);
    if (known !== undefined) return known;
    const made = { text: jsonOf(block), tokens: blockTokens(block, count) };
    blocks.set(block, made);
    return made;
  };
  return ({ tools, system, messages }) => {
    const now: Segment[] = [ofText(jsonOf(tools)), ...system.map(ofText)];
    for (const { role, content } of messages) now.push({ text: role, tokens: MESSAGE_TOKENS }, ...content.map(ofBlock));
    let shared = 0;
    while (shared < now.length && shared < before.length && same(now[shared], before[shared])) shared++;
    const tokensOf = (segments: readonly Segment[]): number => segments.reduce((sum, { tokens }) => sum + tokens, 0);
    before = now;
    return { inputTokens: tokensOf(now), cachedTokens: tokensOf(now.slice(0, shared)) };
  };
}

const same = (a: Segment | undefined, b: Segment | undefined): boolean => a === b || a?.text === b?.text;
