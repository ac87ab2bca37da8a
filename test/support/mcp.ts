import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterThisTest } from './clean-up.ts';
import { type FakeApi, startFakeApi } from './fake-api.ts';
import { createSandbox, type Ran, type Sandbox } from './sanbot.ts';
import { callsTool, replies, type Script, type Step } from './scenario.ts';
import { root } from './source.ts';

/** The server that plays a part (mcp-server.mjs), as a setting. */
export const playedServer = (...parts: readonly string[]) => ({ command: process.execPath, args: [playedScript, ...parts] });

export const playedScript = join(root, 'test/support/mcp-server.mjs');

/** A home whose settings have these servers. */
export function worldWith(servers: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}): Sandbox {
  const world = createSandbox();
  mkdirSync(world.home, { recursive: true });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: servers, ...more }));
  return world;
}

/** The Messages API of this test, and the variables that lead to it. */
export async function modelOf(
  world: Sandbox,
  scenario: readonly Step[] | Script,
): Promise<{ readonly api: FakeApi; readonly env: Readonly<Record<string, string>> }> {
  const api = await startFakeApi(scenario, { home: world.home });
  afterThisTest(() => api.close());
  return { api, env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key' } };
}

export const callsMcp = (name: string, args: unknown = {}): Step => callsTool('call_tool', { name, arguments: args });

export type Asked = { readonly ran: Ran; readonly api: FakeApi };

/** One prompt in a process of its own words: the model makes these calls, then says done. */
export async function askModel(
  world: Sandbox,
  calls: readonly Step[],
  args: readonly string[] = ['--permission-mode', 'bypass'],
  more: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const { api, env } = await modelOf(world, [...calls, replies('done')]);
  const ran = await world.run(['-p', 'go', ...args], { env: { ...env, ...more } });
  api.done();
  return { ran, api };
}

/** What the last request gave back to the model, in order. */
export const resultsOf = (api: FakeApi): readonly string[] =>
  (api.requests.at(-1)?.request.messages ?? []).flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [textOfResult(block.content)] : [])),
  );

const textOfResult = (content: unknown): string =>
  Array.isArray(content) ? content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n') : String(content);

/** The list of tools that the first request had. */
export const toolsOf = (api: FakeApi): readonly string[] => (api.requests[0]?.request.tools ?? []).map(({ name }) => name);

/** A variable of the environment, as a setting names it. */
export const variable = (name: string): string => `\${${name}}`;
