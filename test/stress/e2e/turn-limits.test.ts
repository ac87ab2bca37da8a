import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../../support/fake-api.ts';
import { createSandbox, type Ran, type Sandbox } from '../../support/sanbot.ts';
import { callsTool, replies, type Script } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

let api: FakeApi;
afterEach(() => api.close());

const start = async (script: Script, variables: Readonly<Record<string, string>> = {}) => {
  const world: Sandbox = createSandbox();
  api = await startFakeApi(script, { home: world.home, key: 'test-key' });
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5', ...variables };
  writeFileSync(join(world.cwd, 'notes.txt'), 'nothing new\n');
  const say = (prompt: string, ...more: readonly string[]) =>
    world.run(['-p', prompt, '--output-format', 'json', '--permission-mode', 'bypass', ...more], { env });
  return { world, env, say };
};
const resultOf = (ran: Ran) => JSON.parse(ran.out.trim().split('\n').at(-1) ?? '{}');
/** The n-th of many steps, each of another file. */
const works: Script = (_request, n) => callsTool('run_command', { command: `echo part ${n}` });

describe('a turn', () => {
  test('has no bound of steps by default', async () => {
    const { say, world } = await start((_request, n) =>
      n < 230 ? callsTool('read_file', { path: 'lines.txt', offset: n + 1, limit: 1 }) : replies('done'),
    );
    writeFileSync(join(world.cwd, 'lines.txt'), Array.from({ length: 230 }, (_, n) => `line ${n}\n`).join(''));
    const ran = await say('go');
    expect([ran.code, resultOf(ran)]).toMatchObject([0, { steps: 231, stopReason: 'end_turn' }]);
  });

  test('that makes the same call with the same result again and again is stopped, told apart, and can go on', async () => {
    const { say } = await start((_request, n) =>
      n < 8 ? callsTool('read_file', { path: 'notes.txt' }) : replies('I will do something else.'),
    );
    const ran = await say('wait for news');
    expect(ran.code).toBe(11);
    expect(resultOf(ran)).toMatchObject({
      stopReason: 'loop',
      steps: 8,
      error: {
        code: 'loop_detected',
        message: 'The turn was stopped: the model took the same step 8 times in a row, with the same results (read_file)',
      },
    });
    expect(ran.err).toContain('the same step 8 times in a row');
    expect((await say('try another way', '--continue')).code).toBe(0);
  });

  test('that polls until the result differs ends by itself', async () => {
    const { say } = await start((_request, n) =>
      n < 40 ? callsTool('run_command', { command: 'echo x >> count.txt; wc -l < count.txt' }) : replies('40 lines'),
    );
    expect(resultOf(await say('wait'))).toMatchObject({ stopReason: 'end_turn', steps: 41 });
  });
});

describe('--max-turn-seconds', () => {
  test('ends a turn that takes longer, with an exit code of its own, and what was done is kept', async () => {
    const { say, world } = await start(works);
    const ran = await say('go', '--max-turn-seconds', '1');
    expect(ran.code).toBe(13);
    expect(resultOf(ran)).toMatchObject({ stopReason: 'max_seconds', error: { code: 'time_exhausted', exitCode: 13 } });
    expect((await say('go', '--continue', '--max-steps', '1')).code).toBe(10);
    expect(await world.run(['doctor'])).toMatchObject({ code: 0 });
  });

  test('says nothing of a turn that ends in time, and refuses what is no number', async () => {
    const { say } = await start(() => replies('done'));
    expect(resultOf(await say('go', '--max-turn-seconds', '60'))).toMatchObject({ stopReason: 'end_turn' });
    for (const value of ['0', '-1', 'soon']) expect((await say('go', '--max-turn-seconds', value)).code).toBe(2);
  });
});

