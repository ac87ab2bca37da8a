import { expect, test } from 'vitest';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { createFit } from '../../../../src/agent/fit/fit.ts';
import { offloadUnderPressure } from '../../../../src/agent/fit/offload-results.ts';
import { storeResult } from '../../../../src/agent/turn/run-tools.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { isToolResult, isToolUse, resultText } from '../../../../src/domain/session/message.ts';
import { createAgentWorld } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

test('a result that leaves under pressure names the file it was read from, and shows less of it than one that leaves on arrival [C56b, C55, S4]', () => {
  const world = createAgentWorld({ messages: [user('look')], window: 32_000 });
  const { session, deps } = world;
  const limits = limitsOf(session, deps);
  const read = (id: string, chars: number) => {
    const message = calls({ id });
    session.append({ type: 'message', message });
    const call = message.content.find(isToolUse);
    if (call === undefined) throw new Error('no call');
    const content = `line of ${id}\n`.repeat(chars).slice(0, chars);
    storeResult(call, { ok: true, content, note: sameInBoth(''), denied: false, ms: 1, source: `/srv/${id}.ts` }, session, deps, limits);
  };
  read('arrives', 12_000);
  for (let n = 0; n < 14; n++) read(`later${n}`, 7_000);
  session.append({ type: 'message', message: says('seen') });
  expect(offloadUnderPressure(session, deps, limits)).toBeGreaterThan(0);
  const stubs = session.context.messages.filter((message) => message.stubs !== undefined);
  const texts = stubs.flatMap((message) => message.content.filter(isToolResult).map(resultText));
  expect(texts.length).toBeGreaterThan(3);
  for (const [at, message] of stubs.entries()) {
    const source = message.stubs?.[0]?.source;
    expect(source).toMatch(/^\/srv\/(arrives|later\d+)\.ts$/);
    expect(texts[at]).toContain(`source ${source}`);
    if (at > 0) expect(texts[at]?.length).toBeLessThan((texts[0]?.length ?? 0) * 0.6);
  }
  expect(world.reopened().context).toEqual(session.context);
});

/** How many of twenty-four old results leave when the next request is made. */
async function leftUnasked({ window, ttl, idleMinutes }: { readonly window: number; readonly ttl: string; readonly idleMinutes: number }) {
  const bulk = (n: number) => `line ${n}\n`.repeat(1_300);
  const turns = Array.from({ length: 24 }, (_, n) => [
    user(`look ${n}`),
    calls({ id: `t${n}` }),
    answers({ id: `t${n}`, content: bulk(n) }),
    says('seen'),
  ]);
  const compaction = { softWindow: 0, maxToolOutputBytes: 132_000 };
  const wish = { window, config: { compaction, offload: { maxToolResultChars: 13_200 }, pruning: { ttl } } };
  const { session, deps, clock, events } = createAgentWorld(wish);
  for (const message of turns.flat()) session.append({ type: 'message', message: { ...message, at: clock.now.toISOString() } });
  clock.now = new Date(clock.now.getTime() + idleMinutes * 60_000);
  await createFit().makeFit(session, deps, new AbortController().signal);
  return events.flatMap((event) => (event.type === 'offloaded' && event.when === 'voluntary' ? event.results : [])).length;
}

test('old results leave unasked once the cache is cold, and cold is what pruning.ttl says [C58, S4]', async () => {
  // So nearly full that a warm cache is worth more than the room.
  const left = (ttl: string, idleMinutes: number): Promise<number> => leftUnasked({ window: 132_000, ttl, idleMinutes });
  expect(await left('5m', 4)).toBe(0);
  expect(await left('5m', 6)).toBeGreaterThan(3);
  expect(await left('1h', 6)).toBe(0);
  expect(await left('1h', 61)).toBeGreaterThan(3);
});

test('on a warm cache old results leave where the steps until the context is full earn it back, however many were done before [O22, C57]', async () => {
  const left = (window: number): Promise<number> => leftUnasked({ window, ttl: '5m', idleMinutes: 1 });
  expect(await left(132_000)).toBe(0);
  expect(await left(2_000_000)).toBeGreaterThan(3);
});
