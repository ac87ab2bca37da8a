import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { begin, isAlive, startWithJobs, statesIn, writtenStates } from '../../support/background-commands.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { root } from '../../support/source.ts';
import { goodSummary } from '../../support/summary.ts';
import { spawnInTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

describe('a command in the background', () => {
  test('that is kept goes on, and the session that is continued is told of it, and can read and end it', async () => {
    const { world, say, sent } = await startWithJobs((_request, n) =>
      n === 0
        ? begin({ keep: true })
        : n === 2
          ? callsTool('read_output', { job: 'job-1' })
          : n === 3
            ? callsTool('stop_command', { job: 'job-1' })
            : replies('ok'),
    );
    await say('start the server');
    expect(isAlive((await statesIn(world))[0]?.child.pid ?? 0)).toBe(true);
    await say('what does it say?', '--continue');
    expect(sent(2)).toMatch(/In the background, started in this session:\\n- job-1: echo listening; .* \(running for \d+ (?:s|min)\)/);
    expect(sent(3)).toContain('listening');
    expect(sent(4)).toMatch(/job-1: stopped after/);
    expect(isAlive((await statesIn(world))[0]?.child.pid ?? 0)).toBe(false);
    await say('and now?', '--continue');
    expect(sent(-1).split('In the background').length).toBe(2);
  });

  test('outlives a kill of SanBot, and is listed, read and ended afterwards', async () => {
    const { world, env, say, sent } = await startWithJobs((_request, n) =>
      n === 0
        ? begin()
        : n === 1
          ? callsTool('run_command', { command: 'touch waiting; sleep 60' })
          : n === 2
            ? callsTool('read_output', { job: 'job-1', offset: 0 })
            : replies('ok'),
    );
    const terminal = spawnInTerminal(process.execPath, [join(root, 'bin', 'sanbot.js'), '--permission-mode', 'bypass'], {
      cwd: world.cwd,
      env: { ...world.env, ...env },
    });
    await terminal.waitFor('> ');
    terminal.send('start the server\r');
    await until(() => existsSync(join(world.cwd, 'waiting')));
    terminal.kill('SIGKILL');
    await terminal.exit;
    const child = (await statesIn(world))[0]?.child.pid ?? 0;
    expect(isAlive(child)).toBe(true);
    await say('go on', '--continue');
    expect(sent(2)).toMatch(/job-1: echo listening; .* \(running for/);
    expect(sent(3)).toContain('listening');
    // It was not to be kept.
    expect(isAlive(child)).toBe(false);
    expect((await statesIn(world))[0]?.end).toMatchObject({ how: { kind: 'stopped' } });
  });

  test('stands in the context after a compaction, and what has ended meanwhile is told before the next turn', async () => {
    const { world, env, sent } = await startWithJobs((request, n) =>
      n === 0
        ? callsTool('run_command', { command: 'echo tests; until [ -e go ]; do sleep 0.05; done; exit 3', background: true })
        : replies(JSON.stringify(request).includes('## Technical Context') ? goodSummary : 'A reply. '.repeat(400)),
    );
    const terminal = await world.runAtTerminal(['--permission-mode', 'bypass'], { env });
    const turn = async (text: string): Promise<void> => {
      terminal.send(`${text}\r`);
      await terminal.waitFor(/\d+ steps?/);
    };
    await terminal.waitFor('> ');
    for (const text of ['run the tests', ...Array.from({ length: 12 }, (_, i) => `question ${i}`)]) await turn(text);
    terminal.send('/compact\r');
    await terminal.waitFor(/Compacted [\s\S]*Undo/);
    await turn('what runs?');
    expect(sent(-1)).toMatch(/In the background, started in this session:\\n- job-1: echo tests; .* \(running for/);
    expect(sent(-1)).not.toContain('"name":"run_command","input"');
    terminal.send('/jobs\r');
    await terminal.waitFor(/job-1 {2}running for \d+ (?:s|min), pid \d+ {2}echo tests/);
    writeFileSync(join(world.cwd, 'go'), '');
    await until(() => writtenStates(world)[0]?.end);
    await turn('and now?');
    expect(sent(-1)).toMatch(/- job-1: echo tests; .* \(exit 3 after/);
    terminal.send('/jobs stop 1\r');
    await terminal.waitFor('job-1 has ended: exit 3');
    terminal.send('/jobs stop 7\r');
    await terminal.waitFor('There is no job-7. /jobs lists them.');
    terminal.send('/jobs now\r');
    await terminal.waitFor('/jobs stop NUMBER ends one');
    terminal.send('/quit\r');
    await terminal.exit;
    expect(terminal.text()).not.toContain('Ended with the session');
  });
});
