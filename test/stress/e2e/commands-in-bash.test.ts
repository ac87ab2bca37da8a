import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import { afterEach, describe, expect, test } from 'vitest';
import { findShell, shellLanguage } from '../../../src/tools/command/find-shell.ts';
import { denies, outputOf } from '../../support/commands-in-bash.ts';
import { type FakeApi, startFakeApi } from '../../support/fake-api.ts';

import { binary, createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { spawnInTerminal } from '../../support/terminal.ts';

const hasBash = shellLanguage(findShell({ cwd: '/nowhere', path: process.env.PATH })) === 'bash';

let api: FakeApi | undefined;
afterEach(() => api?.close());

describe.runIf(hasBash)('a command of the model [S-09, S-12]', () => {
  test('begins without any start file, function or option of the person or the project', async () => {
    const world = createSandbox();
    const says = (where: string): string => `echo from-${where}\nls() { echo from-function; }\n`;
    for (const name of ['.bashrc', '.bash_profile', '.profile', '.bash_login', '.env.sh'])
      for (const folder of [dirname(world.home), world.cwd]) outputFileSync(join(folder, name), says(name));
    for (const name of ['bash', 'bin/bash']) outputFileSync(join(world.cwd, name), '#!/bin/sh\necho from-project\n', { mode: 0o755 });
    const script = join(dirname(world.home), '.env.sh');
    const env = {
      ...{ SANBOT_PROVIDER: 'offline', BASH_ENV: script, ENV: script, 'BASH_FUNC_ls%%': '() { echo from-function; }', SHELLOPTS: 'xtrace' },
      ...{
        BASHOPTS: 'extglob:expand_aliases',
        PS4: '$(echo from-ps4)',
        POSIXLY_CORRECT: '1',
        PATH: `${world.cwd}/bin:${process.env.PATH}`,
      },
    };
    const { out } = await world.runBinary(
      ['-p', 'run ls -d . && shopt -q expand_aliases || echo "$BASH_VERSION" | cut -c1-0; echo "[$-]"', '--allow', 'run_command'],
      { env },
    );
    expect(out).toContain('exit 0\n.\n');
    expect(out).not.toContain('from-');
    expect(out).not.toMatch(/\[.*x.*\]/);
    // A variable that the settings let pass moves no shell either.
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ commands: { environment: { pass: ['BASH_*', 'SHELLOPTS', 'PS4'] } } }));
    const passed = await world.runBinary(['-p', 'run ls -d .', '--allow', 'run_command'], { env });
    expect(passed.out).toContain('exit 0\n.\n');
    expect(passed.out).not.toContain('from-');
  });

  test('that cannot be judged is not run by a flag while a deny rule names a program, and the model learns why', async () => {
    const world = createSandbox();
    expect(await outputOf(world, 'x=touch; $x made')).toContain('exit 0');
    denies(world, 'touch');
    expect(await outputOf(world, 'x=touch; $x pwned')).toContain(
      "needs a person's yes (what it runs cannot be told beforehand, and a rule of yours names a program)",
    );
    expect(['made', 'pwned'].map((name) => existsSync(join(world.cwd, name)))).toEqual([true, false]);
  });

  test('in the background, and a command of the person, are run by bash too, and the model is told', async () => {
    const world = createSandbox();
    api = await startFakeApi(
      (_request, n) =>
        n === 0
          ? callsTool('run_command', { command: 'echo {1,2} > job; [[ 1 -lt 2 ]] && echo less >> job', background: true })
          : replies('Done.'),
      { home: world.home, key: 'test-key' },
    );
    const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
    await world.runBinary(['-p', 'go', '--permission-mode', 'bypass'], { env });
    expect(readFileSync(join(world.cwd, 'job'), 'utf8')).toBe('1 2\nless\n');
    expect(JSON.stringify(api.requests[0]?.body)).toContain('Runs a command line in GNU bash, in the working folder');
    const terminal = spawnInTerminal(process.execPath, [binary], {
      cwd: world.cwd,
      env: { ...world.env, SANBOT_PROVIDER: 'offline' },
      columns: 160,
    });
    await terminal.waitFor('> ');
    terminal.send('![[ 1 -lt 2 ]] && echo own-{1,2}\r');
    await terminal.waitFor('own-1 own-2');
    terminal.kill('SIGKILL');
  });
});
