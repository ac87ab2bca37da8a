import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { benchPackage, noBenchPackages } from '../support/bench-package.ts';
import { afterThisTest } from '../support/clean-up.ts';
import { createSandbox } from '../support/sanbot.ts';

/** Each API as a server that others wrote speaks it: what our fakes were built to expect, and what it sends, may differ. */
const wires = [
  { name: 'the Messages API', env: (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key' }), path: '/v1/messages' },
  {
    name: 'chat completions',
    env: (url: string) => ({ SANBOT_PROVIDER: 'openai-chat', OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'key' }),
    path: '/v1/chat/completions',
  },
  {
    name: 'the Responses API',
    env: (url: string) => ({ SANBOT_PROVIDER: 'openai-responses', OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'key' }),
    path: '/v1/responses',
  },
] as const;

/** What is used here of @copilotkit/aimock. */
type Reply = { readonly content: string; readonly usage?: object } | { readonly toolCalls: readonly object[] };
type Server = {
  readonly url: string;
  readonly on: (match: object, reply: Reply) => unknown;
  readonly onMessage: (match: RegExp, reply: Reply) => unknown;
  readonly start: () => Promise<unknown>;
  readonly stop: () => Promise<unknown>;
  readonly getRequests: () => readonly { readonly path: string; readonly body: unknown }[];
};

const aimock = benchPackage('@copilotkit/aimock');

async function startServer(): Promise<Server> {
  const { LLMock }: { LLMock: new (options: { readonly port: number }) => Server } = await import(aimock ?? '');
  const server = new LLMock({ port: 0 });
  server.on(
    { hasToolResult: true },
    {
      content: 'Both files are read: 四十二.',
      usage: { prompt_tokens: 1_200, completion_tokens: 7, input_tokens: 1_200, output_tokens: 7 },
    },
  );
  server.onMessage(/read/, {
    toolCalls: [
      { name: 'read_file', arguments: '{"path":"a.txt"}', id: 'call_a' },
      { name: 'read_file', arguments: '{"path":"文件 b.txt"}', id: 'call_b' },
    ],
  });
  server.onMessage(/.*/, { content: 'Hello, 世界.' });
  await server.start();
  afterThisTest(async () => void (await server.stop()));
  return server;
}

test.skipIf(aimock === undefined).each(wires)(
  `over $name a server that others wrote is understood, and understands: words, parallel calls, results, usage (skipped where ${noBenchPackages})`,
  async ({ env, path }) => {
    const server = await startServer();
    const world = createSandbox({ ...env(server.url), SANBOT_MODEL: 'gpt-6-sol' });
    writeFileSync(join(world.cwd, 'a.txt'), 'alpha\n');
    writeFileSync(join(world.cwd, '文件 b.txt'), 'beta\n');
    const hello = await world.run(['-p', 'hi']);
    expect([hello.code, hello.out, hello.err]).toEqual([0, 'Hello, 世界.\n', expect.not.stringContaining('sanbot:')]);
    const read = await world.run(['-p', 'read both', '--continue', '--output-format', 'json']);
    expect([read.code, JSON.parse(read.out)]).toEqual([
      0,
      expect.objectContaining({ result: 'Both files are read: 四十二.', stopReason: 'end_turn' }),
    ]);
    const asked = server.getRequests().filter((entry) => entry.path === path);
    expect(asked.length).toBe(3);
    const last = JSON.stringify(asked.at(-1)?.body);
    for (const content of ['alpha', 'beta']) expect(last).toContain(content);
    const { usage } = JSON.parse(read.out);
    expect([usage.inputTokens >= 1_200, usage.outputTokens >= 7]).toEqual([true, true]);
  },
);