describe('--max-cost', () => {
  test('ends the turn once that much is spent, with an exit code of its own', async () => {
    const { say } = await start(works);
    const ran = await say('go', '--max-cost', '0.05');
    expect(ran.code).toBe(12);
    const result = resultOf(ran);
    expect(result).toMatchObject({
      stopReason: 'max_cost',
      error: { code: 'cost_exhausted', message: expect.stringContaining('$0.05 of --max-cost') },
    });
    // One request may cross the limit; the next is not sent.
    expect(result.costUsd).toBeGreaterThanOrEqual(0.05);
    expect(result.costUsd).toBeLessThan(0.06);
    expect(result.steps).toBe(api.requests.length);
  });

  test('counts the summaries too', async () => {
    const prose = Array.from({ length: 400 }, (_, i) => `Part ${i} has a fact that somebody may need later.`).join(' ');
    const { say } = await start(
      (request, n) => (request.purpose === 'summary' ? replies(goodSummary) : callsTool('run_command', { command: `echo ${n} ${prose}` })),
      { SANBOT_CONTEXT_WINDOW: '16000' },
    );
    const ran = await say('go', '--max-cost', '0.3', '--output-format', 'stream-json');
    expect(ran.code).toBe(12);
    const summaries = api.requests.filter(({ request }) => request.purpose === 'summary').length;
    expect(summaries).toBeGreaterThan(0);
    // As above, one request may cross the limit: all before it, summaries included, stayed below.
    const events = ran.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const costs = events.flatMap(({ type, costUsd }) => (type === 'reply' || type === 'compacted' ? [costUsd] : []));
    const sum = (of: readonly number[]): number => of.reduce((total, cost) => total + cost, 0);
    expect(costs).toHaveLength(api.requests.length);
    expect(resultOf(ran).costUsd).toBeCloseTo(sum(costs), 9);
    expect(sum(costs)).toBeGreaterThanOrEqual(0.3);
    expect(sum(costs.slice(0, -1))).toBeLessThan(0.3);
    expect(api.requests.length).toBe(resultOf(ran).steps + summaries);
  });

  test('is refused where the price of a model is not known, before anything is asked, and says what to set', async () => {
    const { world, env, say } = await start(works, { SANBOT_MODEL: 'house-model' });
    const ran = await say('go', '--max-cost', '1');
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/--max-cost needs a price, and that of the model house-model is not known\n.*"model": \{"price": \{"input"/);
    expect(api.requests).toEqual([]);
    expect(world.names('sessions')).toEqual([]);
    const summaries = { ...env, SANBOT_MODEL: 'claude-sonnet-5-5', SANBOT_COMPACT_MODEL: 'small-house-model' };
    expect((await world.run(['-p', 'go', '--max-cost', '1'], { env: summaries })).err).toContain('small-house-model');

    mkdirSync(world.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(world.home, 'config.json'), '{"model":{"price":{"input":3,"cacheRead":0.3,"cacheWrite":3.75,"output":15}}}');
    expect((await say('go', '--max-cost', '0.05')).code).toBe(12);
  });

  test.each(['0', '-1', 'much', '1e3', ''])('takes no %j', async (value) => {
    const { say } = await start(works);
    const ran = await say('go', '--max-cost', value);
    expect([ran.code, api.requests]).toEqual([2, []]);
  });

  test('holds at the terminal: for the next turns, for /compact, and for a switch to a model without a price', async () => {
    const { world, env } = await start((_request, n) => replies(`Answer ${n}.`));
    const at = await world.runAtTerminal(['--max-cost', '0.005'], { env });
    await at.waitFor('/help');
    at.send('hello\r');
    await at.waitFor('Answer 0.');
    at.send('/model house-model\r');
    await at.waitFor('that of the model house-model is not known');
    at.send('more\r');
    await at.waitFor('of the $0.005 of --max-cost is spent');
    at.send('/compact\r');
    await at.waitFor('of the $0.005 of --max-cost is spent');
    at.send('/quit\r');
    expect((await at.exit).exitCode).toBe(0);
    expect(api.requests).toHaveLength(1);
  });
});

describe('a small window', () => {
  test('is told at the start of a session, in scripts and at the terminal, and not again', async () => {
    const { world, env } = await start(() => replies('Hello.'), { SANBOT_CONTEXT_WINDOW: '4000' });
    const told = /window of 4,000 tokens is small: a compaction is due every few steps/;
    const toldBy = async (window: string, ...more: readonly string[]) =>
      (await world.run(['-p', 'hi', ...more], { env: { ...env, SANBOT_CONTEXT_WINDOW: window } })).err;
    expect(await toldBy('4000')).toMatch(told);
    expect(await toldBy('4000', '--continue')).not.toMatch(told);
    expect(await toldBy('64000')).not.toMatch(told);
    const at = await world.runAtTerminal([], { env });
    await at.waitFor(/window of 4,000 tokens is small/);
    at.send('/quit\r');
    await at.exit;
  });
});
