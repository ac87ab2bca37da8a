import { expect } from 'vitest';
import { limitsOf } from '../../src/agent/deps.ts';
import type { Fit } from '../../src/agent/fit/fit.ts';

import { textOf } from '../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../src/domain/session/model-answer.ts';
import { type AgentWish, type AgentWorld, createAgentWorld, replies } from './agent-world.ts';
import { says, user } from './build.ts';
import { longSession, words } from './long-session.ts';

export const usage = { inputTokens: 4_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 500 };

export const made = (text: string): ModelAnswer => {
  const answer = replies(text);
  return answer.kind === 'reply' ? { ...answer, usage } : answer;
};

export const config = (background = true) => ({
  compaction: {
    background,
    triggerThreshold: 100_000,
    keepRecentMessages: 6,
    keepRecentTokens: 4_000,
    targetTokens: 1_000,
    maxMessages: 1_000,
  },
  offload: { enabled: false },
});

/** A session that stands between its soft and its hard limit. */
export function worldAtSoft(
  ask: NonNullable<AgentWish['ask']>,
  more: AgentWish = {},
): AgentWorld & { readonly limits: ReturnType<typeof limitsOf> } {
  const world = createAgentWorld({ ask, canSummarise: true, window: 32_000, config: config(), messages: longSession(4), ...more });
  const limits = limitsOf(world.session, world.deps);
  growTo(world, limits.softTokens);
  expect(world.session.estimate.count().tokens).toBeLessThan(limits.hardTokens);
  return { ...world, limits };
}

export function growTo({ session }: AgentWorld, tokens: number): void {
  for (let i = 100; session.estimate.count().tokens <= tokens; i++) {
    session.append({ type: 'message', message: user(`Tell ${i}. ${words(6, `new ${i}`)}`) });
    session.append({ type: 'message', message: says(words(6, `told ${i}`)) });
  }
}

export const fitted = async (fit: Fit, { session, deps }: AgentWorld): Promise<void> =>
  fit.makeFit(session, deps, new AbortController().signal);

export const typesOf = ({ events }: AgentWorld): readonly string[] => events.map(({ type }) => type);

export const firstText = ({ session }: AgentWorld): string => textOf(session.context.messages[0]?.content ?? []);

export const bytesOf = ({ store, session }: AgentWorld): string => JSON.stringify([store.records, session.context]);
