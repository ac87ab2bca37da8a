import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startJsonServer } from '../support/json-server.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';

type Model = Readonly<Record<string, unknown>> & { readonly name: string };
type Listing = {
  readonly endpoints: readonly {
    readonly name: string;
    readonly host: string | null;
    readonly problem: string | null;
    readonly models: readonly Model[];
  }[];
  readonly others: readonly { readonly name: string; readonly models: readonly Model[] }[];
};

function worldWith(model: object, env: Readonly<Record<string, string>> = {}): Sandbox {
  const world = createSandbox(env);
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ model }), { mode: 0o600 });
  return world;
}

const listed = async (world: Sandbox, ...more: readonly string[]): Promise<Listing> => {
  const { code, out } = await world.run(['models', '--json', ...more]);
  expect(code).toBe(0);
  return JSON.parse(out);
};

describe('sanbot models', () => {
  test('lists each endpoint that is set with its models, and says from where their figures are known', async () => {
    const world = worldWith(
      {
        endpoints: {
          local: {
            baseUrl: 'http://127.0.0.1:8080/v1',
            model: 'qwen',
            contextWindow: 16_000,
            price: { input: 1, cacheRead: 1, cacheWrite: 1, output: 2 },
          },
          gateway: { baseUrl: 'https://gateway.example.com/v1', apiKey: 'key-that-is-never-shown', model: 'openai/gpt-6-sol' },
        },
      },
      { ANTHROPIC_API_KEY: 'another-key-never-shown' },
    );
    const { endpoints, others } = await listed(world);
    expect(endpoints.map(({ name, host, problem }) => [name, host, problem])).toEqual([
      ['anthropic', 'api.anthropic.com', null],
      ['local', '127.0.0.1:8080', null],
      ['gateway', 'gateway.example.com', null],
    ]);
    const [claude, local, gateway] = endpoints.map(({ models }) => models[0]);
    expect(claude).toMatchObject({ name: 'claude-sonnet-5-5', isDefault: true, windowFrom: 'table', priceFrom: 'table', images: true });
    expect(claude?.sources).toEqual(expect.arrayContaining([expect.objectContaining({ address: expect.stringMatching(/^https:/) })]));
    expect(local).toMatchObject({ name: 'local/qwen', windowTokens: 16_000, windowFrom: 'settings', priceFrom: 'settings', sources: [] });
    // Its window is the model's, its price is that of another host.
    expect(gateway).toMatchObject({ name: 'gateway/openai/gpt-6-sol', windowTokens: 1_050_000, windowFrom: 'table', price: null });
    expect(others).toEqual([]);
    const { out, err } = await world.run(['models']);
    expect(`${out}${err}`).not.toContain('never-shown');
    expect(out).toMatch(/local {2}openai-chat, 127\.0\.0\.1:8080\n.*\n {2}local\/qwen +16,000 as set +\$1\.00 in, \$2\.00 out, as set\n/);
    expect(out).toMatch(/\* claude-sonnet-5-5 +1,000,000 +\$2\.00 in \(cached \$0\.10\), \$10\.00 out\n/);
  });

  test('a model of a local server has no window but an assumed one, whatever it is called [P14]', async () => {
    const { endpoints } = await listed(worldWith({ endpoints: { local: { baseUrl: 'http://localhost:11434/v1', model: 'gpt-6-sol' } } }));
    expect(endpoints[0]?.models[0]).toMatchObject({ name: 'local/gpt-6-sol', windowFrom: 'assumed', price: null, sources: [] });
  });

  test('an endpoint that lacks its key says so, and its models stand there all the same', async () => {
    const world = worldWith({ provider: 'openai-responses' });
    const { endpoints } = await listed(world);
    expect(endpoints).toMatchObject([
      { name: 'openai-responses', host: 'api.openai.com', problem: 'No API key is set for api.openai.com.' },
    ]);
    expect(endpoints[0]?.models.map(({ name }) => name)).toContain('gpt-6-sol');
    expect((await world.run(['models'])).out).toContain('  No API key is set for api.openai.com.\n');
  });

  test('a key that merely stands in the environment lists nothing, and how to use it is told', async () => {
    const world = createSandbox({ OPENAI_API_KEY: 'stands-there' });
    expect((await listed(world)).endpoints).toEqual([]);
    expect((await world.run(['models'])).out).toContain('SANBOT_PROVIDER=openai-responses');
  });

  test('--all adds what is known of hosts that are not set', async () => {
    const { others } = await listed(createSandbox({ ANTHROPIC_API_KEY: 'k' }), '--all');
    expect(others.map(({ name }) => name)).toEqual(expect.arrayContaining(['OpenAI', 'DeepSeek', 'Mistral', 'Groq']));
    expect(others.map(({ name }) => name)).not.toContain('Anthropic');
    expect(others.find(({ name }) => name === 'OpenAI')?.models.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['gpt-6-sol', 'gpt-5.2']),
    );
  });
});

describe('a name that an endpoint refuses', () => {
  const LIST = { data: [{ id: 'qwen3-coder' }, { id: 'gemma3' }] };
  const refused = async (status: number, message: string, models: unknown, name = 'qwen3-codr') => {
    const error = { status, text: JSON.stringify({ error: { message } }) };
    const { url } = await startJsonServer({ 'POST /v1/chat/completions': error, 'GET /v1/models': models });
    const world = createSandbox({ SANBOT_PROVIDER: 'openai-chat', OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k' });
    return world.run(['-p', 'hi', '--model', name]);
  };

  test.each([
    [404, "The model 'qwen3-codr' does not exist"],
    [400, 'qwen3-codr is not a valid model ID'],
  ])('with %i is told with the nearest of those that it lists', async (status, message) => {
    const { code, err } = await refused(status, message, LIST);
    expect(code).toBe(4);
    expect(err).toMatch(/has no model "qwen3-codr", set by --model .*\n {2}Did you mean qwen3-coder\?\n/);
  });

  test('is told as before where it lists nothing, or nothing near', async () => {
    for (const [list, name] of [
      [{ status: 404 }, 'qwen3-codr'],
      [LIST, 'nonsense'],
      // What was refused is no advice, though the list has it.
      [LIST, 'qwen3-coder'],
    ] as const) {
      const { code, err } = await refused(404, `no model ${name}`, list, name);
      expect([code, err]).toEqual([4, expect.stringContaining('sanbot models lists what each endpoint has')]);
    }
  });
});
