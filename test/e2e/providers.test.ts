import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeApi, type FakeApiOptions, startFakeApi } from '../support/fake-api.ts';
import { chatWire } from '../support/fake-chat.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { callsTool, misbehaves, replies, type Script } from '../support/scenario.ts';
import { goodSummary } from '../support/summary.ts';

const apis: FakeApi[] = [];
afterEach(async () => {
  await Promise.all(apis.splice(0).map((api) => api.close()));
});

const start = async (script: Script, options: FakeApiOptions = {}): Promise<FakeApi> => {
  const api = await startFakeApi(script, options);
  apis.push(api);
  return api;
};

const answering =
  (words: string): Script =>
  ({ purpose }) =>
    replies(purpose === 'summary' ? goodSummary : words);

const configure = (world: Sandbox, model: unknown): void => {
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ model }));
};

const endpoint = (api: FakeApi, more: object = {}) => ({ baseUrl: `${api.url}/v1`, model: 'small', contextWindow: 64_000, ...more });

/** The messages of the session as its log has them now. */
const messagesIn = (world: Sandbox): readonly string[] => {
  const [id = ''] = world.names('sessions');
  const log = world.records(`sessions/${id}/log.jsonl`);
  const newest = log.findLastIndex((record) => record.type === 'checkpoint');
  const kept = Object(log[newest]?.context).messages ?? [];
  return [...kept, ...log.slice(newest + 1).flatMap((record) => (record.type === 'message' ? [record.message] : []))].map((message) =>
    JSON.stringify(message),
  );
};

describe('how hard the model thinks', () => {
  const effortsIn = (api: FakeApi): readonly unknown[] => api.requests.map(({ body }) => Object(body.output_config).effort);

  test('is set for a run, at the end of a name or in the settings, and stays with the session', async () => {
    const world = createSandbox();
    const api = await start(answering('Thought.'));
    const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'key' };
    configure(world, { effort: 'low' });
    const runs = [
      [],
      ['--effort', 'high'],
      ['--continue'],
      ['--continue', '--model', 'claude-opus-5-5'],
      ['--continue', '--model', 'claude-opus-5-5:max'],
    ];
    for (const args of runs) expect((await world.run(['-p', 'hi', ...args], { env })).code).toBe(0);
    expect(effortsIn(api)).toEqual(['low', 'high', 'high', 'high', 'max']);
    expect(api.requests.map(({ request }) => request.model).at(-1)).toBe('claude-opus-5-5');
    const wrong = await world.run(['-p', 'hi', '--effort', 'enormous'], { env });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('low, medium, high, max')]);
    api.done();
  });

  test('goes to a named endpoint too, and the offline model says that it has none', async () => {
    const world = createSandbox();
    const api = await start(answering('Hello.'), { wire: chatWire() });
    configure(world, { endpoints: { local: endpoint(api) } });
    expect((await world.run(['-p', 'hi', '--model', 'local:max'])).code).toBe(0);
    expect(api.requests.map(({ body }) => [body.model, body.reasoning_effort])).toEqual([['small', 'xhigh']]);
    const offline = await createSandbox().run(['-p', 'hi', '--effort', 'high'], { env: { SANBOT_PROVIDER: 'offline' } });
    expect([offline.code, offline.err]).toEqual([0, expect.stringContaining('offline')]);
    api.done();
  });
});

