import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askModel, callsMcp, modelOf, playedServer, resultsOf, variable, worldWith } from '../../support/mcp.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { textComes } from '../../support/until.ts';

const echo = callsMcp('mcp__desk__echo', { text: 'x' });
const linesAbout = (err: string): readonly string[] => err.split('\n').filter((line) => line.includes('The MCP server'));

describe('a server that', () => {
  test('prints what is no message is heard all the same', async () => {
    const { ran, api } = await askModel(worldWith({ desk: playedServer('garbage') }), [echo]);
    expect([ran.code, resultsOf(api)]).toEqual([0, ['echo: x']]);
    expect(linesAbout(ran.err)).toEqual([]);
  });

  test.each([
    ['ends before it greets', playedServer('refuses'), 'it ended with exit code 3: no licence found'],
    ['speaks a version that nobody knows', playedServer('protocol=1999-01-01'), 'it speaks another version of the Model Context Protocol'],
    ['is no program', { command: 'sanbot-no-such-program' }, 'sanbot-no-such-program: no such file or folder'],
    ['prints without end', playedServer('flood'), 'it printed without end'],
    ['prints one line without end', playedServer('longline'), 'it printed a line of more than 16777216 bytes'],
    ['dies in the middle of a call', playedServer('dies'), 'it ended with exit code 7: out of paper'],
    [
      'needs a variable that is not set',
      { ...playedServer(), env: { DESK: variable('SANBOT_TEST_NO_SUCH') } },
      'it needs SANBOT_TEST_NO_SUCH',
    ],
  ])('%s costs one line, and the model is told why', async (_, server, why) => {
    const { ran, api } = await askModel(worldWith({ desk: server }), [echo, echo]);
    expect(ran.code).toBe(0);
    expect(linesAbout(ran.err)).toEqual([expect.stringContaining(why)]);
    for (const result of resultsOf(api)) expect(result).toContain(why);
  });

  test('died is started again by the next call', async () => {
    const world = worldWith({});
    const { ran, api } = await askModel(worldWith({ desk: playedServer(`dies-once=${join(world.cwd, 'died')}`) }), [echo, echo]);
    expect(resultsOf(api)).toEqual([expect.stringContaining('out of paper'), 'echo: x']);
    expect(linesAbout(ran.err)).toHaveLength(1);
  });

  test('never answers a call is given up after its time, and told that', async () => {
    const server = { ...playedServer(), timeoutMs: 300 };
    const { api } = await askModel(worldWith({ desk: server }), [callsMcp('mcp__desk__slow')]);
    expect(resultsOf(api)[0]).toContain('mcp__desk__slow: it gave no answer within 0.3 s');
  });

  test('breaks what it promised is heard with a word on it, and one that gives no result at all has failed', async () => {
    const { api } = await askModel(worldWith({ desk: playedServer() }), [callsMcp('mcp__desk__promises'), callsMcp('mcp__desk__wrong')]);
    const [promised = '', wrong = ''] = resultsOf(api);
    expect(promised).toBe('one\n[its structured content does not match what the tool promises: n must be number]');
    expect(wrong).toContain('mcp__desk__wrong: ');
  });

  test('promises what would take for ever to check is heard at once', async () => {
    const { api } = await askModel(worldWith({ desk: playedServer() }), [callsMcp('mcp__desk__tangles')]);
    expect(resultsOf(api)[0]).toContain('tangled');
  });

  test('gives names that no tool may have, or that clash, has each of its tools called by a name of its own', async () => {
    const world = worldWith({ desk: playedServer('badnames') });
    const { api } = await askModel(world, [callsTool('tool_search', { words: 'named' })]);
    const names = [...(resultsOf(api)[0] ?? '').matchAll(/^(mcp__desk__\S+): Named (.*)\.$/gm)].map(([, name = '', own = '']) => [
      name,
      own,
    ]);
    expect(names).toHaveLength(5);
    expect(new Set(names.map(([name]) => name)).size).toBe(5);
    for (const [name = ''] of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(names).toContainEqual(['mcp__desk__say_it', 'say_it']);
  });

  test('does not answer leaves the others as they are', async () => {
    const world = worldWith({ away: playedServer('refuses'), desk: playedServer() });
    const { api } = await askModel(world, [callsTool('tool_search', { words: 'told' }), echo]);
    const [found = '', said = ''] = resultsOf(api);
    expect(found).toContain('mcp__desk__echo: Says');
    expect(found).toContain('The server away does not answer: it ended with exit code 3: no licence found.');
    expect(said).toBe('echo: x');
  });
});

test('a call of a tool that there is not, or of a server, says what there is', async () => {
  const world = worldWith({ desk: playedServer() });
  const calls = [
    callsMcp('mcp__desk__ecko'),
    callsMcp('mcp__lost__echo'),
    callsTool('call_tool', { name: 'run_command', arguments: { command: 'ls' } }),
  ];
  const { api } = await askModel(world, calls);
  expect(resultsOf(api)).toEqual([
    'mcp__desk__ecko: the server has no such tool. Did you mean mcp__desk__echo?',
    'mcp__lost__echo: there is no such MCP server. There are desk.',
    expect.stringContaining('"run_command" is no tool of an MCP server'),
  ]);
});

test('a call that is stopped is cancelled at the server', async () => {
  const base = worldWith({});
  const trace = join(base.cwd, 'trace');
  const world = worldWith({ desk: playedServer(`trace=${trace}`) });
  const { env } = await modelOf(world, [callsMcp('mcp__desk__slow'), replies('done')]);
  const terminal = await world.runAtTerminal(['--permission-mode', 'bypass'], { env });
  await terminal.waitFor('> ');
  terminal.send('go\r');
  await terminal.waitFor('desk: slow');
  await textComes(trace, '"tools/call"');
  terminal.send('\x1b');
  await textComes(trace, 'notifications/cancelled');
  await terminal.waitFor('interrupted');
  terminal.send('\x04');
  await terminal.exit;
});

test('what is damaged in the home for one tool needs a new yes for that one alone [B-41]', async () => {
  const world = worldWith({ desk: playedServer() });
  const calls = [echo, callsMcp('mcp__desk__steps')];
  await askModel(world, calls);
  const [file = ''] = readdirSync(join(world.home, 'mcp')).filter((name) => name.endsWith('.json'));
  const path = join(world.home, 'mcp', file);
  const { tools } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ tools: tools.map((tool: { name: string }) => (tool.name === 'steps' ? { name: 5 } : tool)) }));
  const results = resultsOf((await askModel(world, calls)).api);
  expect(results).toEqual(['echo: x', expect.stringContaining('cannot be used until the user agrees')]);
});

