import { expect, test } from 'vitest';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { type AgentWorld, createAgentWorld, replies } from '../../../support/agent-world.ts';

const signal = new AbortController().signal;

/** A server that counts so many tokens of each request in turn. */
const worldCounting = (...inputTokens: readonly number[]): AgentWorld =>
  createAgentWorld({
    window: 200_000,
    ask: (_request, n) => {
      const reply = replies('ok');
      const usage = { inputTokens: inputTokens[n - 1] ?? 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 5 };
      return reply.kind === 'reply' ? { ...reply, usage } : reply;
    },
  });
const warningsAfter = async (world: AgentWorld, turns: number): Promise<readonly string[]> => {
  for (let n = 0; n < turns; n++) await runTurn(`turn ${n}`, world.session, world.deps, { signal, maxSteps: 3, tools: [] });
  return world.events.flatMap((event) => (event.type === 'warning' ? [event.message.en] : []));
};

test('a server that counts much less of a request that only grew may be cutting it off: that is told once in a session', async () => {
  const warning = expect.stringContaining('The server counts 300 tokens of a request that begins with one of which it counted 1000');
  expect(await warningsAfter(worldCounting(1_000, 300, 100), 3)).toEqual([warning]);
  expect(await warningsAfter(worldCounting(1_000, 300, 100), 3)).toEqual([warning]);
});

test('one that counts about as much, or says nothing of the input, is not suspected', async () => {
  expect(await warningsAfter(worldCounting(1_000, 760, 800), 3)).toEqual([]);
  expect(await warningsAfter(worldCounting(1_000, 0, 1_000), 3)).toEqual([]);
});

test('one that counts half of what a first request surely has is suspected too, and its count measures nothing', async () => {
  const long = 'Every line of this text is read by the model, one after the other. '.repeat(300);
  const world = worldCounting(2_050, 2_050);
  await runTurn(long, world.session, world.deps, { signal, maxSteps: 3, tools: [] });
  const warnings = world.events.flatMap((event) => (event.type === 'warning' ? [event.message.en] : []));
  expect(warnings).toEqual([expect.stringMatching(/^The server counts 2050 tokens of a request that has about \d+: it may be cutting/)]);
  expect(world.session.estimate.count().tokens).toBeGreaterThan(5_000);
  const honest = worldCounting(6_000);
  await runTurn(long, honest.session, honest.deps, { signal, maxSteps: 3, tools: [] });
  expect(honest.events.filter(({ type }) => type === 'warning')).toEqual([]);
});
