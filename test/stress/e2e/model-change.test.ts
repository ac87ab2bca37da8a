import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../../support/fake-api.ts';
import { createSandbox, type Ran } from '../../support/sanbot.ts';
import { replies } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

const prose = Array.from({ length: 1_100 }, (_, i) => `Part ${i} has a fact that somebody may need later.`).join(' ');

let api: FakeApi;
afterEach(() => api.close());

const start = async (settings: Readonly<Record<string, unknown>> = {}) => {
  const world = createSandbox();
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify(settings));
  api = await startFakeApi((request) => replies(request.purpose === 'summary' ? goodSummary : prose), {
    home: world.home,
    key: 'test-key',
    models: { 'house-model': { max_input_tokens: 40_000, max_tokens: 4_000 } },
  });
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_COMPACT_RETRY_COUNT: '0' };
  const say = (prompt: string, ...more: readonly string[]) => world.run(['-p', prompt, '--output-format', 'stream-json', ...more], { env });
  return { world, say, models: () => api.requests.map(({ request }) => `${request.model} ${request.purpose}`) };
};
const events = (ran: Ran): readonly Record<string, unknown>[] =>
  ran.out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('the model that answers', () => {
  test('has the window that the endpoint states when no table knows it [C29, C38, C128]', async () => {
    const { say } = await start();
    const ran = await say('hello', '--model', 'house-model');
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(events(ran).find(({ type }) => type === 'request')).toMatchObject({ windowTokens: 40_000 });
  });

  test('has its own window after a switch, not the one that was declared for another model', async () => {
    const { world, say, models } = await start();
    mkdirSync(world.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(world.home, 'config.json'), '{"model":{"name":"first-model","contextWindow":64000}}');
    const windowIn = (ran: Ran): unknown => events(ran).find(({ type }) => type === 'request')?.windowTokens;
    expect(windowIn(await say('hello'))).toBe(64_000);
    expect(windowIn(await say('hello', '--continue', '--model', 'house-model'))).toBe(40_000);
    // The session goes on with the model that it was switched to, and has a reply as long as that one may be.
    expect(windowIn(await say('hello', '--continue'))).toBe(40_000);
    expect(api.requests.at(-1)?.body.max_tokens).toBe(4_000);
    expect(windowIn(await say('hello', '--continue', '--context-window', '32000'))).toBe(32_000);
    expect(windowIn(await say('hello', '--model', 'first-model'))).toBe(64_000);
    expect(models().slice(0, 2)).toEqual(['first-model turn', 'house-model turn']);
  });

  test('changes to one with a smaller window once the present one has made room, in a session that is continued [C24, C114]', async () => {
    const { say, models } = await start();
    for (const more of [[], ['--continue'], ['--continue']]) expect((await say('tell me', ...more)).code).toBe(0);
    const ran = await say('and now?', '--continue', '--model', 'house-model');
    expect(ran.code).toBe(0);
    expect(models()).toEqual([...Array(3).fill('claude-sonnet-5-5 turn'), 'claude-sonnet-5-5 summary', 'house-model turn']);
    expect(events(ran).map(({ type }) => type)).toContain('compacted');
    expect(events(ran).find(({ type }) => type === 'model_changed')).toMatchObject({ model: 'house-model', windowTokens: 40_000 });
  });

  test('stays when the conversation cannot be made small enough, with figures, and the session goes on as it was', async () => {
    // Else so long a message is a file, and can leave.
    const { say, models } = await start({ offload: { enabled: false } });
    expect((await say(`Keep all of this. ${prose} ${prose}`.slice(0, 125_000))).code).toBe(0);
    const refused = await say('and now?', '--continue', '--model', 'house-model');
    expect(refused.code).toBe(5);
    expect(events(refused).at(-1)).toMatchObject({ error: { message: expect.stringMatching(/stays claude-sonnet-5-5.*40,000 tokens/) } });
    expect((await say('and now?', '--continue')).code).toBe(0);
    expect(models().at(-1)).toBe('claude-sonnet-5-5 turn');
  });
});
