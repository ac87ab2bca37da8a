import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisFile } from '../../support/clean-up.ts';
import { differences, factsOf } from '../../support/folder-facts.ts';
import { gitEnv } from '../../support/repositories.ts';
import { root } from '../../support/source.ts';
import { visibleFolder } from '../../support/visible-folder.ts';

const NOBODY = '65534';
/** An ordinary user: root looks into every folder. */
const asUser = process.getuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
const works = spawnSync(asUser[0] ?? 'true', [...asUser.slice(1), 'bwrap', '--ro-bind', '/', '/', '--unshare-all', 'true']).status === 0;

/** A folder of an ordinary user, who is asked about nothing in the sandbox. */
function userWorld(sandbox: 'on' | 'off' = 'on') {
  const base = mkdtempSync(join(visibleFolder ?? tmpdir(), '.closed-'));
  afterThisFile(() => rmSync(base, { recursive: true, force: true }));
  const [cwd, home] = [join(base, 'project'), join(base, 'user', '.sanbot')];
  for (const folder of [cwd, home]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ permissions: { sandboxedCommands: 'run' } }), { mode: 0o600 });
  if (asUser.length > 0) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, base]);
  const sanbot = (...args: readonly string[]) => {
    const [program = '', ...rest] = [...asUser, process.execPath, join(root, 'bin', 'sanbot.js'), ...args];
    const env = {
      ...gitEnv,
      PATH: process.env.PATH,
      HOME: join(base, 'user'),
      SANBOT_PROVIDER: 'offline',
      SANBOT_SANDBOX: sandbox,
      LANG: 'C.UTF-8',
      CI: '1',
    };
    return spawnSync(program, rest, { cwd, env, encoding: 'utf8' });
  };
  /** As this user, without SanBot. */
  const inShell = (command: string) => {
    const [program = '', ...rest] = [...asUser, 'bash', '-c', command];
    return spawnSync(program, rest, { cwd, env: gitEnv, encoding: 'utf8' });
  };
  const undoLast = () => {
    const session = readdirSync(join(home, 'sessions')).toSorted().at(-1) ?? '';
    return sanbot('changes', '--session', session, '--restore', '1', '--yes');
  };
  return { cwd, sanbot, inShell, undoLast };
}

test.skipIf(!works || visibleFolder === undefined).each(['0111', '0000', '0444', '0300'])(
  'what a command leaves that runs later in a folder of mode %s is found, the folder closed again, and it can be brought back',
  (mode) => {
    const { cwd, sanbot } = userWorld();
    const ran = sanbot('-p', `run mkdir -p a/b; echo evil > a/b/.envrc; echo x > a/plain; chmod ${mode} a/b a`);
    expect(ran.status, ran.stderr).toBe(0);
    expect([existsSync(join(cwd, 'a/b/.envrc')), existsSync(join(cwd, 'a/plain'))]).toEqual([false, true]);
    expect(['a', 'a/b'].map((name) => (lstatSync(join(cwd, name)).mode & 0o777).toString(8).padStart(4, '0'))).toEqual([mode, mode]);
    const [, line = ''] = /Left out, since it runs by itself later: a\/b\/\.envrc.*To have it: sanbot (.*)/.exec(ran.stderr) ?? [];
    const back = sanbot(...line.split(' '), '--yes');
    expect(back.status, back.stderr).toBe(0);
    expect(readFileSync(join(cwd, 'a/b/.envrc'), 'utf8')).toBe('evil\n');
  },
);

test.skipIf(visibleFolder === undefined)('what a command closed is open again with all in it, objects of git too', () => {
  const { cwd, sanbot, inShell, undoLast } = userWorld('off');
  inShell(
    'mkdir -p a/b/c; echo one > a/one.txt; echo deep > a/b/c/深.txt; chmod 640 a/b/c/深.txt; git init -q; git add -A; git commit -qm a',
  );
  const before = factsOf(cwd);
  const ran = sanbot('-p', 'run rm a/one.txt; chmod -R 000 a .git/objects', '--allow', 'run_command');
  expect(ran.stderr).toContain('lost from git: objects');
  expect(lstatSync(join(cwd, 'a')).mode & 0o777).toBe(0);
  const back = undoLast();
  expect(back.status, back.stderr).toBe(0);
  expect(differences(before, factsOf(cwd))).toEqual([]);
});

test.skipIf(visibleFolder === undefined)('what may not be read is said not to come back, and the rest does', () => {
  const { cwd, sanbot, inShell, undoLast } = userWorld('off');
  inShell('echo one > one.txt; echo closed > closed.txt; chmod 000 closed.txt; mkdir passed; echo in > passed/in.txt; chmod 111 passed');
  const asked = sanbot('-p', 'run rm -rf closed.txt one.txt', '--allow', 'run_command');
  expect(asked.stdout + asked.stderr).toContain('cannot be undone: closed.txt (7 B)');
  expect(existsSync(join(cwd, 'one.txt'))).toBe(true);
  const ran = sanbot(
    '-p',
    '--continue',
    "run python3 -c \"import os; os.remove('closed.txt'); os.remove('one.txt')\"",
    '--allow',
    'run_command',
  );
  expect(ran.stderr).toContain('2 files deleted (1 cannot be brought back)');
  const back = undoLast();
  expect(back.stdout + back.stderr).toContain('closed.txt');
  expect(readFileSync(join(cwd, 'one.txt'), 'utf8')).toBe('one\n');
});
