import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeSandbox } from '../../../../../src/tools/command/sandbox/sandbox.ts';
import { afterThisTest } from '../../../../support/clean-up.ts';
import { canSandbox, makeWorld, users, type World } from './sandbox-world.ts';

describe.skipIf(!canSandbox)('the sandbox (skipped where bubblewrap does not work)', () => {
  test.each<[string, string, (world: World) => void]>([
    ['a link that leads nowhere', '.envrc is a link that leads nowhere', ({ cwd }) => symlinkSync('nowhere', join(cwd, '.envrc'))],
    ['.git as a link', '.git is a link that leads out', ({ cwd, root }) => symlinkSync(join(root, 'user'), join(cwd, '.git'))],
    ['a link to the folder', '.claude is a link to the working folder', ({ cwd }) => symlinkSync('.', join(cwd, '.claude'))],
    ['a file with two names', '.git/config has a second name', ({ cwd, put }) => linkSync(put('.git/config'), join(cwd, 'other'))],
    ['a FIFO', '.envrc is neither a file nor', ({ cwd }) => void spawnSync('mkfifo', [join(cwd, '.envrc')])],
  ])('says why no command can run in a folder with %s', (_, why, make) => {
    const world = makeWorld();
    make(world);
    expect(world.refusal()).toContain(why);
  });

  test('runs where the working folder is reached by a link, or lies in what is hidden', () => {
    const world = makeWorld();
    symlinkSync(world.cwd, join(world.root, 'link'));
    expect(world.run('pwd; echo x > made', { cwd: join(world.root, 'link') }).out).toBe(`${world.cwd}\n`);
    for (const folder of ['.ssh/project', '.config/a/b', '.cache/project', 'with\na line end']) {
      const cwd = join(world.userHome, folder);
      mkdirSync(cwd, { recursive: true });
      world.putHome('.ssh/id');
      expect(world.run(`echo x > made && cat made; cat ${join(world.userHome, '.ssh', 'id')}`, { cwd }).out).toBe('x\n');
      expect(readFileSync(join(cwd, 'made'), 'utf8')).toBe('x\n');
    }
  });

  test('is looked for without the folder that it is for', async () => {
    const world = makeWorld();
    symlinkSync('nowhere', join(world.cwd, '.envrc'));
    const probed = (cwd: string) => probeSandbox({ env: process.env, platform: process.platform, cwd });
    expect(await probed(world.cwd)).toMatchObject({ kind: 'works' });
    expect(await probed('/nowhere at all')).toMatchObject({ kind: 'works' });
  });

  test('holds what a link leads to, and is refused where that is by another link', () => {
    const world = makeWorld();
    world.put('AGENTS.md');
    symlinkSync('AGENTS.md', join(world.cwd, 'CLAUDE.md'));
    expect(world.refusal()).toBeUndefined();
    expect(world.run('echo evil > CLAUDE.md').code).not.toBe(0);
    symlinkSync('CLAUDE.md', join(world.cwd, 'GEMINI.md'));
    expect(world.refusal()).toBeUndefined();
    // A name that says nothing, by which one that runs later leads on.
    world.put('real/env');
    symlinkSync('real', join(world.cwd, 'way'));
    for (const target of ['way/env', `${world.cwd}/way/env`, 'way/../real/env']) {
      symlinkSync(target, join(world.cwd, '.envrc'));
      expect([target, world.refusal()]).toEqual([target, '.envrc is a link that leads on by another link, which can be replaced']);
      rmSync(join(world.cwd, '.envrc'));
    }
    symlinkSync('real/env', join(world.cwd, '.envrc'));
    expect(world.refusal()).toBeUndefined();
  });

  test.each(users)('nothing of the kernel or of devices can be written [%s]', (user) => {
    const world = makeWorld({ user });
    const script = world.put(
      'try.sh',
      'find /proc /sys /dev -path "/proc/[0-9]*" -prune -o -path /proc/self -prune -o -path /proc/thread-self -prune -o -path /dev/pts -prune -o ! -type l ! -type d -print 2>/dev/null |\n' +
        'while read -r f; do case $f in /dev/null|/dev/zero|/dev/full|/dev/random|/dev/urandom|/dev/tty|/dev/ptmx) continue;; esac; { : >> "$f"; } 2>/dev/null && echo "$f"; done; true',
    );
    expect(world.run(`sh ${script}`).out).toBe('');
    expect(
      world.run(
        'mkdir /sys/fs/cgroup/x /dev/x; mknod /dev/sda b 8 0; ls /dev/sda /dev/mem /dev/kmsg; echo x > /proc/sys/kernel/core_pattern',
      ).out,
    ).toBe('');
  });

  test('no socket at which something listens is reached by a relative path, and one with a second name is asked about', async () => {
    const world = makeWorld();
    const before = process.cwd();
    const server = createServer((socket) => void socket.end('hello'));
    mkdirSync(join(world.root, 'beside'));
    process.chdir(join(world.root, 'beside'));
    await new Promise<void>((resolve) => void server.listen('relative.sock', resolve));
    afterThisTest(() => {
      server.close();
      process.chdir(before);
    });
    const path = join(world.root, 'beside', 'relative.sock');
    const connect = `${process.execPath} -e 'const s = require("net").connect(${JSON.stringify(path)}); s.on("connect", () => process.exit(0)); s.on("error", () => process.exit(7))'`;
    expect(world.run(connect).code).toBe(7);
    linkSync(path, join(world.cwd, 'again.sock'));
    expect(world.refusal()).toContain('relative.sock, at which a program listens, has a second name');
  });
});
