import { expect, test } from 'vitest';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { callsTools, createAgentWorld, replies, roughCount, tool } from '../../../support/agent-world.ts';

const counted = (answer: ModelAnswer, inputTokens: number): ModelAnswer =>
  answer.kind === 'reply' ? { ...answer, usage: { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 20 } } : answer;

/** Thirty steps of small results, as a server counts them that returns for each request what `count` makes of the true figures so far. */
async function thirtySteps(count: (trueTokens: readonly number[]) => number) {
  const trueTokens: number[] = [];
  const world = createAgentWorld({
    window: 32_000,
    tools: [tool('look', () => 'seen '.repeat(60))],
    ask: (request, n) => {
      trueTokens.push(roughCount(JSON.stringify([request.system, request.tools, request.messages])));
      return counted(n < 30 ? callsTools({ id: `c${n}`, name: 'look', input: { n } }) : replies('done'), count(trueTokens));
    },
  });
  const turn = { maxSteps: 40, signal: new AbortController().signal, tools: world.tools };
  const end = await runTurn('look at all of it', world.session, world.deps, turn);
  const warnings = world.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  return { end, world, warnings, compactions: world.events.filter(({ type }) => type === 'compaction_started').length };
}

test('sums of the session that a server reports as the size of a request compact nothing, and are told once [W7]', async () => {
  const { end, world, warnings, compactions } = await thirtySteps((tokens) => tokens.reduce((sum, each) => sum + each, 0));
  expect(end).toMatchObject({ stopReason: 'end_turn', text: 'done' });
  expect(compactions).toBe(0);
  expect(JSON.stringify(warnings).match(/adding up those before/g)).toHaveLength(1);
  // Another process goes by the same figures.
  expect(world.reopened().estimate.count().tokens).toBeLessThan(12_000);
});

test.each([
  ['the true figures', (tokens: number) => tokens],
  ['twice as many, by another tokenizer', (tokens: number) => 2 * tokens],
  ['a prompt of the server itself beside them', (tokens: number) => tokens + 7_000],
])('%s are believed', async (_, count) => {
  const { world, warnings } = await thirtySteps((tokens) => count(tokens.at(-1) ?? 0));
  expect(JSON.stringify(warnings)).not.toContain('adding up');
  expect(world.session.context.messages.filter(({ usage }) => usage !== undefined).length).toBe(30);
});
