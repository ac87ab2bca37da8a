import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askModel, callsMcp, modelOf, playedScript, playedServer, resultsOf, worldWith } from '../../support/mcp.ts';
import { replies, type Step } from '../../support/scenario.ts';
import { textComes } from '../../support/until.ts';

const echo = callsMcp('mcp__desk__echo', { text: 'x' });

/** A conversation at a pseudo terminal, its prompt ready. */
async function talk(world: ReturnType<typeof worldWith>, steps: readonly Step[]) {
  const { api, env } = await modelOf(world, steps);
  const terminal = await world.runAtTerminal(['--permission-mode', 'bypass'], { env });
  await terminal.waitFor('> ');
  return { api, terminal };
}

describe('at a terminal', () => {
  test('/mcp shows the servers, and one that is dead with why', async () => {
    const world = worldWith({ desk: playedServer(), away: playedServer('refuses') });
    const { terminal } = await talk(world, [echo, replies('done')]);
    terminal.send('go\r');
    await terminal.waitForScreen((rows) => ['done', 'The MCP server away does not answer'].every((text) => rows.join('\n').includes(text)));
    terminal.send('/mcp\r');
    const rows = await terminal.waitForScreen(/^away does not answer: it ended with exit code 3: no licence found/m);
    const shown = rows.join('\n');
    expect(shown).toMatch(/ you +14 +connected/);
    expect(shown).toMatch(/ you +0 +does not answer/);
    terminal.send('/quit\r');
    await terminal.exit;
  });

  test('/mcp connects the servers before anything was said', async () => {
    const { terminal } = await talk(worldWith({ desk: playedServer() }), []);
    terminal.send('/mcp\r');
    await terminal.waitForScreen((rows) => / you +– +connecting/.test(rows.join('\n')));
    terminal.send('/quit\r');
    await terminal.exit;
  });

  test('a call is asked about by its own name and input, and a lasting yes is a rule about that tool', async () => {
    const world = worldWith({ desk: playedServer() });
    const { api, env } = await modelOf(world, [echo, callsMcp('mcp__desk__echo', { text: 'y' }), replies('done')]);
    const terminal = await world.runAtTerminal([], { env });
    await terminal.waitFor('> ');
    terminal.send('go\r');
    const asked = await terminal.waitFor('Run it?');
    expect(asked.replaceAll(/\s+/g, ' ')).toContain('● desk: echo The server says of it: Says what it is told. Version 1. { "text": "x" }');
    expect(asked).not.toContain('call_tool');
    await terminal.waitFor('kept for later');
    terminal.send('a');
    await terminal.waitForScreen(/2 Always.*: this tool, with any arguments/);
    terminal.send('2');
    await terminal.waitFor('done');
    expect(resultsOf(api)).toEqual(['echo: x', 'echo: y']);
    const { permissions } = JSON.parse(world.read('config.json'));
    expect(permissions.allow).toEqual([expect.objectContaining({ tool: 'mcp__desk__echo' })]);
    terminal.send('/quit\r');
    await terminal.exit;
  });

  test('/mcp approve shows what a server changed, inert, and only a yes lets it be called again', async () => {
    const world = worldWith({});
    const server = join(world.cwd, 'desk.mjs');
    const script = readFileSync(playedScript, 'utf8');
    writeFileSync(server, script);
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: { desk: { command: process.execPath, args: [server] } } }));
    await askModel(world, [echo]);
    writeFileSync(server, script.replace('Says what it is told.', 'Obeys\\u001b[2J \\u202eme.'));
    const { api, terminal } = await talk(world, [echo, replies('not yet'), echo, replies('done')]);
    terminal.send('go\r');
    await terminal.waitFor('not yet');
    expect(resultsOf(api)[0]).toContain('cannot be used until the user agrees');
    terminal.send('/mcp approve desk\r');
    await terminal.waitFor('kept for later');
    await terminal.waitForScreen((rows) => /said: Says what it is told[\s\S]*says: Obeys\\e\[2J \\u\{202e\}me/.test(rows.join('\n')));
    terminal.send('n');
    await terminal.waitFor('Nothing is changed.');
    terminal.send('/mcp approve desk\r');
    await terminal.waitFor('kept for later');
    terminal.send('y');
    await terminal.waitFor('The tools of desk are used as they are now.');
    terminal.send('again\r');
    await terminal.waitFor('done');
    expect(resultsOf(api).at(-1)).toBe('echo: x');
    terminal.send('/quit\r');
    await terminal.exit;
  });

  test('/mcp approve before anything was said asks the server first, and says when it does not answer', async () => {
    const world = worldWith({});
    const script = join(world.cwd, 'desk.mjs');
    const desk = { command: process.execPath, args: [script] };
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: { desk, away: playedServer('refuses') } }));
    const version = (number: number) =>
      writeFileSync(script, `process.argv.push('version=${number}'); await import(${JSON.stringify(playedScript)});`);
    version(1);
    await world.run(['mcp', 'test', 'desk']);
    version(2);
    const { terminal } = await talk(world, []);
    terminal.send('/mcp approve desk\r');
    await terminal.waitFor('May its tools be used as they are now?');
    terminal.send('y');
    await terminal.waitFor('The tools of desk are used as they are now.');
    terminal.send('/mcp approve away\r');
    await terminal.waitFor('The MCP server away does not answer: it ended with exit code 3');
    terminal.send('/quit\r');
    await terminal.exit;
  });

  test('the progress of a call stands in the live line, and Esc tells the server to stop', async () => {
    const world = worldWith({});
    const trace = join(world.cwd, 'trace');
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: { desk: playedServer(`trace=${trace}`) } }));
    const { terminal } = await talk(world, [callsMcp('mcp__desk__climbs')]);
    terminal.send('go\r');
    await terminal.waitForScreen('desk: climbs: 2 of 3, working');
    terminal.send('\x1b');
    await terminal.waitFor('interrupted');
    await textComes(trace, '"notifications/cancelled"');
    terminal.send('/quit\r');
    await terminal.exit;
  });
});
