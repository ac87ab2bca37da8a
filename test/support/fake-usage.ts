import type { Usage } from '../../src/domain/session/message.ts';
import { type SentRequest, withoutMedia } from './check-request.ts';

export type FakeUsage = (request: SentRequest, content: readonly unknown[]) => Usage;

/**
 * Usage as a provider with a prompt cache would report it: what the request shares with the one before, from its start on,
 * is read from the cache, the rest is written to it.
 */
export function createFakeUsage(countTokens: (text: string) => number = roughly): FakeUsage {
  let last: readonly string[] = [];
  return ({ system, tools, messages }, content) => {
    const parts = [textOf([tools, system]), ...messages.map(textOf)];
    const shared = parts.findIndex((part, i) => part !== last[i]);
    const cached = shared < 0 ? parts.length : shared;
    last = parts;
    const count = (some: readonly string[]): number => some.reduce((sum, part) => sum + countTokens(part), 0);
    return {
      inputTokens: 1,
      cacheReadTokens: count(parts.slice(0, cached)),
      cacheWriteTokens: count(parts.slice(cached)),
      outputTokens: Math.max(1, countTokens(textOf(content))),
    };
  };
}

/** Where the breakpoints stand makes no difference to what is cached. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : withoutMedia(key, inner)));

const roughly = (text: string): number => Math.ceil(text.length / 3);
