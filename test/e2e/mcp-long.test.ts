import { describe, expect, test } from 'vitest';
import { countTokens } from '../support/count-tokens.ts';
import { askModel, callsMcp, modelOf, playedServer, resultsOf, worldWith } from '../support/mcp.ts';
import { callsTool, replies } from '../support/scenario.ts';

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
