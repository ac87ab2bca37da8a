import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { FakeApi } from '../../support/fake-api.ts';
import {
  compactedIn,
  createNearlyFull,
  events,
  prose,
  resultOf,
  script,
  startLoopback,
  typesOf,
  untilCompacted,
} from '../../support/loopback.ts';
import type { Sandbox } from '../../support/sanbot.ts';
import { callsTool, overflows, replies, type Script } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

let world: Sandbox;
let api: FakeApi;
afterEach(() => api.close());

const start = async (...all: Parameters<typeof startLoopback>) => {
  const started = await startLoopback(...all);
  ({ world, api } = started);
  return started;
};
const nearlyFull = createNearlyFull();
const startNearlyFull = async (steps: Script) => start(steps, {}, (await nearlyFull()).world);

describe('against the Messages API on loopback, the program', () => {
  test('never sends thinking back behind a past that has changed, through tools, offloading and compaction [C65, C66, O2]', async () => {
    const turn: Script = (request, n) => {
      const last = request.messages.at(-1)?.content ?? [];
      const asks = last.some((block) => block.type === 'text');
      const page = { path: 'big.txt', offset: 1 + (n % 5) * 20, limit: 20 };
      return asks
        ? callsTool('read_file', page, undefined, { thinking: `plan ${n}` })
        : replies(prose(`Answer ${n}`, 250), { thinking: `weigh ${n}` });
    };
    const { say } = await start(script({ turn }));
    writeFileSync(join(world.cwd, 'big.txt'), Array.from({ length: 100 }, (_, i) => `line ${i} ${'of the report '.repeat(8)}`).join('\n'));
    const ran = await untilCompacted(say, []);
    expect(ran.code).toBe(0);
    for (const more of ['and then?', 'and at last?']) expect((await say(more)).err).toBe('');
    expect(
      api.requests.some(({ request }) => request.messages.some((message) => message.content.some((block) => block.type === 'thinking'))),
    ).toBe(true);
    api.done();
  });

  test('recovers from an overflow answer in mid-turn and ends the turn [O19, C31, C50]', async () => {
    const turn: Script = (_request, n) => [callsTool('list_files', {}), overflows(13_000, 12_500)][n - 3] ?? replies(prose('Words', 150));
    const { say } = await start(script({ turn }), { SANBOT_CONTEXT_WINDOW: '32000' });
    await say('part one', []);
    await say('part two');
    await say('part three');
    const ran = await say('look around');
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(typesOf(ran)).toContain('overflow');
    expect(resultOf(ran)).toMatchObject({ stopReason: 'end_turn' });
    expect(typesOf(ran).filter((type) => type === 'tool_ended')).toHaveLength(1);
    api.done();
  });

  test.each([
    ['is empty [X7, B-26]', replies('')],
    ['is larger than its source [C20]', replies(`${goodSummary}\n${prose('Padding', 4_000)}`)],
    ['is a refusal [P22]', replies("I'm sorry, but I can't help with that.")],
  ])('marks the compaction as degraded when the model’s summary %s, and goes on', async (_name, bad) => {
    const { say } = await startNearlyFull(script({ summary: () => bad }));
    const ran = await untilCompacted(say);
    expect(compactedIn(ran)).toMatchObject({ method: 'rules_degraded' });
    expect(resultOf(ran)).toMatchObject({ stopReason: 'end_turn', compactions: 1 });
    expect(
      events(ran)
        .filter((event) => event.type === 'warning')
        .map((event) => event.message)
        .join(),
    ).toContain('No summary from a model');
  });
});
