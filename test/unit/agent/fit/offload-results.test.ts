import { expect, test, vi } from 'vitest';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { createFit } from '../../../../src/agent/fit/fit.ts';
import { offloadUnderPressure } from '../../../../src/agent/fit/offload-results.ts';
import { storeResult } from '../../../../src/agent/turn/run-tools.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { isToolResult, isToolUse, resultText } from '../../../../src/domain/session/message.ts';
import { type AgentWorld, createAgentWorld } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

/** Results of so many characters, as they arrive, each read by the model. */
function readAll(world: AgentWorld, prefix: string, sizes: readonly number[]): void {
  const { session, deps } = world;
  for (const [n, chars] of sizes.entries()) {
    const id = `${prefix}${n}`;
    const message = calls({ id });
    session.append({ type: 'message', message });
    const call = message.content.find(isToolUse);
    if (call === undefined) throw new Error('no call');
    const content = `line of ${id} in src/part${n % 7}/${prefix}Handler.ts\n`.repeat(chars).slice(0, chars);
    const outcome = { ok: true, content, note: sameInBoth(''), denied: false, ms: 1, source: `/srv/${id}.ts` };
    storeResult(call, outcome, session, deps, limitsOf(session, deps));
  }
  session.append({ type: 'message', message: says('seen') });
}

const textsOf = ({ session }: AgentWorld, prefix: string): readonly string[] =>
  session.context.messages.flatMap(({ content }) =>
    content
      .filter(isToolResult)
      .filter(({ tool_use_id }) => tool_use_id.startsWith(prefix))
      .map(resultText),
  );

test('a batch makes what arrived as a stub as small as what it moves, and names the file each was read from [C56b, C55, S4]', () => {
  const world = createAgentWorld({ messages: [user('look')], window: 32_000 });
  const { session, deps } = world;
  readAll(world, 'arrives', [30_000, 30_000]);
  readAll(
    world,
    'later',
    Array.from({ length: 14 }, () => 7_000),
  );
  readAll(world, 'newest', [3_000, 3_000, 3_000]);
  const [arrived = ''] = textsOf(world, 'arrives');
  expect(arrived.length).toBeGreaterThan(1_000);
  const { tokens } = session.estimate.count();
  offloadUnderPressure(session, deps, limitsOf(session, deps));
  expect(session.estimate.count().tokens).toBeLessThan(tokens / 2);
  for (const prefix of ['arrives', 'later'])
    for (const [n, text] of textsOf(world, prefix).entries()) {
      expect(text).toContain(`source /srv/${prefix}${n}.ts`);
      expect(text.length).toBeLessThan(800);
    }
  expect(world.reopened().context).toEqual(session.context);
  const moved = world.events.flatMap((event) => (event.type === 'offloaded' && event.when === 'pressure' ? event.results : []));
  expect(moved.map(({ toolUseId }) => toolUseId).filter((id) => id.startsWith('arrives'))).toEqual([]);
});

test('a stub whose body is gone stays as it is', () => {
  const world = createAgentWorld({ messages: [user('look')], window: 32_000 });
  const { session, deps } = world;
  readAll(world, 'arrives', [30_000, 30_000]);
  readAll(world, 'newest', [3_000, 3_000, 3_000, 3_000, 3_000]);
  const before = textsOf(world, 'arrives');
  vi.spyOn(session.bodies, 'read').mockReturnValue(undefined);
  offloadUnderPressure(session, deps, limitsOf(session, deps));
  expect(textsOf(world, 'arrives')).toEqual(before);
});

test.each([51_200, 20_480])(
  'a limit of %i bytes that somebody set holds, stubs included, for all that the model has seen',
  async (maxToolOutputBytes) => {
    const world = createAgentWorld({ messages: [user('look')], window: 200_000, config: { compaction: { maxToolOutputBytes } } });
    const { session, deps } = world;
    for (let step = 0; step < 20; step++) {
      readAll(world, `s${step}x`, [14_000, 2_000, 6_000, 1_200, 9_000]);
      await createFit().makeFit(session, deps, new AbortController().signal);
      expect(session.estimate.count().toolOutputBytes).toBeLessThanOrEqual(maxToolOutputBytes);
    }
    expect(world.reopened().context).toEqual(session.context);
  },
);

/** How many of twenty old results leave when the next request is made. */
async function leftUnasked({ ttl, idleMinutes }: { readonly ttl: string; readonly idleMinutes: number }) {
  const bulk = (n: number) => `line ${n}\n`.repeat(1_300);
  const turns = Array.from({ length: 20 }, (_, n) => [
    user(`look ${n}`),
    calls({ id: `t${n}` }),
    answers({ id: `t${n}`, content: bulk(n) }),
    says('seen'),
  ]);
  const wish = { window: 132_000, config: { compaction: { softWindow: 0 }, offload: { maxToolResultChars: 13_200 }, pruning: { ttl } } };
  const { session, deps, clock, events } = createAgentWorld(wish);
  for (const message of turns.flat()) session.append({ type: 'message', message: { ...message, at: clock.now.toISOString() } });
  clock.now = new Date(clock.now.getTime() + idleMinutes * 60_000);
  await createFit().makeFit(session, deps, new AbortController().signal);
  return events.flatMap((event) => (event.type === 'offloaded' && event.when === 'voluntary' ? event.results : [])).length;
}

test('old results leave unasked once the cache is cold, and cold is what pruning.ttl says [C58, S4]', async () => {
  const left = (ttl: string, idleMinutes: number): Promise<number> => leftUnasked({ ttl, idleMinutes });
  expect(await left('5m', 4)).toBe(0);
  expect(await left('5m', 6)).toBeGreaterThan(3);
  expect(await left('1h', 6)).toBe(0);
  expect(await left('1h', 61)).toBeGreaterThan(3);
});
