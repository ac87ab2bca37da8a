import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countTokens } from '../../support/count-tokens.ts';
import { askModel, callsMcp, modelOf, playedServer, resultsOf, worldWith } from '../../support/mcp.ts';
import { png } from '../../support/pictures.ts';
import { callsTool, replies, type Step } from '../../support/scenario.ts';

const NAME = 'mcp__desk__create_invoice_0';
const ID = { id: 'i-7' };
const DID = `did create_invoice_0 with ${JSON.stringify(ID)}`;

describe('a server of a thousand tools', () => {
  test('costs less than 600 tokens', async () => {
    const { api } = await askModel(worldWith({ desk: playedServer('tools=1000') }), []);
    const [first] = api.requests;
    const tools = (first?.request.tools ?? []).filter(({ name }) => ['tool_search', 'call_tool'].includes(name));
    const notices = (first?.request.messages ?? []).flatMap(({ content }) =>
      content.filter((block) => block.type === 'text' && String(block.text).includes('MCP servers')),
    );
    expect([tools.length, notices.length]).toEqual([2, 1]);
    const tokens = countTokens(JSON.stringify([tools, notices]));
    console.info(`a thousand tools: ${tokens} tokens`);
    expect(tokens).toBeLessThan(600);
  });

  test('is found and called before and after a compaction, a resume and a rollback, on the same frozen list', async () => {
    const world = worldWith(
      { desk: playedServer('tools=1000') },
      { compaction: { minMessagesBeforeCompact: 1, keepRecentMessages: 1, keepRecentTokens: 100, useLLMSummary: false } },
    );
    const say = async (...calls: readonly ReturnType<typeof callsTool>[]) => {
      const { api, env } = await modelOf(world, [...calls, replies('done')]);
      const [id] = world.names('sessions');
      const ran = await world.run(['-p', 'go', '--permission-mode', 'bypass', ...(id === undefined ? [] : ['--resume', id])], { env });
      expect(ran.code).toBe(0);
      return api;
    };
    const first = await say(callsTool('tool_search', { words: 'create an invoice' }), callsMcp(NAME, ID));
    const [found = '', did = ''] = resultsOf(first);
    expect(found).toContain('of 1000 tools match');
    expect(found).toContain(`${NAME}: create one invoice`);
    expect(did).toBe(DID);
    const list = JSON.stringify(first.requests[0]?.request.tools);
    await say(callsMcp(NAME, ID));
    const [id = ''] = world.names('sessions');
    const { env } = await modelOf(world, []);
    expect((await world.run(['compact', '--session', id], { env })).out).toContain('Compacted');
    const compacted = await say(callsMcp(NAME, {}), callsMcp(NAME, ID));
    expect(resultsOf(compacted).slice(-2)).toEqual([expect.stringContaining('"id" is missing. It takes {"type":"object"'), DID]);
    expect(JSON.stringify(compacted.requests[0]?.request)).toContain('The MCP servers here are: desk.');
    expect(await world.run(['rollback', '--session', id, '--last', '--yes'], { env })).toMatchObject({ code: 0 });
    const rolledBack = await say(callsMcp(NAME, ID));
    expect(resultsOf(rolledBack).at(-1)).toBe(DID);
    for (const api of [compacted, rolledBack]) for (const { request } of api.requests) expect(JSON.stringify(request.tools)).toBe(list);
  });

  test('has nothing of it changed in the list when the server is gone', async () => {
    const there = await askModel(worldWith({ desk: playedServer('tools=1000') }), []);
    const gone = await askModel(worldWith({ desk: playedServer('refuses') }), []);
    expect(gone.api.requests[0]?.request.tools).toEqual(there.api.requests[0]?.request.tools);
  });
});

