import { describe, expect, test } from 'vitest';
import { localServersOf } from '../../src/commands/models/ask-choice.ts';
import { choose } from '../support/choose.ts';
import { afterThisTest } from '../support/clean-up.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { chatWire } from '../support/fake-chat.ts';
import { startFakeResponses } from '../support/fake-responses.ts';
import { startProxy, startTls } from '../support/proxy.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { replies } from '../support/scenario.ts';

const saved = (world: Sandbox): unknown => JSON.parse(world.read('config.json')).model;

describe('sanbot setup', () => {
  test('offers Claude with the key of the environment, sends nothing before it is chosen, and writes no key', async () => {
    const api = await startFakeApi(() => replies('ok'), { key: 'env-key' });
    afterThisTest(() => api.close());
    const world = createSandbox({ ANTHROPIC_API_KEY: 'env-key', ANTHROPIC_BASE_URL: api.url });
    const terminal = await world.runAtTerminal(['setup']);
    await terminal.waitForRaw((raw) => raw.includes('Claude, with the key in ANTHROPIC_API_KEY'));
    expect(api.requests).toEqual([]);
    await choose(terminal, 'Claude, with the key in ANTHROPIC_API_KEY');
    await terminal.waitFor('❯ claude-sonnet-5-5');
    terminal.send('\r');
    await terminal.waitFor('It answers: claude-sonnet-5-5, window 1,000,000 tokens.');
    expect((await terminal.exit).exitCode).toBe(0);
    expect(saved(world)).toEqual({ provider: 'anthropic', name: 'claude-sonnet-5-5' });
    expect(world.read('config.json')).not.toContain('env-key');
    expect((await world.run(['-p', 'hi'])).out).toBe('ok\n');
    api.done();
  });

  test('offers OpenAI itself with the key of the environment, over its newer API, and the key goes to no other host', async () => {
    const api = await startFakeResponses(() => replies('ok'), {});
    afterThisTest(() => api.close());
    const proxy = await startProxy(await startTls(api.url, 'api.openai.com'));
    // A process of its own takes no word from this one about the certificate.
    const trusting = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const world = createSandbox({ OPENAI_API_KEY: 'openai-key', HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, ...trusting });
    const terminal = await world.runAtTerminal(['setup']);
    await choose(terminal, 'api.openai.com, with the key in OPENAI_API_KEY');
    await terminal.waitFor('Name of the model:');
    terminal.send('gpt-6-sol\r');
    await terminal.waitFor('It answers: openai/gpt-6-sol, window 1,050,000 tokens.');
    expect((await terminal.exit).exitCode).toBe(0);
    expect(saved(world)).toEqual({
      name: 'openai',
      endpoints: { openai: { provider: 'openai-responses', apiKeyEnv: 'OPENAI_API_KEY', model: 'gpt-6-sol' } },
    });
    expect(new Set(proxy.asked.map(({ line }) => line))).toEqual(new Set(['CONNECT api.openai.com:443']));
    expect(api.bodies[0]).toMatchObject({ model: 'gpt-6-sol', store: false, tools: [{ name: 'noop' }] });
    expect((await world.run(['-p', 'hi'])).out).toBe('ok\n');
    api.done();
  });

  test('finds a server on this machine and needs no key for it', async () => {
    const models = { 'qwen3:8b': { max_input_tokens: 16_384, max_tokens: 4_000 } };
    const api = await startFakeApi(() => replies('ok'), { wire: chatWire(), models });
    afterThisTest(() => api.close());
    const { port } = new URL(api.url);
    const world = createSandbox({ OLLAMA_HOST: `127.0.0.1:${port}` });
    const terminal = await world.runAtTerminal(['setup']);
    await choose(terminal, `Ollama on this machine (port ${port}, 1 model)`);
    await choose(terminal, 'qwen3:8b');
    await terminal.waitFor('It answers: ollama/qwen3:8b, window 16,384 tokens.');
    await terminal.exit;
    expect(saved(world)).toEqual({
      name: 'ollama',
      endpoints: { ollama: { provider: 'openai-chat', baseUrl: `http://127.0.0.1:${port}/v1`, model: 'qwen3:8b' } },
    });
    expect(api.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    expect((await world.run(['-p', 'hi'])).out).toBe('ok\n');
    api.done();
  });

  test.each([
    [undefined, 11_434],
    ['127.0.0.1:9999', 9_999],
    ['http://localhost:9999/', 9_999],
    ['0.0.0.0:9999', 9_999],
    [':9999', 9_999],
    ['0.0.0.0', 11_434],
    ['elsewhere.example:9999', 11_434],
    ['not an address', 11_434],
  ])('looks for Ollama where OLLAMA_HOST=%s says, on this machine only', (host, port) => {
    const servers = localServersOf(host === undefined ? {} : { OLLAMA_HOST: host });
    expect(servers.map((server) => server.port)).toEqual([port, 1_234, 8_080, 8_000]);
  });
});
