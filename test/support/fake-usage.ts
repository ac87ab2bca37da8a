import type { Usage } from '../../src/domain/session/message.ts';
import type { SentRequest } from './check-request.ts';
import { jsonWithoutMarksAndMedia } from './sent-json.ts';

export type FakeUsage = (request: SentRequest, content: readonly unknown[]) => Usage;

/**
 * Usage as a provider with a prompt cache would report it: what the request shares with the one before, from its start on,
 * is read from the cache, the rest is written to it.
 */
export function createFakeUsage(countTokens: (text: string) => number = roughly): FakeUsage {
  let last: readonly string[] = [];
  return ({ system, tools, messages }, content) => {
    const parts = [[tools, system], ...messages].map((part) => {
      // Where the breakpoints stand makes no difference to what is cached.
      const text = jsonWithoutMarksAndMedia(part);
      return { text, media: /"(?:image|document)"/.test(text) ? mediaTokens(part) : 0 };
    });
    const shared = parts.findIndex(({ text }, i) => text !== last[i]);
    const cached = shared < 0 ? parts.length : shared;
    last = parts.map(({ text }) => text);
    const count = (some: typeof parts): number => some.reduce((sum, { text, media }) => sum + countTokens(text) + media, 0);
    return {
      inputTokens: 1,
      cacheReadTokens: count(parts.slice(0, cached)),
      cacheWriteTokens: count(parts.slice(cached)),
      outputTokens: Math.max(1, countTokens(jsonWithoutMarksAndMedia(content))),
    };
  };
}

/** A patch of 28 pixels each, at most 4,784 of them; a page of a PDF is not looked for, and one PDF is three thousand. */
function mediaTokens(value: unknown): number {
  let tokens = 0;
  JSON.stringify(value, (_key, inner: { type?: unknown; source?: { data?: unknown } } | null) => {
    if (inner?.type === 'document') tokens += 3_000;
    if (inner?.type !== 'image' || typeof inner.source?.data !== 'string') return inner;
    const head = Buffer.from(inner.source.data.slice(0, 40), 'base64');
    const side = (at: number): number => (head.length < at + 4 ? 1_120 : Math.ceil(head.readUInt32BE(at) / 28));
    tokens += Math.min(4_784, side(16) * side(20));
    return undefined;
  });
  return tokens;
}

const roughly = (text: string): number => Math.ceil(text.length / 3);
