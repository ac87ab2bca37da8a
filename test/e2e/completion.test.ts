import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { afterThisTest } from '../support/clean-up.ts';
import { createSandbox } from '../support/sanbot.ts';
import { spawnInTerminal } from '../support/terminal.ts';

const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** A world with the script of one shell in a file, and two sessions. */
async function scriptFor(shell: string) {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await world.run(['-p', 'status']);
  mkdirSync(join(world.cwd, 'exports'));
  writeFileSync(join(world.cwd, 'notes.md'), '');
  const script = join(world.cwd, `sanbot.${shell}`);
  const { code, out } = await world.run(['completion', shell]);
  expect(code).toBe(0);
  writeFileSync(script, out);
  const [session = ''] = world.names('sessions');
  return { ...world, script, session };
}

test('a shell that is not known is refused with those that are', async () => {
  expect(await createSandbox().run(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    err: "sanbot: shell: expected one of bash, zsh, fish, found 'tcsh'\n  See sanbot completion --help.\n",
  });
  expect(await createSandbox().run(['completion'])).toMatchObject({ code: 2 });
});

describe('bash', () => {
  test('completes commands, options, choices, sessions and folders, and names of files elsewhere', async () => {
    const { script, cwd, env, session } = await scriptFor('bash');
    const complete = (...words: readonly string[]): readonly string[] => {
      const typed = ['sanbot', ...words];
      const run = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sanbot; printf "%s\\n" "\${COMPREPLY[@]}"`;
      const out = execFileSync('bash', ['--norc', '-c', run, 'bash', script, ...typed], { cwd, env, encoding: 'utf8' });
      return out.split('\n').filter((line) => line !== '');
    };
    expect(complete('his')).toEqual(['history']);
    expect(complete('config', '')).toEqual(expect.arrayContaining(['show', 'path', 'validate', '--help']));
    expect(complete('config', 'show', '--j')).toEqual(['--json']);
    expect(complete('--output-format', 's')).toEqual(['stream-json']);
    expect(complete('-p', 'x', '--permission-mode', 'b')).toEqual(['bypass']);
    expect(complete('context', '--session', '2')).toEqual([session]);
    expect(complete('--home', 'e')).toEqual(['exports']);
    expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    expect(complete('export', '-o', 'n')).toEqual([]);
  });
});

describe.skipIf(!has('fish'))('fish, which is skipped where it is not installed', () => {
  test('completes the same, with what each does', async () => {
    const { script, cwd, env, session } = await scriptFor('fish');
    const complete = (line: string): readonly string[] => {
      const run = `source ${script}; complete -C '${line}'`;
      return execFileSync('fish', ['--no-config', '-c', run], { cwd, env, encoding: 'utf8' }).split('\n');
    };
    expect(complete('sanbot his')).toContainEqual(expect.stringMatching(/^history\tlist the snapshots/));
    expect(complete('sanbot config ')).toContainEqual(expect.stringMatching(/^validate\t/));
    expect(complete('sanbot --output-format s')).toContainEqual(expect.stringMatching(/^stream-json/));
    expect(complete('sanbot context --session 2')).toContainEqual(expect.stringContaining(session));
    expect(complete('sanbot config show --j')).toContainEqual(expect.stringMatching(/^--json\t/));
  });
});

describe.skipIf(!has('zsh'))('zsh, which is skipped where it is not installed', () => {
  test('completes the same at a prompt', async () => {
    const { script, cwd, env, session } = await scriptFor('zsh');
    const zsh = spawnInTerminal('zsh', ['-f', '-i'], { cwd, env: { ...env, PS1: 'ready> ', TERM: 'xterm' } });
    afterThisTest(() => zsh.kill('SIGKILL'));
    await zsh.waitFor('ready> ');
    zsh.send(`autoload -Uz compinit; compinit -u -D; source ${script}; echo lo''aded\r`);
    await zsh.waitFor('loaded');
    zsh.send('sanbot hist\t');
    await zsh.waitFor('sanbot history ');
    zsh.send('--js\t');
    await zsh.waitFor('--json ');
    zsh.send('--session 2\t');
    await zsh.waitFor(`--session ${session}`);
  });
});
