import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { afterThisFile } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { binary } from '../../support/sanbot.ts';
import { runs, world } from '../../support/sandboxed.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { spawnInTerminal } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { visibleFolder } from '../../support/visible-folder.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;

describe.skipIf(!works || visibleFolder === undefined)('the sandbox of a command in the background', () => {
  test('holds as long as the command runs, also when SanBot has ended, and shows no name that is not there', async () => {
    const { runBinary, cwd, home } = world('auto');
    const outside = join(dirname(cwd), 'out.txt');
    const tick = `echo x >> ticks.txt; echo x > ${outside}; ls -A | grep -v txt`;
    const command = `while [ ! -e enough ]; do (${tick}) >> said.txt 2>&1; sleep 0.05; done`;
    const api = await startFakeApi(
      [
        callsTool('run_command', { command, background: true, keep: true }),
        replies('It runs.'),
        callsTool('run_command', { command: 'touch enough' }),
        callsTool('read_output', { job: 'job-1', wait_ms: 20_000 }),
        replies('It has ended.'),
      ],
      { home, key: 'test-key' },
    );
    afterThisFile(() => void writeFileSync(join(cwd, 'enough'), ''));
    const env = {
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'test-key',
      SANBOT_PROVIDER: 'anthropic',
      SANBOT_MODEL: 'claude-sonnet-5-5',
    };
    const say = (...args: readonly string[]) => runBinary(['-p', ...args, '--permission-mode', 'bypass'], { cwd, env });
    const started = await say('begin');
    expect(started.code, started.err).toBe(0);
    const ticks = (): number => readFileSync(join(cwd, 'ticks.txt'), 'utf8').split('\n').length;
    const atEnd = await until(ticks);
    await until(() => ticks() > atEnd + 3);
    expect(readdirSync(cwd).sort()).toEqual(['said.txt', 'ticks.txt']);
    const ended = await say('end it', '--continue');
    await api.close();
    expect(ended.code, ended.err).toBe(0);
    expect(JSON.stringify(api.requests.at(-1)?.body)).toContain('job-1: exit 0');
    const said = readFileSync(join(cwd, 'said.txt'), 'utf8');
    expect(said).toMatch(/Read-only file system/);
    expect(said).not.toMatch(/\.vscode|HEAD/);
    expect(existsSync(outside)).toBe(false);
    expect(readdirSync(cwd).sort()).toEqual(['enough', 'said.txt', 'ticks.txt']);
  });
});

describe.skipIf(!works || visibleFolder === undefined)('SanBot ended while a command runs in the sandbox', () => {
  const begin = async () => {
    const { env, cwd, runBinary } = world('auto');
    const terminal = spawnInTerminal(process.execPath, [binary, '--permission-mode', 'bypass'], { cwd, env });
    afterThisFile(() => terminal.kill('SIGKILL'));
    await terminal.waitFor('> ');
    terminal.send('run touch begun; sleep 60\r');
    await until(() => existsSync(join(cwd, 'begun')));
    expect(readdirSync(cwd)).toEqual(['begun']);
    return { terminal, cwd, runBinary };
  };

  test.each(['SIGTERM', 'SIGHUP'] as const)('by %s leaves no folders behind', async (signal) => {
    const { terminal, cwd } = await begin();
    terminal.kill(signal);
    await terminal.exit;
    expect(readdirSync(cwd)).toEqual(['begun']);
  });

  test('by a kill that nothing can follow leaves nothing, and the next start says nothing of it', async () => {
    const { terminal, cwd, runBinary } = await begin();
    terminal.kill('SIGKILL');
    await terminal.exit;
    expect(readdirSync(cwd)).toEqual(['begun']);
    const again = await runBinary(runs('true'), { cwd });
    expect(again.out).toContain('exit 0');
    expect(again.err).not.toContain('.sanbot.json');
    expect(readdirSync(cwd)).toEqual(['begun']);
  });
});

describe.skipIf(!works || visibleFolder === undefined)('two sessions in one folder', () => {
  test.each([
    ['at the top', '.envrc'],
    ['below', 'sub/.envrc'],
  ])('what one command left %s does not come back since the other saw it there', async (_, name) => {
    const { cwd, runBinary } = world('auto');
    const waits = (file: string): string => `while [ ! -e ${file} ]; do sleep 0.05; done`;
    const leaves = runBinary(runs(`mkdir -p sub; echo x > ${name}; ${waits('go')}`), { cwd });
    await until(() => existsSync(join(cwd, name)));
    const sees = runBinary(runs(`cat ${name}; touch begun; ${waits('ended')}`), { cwd });
    await until(() => existsSync(join(cwd, 'begun')));
    writeFileSync(join(cwd, 'go'), '');
    expect((await leaves).out).toContain('not there any more');
    writeFileSync(join(cwd, 'ended'), '');
    expect((await sees).code).toBe(0);
    expect(existsSync(join(cwd, name))).toBe(false);
  });
});
