import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisFile } from '../../support/clean-up.ts';
import { root } from '../../support/source.ts';
import { visibleFolder } from '../../support/visible-folder.ts';

const NOBODY = '65534';
/** An ordinary user: root looks into every folder. */
const asUser = process.getuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
const works = spawnSync(asUser[0] ?? 'true', [...asUser.slice(1), 'bwrap', '--ro-bind', '/', '/', '--unshare-all', 'true']).status === 0;

test.skipIf(!works || visibleFolder === undefined).each(['0111', '0000', '0444', '0300'])(
  'what a command leaves that runs later in a folder of mode %s is found, the folder closed again, and it can be brought back',
  (mode) => {
    const base = mkdtempSync(join(visibleFolder ?? tmpdir(), '.closed-'));
    afterThisFile(() => rmSync(base, { recursive: true, force: true }));
    const [cwd, home] = [join(base, 'project'), join(base, 'user', '.sanbot')];
    for (const folder of [cwd, home]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, 'config.json'), JSON.stringify({ permissions: { sandboxedCommands: 'run' } }), { mode: 0o600 });
    if (asUser.length > 0) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, base]);
    const sanbot = (...args: readonly string[]) => {
      const [program = '', ...rest] = [...asUser, process.execPath, join(root, 'bin', 'sanbot.js'), ...args];
      const env = {
        PATH: process.env.PATH,
        HOME: join(base, 'user'),
        SANBOT_PROVIDER: 'offline',
        SANBOT_SANDBOX: 'on',
        LANG: 'C.UTF-8',
        CI: '1',
      };
      return spawnSync(program, rest, { cwd, env, encoding: 'utf8' });
    };
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
