import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