describe('a named endpoint', () => {
  test('answers --model NAME/MODEL and NAME, and a session that is continued keeps it', async () => {
    const world = createSandbox();
    const api = await start(answering('Hello from here.'), { wire: chatWire(), key: 'local-key' });
    configure(world, { endpoints: { local: endpoint(api, { apiKeyEnv: 'LOCAL_KEY' }) } });
    const env = { LOCAL_KEY: 'local-key' };
    for (const args of [['--model', 'local/large'], ['--continue'], ['--model', 'local']]) {
      const ran = await world.run(['-p', 'hi', ...args], { env });
      expect([ran.code, ran.out, ran.err]).toEqual([0, 'Hello from here.\n', expect.not.stringContaining('not used')]);
    }
    expect(api.requests.map(({ request }) => request.model)).toEqual(['large', 'large', 'small']);
    api.done();
  });

  test('keeps the variable of its key from commands, hooks and servers, whatever its name and whatever is passed [S-20]', async () => {
    const world = createSandbox({ MY_LLM: 'local-key', SPARE: 'spare-key' });
    const api = await start((_, n) => (n === 0 ? callsTool('run_command', { command: 'env' }) : replies('done')), {
      wire: chatWire(),
      key: 'local-key',
    });
    mkdirSync(world.home, { recursive: true });
    const model = { endpoints: { local: endpoint(api, { apiKeyEnv: 'MY_LLM' }), other: endpoint(api, { apiKeyEnv: 'SPARE' }) } };
    const seen = join(world.cwd, 'seen-by-the-hook');
    writeFileSync(
      join(world.home, 'config.json'),
      JSON.stringify({
        model,
        commands: { environment: { pass: ['MY_*'] } },
        hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `env > ${seen}` }] }] },
      }),
    );
    const ran = await world.run(['-p', 'go', '--model', 'local', '--allow', 'run_command']);
    expect([ran.code, ran.err]).toEqual([0, expect.any(String)]);
    const result = JSON.stringify(api.requests[1]?.body.messages);
    expect(result).toContain('PATH=');
    for (const text of [result, readFileSync(seen, 'utf8')]) expect(text).not.toMatch(/local-key|spare-key/);
    expect((await world.run(['doctor'])).out).toMatch(/MY_LLM.*SPARE/s);
    api.done();
  });

  test('runs tools, with the results where this API wants them', async () => {
    const world = createSandbox();
    writeFileSync(join(world.cwd, 'a.txt'), 'forty-two\n');
    const api = await start((_, n) => (n === 0 ? callsTool('read_file', { path: 'a.txt' }) : replies('It says forty-two.')), {
      wire: chatWire(),
    });
    configure(world, { endpoints: { local: endpoint(api) } });
    const ran = await world.run(['-p', 'read a.txt', '--model', 'local']);
    expect([ran.code, ran.out]).toEqual([0, 'It says forty-two.\n']);
    expect(JSON.stringify(api.requests[1]?.body.messages)).toContain('forty-two');
    api.done();
  });

  test('whose model writes a call that is no JSON tells it so, and mends a slip by itself', async () => {
    const world = createSandbox();
    writeFileSync(join(world.cwd, 'a.txt'), 'forty-two\n');
    const writes = (json: string) => misbehaves({ how: 'cut_tool_json', name: 'read_file', json, stopReason: 'tool_use' });
    const steps = [writes('read a.txt, please'), writes('{"path":"a.txt",}'), replies('It says forty-two.')];
    const api = await start((_, n) => steps[n] ?? replies('too many'), { wire: chatWire() });
    configure(world, { endpoints: { local: endpoint(api) } });
    const ran = await world.run(['-p', 'read a.txt', '--model', 'local']);
    expect([ran.code, ran.out]).toEqual([0, 'It says forty-two.\n']);
    const [, second, third] = api.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(second).toMatch(/Error: .*JSON/);
    expect(third).toContain('forty-two');
    api.done();
  });

  test('that is no more is told, and another model can be named', async () => {
    const world = createSandbox({ ANTHROPIC_API_KEY: 'k' });
    const [api, claude] = [await start(answering('one'), { wire: chatWire() }), await start(answering('two'))];
    configure(world, { endpoints: { local: endpoint(api) } });
    const env = { ANTHROPIC_BASE_URL: claude.url };
    expect((await world.run(['-p', 'hi', '--model', 'local'], { env })).code).toBe(0);
    configure(world, {});
    const ran = await world.run(['-p', 'go on', '--continue'], { env });
    expect([ran.code, ran.err]).toEqual([
      2,
      expect.stringContaining('The session used local/small at local, which is not configured here'),
    ]);
    expect(await world.run(['-p', 'go on', '--continue', '--model', 'claude-sonnet-5-5'], { env })).toMatchObject({
      code: 0,
      out: 'two\n',
    });
    expect(claude.requests).toHaveLength(1);
  });
});

describe('a key that stands in the environment', () => {
  test('sends nothing anywhere by itself, and counts with --model', async () => {
    const world = createSandbox();
    const api = await start(answering('asked'), { wire: chatWire({ limitField: 'max_tokens' }), key: 'k' });
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${api.url}/v1` };
    expect(await world.run(['-p', 'status'], { env })).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('No model is set up'),
    });
    expect(api.requests).toEqual([]);
    expect((await world.run(['-p', 'hi', '--model', 'some-model'], { env })).out).toBe('asked\n');
    expect((await world.run(['-p', 'hi', '--continue'], { env })).out).toBe('asked\n');
    expect((await world.run(['-p', 'hi'], { env: { ...env, SANBOT_PROVIDER: 'openai-chat', SANBOT_MODEL: 'm' } })).out).toBe('asked\n');
    expect(api.requests.map(({ request }) => request.model)).toEqual(['some-model', 'some-model', 'm']);
  });

  test('leaves the provider with Anthropic, where both have a key', async () => {
    const world = createSandbox();
    const [openai, claude] = [await start(answering('chat'), { wire: chatWire() }), await start(answering('claude'))];
    const env = {
      ...{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${openai.url}/v1` },
      ...{ ANTHROPIC_API_KEY: 'a', ANTHROPIC_BASE_URL: claude.url },
    };
    expect((await world.run(['-p', 'hi', '--model', 'house-model'], { env })).out).toBe('claude\n');
    expect(openai.requests).toEqual([]);
  });
});

