import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { FakeApi } from '../support/fake-api.ts';
import { compactedIn, createNearlyFull, resultOf, script, startLoopback, typesOf, untilCompacted } from '../support/loopback.ts';
import type { Sandbox } from '../support/sanbot.ts';
import { misbehaves, replies, type Script, status } from '../support/scenario.ts';

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
  test('answers, streams, and reports usage, cost and the session', async () => {
    const { say } = await start([replies('Hello there.')]);
    const ran = await say('hi', []);
    expect(ran.code).toBe(0);
    expect(resultOf(ran)).toMatchObject({
      type: 'result',
      result: 'Hello there.',
      stopReason: 'end_turn',
      steps: 1,
      compactions: 0,
      offloads: 0,
    });
    expect(resultOf(ran).usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
    expect(typesOf(ran).filter((type) => type === 'text').length).toBeGreaterThan(0);
    api.done();
  });

  test('compacts with a summary by the model, and the next request carries it [F15]', async () => {
    const { say } = await startNearlyFull(script());
    const ran = await untilCompacted(say);
    expect(compactedIn(ran)).toMatchObject({ method: 'model', trigger: 'auto' });
    const last = api.requests.at(-1)?.request;
    const text = JSON.stringify(last?.messages[0]);
    expect(text).toContain('[Compressed History]');
    expect(text).toContain('The model notes what matters about key decisions.');
    expect(text).toContain('never touch vendor/lib.ts');
    api.done();
  });

  test('tries again after a 529, and tells it', async () => {
    const { say } = await start([status(529, 'overloaded_error', 'Overloaded', { 'retry-after-ms': '5' }), replies('At last.')]);
    const ran = await say('hi', []);
    expect(resultOf(ran)).toMatchObject({ result: 'At last.' });
    expect(typesOf(ran)).toContain('retrying');
    api.done();
  });

  test('tries again when the stream is cut inside a block, and keeps one whole reply', async () => {
    const { say } = await start([misbehaves({ how: 'reset' }), replies('Whole again.')]);
    const ran = await say('hi', []);
    expect(resultOf(ran)).toMatchObject({ result: 'Whole again.' });
    const log = world.records(`sessions/${world.names('sessions')[0]}/log.jsonl`);
    expect(log.filter((record) => record.type === 'message')).toHaveLength(2);
    api.done();
  });

  test('summarises by rule, marked, when the summariser is down [C30, P4]', async () => {
    const { say } = await startNearlyFull(script({ summary: () => status(529, 'overloaded_error', 'Overloaded') }));
    const ran = await untilCompacted(say);
    expect(compactedIn(ran)).toMatchObject({ method: 'rules_degraded' });
    expect(ran.code).toBe(0);
  });

  test('leaves the history unchanged when the summariser is down and rules are refused [F1, C87]', async () => {
    const { say } = await startNearlyFull(script({ summary: () => status(500, 'api_error', 'down') }));
    mkdirSync(world.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction: { llmFallbackToRules: false } }));
    const ran = await untilCompacted(say);
    expect(typesOf(ran)).toContain('compaction_failed');
    expect(resultOf(ran)).toMatchObject({ stopReason: 'end_turn', compactions: 0 });
    const log = world.records(`sessions/${world.names('sessions')[0]}/log.jsonl`);
    expect(log.some((record) => record.type === 'checkpoint' && record.reason === 'compaction')).toBe(false);
  });

  test('after a rollback sends the very request that it would have sent before the compaction', async () => {
    const { say, vars } = await startNearlyFull(script());
    await untilCompacted(say);
    const [first] = JSON.parse((await world.run(['history', '--session', world.names('sessions')[0] ?? '', '--json'])).out);
    const rolled = await world.run(['rollback', '--snapshot', first.id, '--yes', '--json'], { env: vars });
    expect(rolled.err).toBe('');
    expect(JSON.parse(rolled.out)).toMatchObject({ restored: first.id, messages: first.messages });
    const log = world.records(`sessions/${world.names('sessions')[0]}/log.jsonl`);
    const restored = log.findLast((record) => record.type === 'checkpoint')?.context as { messages: unknown[] };
    const saved = world
      .records(`memory/session-summaries/${first.id}.jsonl`)
      .filter((record) => record.type === 'message')
      .map((record) => record.message);
    expect(restored.messages.map((message) => JSON.stringify(message))).toEqual(saved.map((message) => JSON.stringify(message)));
  });
});