test('a server that comes, goes and comes back changes nothing of what was sent before, and each time the model is told', async () => {
  const desk = playedServer();
  const world = worldWith({ desk });
  const say = async (servers: object, ...args: readonly string[]) => {
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: servers }), { mode: 0o600 });
    const { api, env } = await modelOf(world, [
      callsTool('tool_search', { words: 'told' }),
      callsMcp('mcp__desk__echo', { text: 'x' }),
      replies('ok'),
    ]);
    expect(await world.run(['-p', 'go', '--permission-mode', 'bypass', ...args], { env })).toMatchObject({ code: 0 });
    return { body: api.requests.at(-1)?.body ?? {}, results: resultsOf(api).slice(-2) };
  };
  const turns = [await say({ desk })];
  for (const servers of [{ desk, spare: desk }, { spare: desk }, {}, { desk }]) turns.push(await say(servers, '--continue'));
  const plain = (value: unknown): string => JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));
  for (const [at, { body }] of turns.entries()) {
    const before = turns[at - 1]?.body ?? body;
    expect(plain([body.tools, body.system])).toBe(plain([before.tools, before.system]));
    expect(plain(body.messages).startsWith(plain(before.messages).slice(0, -1))).toBe(true);
  }
  const told = [...plain(turns.at(-1)?.body.messages).matchAll(/The MCP servers here are: [^"]*|There are no MCP servers any more\./g)];
  expect(told.map(([text]) => text)).toEqual([
    'The MCP servers here are: desk.',
    'The MCP servers here are: desk, spare.',
    'The MCP servers here are: spare.',
    'There are no MCP servers any more.',
    'The MCP servers here are: desk.',
  ]);
  expect(turns.map(({ results }) => results.at(-1))).toEqual([
    ...['echo: x', 'echo: x'],
    'mcp__desk__echo: there is no such MCP server. There are spare.',
    expect.stringContaining('mcp__desk__echo: '),
    'echo: x',
  ]);
  expect(turns[3]?.results.join(' ')).not.toContain('echo: x');
});

test('a picture that a server gave goes to a file under pressure, and is seen again after a compaction', async () => {
  const world = worldWith(
    { desk: playedServer() },
    { compaction: { minMessagesBeforeCompact: 1, keepRecentMessages: 1, keepRecentTokens: 100, useLLMSummary: false } },
  );
  const data = png(1_400, 1_400).toString('base64');
  const shown = (request: unknown): boolean => JSON.stringify(request).includes(data);
  const say = async (steps: readonly Step[], ...args: readonly string[]) => {
    const { api, env } = await modelOf(world, [...steps, replies('done')]);
    const ran = await world.run(['-p', 'go', '--permission-mode', 'bypass', '--model', 'claude-sonnet-5-5', ...args], {
      env: { ...env, SANBOT_CONTEXT_WINDOW: '24000' },
    });
    expect(ran.code, ran.err).toBe(0);
    return { api, env };
  };
  const painting = callsMcp('mcp__desk__painting', { side: 1_400 });
  const others = Array.from({ length: 5 }, (_, n) => callsMcp('mcp__desk__painting', { side: 1_401 + n }));
  const first = await say([painting, ...others]);
  expect(shown(first.api.requests[1]?.body)).toBe(true);
  const last = JSON.stringify(first.api.requests.at(-1)?.body);
  expect(shown(last)).toBe(false);
  const [, path = ''] = /Not shown any more, it is at: (\S+?\.png)/.exec(last) ?? [];
  expect(readFileSync(path).toString('base64')).toBe(data);
  const [id = ''] = world.names('sessions');
  expect((await world.run(['compact', '--session', id], { env: first.env })).out).toContain('Compacted');
  const again = await say([callsTool('read_file', { path })], '--continue');
  const [before, after] = again.api.requests;
  expect(JSON.stringify(before?.body)).toContain('[Compressed History]');
  expect(JSON.stringify(before?.body)).toContain('PNG image, 1400 × 1400 pixels');
  expect([shown(before?.body), shown(after?.body)]).toEqual([false, true]);
  chmodSync(join(world.home, 'config.json'), 0o600);
  const checked = await world.run(['doctor', '--no-endpoint']);
  expect(checked.code, checked.out).toBe(0);
});

test('tools of alwaysLoad stand in the list once they are known, bounded, and are called by themselves', async () => {
  const world = worldWith({ desk: { ...playedServer(), alwaysLoad: ['echo'] } });
  const first = await askModel(world, []);
  expect(first.ran.err).toContain('are not known yet, so alwaysLoad takes effect in the next session');
  expect((await world.run(['mcp', 'test', 'desk'])).code).toBe(0);
  const second = await askModel(world, [callsTool('mcp__desk__echo', { text: 'x' })]);
  const list = second.api.requests[0]?.request.tools ?? [];
  expect(list.slice(-3).map(({ name }) => name)).toEqual(['tool_search', 'call_tool', 'mcp__desk__echo']);
  expect(list.at(-1)).toMatchObject({ description: 'Says what it is told. Version 1.', inputSchema: { required: ['text'] } });
  expect(resultsOf(second.api)).toEqual(['echo: x']);
});