describe('/model', () => {
  test('lists what the endpoints list, and changes to what is chosen, in the middle of a session', async () => {
    const models = { 'from-the-list': { max_input_tokens: 48_000, max_tokens: 4_000 } };
    const world = createSandbox();
    const [claude, local] = [await start(answering('Claude.')), await start(answering('Local.'), { wire: chatWire(), models })];
    configure(world, { endpoints: { local: endpoint(local), away: { baseUrl: 'http://127.0.0.1:1/v1', model: 'nobody' } } });
    const terminal = await world.runAtTerminal([], { env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: claude.url } });
    await terminal.waitFor('> ');
    terminal.send('one\r');
    await terminal.waitFor('Claude.');
    terminal.send('/model\r');
    await terminal.waitForScreen('❯ claude-sonnet-5-5  1,000,000 tokens  (now)');
    for (const name of ['local/small  64,000 tokens', 'local/from-the-list', 'away/nobody']) await terminal.waitForScreen(name);
    terminal.send('from-the\r');
    await terminal.waitForScreen(/^\S.*local\/from-the-list/m);
    terminal.send('two\r');
    await terminal.waitFor('Local.');
    terminal.send('/quit\r');
    await terminal.exit;
    expect(local.requests.map(({ request }) => request.model)).toEqual(['from-the-list']);
    expect((await world.run(['-p', 'three', '--continue'])).out).toBe('Local.\n');
    for (const api of [claude, local]) api.done();
  });
});

test('a change to another provider with a smaller declared window has the present one make room first', async () => {
  const world = createSandbox();
  const long = Array.from({ length: 300 }, (_, i) => `Part ${i} has a fact that somebody may need later.`).join(' ');
  const [claude, local] = [
    await start(answering(long)),
    await start(answering('Room enough.'), { wire: chatWire(), windowTokens: 16_000 }),
  ];
  configure(world, { endpoints: { local: endpoint(local, { contextWindow: 16_000 }) } });
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: claude.url };
  for (const more of [[], ...Array(4).fill(['--continue'])]) expect((await world.run(['-p', 'tell me', ...more], { env })).code).toBe(0);
  const ran = await world.run(['-p', 'and now?', '--continue', '--model', 'local'], { env });
  expect([ran.code, ran.out]).toEqual([0, 'Room enough.\n']);
  expect(claude.requests.map(({ request }) => request.purpose)).toEqual([...Array(5).fill('turn'), 'summary']);
  expect(local.requests.map(({ request }) => request.purpose)).toEqual(['turn']);
  expect(JSON.stringify(local.requests[0]?.body.messages)).toContain('[Compressed History]');
  for (const api of [claude, local]) api.done();
});

test('a session begins at one provider, is compacted, goes on at another, and is rolled back to before the change, byte for byte', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, 'a.txt'), `${'a line of the file\n'.repeat(300)}`);
  const claude = await start(({ purpose }, n) =>
    purpose === 'summary'
      ? replies(goodSummary)
      : n === 0
        ? callsTool('read_file', { path: 'a.txt' }, 'toolu_01', { thinking: 'Look.' })
        : replies('Claude says so.', { thinking: 'Hm.' }),
  );
  const local = await start(
    ({ purpose }) => (purpose === 'summary' ? replies(goodSummary) : replies('The other says so.', { thinking: 'Well.' })),
    {
      wire: chatWire(),
    },
  );
  configure(world, { endpoints: { local: endpoint(local) } });
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: claude.url };
  const say = async (text: string, ...more: readonly string[]): Promise<string> => {
    const ran = await world.run(['-p', text, ...more], { env });
    expect([ran.code, ran.err]).toEqual([0, expect.not.stringContaining('sanbot:')]);
    return ran.out;
  };
  await say('read a.txt');
  for (const n of [1, 2, 3, 4, 5, 6]) await say(`question ${n}`, '--continue');
  expect((await world.run(['compact'], { env })).code).toBe(0);
  await say('and now?', '--continue');
  const before = messagesIn(world);
  expect(await say('over to you', '--continue', '--model', 'local')).toBe('The other says so.\n');
  expect(await say('again', '--continue')).toBe('The other says so.\n');
  // What Claude thought is not sent; its words are.
  const sent = JSON.stringify(local.requests.at(-1)?.body);
  expect(sent).not.toContain('"thinking"');
  expect(sent).not.toContain('signature');
  const [id = ''] = world.names('sessions');
  const over = messagesIn(world).find((message) => message.includes('over to you')) ?? '';
  const rolled = await world.run(['rollback', '--session', id, '--to-message', JSON.parse(over).id, '--yes'], { env });
  expect([rolled.code, rolled.err]).toEqual([0, '']);
  expect(messagesIn(world)).toEqual(before);
  expect(before.join()).toContain('"signature"');
  // Back at Claude, its thinking goes along as it was given.
  expect(await say('and back', '--continue', '--model', 'claude-sonnet-5-5')).toBe('Claude says so.\n');
  expect(JSON.stringify(claude.requests.at(-1)?.body)).not.toContain('Well.');
  claude.done();
  local.done();
});
