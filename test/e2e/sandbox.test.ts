import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { afterThisFile } from '../support/clean-up.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { binary, createSandbox, type Sandbox } from '../support/sanbot.ts';
import { callsTool, replies } from '../support/scenario.ts';
import { spawnInTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { visibleFolder } from '../support/visible-folder.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;
const withoutBwrap = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !existsSync(join(folder, 'bwrap')))
  .join(delimiter);

/** Offline, with a working folder that is not in the system's own temporary folder, of which a sandbox shows nothing. */
function world(mode: string): Sandbox {
  const base = mkdtempSync(join(visibleFolder ?? tmpdir(), '.sandbox-'));
  afterThisFile(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, 'project'));
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_SANDBOX: mode });
  return { ...sandbox, cwd: join(base, 'project'), run: (args, more = {}) => sandbox.run(args, { cwd: join(base, 'project'), ...more }) };
}

const runs = (command: string, mode = 'bypass') => ['-p', `run ${command}`, '--permission-mode', mode];

describe.skipIf(!works || visibleFolder === undefined)('commands in the sandbox (skipped where bubblewrap does not work)', () => {
  test('write inside and nowhere else, and a refusal says what stood in the way', async () => {
    const { run, cwd } = world('auto');
    expect((await run(runs('echo x > in.txt'))).out).toContain('exit 0');
    expect(existsSync(join(cwd, 'in.txt'))).toBe(true);
    const refused = await run(runs(`echo x > ${join(dirname(cwd), 'out.txt')}`));
    expect(refused.out).toContain('it ran in the sandbox: no network, nothing written outside of the working folder');
    expect(existsSync(join(dirname(cwd), 'out.txt'))).toBe(false);
  });

  test('do not see the key that SanBot was started with', async () => {
    const { runBinary, cwd } = world('auto');
    const key = 'sk-test-1234567890';
    const ran = await runBinary(runs('cat /proc/*/environ | tr "\\0" "\\n" | grep -c 1234567890'), {
      cwd,
      env: { ANTHROPIC_API_KEY: key },
    });
    expect(ran.out).toContain('exit 1');
    expect(ran.out).toMatch(/^0$/m);
  });

  test('ask where the folder has what no sandbox can hold, and run outside only where a rule gives that', async () => {
    const { run, home, cwd } = world('auto');
    symlinkSync('nowhere', join(cwd, '.envrc'));
    mkdirSync(home, { recursive: true });
    const allow = (needs?: string) =>
      writeFileSync(
        join(home, 'config.json'),
        JSON.stringify({ permissions: { allow: [{ tool: 'run_command', prefix: 'touch', needs }] } }),
      );
    const command = runs('touch made.txt', 'ask');
    allow();
    const asked = await run(command);
    expect(asked.out).toContain('it runs outside of the sandbox, which cannot be made here: .envrc is a link that leads nowhere');
    expect(asked.err).not.toContain('No sandbox');
    expect(existsSync(join(cwd, 'made.txt'))).toBe(false);
    allow('everything');
    expect((await run(command)).out).toContain('exit 0');
    expect(existsSync(join(cwd, 'made.txt'))).toBe(true);
  });

  test('read what the settings show of a home, and nothing else of it', async () => {
    const { run, home, cwd, env } = world('auto');
    const letters = join(env.HOME ?? '', 'letters');
    mkdirSync(letters);
    mkdirSync(home, { recursive: true });
    for (const name of ['one', 'two']) writeFileSync(join(letters, name), `letter ${name}`);
    writeFileSync(join(home, 'config.json'), JSON.stringify({ commands: { readable: ['~/letters/one'] } }));
    const ran = await run(runs('cat ~/letters/*'), { cwd });
    expect(ran.out).toContain('letter one');
    expect(ran.out).not.toContain('letter two');
  });

  test('run unasked where they only read, or where the user chose so', async () => {
    const { run, home, cwd } = world('auto');
    writeFileSync(join(cwd, 'a.txt'), 'the text');
    expect((await run(runs('cat a.txt', 'ask'))).out).toContain('the text');
    expect((await run(runs('touch b.txt', 'ask'))).out).toContain('Not allowed');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'config.json'), JSON.stringify({ permissions: { sandboxedCommands: 'run' } }));
    expect((await run(runs('touch b.txt', 'ask'))).out).toContain('exit 0');
    expect((await run(runs('touch c.txt', 'ask'), { env: { SANBOT_SANDBOX: 'off' } })).out).toContain('Not allowed');
  });
});

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

describe('without a sandbox', () => {
  test('that is said once, and a command that only reads asks [S-47]', async () => {
    const { run } = world('auto');
    const ran = await run(runs('ls', 'ask'), { env: { PATH: withoutBwrap } });
    expect(ran.err).toContain('No sandbox: bubblewrap (bwrap) is not installed. Commands run with all your rights');
    expect(ran.out).toContain('Not allowed');
  });

  test('--sandbox on does not start, and off says nothing [S-47]', async () => {
    const { run } = world('auto');
    const refused = await run([...runs('ls'), '--sandbox', 'on'], { env: { PATH: withoutBwrap } });
    expect(refused).toMatchObject({ code: 9, out: '' });
    expect(refused.err).toContain('bubblewrap (bwrap) is not installed');
    const off = await run([...runs('ls'), '--sandbox', 'off'], { env: { PATH: withoutBwrap } });
    expect(off).toMatchObject({ code: 0 });
    expect(off.err).not.toContain('No sandbox');
  });
});
