import { afterEach, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import type { ModelRequest } from '../../../../src/agent/ports/model.ts';
import { findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import { changeModel } from '../../../../src/agent/turn/change-model.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { createAgentWorld, roughCount, tool } from '../../../support/agent-world.ts';
import { anthropicAt } from '../../../support/model-rig.ts';
import { fakeApis } from '../../../support/played-api.ts';
import { callsTools, replies, type Step } from '../../../support/scenario.ts';
import { goodSummary } from '../../../support/summary.ts';

const { api, close } = fakeApis();
afterEach(close);

const STEPS = 400;
const STEPS_IN_TURN = 40;

/** The work calls one tool in each step, forty steps in a turn. */
function script(): (request: ModelRequest) => Step {
  let steps = 0;
  return (request) => {
    if (request.purpose === 'summary') return replies(goodSummary);
    steps += 1;
    if (steps % STEPS_IN_TURN === 0) return replies('That part is done.');
    return callsTools([{ id: `c${steps}`, name: 'look', input: { part: steps } }]);
  };
}

test('in 400 steps no prefix was missed that was not meant to be, by the word of the provider, in any rung of making room', async () => {
  const server = await api(script(), { countTokens: roughCount });
  const env = { ANTHROPIC_BASE_URL: 'http://api.anthropic.com', ANTHROPIC_API_KEY: 'key', HTTP_PROXY: server.url };
  const world = createAgentWorld({
    tools: [tool('look', (input) => `${JSON.stringify(input)} `.repeat(120))],
    window: 40_000,
    canSummarise: true,
    config: { offload: { enabled: true } },
    deps: { model: { ask: anthropicAt(server.url, { env }) } },
  });
  const { session, deps, events } = world;
  const signal = new AbortController().signal;
  for (let turn = 0; turn < STEPS / STEPS_IN_TURN; turn++) {
    world.clock.now = new Date(world.clock.now.getTime() + (turn === 5 ? 3_600_000 : 1_000));
    if (turn === 3) await changeModel('claude-opus-4-6', session, deps, signal);
    if (turn === 6)
      await compact({ trigger: 'manual', reasons: [], limits: limitsOf(session, deps), instructions: undefined, signal }, session, deps);
    const newest = session.changedFrom;
    if (turn === 7) rollBack(findSnapshot(newest ?? '', deps.disk.snapshots), session, deps);
    await runTurn(`Look at part ${turn}.`, session, deps, { maxSteps: 60, signal, tools: world.tools });
  }
  const found = events.flatMap((event) => (event.type === 'reply' && event.prefix !== undefined ? [event.prefix] : []));
  expect(found.length).toBeGreaterThanOrEqual(STEPS - 1);
  expect(found.filter(({ changed, planned }) => changed !== 'nothing' && !planned)).toEqual([]);
  expect(new Set(found.map(({ changed }) => changed))).toEqual(new Set(['nothing', 'model', 'system', 'messages']));
  const planned = found.filter((each) => each.planned).length;
  expect(planned).toBeGreaterThan(3);
  expect(planned).toBeLessThan(STEPS / 10);
  expect(session.usage.total.misses.every((miss) => miss.planned)).toBe(true);
});
