import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askModel, callsMcp, playedServer, resultsOf, variable, worldWith } from '../support/mcp.ts';
import type { Sandbox } from '../support/sanbot.ts';

const mcpFile = (world: Sandbox, servers: unknown) =>
  writeFileSync(join(world.cwd, '.mcp.json'), typeof servers === 'string' ? servers : JSON.stringify({ mcpServers: servers }));
const config = (world: Sandbox) => JSON.parse(world.read('config.json'));

describe('the servers of a project', () => {
  const stranger = () => {
    const world = worldWith({});
    const trace = join(dirname(world.cwd), 'trace');
    mcpFile(world, { desk: playedServer(`trace=${trace}`) });
    return { world, trace };
  };
  const calls = [callsMcp('mcp__desk__echo', { text: 'x' })];

  test('neither start nor count before its folder is trusted, and the list to agree to says what they run [S-16]', async () => {
    const { world, trace } = stranger();
    const { ran } = await askModel(world, []);
    expect(ran.err).toContain('.mcp.json is not used, since you have not trusted this folder');
    expect(existsSync(trace)).toBe(false);
    const added = await world.run(['trust', 'add', '--yes']);
    expect(added.out).toContain(`desk: ${process.execPath}`);
    const { api } = await askModel(world, calls);
    expect(resultsOf(api)).toEqual(['echo: x']);
  });

  test('that have changed need a new yes, and the rest of the folder stays trusted', async () => {
    const { world, trace } = stranger();
    writeFileSync(join(world.cwd, '.sanbot.json'), JSON.stringify({ agent: { maxSteps: 77 } }));
    await world.run(['trust', 'add', '--yes']);
    mcpFile(world, { desk: playedServer('version=2', `trace=${trace}`) });
    const { ran } = await askModel(world, []);
    expect(ran.err).toContain('its MCP servers have changed since you trusted this folder');
    expect(existsSync(trace)).toBe(false);
    expect((await world.run(['config', 'show', '--json'])).out).toContain('"value": 77');
    await world.run(['trust', 'add', '--yes']);
    expect(resultsOf((await askModel(world, calls)).api)).toEqual(['echo: x']);
  });

  test('that are wrong are told as the first five and how many more, and the others work', async () => {
    const world = worldWith({});
    const wrong = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`s${n}`, { command: n }]));
    mcpFile(world, { ...wrong, desk: playedServer() });
    const { ran, api } = await askModel(world, calls, ['--permission-mode', 'bypass', '--trust']);
    expect(ran.err.split('\n').filter((line) => line.includes('.mcp.json'))).toHaveLength(6);
    expect(ran.err).toContain('.mcp.json: 495 more of its servers are not used. Mend those above first.');
    expect(resultsOf(api)).toEqual(['echo: x']);
  });

  test('cannot take the name of one of yours', async () => {
    const world = worldWith({ desk: playedServer() });
    mcpFile(world, { desk: { command: 'false' } });
    const { ran, api } = await askModel(world, calls, ['--permission-mode', 'bypass', '--trust']);
    expect(ran.err).toContain('the MCP server desk is not used, since');
    expect(resultsOf(api)).toEqual(['echo: x']);
  });

  test('get no variable of SanBot itself, and no address that is not public', async () => {
    const endpoints = { spare: { baseUrl: 'http://127.0.0.1:9/v1', apiKeyEnv: 'HOME' } };
    const world = worldWith({}, { model: { endpoints } });
    mcpFile(world, {
      thief: { ...playedServer(), env: { KEY: variable('ANTHROPIC_API_KEY') } },
      spare: { ...playedServer(), env: { KEY: variable('HOME') } },
      near: { type: 'http', url: 'http://127.0.0.1:9/mcp' },
      named: { type: 'http', url: 'http://localhost:9/mcp' },
    });
    const wanted = ['thief', 'near', 'named', 'spare'].map((name) => callsMcp(`mcp__${name}__echo`, { text: 'x' }));
    const { api } = await askModel(world, wanted, ['--permission-mode', 'bypass', '--trust']);
    const [thief = '', near = '', named = '', spare = ''] = resultsOf(api);
    expect(spare).toContain('it needs HOME from the environment');
    expect(thief).toContain('it needs ANTHROPIC_API_KEY from the environment');
    expect(near).toContain('127.0.0.1 is not a public address');
    expect(named).toContain('localhost (');
  });

  test.each([
    ['{ "mcpServers": ', 'line 1: expected'],
    ['[]', 'expected an object of settings, found a list'],
    ['{"mcpServers": {"a": {}}}', '"a" is not used: expected either command'],
    ['{"mcpServers": {"a": {"type": "sse", "url": "https://example.com"}}}', 'servers of the type \\"sse\\" are not supported'],
    ['{"mcpServers": {"a": {"url": "ftp://example.com/mcp"}}}', '"a" is not used: url: expected an address that starts with http://'],
    ['{"mcpServers": {"a": {"command": 7}}}', '"a" is not used: command: expected text in double quotes'],
    ['{"mcpServers": {"a": {"command": "x", "args": "-y"}}}', '"a" is not used: args: expected a list'],
    ['{"mcpServers": {"a": {"command": "x", "env": ["A=1"]}}}', '"a" is not used: env: expected an object'],
    ['{"mcpServers": {"a": "npx x"}}', '"a" is not used: expected an object'],
    ['{"mcpServers": {"我": {"command": "x"}}}', 'is not the name of a server'],
    ['{"mcpServers": {"a b": {"command": "x"}, "a_b": {"command": "y"}}}', '"a_b" is not used: there is another server'],
  ])('that are wrong are told of in a line each and stop nothing: %s', async (text, line) => {
    const world = worldWith({});
    mcpFile(world, text);
    const { ran } = await askModel(world, [], ['--trust']);
    expect(ran).toMatchObject({ code: 0 });
    expect(JSON.stringify(ran.err)).toContain(JSON.stringify(line).slice(1, -1).replaceAll('\\\\\\"', '\\"'));
  });
});

