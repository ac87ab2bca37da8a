import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { choose } from '../support/choose.ts';
import { type FakeApi, type FakeApiOptions, startFakeApi } from '../support/fake-api.ts';
import { chatWire } from '../support/fake-chat.ts';
import { createSandbox, type RunningAtTerminal, type Sandbox } from '../support/sanbot.ts';
import { replies } from '../support/scenario.ts';

const apis: FakeApi[] = [];
afterEach(async () => {
  await Promise.all(apis.splice(0).map((api) => api.close()));
});

const start = async (options: FakeApiOptions = {}): Promise<FakeApi> => {
  const api = await startFakeApi(() => replies('ok'), options);
  apis.push(api);
  return api;
};

const listing = { 'small-model': { max_input_tokens: 64_000, max_tokens: 4_000 } };
const server = (options: FakeApiOptions = {}) => start({ wire: chatWire(), ...options });

const before = '{\n  // mine\n  "agent": { "maxSteps": 7 } // seven\n}\n';

/** A home whose settings file has a comment, for others to read as it happens. */
function configured(env: Readonly<Record<string, string>> = {}): Sandbox {
  const world = createSandbox(env);
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), before, { mode: 0o644 });
  return world;
}

async function chooseEndpoint(terminal: RunningAtTerminal, address: string, key = ''): Promise<void> {
  await choose(terminal, 'Another server');
  await terminal.waitFor('Address');
  terminal.send(`${address}\r`);
  await terminal.waitFor('Key (none: Enter):');
  terminal.send(`${key}\r`);
}

const modelSettings = (world: Sandbox): unknown => JSON.parse(world.read('config.json').replace(/\/\/ (?:mine|seven)/g, '')).model;

