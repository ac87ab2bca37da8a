import { describe, expect, test } from 'vitest';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { usageCost } from '../../../../src/domain/session/usage-cost.ts';
import { requestBody } from '../../../../src/model/anthropic/request.ts';
import { callsTools, createAgentWorld, replies, roughCount, tool } from '../../../support/agent-world.ts';
import { createBilledCache } from '../../../support/cache-billing.ts';

const price = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, cacheWrite1h: 6, output: 15 };
const facts = {
  windowTokens: 200_000,
  assumed: false,
  maxOutputTokens: 8_000,
  hourCache: true,
  costUsd: (usage: Parameters<typeof usageCost>[0]) => usageCost(usage, price),
};

/** Requests of one turn. */
const STEPS = 5;

type Play = {
  /** Minutes before each message. */
  readonly pauses: readonly number[];
  readonly cacheTtl?: 'auto' | '5m' | '1h';
  readonly interactive?: boolean;
  readonly hourCache?: boolean;
};

/** Turns of four reads of 1,500 tokens each, against a cache that bills as the provider's does; a step takes 15 seconds. */
async function play({ pauses, cacheTtl = 'auto', interactive = true, hourCache = true }: Play) {
  let lines = 0;
  const read = tool('read', () => `line ${++lines} of it `.repeat(400));
  const world = createAgentWorld({
    window: 200_000,
    tools: [read],
    config: { model: { cacheTtl } },
    ask: (request, n) => {
      world.clock.now = new Date(world.clock.now.getTime() + 15_000);
      const { system, tools, messages } = requestBody(request, { facts, thinking: 'none' });
      const { usage } = cache.send({ model: 'test', maxTokens: 8_000, system, tools, messages }, ['a reply']);
      const answer = n % STEPS === 0 ? replies('Done.') : callsTools({ id: `c${n}`, name: 'read' });
      return answer.kind === 'reply' ? { ...answer, usage } : answer;
    },
    deps: { model: { facts: () => ({ ...facts, hourCache }) }, person: { interactive } },
  });
  const cache = createBilledCache({ count: roughCount, now: () => world.clock.now.getTime() });
  let usd = 0;
  for (const minutes of pauses) {
    world.clock.now = new Date(world.clock.now.getTime() + minutes * 60_000);
    usd +=
      (await runTurn('go on', world.session, world.deps, { maxSteps: 99, signal: new AbortController().signal, tools: world.tools }))
        .costUsd ?? 0;
  }
  return { usd, ttls: world.requests.map(({ cacheTtl: ttl }) => ttl ?? '5m') };
}

const turns = (count: number, minutes: (i: number) => number) => Array.from({ length: count }, (_, i) => minutes(i));
/** Every third message after twelve minutes, as somebody types who reads and thinks. */
const thoughtful = turns(15, (i) => (i % 3 === 2 ? 12 : 1));
/** One task after the other. */
const steady = turns(15, () => 0);
/** Always back after two hours. */
const absent = turns(15, () => 120);

const costs = async (pauses: readonly number[]) => ({
  auto: (await play({ pauses })).usd,
  five: (await play({ pauses, cacheTtl: '5m' })).usd,
  hour: (await play({ pauses, cacheTtl: '1h' })).usd,
});

describe('how long the provider is asked to keep what it caches', () => {
  test('with pauses an hour pays, and is chosen: a tenth and more is saved', async () => {
    const { auto, five, hour } = await costs(thoughtful);
    expect(auto).toBeLessThan(0.9 * five);
    expect(auto).toBeLessThan(1.1 * hour);
  });

  test.each([
    ['nobody pauses', steady],
    ['nobody is ever back within an hour', absent],
  ])('where %s it costs little more than five minutes', async (_, pauses) => {
    const { auto, five, hour } = await costs(pauses);
    expect(hour).toBeGreaterThan(five);
    expect(auto).toBeLessThan(1.02 * five);
  });

  test('five minutes at first, an hour once there is much to keep', async () => {
    const { ttls } = await play({ pauses: thoughtful });
    expect([ttls[0], ttls.at(-1)]).toEqual(['5m', '1h']);
  });

  test.each([
    ['in a script', { interactive: false }],
    ['where the provider sells no hour', { hourCache: false }],
    ['where the setting says so', { cacheTtl: '5m' }],
  ] as const)('always five minutes %s', async (_, more) => {
    expect(new Set((await play({ pauses: thoughtful, ...more })).ttls)).toEqual(new Set(['5m']));
  });

  test('always an hour where the setting says so, in a script too', async () => {
    expect(new Set((await play({ pauses: [0, 0], cacheTtl: '1h', interactive: false })).ttls)).toEqual(new Set(['1h']));
  });
});
