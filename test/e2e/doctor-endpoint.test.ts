import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkEndpoint } from '../../src/commands/models/check-endpoint.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { readSettings } from '../../src/runtime/settings.ts';
import { afterThisTest } from '../support/clean-up.ts';
import { type FakeApi, type FakeApiOptions, startFakeApi } from '../support/fake-api.ts';
import { chatWire } from '../support/fake-chat.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { misbehaves, replies, type Script, type Step } from '../support/scenario.ts';

const start = async (options: FakeApiOptions = {}, script: Script | readonly Step[] = () => replies('ok')): Promise<FakeApi> => {
  const api = await startFakeApi(script, options);
  afterThisTest(() => api.close());
  return api;
};

const chat = { wire: chatWire(), models: { small: { max_input_tokens: 64_000, max_tokens: 4_000 } } };

function worldOf(api: FakeApi, endpoint: object = {}): Sandbox {
  const world = createSandbox();
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  const model = { name: 'local', endpoints: { local: { baseUrl: `${api.url}/v1`, model: 'small', ...endpoint } } };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ model }), { mode: 0o600 });
  return world;
}

function closed(api: FakeApi): Sandbox {
  void api.close();
  return worldOf(api);
}

const findingsIn = (out: string): unknown =>
  JSON.parse(out).endpoint.findings.map(({ what, state }: { what: string; state: string }) => `${state} ${what}`);

describe('sanbot doctor', () => {
  test('says of an endpoint where all is well that it is reachable, lets the key in, answers, lists the model, and its window', async () => {
    const api = await start({ ...chat, key: 'k' });
    const ran = await worldOf(api, { apiKey: 'k' }).run(['doctor']);
    expect(ran.code).toBe(0);
    expect(ran.out.split('\n').slice(1)).toEqual([
      `model: local/small at ${new URL(api.url).host}`,
      'ok        address: reachable',
      'ok        key: accepted, or none needed',
      'ok        answer: it answers',
      'ok        model: small is listed',
      'ok        window: 64,000 tokens',
      'ok        tools: taken',
      '',
    ]);
    expect(api.requests).toHaveLength(1);
    api.done();
  });

  test('names the models that are there when the one that is set is not, and a window that nobody says', async () => {
    const api = await start(chat);
    const world = worldOf(api, { model: 'other' });
    const { code, out } = await world.run(['doctor']);
    expect(code).toBe(0);
    expect(out).toContain('note      model: other is not listed; listed are small\n');
    expect(out).toMatch(/note {6}window: [\d,]+ tokens, assumed: set contextWindow to what the server has\n/);
    expect(findingsIn((await world.run(['doctor', '--json'])).out)).toEqual([
      ...['ok address', 'ok key', 'ok answer', 'note model', 'note window', 'ok tools'],
    ]);
  });

  test('says that a model takes no tools', async () => {
    const refuses = misbehaves({ how: 'status', status: 400, body: { error: { message: 'small does not support tools' } } });
    const api = await start(chat, [refuses, replies('ok')]);
    const { code, out } = await worldOf(api).run(['doctor']);
    expect([code, out]).toEqual([0, expect.stringMatching(/note {6}tools: small at .* takes no tools: .*use another model/)]);
  });

  test.each([
    ['a key that is refused', 'key', (api: FakeApi) => worldOf(api, { apiKey: 'wrong' }), /refused the key/],
    [
      'a key that is not there',
      'key',
      (api: FakeApi) => worldOf(api, { apiKeyEnv: 'NO_SUCH_KEY' }),
      /NO_SUCH_KEY is not set.*Set NO_SUCH_KEY/,
    ],
    ['an address where nobody is', 'address', closed, /connection refused.*Check that the server runs/],
    ['no model', 'settings', () => createSandbox({ SANBOT_PROVIDER: 'openai-chat' }), /none is named\. Name one: --model/],
  ])('says of %s what to do, with an exit code of its own', async (_name, what, world, says) => {
    const api = await start({ ...chat, key: 'right' });
    const { code, out } = await world(api).run(['doctor']);
    expect(code).toBe(what === 'settings' ? 2 : 4);
    expect(out).toContain('all is well.\n');
    expect(out).toMatch(new RegExp(`wrong {5}${what}: .*${says.source}`));
  });

  test('says what the Messages API lists too', async () => {
    const api = await start();
    const { code, out } = await createSandbox({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: api.url }).run(['doctor']);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('note      model: the server lists no models\nok        window: 1,000,000 tokens\n'),
    ]);
  });

  test('names what the Messages API lists when the model that is set is not among it', async () => {
    const facts = { max_input_tokens: 200_000, max_tokens: 8_000 };
    const api = await start({ models: { 'claude-one': facts, 'claude-two': facts } });
    const doctor = async (name: string) =>
      (await createSandbox({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: api.url, SANBOT_MODEL: name }).run(['doctor'])).out;
    expect(await doctor('claude-two')).toContain('ok        model: claude-two is listed\nok        window: 200,000 tokens\n');
    expect(await doctor('claude-sonnet-5-5')).toContain(
      'note      model: claude-sonnet-5-5 is not listed; listed are claude-one, claude-two\n',
    );
  });

  test('asks nothing offline, with --no-endpoint, and of a single session', async () => {
    const api = await start(chat);
    const world = worldOf(api);
    expect(JSON.parse((await createSandbox().run(['doctor', '--json'])).out)).not.toHaveProperty('endpoint');
    expect((await createSandbox().run(['doctor'])).out).toContain('model: offline, so there is no endpoint to check. sanbot setup chooses');
    await world.run(['-p', 'hi']);
    const [id = ''] = world.names('sessions');
    const asked = api.requests.length;
    for (const args of [['--no-endpoint'], ['--session', id]]) expect((await world.run(['doctor', ...args])).out).not.toContain('model:');
    expect(api.requests).toHaveLength(asked);
  });

  test('gives up on an endpoint that is silent', async () => {
    const api = await start(chat, [misbehaves({ how: 'hang' })]);
    const world = worldOf(api);
    const controller = new AbortController();
    void api.stalled().then(() => controller.abort());
    const deadline = (ms: number) => (ms > 5_000 ? controller.signal : AbortSignal.timeout(ms));
    const environment = { ...processEnvironment(), env: world.env, cwd: () => world.cwd, deadline };
    const check = await checkEndpoint(environment, readSettings(environment, { home: world.home }));
    expect(check).toMatchObject({
      exitCode: 4,
      findings: [{ what: 'address', state: 'wrong', text: { en: expect.stringMatching(/did not answer within \d+ s/) } }],
    });
  });
});