describe('sanbot setup', () => {
  test('tries a server, shows model and window, and saves it for the user alone, with all else as it was', async () => {
    const world = configured();
    const api = await server({ key: 'typed-secret', models: listing });
    const terminal = await world.runAtTerminal(['setup']);
    await chooseEndpoint(terminal, `${api.url}/v1`, 'typed-secret');
    await choose(terminal, 'small-model');
    await terminal.waitFor('It answers: local/small-model, window 64,000 tokens.');
    expect((await terminal.exit).exitCode).toBe(0);
    expect(terminal.text()).not.toContain('typed-secret');
    const text = world.read('config.json');
    for (const kept of ['// mine', '"maxSteps": 7', '// seven']) expect(text).toContain(kept);
    expect(modelSettings(world)).toEqual({
      name: 'local',
      endpoints: { local: { provider: 'openai-chat', baseUrl: `${api.url}/v1`, apiKey: 'typed-secret', model: 'small-model' } },
    });
    expect(statSync(join(world.home, 'config.json')).mode & 0o777).toBe(0o600);
    expect((await world.run(['-p', 'hi'])).out).toBe('ok\n');
    api.done();
  });

  test('asks for the name where a server lists no models', async () => {
    const world = createSandbox();
    const api = await server();
    const terminal = await world.runAtTerminal(['setup']);
    await chooseEndpoint(terminal, `${api.url}/v1`);
    await terminal.waitFor('No models are listed there.');
    await terminal.waitFor('Name of the model:');
    terminal.send('unlisted\r');
    await terminal.waitFor('It answers: local/unlisted');
    await terminal.exit;
    expect(statSync(join(world.home, 'config.json')).mode & 0o777).toBe(0o600);
    expect((await world.run(['-p', 'hi'])).out).toBe('ok\n');
  });

  test('tries an address and a key as soon as they are typed, and Esc goes back', async () => {
    const world = createSandbox();
    const api = await server({ key: 'right', models: listing });
    const terminal = await world.runAtTerminal(['setup']);
    await choose(terminal, 'Another server');
    await terminal.waitFor('Address');
    terminal.send('http://127.0.0.1:1/v1\r');
    await terminal.waitFor('Nothing answers at http://127.0.0.1:1/v1');
    terminal.send(`${api.url}/v1\r`);
    await terminal.waitFor('Key (none: Enter):');
    terminal.send('wrong\r');
    await terminal.waitFor('The key was refused.');
    terminal.send('right\r');
    await choose(terminal, 'another: type its name');
    await terminal.waitFor('Name of the model:');
    terminal.send('smal-model\r');
    await terminal.waitFor('Did you mean small-model?');
    await terminal.waitFor('Which model?');
    terminal.send('\u001b');
    await terminal.waitFor('Which model do you want to work with?');
    terminal.send('\u001b');
    await terminal.waitFor('Nothing was changed.');
    await terminal.exit;
    expect(world.names('')).not.toContain('config.json');
  });

  test('says what is wrong with a key, changes nothing, and lets one choose again', async () => {
    const world = configured();
    const api = await server({ key: 'right', models: listing });
    const terminal = await world.runAtTerminal(['setup']);
    await chooseEndpoint(terminal, `${api.url}/v1`);
    await choose(terminal, 'small-model');
    await terminal.waitFor('It does not work:');
    expect(world.read('config.json')).toBe(before);
    await chooseEndpoint(terminal, `${api.url}/v1`, 'right');
    await choose(terminal, 'small-model');
    await terminal.waitFor('It answers');
    await terminal.exit;
  });

  test('says when nobody answers at an address, and when it is none', async () => {
    const world = configured();
    const api = await server();
    await api.close();
    const terminal = await world.runAtTerminal(['setup']);
    await choose(terminal, 'Another server');
    await terminal.waitFor('Address');
    terminal.send('no address\r');
    await terminal.waitFor('That is not an http(s) address: no address');
    terminal.send(`${api.url}/v1\r`);
    await terminal.waitFor('Nothing answers at');
    terminal.send('\u001b');
    await choose(terminal, 'Leave everything as it is');
    await terminal.waitFor('Nothing was changed.');
    expect((await terminal.exit).exitCode).toBe(0);
    expect(world.read('config.json')).toBe(before);
  });

  test.each([
    ['Esc', '\u001b'],
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s leaves a list, and neither it nor a key that types nothing moves the mark', async (_, key) => {
    const world = createSandbox();
    const terminal = await world.runAtTerminal(['setup']);
    await terminal.waitFor('Esc goes back');
    for (const row of ['2. OpenAI', '3. OpenRouter']) {
      terminal.send('\u001b[B');
      await terminal.waitFor(`❯ ${row}`);
    }
    for (const none of ['\u001b[D', '\u001b[F', '\u001b[15~', '\u0001', '\t']) terminal.send(none);
    terminal.send('\u001b[B');
    await terminal.waitFor('❯ 4. Another');
    const before = terminal.text().length;
    terminal.send(key);
    await terminal.waitFor('Nothing was changed.');
    expect(terminal.text().slice(before)).not.toContain('❯');
    expect((await terminal.exit).exitCode).toBe(0);
  });

  test('Ctrl-C in the middle leaves the settings as they were', async () => {
    const world = configured();
    const terminal = await world.runAtTerminal(['setup']);
    await choose(terminal, 'with a key that you type');
    await terminal.waitFor('Key for api.anthropic.com:');
    terminal.send('half');
    await terminal.waitFor('****');
    terminal.send('\u0003');
    await terminal.waitFor('Nothing was changed.');
    expect((await terminal.exit).exitCode).toBe(0);
    expect(world.read('config.json')).toBe(before);
  });

  test('takes a typed key for Claude, a second run chooses anew, and offline is saved too', async () => {
    const api = await start({ key: 'claude-key' });
    const world = configured({ ANTHROPIC_BASE_URL: api.url });
    const terminal = await world.runAtTerminal(['setup']);
    await choose(terminal, 'with a key that you type');
    await terminal.waitFor(`Key for ${new URL(api.url).host}:`);
    terminal.send('claude-key\r');
    await terminal.waitFor('claude-sonnet-5-5');
    terminal.send('\r');
    await terminal.waitFor('It answers: claude-sonnet-5-5, window 1,000,000 tokens.');
    await terminal.exit;
    expect(modelSettings(world)).toEqual({ provider: 'anthropic', name: 'claude-sonnet-5-5', apiKey: 'claude-key' });
    const second = await world.runAtTerminal(['setup']);
    await choose(second, 'Offline');
    await second.waitFor('SanBot works offline.');
    await second.exit;
    expect(modelSettings(world)).toEqual({ provider: 'offline', apiKey: 'claude-key' });
    expect((await world.run(['-p', 'status'])).out).toContain('Offline model');
    api.done();
  });

  test('uses a key of the environment without writing it, and says what wins over the file', async () => {
    const api = await server({ key: 'from-env', models: listing });
    const world = createSandbox({ OPENAI_API_KEY: 'from-env', OPENAI_BASE_URL: `${api.url}/v1`, SANBOT_MODEL: 'another' });
    const terminal = await world.runAtTerminal(['setup']);
    await choose(terminal, 'with the key in OPENAI_API_KEY');
    await choose(terminal, 'small-model');
    await terminal.waitFor('It answers: local/small-model');
    await terminal.waitFor('SANBOT_MODEL is set in the environment');
    await terminal.exit;
    expect(world.read('config.json')).not.toContain('from-env');
    expect((await world.run(['-p', 'hi'], { env: { SANBOT_MODEL: '' } })).out).toBe('ok\n');
  });

  test('is refused without a terminal, with what to do', async () => {
    const ran = await createSandbox().run(['setup']);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('docs/models.md')]);
  });
});

