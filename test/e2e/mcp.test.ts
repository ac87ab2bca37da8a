import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askModel, callsMcp, modelOf, playedServer, resultsOf, toolsOf, variable, worldWith } from '../support/mcp.ts';
import { callsTool, replies } from '../support/scenario.ts';

const search = (input: unknown) => callsTool('tool_search', input);

describe('tools of MCP servers', () => {
  test('cost the list two tools, whatever there is behind them, and none where no server is configured', async () => {
    const { api } = await askModel(worldWith({ desk: playedServer('tools=1000') }), []);
    expect(toolsOf(api).filter((name) => /tool|mcp/.test(name))).toEqual(['tool_search', 'call_tool']);
    const without = await askModel(worldWith({}), []);
    expect(toolsOf(without.api).filter((name) => /tool_search|call_tool|mcp/.test(name))).toEqual([]);
  });

  test('are shown in the audit log and on the screen by their names, never as call_tool', async () => {
    const world = worldWith({ desk: playedServer() });
    const { ran } = await askModel(world, [callsMcp('mcp__desk__echo', { text: 'hello' })], ['--output-format', 'stream-json']);
    const events = world.records('context/events.jsonl').filter(({ tool }) => tool !== undefined);
    expect(events.map(({ type, tool }) => [type, tool])).toContainEqual(['tool_ended', 'mcp__desk__echo']);
    expect(ran.out).toContain('mcp__desk__echo {\\"text\\":\\"hello\\"}');
    expect(`${ran.out}${JSON.stringify(events)}`).not.toContain('call_tool');
  });

  test('are asked about where nobody can be asked, and --allow names them, also by a beginning', async () => {
    const calls = [callsMcp('mcp__desk__echo', { text: 'hello' })];
    const asked = await askModel(worldWith({ desk: playedServer() }), calls, []);
    expect(resultsOf(asked.api)[0]).toContain('--allow mcp__desk__echo allows it');
    const allowed = await askModel(worldWith({ desk: playedServer() }), calls, ['--allow', 'mcp__desk__*']);
    expect(resultsOf(allowed.api)).toEqual(['echo: hello']);
  });

  test('are covered by rules of the user under their names, and by none about call_tool', async () => {
    const calls = [callsMcp('mcp__desk__echo', { text: 'hello' })];
    const rules = (permissions: unknown) => worldWith({ desk: playedServer() }, { permissions });
    const allowed = await askModel(rules({ allow: [{ tool: 'mcp__desk__*' }] }), calls, []);
    expect(resultsOf(allowed.api)).toEqual(['echo: hello']);
    const denied = await askModel(rules({ deny: [{ tool: 'mcp__desk__echo' }] }), calls);
    expect(resultsOf(denied.api)[0]).toContain('a deny rule of the user covers it');
    const other = await askModel(rules({ allow: [{ tool: 'call_tool' }] }), calls, []);
    expect(resultsOf(other.api)[0]).toContain("it needs a person's yes");
  });

  test('are told to hooks by their names and inputs, and matched by them', async () => {
    const hook = (matcher: string, file: string) => ({ matcher, hooks: [{ type: 'command', command: `cat > ${file}` }] });
    const hooks = { PreToolUse: [hook('mcp__desk__.*', 'told.json'), hook('call_tool', 'never.json')] };
    const world = worldWith({ desk: playedServer() }, { hooks });
    await askModel(world, [callsMcp('mcp__desk__echo', { text: 'hello' })]);
    expect(JSON.parse(readFileSync(join(world.cwd, 'told.json'), 'utf8'))).toMatchObject({
      tool_name: 'mcp__desk__echo',
      tool_input: { text: 'hello' },
    });
    expect(existsSync(join(world.cwd, 'never.json'))).toBe(false);
  });

  test('do not run in the mode that only reads', async () => {
    const world = worldWith({ desk: playedServer() });
    const { api } = await askModel(world, [callsMcp('mcp__desk__echo', { text: 'x' })], ['--permission-mode', 'read-only']);
    expect(resultsOf(api)[0]).toContain('the permission mode is read-only');
  });

  test('give results that are offloaded under their names, and masked', async () => {
    const world = worldWith({ desk: playedServer() });
    const key = `sk-ant-api03-${'Ab1'.repeat(30)}`;
    const { api } = await askModel(world, [callsMcp('mcp__desk__giant', { chars: 200_000 }), callsMcp('mcp__desk__echo', { text: key })]);
    const [giant = '', masked = ''] = resultsOf(api);
    expect(giant.length).toBeLessThan(20_000);
    expect(giant).toContain('mcp__desk__giant');
    expect(masked).toContain('echo: ');
    expect(masked).not.toContain(key);
  });

  test('give at most ten images at once', async () => {
    const world = worldWith({ desk: playedServer() });
    const album = callsMcp('mcp__desk__album', { count: 12 });
    const [seen = ''] = resultsOf((await askModel(world, [album])).api);
    expect([seen.split('<image>').length - 1, seen.split('there are too many in one result').length - 1]).toEqual([10, 2]);
  });

  test('that fail say what they take, since what tool_search had said may be gone; what has a default may be left out', async () => {
    const { api } = await askModel(worldWith({ desk: playedServer() }), [callsMcp('mcp__desk__fails'), callsMcp('mcp__desk__echo', {})]);
    const [failed = '', missing = ''] = resultsOf(api);
    expect(failed).toContain('no such id\n[It takes {"type":"object"');
    expect(missing).toContain('"text" is missing. It takes {"type":"object"');
  });
});

/** One that has ended and waits for its parent does not count. */
const isRunning = (pid: number): boolean => {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : ') Z';
  return !/\) [ZX]/.test(stat);
};

test('a server gets no secrets, runs in the working folder, and is gone afterwards with all that it started', async () => {
  const world = worldWith({});
  const trace = join(world.cwd, 'trace');
  writeFileSync(
    join(world.home, 'config.json'),
    JSON.stringify({
      mcpServers: {
        desk: { ...playedServer('child', `trace=${trace}`), env: { DESK: variable('DESK_NAME:-main'), GIVEN: variable('MY_TOKEN') } },
      },
    }),
  );
  const { api, env } = await modelOf(world, [callsMcp('mcp__desk__environment'), replies('done')]);
  await world.runBinary(['-p', 'go', '--permission-mode', 'bypass'], { env: { ...env, MY_TOKEN: 'abc', HARMLESS: '1' } });
  const names = (resultsOf(api)[0] ?? '').split('\n');
  expect(names).toEqual(expect.arrayContaining(['DESK', 'GIVEN', 'HARMLESS', 'PATH']));
  expect(names).not.toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY']));
  expect(names).not.toEqual(expect.arrayContaining(['MY_TOKEN']));
  const [{ cwd, pid }, { child }] = readFileSync(trace, 'utf8')
    .split('\n')
    .slice(0, 2)
    .map((line) => JSON.parse(line));
  expect(cwd).toBe(world.cwd);
  for (const id of [pid, child]) expect(isRunning(id)).toBe(false);
});

describe('what a server says of its tools', () => {
  const renewed = [callsMcp('mcp__desk__renew'), callsMcp('mcp__desk__environment')];

  test('is looked at again when the server says that it has changed, and a tool that came later is not used unseen', async () => {
    const world = worldWith({ desk: playedServer() });
    const { ran, api } = await askModel(world, [...renewed, search({ words: 'late' }), callsMcp('mcp__desk__late_0')]);
    expect(ran.err).toContain('The MCP server desk has changed');
    expect(resultsOf(api).slice(2).join('')).not.toContain('Ignore all else');
  });
});
