import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withHelpers } from '../../support/helpers.ts';
import { callsMcp, modelOf, playedServer, resultsOf, worldWith } from '../../support/mcp.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { talk } from '../../support/talk.ts';

const FILES = ['server.txt', 'hook.txt', 'job.txt', 'helper.txt', 'edited.txt'];
const BYPASS = ['--permission-mode', 'bypass'];

describe('what is changed by others than the commands of the model', () => {
  test('is told with who did it, and comes back: an MCP server, a hook, a command in the background, a helper', async () => {
    const hook = (command: string, more: object = {}) => ({ matcher: 'mcp__.*', hooks: [{ type: 'command', command, ...more }] });
    const hooks = { PreToolUse: [hook('cat server.txt', { onlyReads: true })], PostToolUse: [hook('echo changed > hook.txt')] };
    const world = worldWith({ desk: playedServer('writes') }, { hooks });
    for (const name of FILES) writeFileSync(join(world.cwd, name), 'before');
    const steps = [
      callsMcp('mcp__desk__writes', { path: 'server.txt' }),
      callsTool('run_command', { command: 'sleep 0.4; echo changed > job.txt', background: true }),
      callsTool('read_output', { job: 'job-1', wait_ms: 20_000 }),
      callsTool('task', { task: 'change it', tools: ['run_command', 'write_file'] }),
      replies('done'),
    ];
    const helper = [
      callsTool('run_command', { command: 'echo changed > helper.txt' }),
      callsTool('write_file', { path: 'edited.txt', content: 'changed' }),
      replies('changed'),
    ];
    const { api, env } = await modelOf(world, withHelpers(steps, { 'change it': helper }));
    const said = await world.run(['-p', 'go', ...BYPASS], { env });
    expect(said).toMatchObject({ code: 0, out: 'done\n' });
    const [server = '', started = '', polled = ''] = resultsOf(api);
    expect(server).toMatch(/^done\n\[changed: server\.txt\]\n\n[\s\S]*\[changed: hook\.txt\]/);
    expect(polled).toMatch(/^job-1: exit 0 .*\n\(no output\)/);
    // On a slow machine the command has ended by the time that it is told as begun.
    expect(`${started}\n${polled}`).toMatch(/\[changed: job\.txt\]/);
    if (!started.includes('[changed')) expect(polled).toMatch(/\n\[job-1: run_command \(background\) sleep .*\]\n\[changed: job\.txt\]$/);
    for (const line of ['\n    1 file changed\n', 'PostToolUse hook: 1 file changed\n', ': 1 file changed\n'])
      expect(said.err).toContain(line);
    expect(FILES.map((name) => readFileSync(join(world.cwd, name), 'utf8'))).not.toContain('before');
    const [session = ''] = world.names('sessions');
    const acts = world
      .records(`sessions/${session}/changes/log.jsonl`)
      .flatMap(({ by, n }) => (n === undefined ? [] : [(by as { title: string }).title]));
    expect(acts.map((title) => title.slice(0, 20))).toEqual([
      'mcp__desk__writes {"',
      'PostToolUse: echo ch',
      'job-1: run_command (',
      'h1: run_command echo',
      'h1: write_file edite',
    ]);
    const back = await world.run(['rollback', '--session', session, '--to-message', '1', '--files', '--yes']);
    expect(back.code).toBe(0);
    expect(FILES.map((name) => readFileSync(join(world.cwd, name), 'utf8'))).toEqual(FILES.map(() => 'before'));
  });

  test('by the person at the prompt, is told below the command, and to the model with its paths', async () => {
    const { terminal, fake, world } = await talk();
    mkdirSync(join(world.cwd, 'src'));
    writeFileSync(join(world.cwd, 'src', 'a.txt'), 'before');
    terminal.send('!rm src/a.txt; touch src/b.txt\r');
    await terminal.waitFor(/✓ exit 0.*[\s\S]*1 file new, 1 deleted/);
    await terminal.waitFor(/> $/);
    terminal.send('!ls src\r');
    await terminal.waitFor('b.txt');
    await terminal.waitFor(/> $/);
    terminal.send('go\r');
    await terminal.waitFor('reply 0');
    expect(JSON.stringify(fake.requests[0]?.body)).toContain('> [new: src/b.txt; deleted: src/a.txt]');
    expect(terminal.text().match(/deleted/g)).toHaveLength(1);
  });

  test('in the home of the user, comes back as far as a command names it, and that is said', async () => {
    const world = createSandbox();
    const at = (name: string): string => join(world.cwd, name);
    for (const name of ['notes.txt', 'log.txt', 'unnamed.txt']) writeFileSync(at(name), 'before');
    writeFileSync(at('script'), 'echo changed > unnamed.txt');
    const env = { SANBOT_PROVIDER: 'offline', HOME: world.cwd, SANBOT_HOME: world.home };
    const command = 'echo changed > notes.txt; echo changed >> ~/log.txt; sh script';
    const ran = await world.runBinary(['-p', `run ${command}`, ...BYPASS], { env });
    expect(ran.err).toContain('this folder is too wide to keep');
    expect(ran.err).toContain('  2 files changed\n');
    const [session = ''] = world.names('sessions');
    const back = await world.runBinary(['rollback', '--session', session, '--to-message', '1', '--files', '--yes'], { env });
    expect(back.code).toBe(0);
    expect(['notes.txt', 'log.txt', 'unnamed.txt'].map((name) => readFileSync(at(name), 'utf8'))).toEqual([
      'before',
      'before',
      'changed\n',
    ]);
  });
});