test.each([
  [{ 'my server': { command: 'x' } }, 'expected a name of at most 30 letters'],
  [{ desk: { comand: 'x' } }, 'expected only command, args, env and cwd'],
  [{ desk: { command: 'x', url: 'https://example.com' } }, 'expected either command'],
])('wrong servers in your settings stop the start, with file and place', async (servers, why) => {
  const ran = await worldWith(servers).run(['-p', 'go']);
  expect(ran.code).toBe(2);
  expect(ran.err).toMatch(/config\.json:\d+:\d+/);
  expect(ran.err).toContain(why);
});

test.each(['ftp://example.com/mcp', 'file:///etc/passwd', 'example.com/mcp', 'https://', ''])(
  'an address of a server that nothing can be reached at stops the start: %j',
  async (url) => {
    const ran = await worldWith({ desk: { url } }).run(['-p', 'go']);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/config\.json:\d+:\d+/);
    expect(ran.err).toContain('mcpServers.desk.url');
    expect(ran.err).toContain('expected an address that starts with http:// or https://');
  },
);

describe('sanbot mcp', () => {
  test('adds, lists, tests and removes a server of yours', async () => {
    const world = worldWith({});
    const { command, args } = playedServer();
    expect(await world.run(['mcp', 'add', 'desk', '--env', 'A=b=c', '--', command, ...args])).toMatchObject({ code: 0 });
    expect(config(world).mcpServers).toEqual({ desk: { command, args, env: { A: 'b=c' } } });
    expect((await world.run(['mcp', 'add', 'desk', '--', 'x'])).err).toContain('There is an MCP server desk already');
    expect((await world.run(['mcp', 'list'])).out).toMatch(/^desk +.* you +– +not connected$/m);
    const tested = await world.run(['mcp', 'test', 'desk']);
    expect(tested.out).toContain('desk answers, and has 14 tools.\n  mcp__desk__echo: Says what it is told. Version 1.\n');
    expect(JSON.parse((await world.run(['mcp', '--json'])).out)).toMatchObject([{ name: 'desk', tools: 14, source: 'user' }]);
    expect(await world.run(['mcp', 'remove', 'desk'])).toMatchObject({ code: 0, out: 'Removed desk.\n' });
    expect(config(world).mcpServers).toEqual({});
    expect((await world.run(['mcp', 'remove', 'desk'])).code).toBe(3);
    expect((await world.run(['mcp'])).out).toContain('There are no MCP servers.');
  });

  test.each([
    [['add', 'a__b', '--', 'x'], 2, 'expected a name of at most 30 letters'],
    [['add', 'a'], 2, 'Give either a command after --, or --url with an address'],
    [['add', 'a', '--url', 'ftp://example.com/mcp'], 2, '--url: expected an address that starts with http:// or https://, found "ftp://'],
    [['add', 'a', '--url', 'https://example.com', '--header', 'nothing'], 2, '--header: expected NAME:VALUE'],
    [['test', 'dask'], 3, 'Did you mean desk?'],
  ])('refuses %j', async (args, code, why) => {
    const ran = await worldWith({ desk: playedServer() }).run(['mcp', ...args]);
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(why)]);
  });

  test('shows descriptions inert', async () => {
    const world = worldWith({});
    const server = join(world.cwd, 'server.mjs');
    writeFileSync(
      server,
      readFileSync(playedServer().args[0] ?? '', 'utf8').replace('Says what it is told.', 'Clears\\u001b[2J all\\n\\nof \\u202eit.'),
    );
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: { desk: { command: process.execPath, args: [server] } } }));
    const { out } = await world.run(['mcp', 'test', 'desk']);
    expect(out).toContain('mcp__desk__echo: Clears\\e[2J all of \\u{202e}it.');
  });
});
