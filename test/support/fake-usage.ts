import type { Usage } from '../../src/domain/message.ts';
import type { SentRequest } from './check-request.ts';

/**
 * Usage as a provider with a prompt cache would report it: what the request shares with the one before, from its start on,
 * is read from the cache, the rest is written to it.
 */
export function createFakeUsage(
  countTokens: (text: string) => number = roughly,
): (request: SentRequest, content: readonly unknown[]) => Usage {
  let last: readonly string[] = [];
  return ({ system, tools, messages }, content) => {
    const parts = [JSON.stringify([tools, system]), ...messages.map((message) => JSON.stringify(message))];
    const shared = parts.findIndex((part, i) => part !== last[i]);
    const cached = shared < 0 ? parts.length : shared;
    last = parts;
    const count = (some: readonly string[]): number => some.reduce((sum, part) => sum + countTokens(part), 0);
    return {
      inputTokens: 1,
      cacheReadTokens: count(parts.slice(0, cached)),
      cacheWriteTokens: count(parts.slice(cached)),
      outputTokens: Math.max(1, countTokens(JSON.stringify(content))),
    };
  };
}

const roughly = (text: string): number => Math.ceil(text.length / 3);