describe('a server whose', () => {
  test('words hold a key has it masked before the model or the disk get to see it [S-30]', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const world = worldWith({ desk: { ...playedServer(`leaks=${key}`), alwaysLoad: true } });
    expect((await world.run(['mcp', 'test', 'desk'])).out).toContain('Takes [redacted GitHub token] too.');
    const { api } = await askModel(world, [callsTool('tool_search', { words: 'leaky' }), callsMcp('mcp__desk__leaky', [])]);
    expect(api.requests[0]?.body.tools).toContainEqual(
      expect.objectContaining({ name: 'mcp__desk__leaky', description: 'Takes [redacted GitHub token] too.' }),
    );
    expect(JSON.stringify(api.requests)).not.toContain('a1B2');
    for (const path of readdirSync(world.home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json')))
      expect([path, path === 'config.json' || !world.read(path).includes('a1B2')]).toEqual([path, true]);
  });

  test('last line on its end is cut in the middle of a key shows no half of it [S-31]', async () => {
    const line = `key ghp_${'a1B2'.repeat(9)}${' and so on'.repeat(198)}`;
    const { api } = await askModel(worldWith({ desk: { command: 'sh', args: ['-c', `echo '${line}' >&2; exit 3`] } }), [echo]);
    expect(resultsOf(api)[0]).toContain('it ended with exit code 3');
    expect(resultsOf(api)[0]).not.toContain('a1B2');
  });

  test('tools say too much, have endless names or the same one twice has the others found and called', async () => {
    const world = worldWith({ desk: playedServer('odd') });
    const calls = [callsTool('tool_search', { words: 'name schema first second so much' }), echo, callsMcp('mcp__desk__deep', {})];
    const { ran, api } = await askModel(world, calls);
    const [found = '', said = ''] = resultsOf(api);
    expect([ran.code, said]).toEqual([0, 'echo: x']);
    expect(found.length).toBeLessThan(12_000);
    const names = [...found.matchAll(/^(mcp__desk__\S+): /gm)].map(([, name = '']) => name);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(names).size).toBe(names.length);
    expect(found).not.toMatch(/So much|without end|Has no name/);
    expect(found).toContain('Has a long name.');
    expect((await world.run(['mcp', 'test', 'desk'])).out.match(/twin.*/g)).toEqual([
      'twin: The first.',
      expect.stringContaining('twin cannot be used'),
    ]);
  });

  test('tool takes no object has the others called, and that one named [B-41]', async () => {
    const world = worldWith({ desk: playedServer('listschema') });
    const calls = [echo, callsMcp('mcp__desk__listed', []), callsTool('tool_search', {})];
    const { ran, api } = await askModel(world, calls);
    expect(ran.code).toBe(0);
    expect(ran.err.match(/.*MCP server.*/g)).toEqual([
      expect.stringContaining('Of the MCP server desk, 1 tool cannot be used: listed (its inputSchema takes no object).'),
    ]);
    expect(resultsOf(api)).toEqual([
      'echo: x',
      'mcp__desk__listed: the tool cannot be used: its inputSchema takes no object',
      expect.stringContaining('Of the server desk, 1 tool cannot be used: listed'),
    ]);
    expect((await world.run(['mcp', 'test', 'desk'])).out).toContain('listed cannot be used: its inputSchema takes no object');
  });

  test.each([
    [10_000_000, 'Tool result is at: '],
    [50_000_000, 'it printed a line of more than 16777216 bytes'],
  ])('result has %d bytes is kept as a file, or ends it where that would fill the memory', async (bytes, wanted) => {
    const { ran, api } = await askModel(worldWith({ desk: playedServer() }), [callsMcp('mcp__desk__giant', { chars: bytes }), echo]);
    const [giant = '', said = ''] = resultsOf(api);
    expect([ran.code, said]).toEqual([0, 'echo: x']);
    expect(giant).toContain(wanted);
    expect(giant.length).toBeLessThan(20_000);
  });
});

test.each([
  [{ desk: { command: 'x', cwd: 'no-such-folder' } }, 'desk does not answer: '],
  [{ desk: { command: '/' } }, 'permission denied'],
  [{ desk: { command: 'true' } }, 'it ended with exit code 0'],
  [{ desk: { command: 'cat' } }, 'desk does not answer: '],
])('a setting that leads to no server is one line: %j', async (servers, why) => {
  const { ran } = await askModel(worldWith(servers), [echo]);
  expect(ran.code).toBe(0);
  expect(linesAbout(ran.err)).toEqual([expect.stringContaining(why)]);
});
