import { runTurn } from '../../src/agent/turn/turn.ts';
import { requestBody } from '../../src/model/anthropic/request.ts';
import { usageCost } from '../../src/model/catalog.ts';
import { callsTools, createAgentWorld, replies, roughCount, tool } from './agent-world.ts';
import { createBilledCache } from './cache-billing.ts';

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
export async function playTurns({ pauses, cacheTtl = 'auto', interactive = true, hourCache = true }: Play) {
  let lines = 0;
  const read = tool('read', () => `line ${++lines} of it `.repeat(400));
  const world = createAgentWorld({
    window: 200_000,
    tools: [read],
    // What goes to files once the cache is cold makes five minutes cheaper; here only the cache is priced.
    config: { model: { cacheTtl }, offload: { enabled: false } },
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

export const turns = (count: number, minutes: (i: number) => number) => Array.from({ length: count }, (_, i) => minutes(i));
/** Every third message after twelve minutes, as somebody types who reads and thinks. */
export const thoughtful = turns(15, (i) => (i % 3 === 2 ? 12 : 1));
