import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askModel, callsMcp, modelOf, playedScript, playedServer, resultsOf, variable, worldWith } from '../../support/mcp.ts';
import { callsTool, replies } from '../../support/scenario.ts';

const search = (input: unknown) => callsTool('tool_search', input);

describe('tools of MCP servers', () => {
  test('are found by words, and called through call_tool by their own names', async () => {
    const world = worldWith({ desk: playedServer() });
    const { ran, api } = await askModel(world, [search({ words: 'say told' }), callsMcp('mcp__desk__echo', { text: 'hello' })]);
    expect(ran).toMatchObject({ code: 0 });
    const [found = '', said = ''] = resultsOf(api);
    expect(found).toContain('mcp__desk__echo: Says what it is told. Version 1.');
    expect(found).toContain('"required":["text"]');
    expect(said).toBe('echo: hello');
  });

  test('give blocks of every kind: texts as they are, images behind them, a line for each of the others', async () => {
    const { api } = await askModel(worldWith({ desk: playedServer() }), [callsMcp('mcp__desk__mixed')]);
    const [mixed = ''] = resultsOf(api);
    expect(mixed.split('<image>')).toHaveLength(2);
    for (const part of [
      'first',
      '[image 1: PNG image, 1 × 1 pixels, 70 bytes, below]',
      '[image not kept: it is a PNG image that is damaged or cut off',
      '[audio, audio/wav',
      '[resource seven: desk://7, text/plain, the seventh]',
      'the eighth',
      'desk://9',
    ])
      expect(mixed).toContain(part);
  });

  test('are called again and again without an end only until the loop detector names them', async () => {
    const world = worldWith({ desk: playedServer() });
    const { env } = await modelOf(world, () => callsMcp('mcp__desk__echo', { text: 'x' }));
    const ran = await world.run(['-p', 'go', '--permission-mode', 'bypass'], { env });
    expect(ran).toMatchObject({ code: 11 });
    expect(ran.err).toContain('desk: echo');
    expect(ran.err).not.toContain('call_tool');
  });
});

describe('what a server says of its tools', () => {
  test('counts again only when the user has agreed to what changed; until then it is neither told nor called', async () => {
    const world = worldWith({ desk: playedServer('version=1') });
    await askModel(world, [callsMcp('mcp__desk__echo', { text: 'x' })]);
    // The same program, with other words.
    const entry = join(world.home, 'config.json');
    const server = join(world.cwd, 'desk.mjs');
    writeFileSync(
      server,
      `process.argv.push(...(process.env.DESK_PARTS ?? '').split(' ')); await import(${JSON.stringify(playedScript)});`,
    );
    writeFileSync(
      entry,
      JSON.stringify({ mcpServers: { desk: { command: process.execPath, args: [server], env: { DESK_PARTS: variable('DESK_PARTS') } } } }),
    );
    const at = (version: number) => ({ DESK_PARTS: `version=${version}` });
    const ask = async (version: number) => {
      const { api, env } = await modelOf(world, [search({ words: 'echo' }), callsMcp('mcp__desk__echo', { text: 'x' }), replies('done')]);
      const ran = await world.run(['-p', 'go', '--permission-mode', 'bypass'], { env: { ...env, ...at(version) } });
      return { ran, results: resultsOf(api) };
    };
    expect((await ask(1)).results[1]).toBe('echo: x');
    const changed = await ask(2);
    expect(changed.ran.err).toContain('The MCP server desk has changed what it says of 1 tool');
    expect(changed.results[1]).toContain('cannot be used until the user agrees');
    expect(changed.results.join('')).not.toContain('Version 2');
    const shown = await world.run(['mcp', 'test', 'desk'], { env: at(2) });
    expect(shown.out).toContain('said: Says what it is told. Version 1.');
    expect((await world.run(['mcp', 'approve', 'desk'], { env: at(2) })).code).toBe(9);
    expect(await world.run(['mcp', 'approve', 'desk', '--yes'], { env: at(2) })).toMatchObject({ code: 0 });
    expect((await ask(2)).results[1]).toBe('echo: x');
  });
});