describe('the first start on a terminal without a key', () => {
  const FIRST = 'No model is set up yet.';
  const asked = (env: Readonly<Record<string, string>> = {}): Sandbox => createSandbox({ CI: '', SANBOT_PROVIDER: '', ...env });

  test('offers a model, and the conversation begins with the one that was chosen', async () => {
    const api = await server({ models: listing });
    const world = asked();
    const terminal = await world.runAtTerminal([]);
    await terminal.waitFor(FIRST);
    await chooseEndpoint(terminal, `${api.url}/v1`);
    await choose(terminal, 'small-model');
    await terminal.waitFor('It answers: local/small-model');
    await terminal.waitFor('model local/small-model');
    await terminal.waitFor('> ');
    terminal.send('hi\r');
    await terminal.waitFor('ok');
    terminal.send('/quit\r');
    expect((await terminal.exit).exitCode).toBe(0);
    api.done();
  });

  test.each([
    ['left as it was', (terminal: RunningAtTerminal) => choose(terminal, 'Leave everything as it is')],
    ['left with Ctrl-C', async (terminal: RunningAtTerminal) => terminal.send('\u0003')],
  ])('is offered once: %s, the conversation begins without a model, and nothing was sent', async (_name, leave) => {
    const api = await server({ key: 'stands-there' });
    const world = asked({ OPENAI_API_KEY: 'stands-there', OPENAI_BASE_URL: `${api.url}/v1` });
    const first = await world.runAtTerminal([]);
    await first.waitFor(FIRST);
    await first.waitFor('with the key in OPENAI_API_KEY');
    await leave(first);
    await first.waitFor('Nothing was changed.');
    await first.waitFor('There is no model yet');
    first.send('hi\r');
    await first.waitFor('No model is set up');
    await first.waitFor('> ');
    first.send('\u0004');
    await first.exit;
    expect(statSync(join(world.home, 'setup-offered')).mode & 0o777).toBe(0o600);
    const second = await world.runAtTerminal([]);
    await second.waitFor('sanbot setup');
    await second.waitFor('> ');
    expect(second.text()).not.toContain(FIRST);
    second.send('\u0004');
    await second.exit;
    expect(api.requests).toEqual([]);
    expect((await world.run(['doctor'], { env: { SANBOT_PROVIDER: 'offline' } })).code).toBe(0);
  });

  test.each([
    ['CI is set', { CI: 'true' }, []],
    ['a provider is set', { SANBOT_PROVIDER: 'offline' }, []],
    ['the terminal shows no lists', { TERM: 'dumb' }, []],
    ['a session is to be continued', {}, ['--continue']],
  ])('is not offered where %s', async (_name, env, args) => {
    const terminal = await asked(env).runAtTerminal(args);
    await terminal.waitFor(/lists the\s+commands|sanbot: /);
    expect(terminal.text()).not.toContain(FIRST);
    terminal.send('\u0004');
    await terminal.exit;
  });

  test('is not offered without a terminal, nor on a home that has been worked in', async () => {
    const world = asked();
    const ran = await world.run(['-p', 'status']);
    expect([ran.out, ran.code]).toEqual(['', 4]);
    expect(ran.err).not.toContain(FIRST);
    const terminal = await world.runAtTerminal([]);
    await terminal.waitFor(/lists the\s+commands/);
    expect(terminal.text()).not.toContain(FIRST);
    terminal.send('\u0004');
    await terminal.exit;
  });
});
