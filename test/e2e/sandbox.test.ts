import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runs, world } from '../support/sandboxed.ts';

import { visibleFolder } from '../support/visible-folder.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;
const withoutBwrap = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !existsSync(join(folder, 'bwrap')))
  .join(delimiter);

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
