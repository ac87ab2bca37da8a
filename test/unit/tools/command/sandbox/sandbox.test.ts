import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isBilingual } from '../../../../../src/domain/language.ts';
import { probeSandbox, type Sandbox } from '../../../../../src/tools/command/sandbox/sandbox.ts';
import type { SandboxPlace } from '../../../../../src/tools/command/sandbox/sandbox-place.ts';
import { afterThisTest } from '../../../../support/clean-up.ts';
import { visibleFolder } from '../../../../support/visible-folder.ts';

/** Not in the system's own temporary folder, of which a sandbox shows nothing. */
const root = realpathSync(mkdtempSync(join(visibleFolder ?? tmpdir(), '.sandbox-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
// A socket in it is covered in the sandboxes of other tests too, and some of those begin as another user, who has to come to it.
chmodSync(root, 0o755);

/** A working folder, a home with keys, and SanBot's home below it. */
function makePlace(name: string): SandboxPlace {
  const userHome = join(root, name, 'user');
  const cwd = join(root, name, 'project');
  const home = join(userHome, '.sanbot');
  for (const folder of [cwd, join(userHome, '.ssh'), join(home, 'sessions', 's', 'offloaded')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(userHome, '.ssh', 'id_ed25519'), 'the private key');
  writeFileSync(join(userHome, '.netrc'), 'the password');
  writeFileSync(join(home, 'config.json'), 'the api key');
  writeFileSync(join(home, 'sessions', 's', 'offloaded', 'a.txt'), 'a long result');
  mkdirSync(join(root, name, 'beside'));
  writeFileSync(join(root, name, 'beside', 'plain.txt'), 'plain');
  return {
    cwd,
    home,
    userHome,
    readable: [join(home, 'sessions', 's', 'offloaded')],
    runFiles: [],
    shown: [],
    env: { PATH: process.env.PATH },
  };
}

const place = makePlace('main');
const probe = await probeSandbox({ env: process.env, platform: process.platform, cwd: place.cwd });
const sandbox: Sandbox | undefined = probe.kind === 'works' ? probe.sandbox : undefined;

function run(command: string, { where = place, network = false } = {}) {
  if (sandbox === undefined) throw new Error('no sandbox');
  const wrapped = sandbox.wrap(where, { network });
  if (isBilingual(wrapped)) throw new Error(wrapped.en);
  const { program, args } = wrapped;
  const { status, stdout, stderr } = spawnSync(program, [...args, '/bin/sh', '-c', command], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, MARK: 'scrubbed' },
  });
  return { code: status, out: stdout, err: stderr };
}

describe.skipIf(sandbox === undefined || visibleFolder === undefined)(
  'a command in the sandbox (skipped where bubblewrap does not work)',
  () => {
    test('reads what is there, and writes in the working folder and a temporary folder of its own', () => {
      expect(run('echo one > a.txt && mkdir sub && echo two > sub/b.txt && cat a.txt sub/b.txt ../beside/plain.txt')).toMatchObject({
        code: 0,
        out: 'one\ntwo\nplain',
      });
      expect(readFileSync(join(place.cwd, 'sub', 'b.txt'), 'utf8')).toBe('two\n');
      expect(run('echo "$TMPDIR" && echo x > /tmp/mine && cat /tmp/mine')).toMatchObject({ code: 0, out: '/tmp\nx\n' });
      expect(existsSync('/tmp/mine')).toBe(false);
    });

    test('has package managers try once or twice for what no network can give', () => {
      expect(run('echo "$npm_config_fetch_retries,$PIP_RETRIES"').out).toBe('0,1\n');
    });

    test('cannot change what runs outside of it, nor put another file in its place [S-12]', () => {
      const where = makePlace('hooked');
      const script = join(where.cwd, 'tools', 'deep', 'check.sh');
      mkdirSync(join(where.cwd, 'tools', 'deep'), { recursive: true });
      writeFileSync(script, 'good');
      for (const attack of [
        'echo evil > tools/deep/check.sh',
        'rm -rf tools; mkdir -p tools/deep; echo evil > tools/deep/check.sh',
        'mv tools other; mkdir -p tools/deep; echo evil > tools/deep/check.sh',
        'mv tools/deep tools/other; mkdir tools/deep; echo evil > tools/deep/check.sh',
      ]) {
        run(attack, { where: { ...where, runFiles: [script] } });
        expect([attack, readFileSync(script, 'utf8')]).toEqual([attack, 'good']);
      }
      expect(run('echo x > tools/deep/new && cat tools/deep/check.sh', { where: { ...where, runFiles: [script] } })).toMatchObject({
        out: 'good',
      });
    });

    test('works in a worktree, whose .git is a file, and cannot lead it to another repository [S-12]', () => {
      const tree = makePlace('worktree');
      writeFileSync(join(tree.cwd, '.git'), 'gitdir: /nowhere\n');
      expect(run('echo "gitdir: evil" > .git; mv .git other; rm -f .git; cat .git', { where: tree })).toMatchObject({
        out: 'gitdir: /nowhere\n',
      });
      expect(run('echo here', { where: tree })).toMatchObject({ code: 0, out: 'here\n' });
      expect(readFileSync(join(tree.cwd, '.git'), 'utf8')).toBe('gitdir: /nowhere\n');
    });

    test.each([
      'echo x > ../user/written',
      'echo x > /etc/sanbot-written',
      'mkdir /var/sanbot-written',
      'echo x > /var/lib/sanbot-written',
      'rm -f /usr/bin/env && test ! -e /usr/bin/env',
      'ln -s ../user out && echo x > out/written',
      'mount -t tmpfs none /mnt',
      'mknod dev c 1 3',
      'kill -9 "$PPID_OUTSIDE"',
      'unshare -r true && echo x > /proc/sys/kernel/hostname && false',
      'chroot / true',
    ])('changes nothing outside: %s [S-46]', (command) => {
      expect(run(`PPID_OUTSIDE=${process.pid}; ${command}`).code).not.toBe(0);
      expect(existsSync(join(root, 'main', 'user', 'written'))).toBe(false);
      rmSync(join(place.cwd, 'out'), { force: true });
    });

    test('does not see keys, SanBot’s home or its own results but the readable ones [S-46]', () => {
      const { userHome = '', home } = place;
      for (const path of [join(userHome, '.ssh', 'id_ed25519'), join(home, 'config.json')])
        expect(run(`cat ${path}`).code, path).not.toBe(0);
      expect(run(`cat ${join(userHome, '.netrc')}`).out).not.toContain('password');
      expect(run(`cat ${join(home, 'sessions', 's', 'offloaded', 'a.txt')}`).out).toBe('a long result');
      expect(run(`grep -r "the " ${userHome} | wc -l`).out.trim()).toBe('0');
    });

    test('has its own processes and its own /proc: no environment but its own is there to read', () => {
      const seen = run('cat /proc/[0-9]*/environ | tr "\\0" "\\n"; ls -d /proc/[0-9]* | wc -l');
      expect(seen.out).toContain('MARK=scrubbed');
      expect(seen.out).not.toContain('VITEST');
      expect(run(`test -e /proc/${process.pid}/cwd/bin/sanbot.js`).code).not.toBe(0);
      expect(run('grep -E "CapEff|NoNewPrivs" /proc/self/status').out).toMatch(/CapEff:\t0+\nNoNewPrivs:\t1/);
    });

    test('reaches no network and no socket of the machine, save the network where it is given [S-45, S-46]', async () => {
      const server = createServer((socket) => void socket.end('hello'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const sockets = [
        join(tmpdir(), `sanbot-test-${process.pid}.sock`),
        join(root, 'main', 'user', 'an agent.sock'),
        join(place.cwd, 's'),
      ];
      const listening = sockets.map((path) => createServer((socket) => void socket.end('hello')).listen(path));
      await Promise.all(listening.map((unix) => new Promise<void>((resolve) => void unix.once('listening', resolve))));
      afterThisTest(() => {
        for (const each of [server, ...listening]) each.close();
      });
      const connect = (to: string) =>
        `${process.execPath} -e 'const s = require("net").connect(${to}); s.on("connect", () => process.exit(0)); s.on("error", () => process.exit(7))'`;
      // The servers are in this process: a command that waits for them must not be waited for without them.
      expect(run(connect(`${port}, "127.0.0.1"`)).code).toBe(7);
      expect(run(connect(`${port}, "127.0.0.1"`), { network: true }).code).toBe(0);
      for (const path of sockets)
        for (const network of [false, true])
          expect([path, network, run(connect(JSON.stringify(path)), { network }).code]).toEqual([path, network, 7]);
      const own = `require("net").createServer((socket) => socket.end()).listen("own", function () { require("net").connect("own").once("close", () => process.exit(3)) })`;
      expect(run(`${process.execPath} -e '${own}'`).code).toBe(3);
    });

    test.each([
      '.git/hooks/pre-commit',
      '.git/config',
      '.sanbot.json',
      '.mcp.json',
      '.envrc',
      '.vscode/tasks.json',
      '.github/workflows/ci.yml',
      '.husky/pre-commit',
      '.claude/settings.json',
      '.cursor/mcp.json',
      '.agents/skills/x/SKILL.md',
      '.sanbot/commands/x.md',
      '.gitmodules',
      '.bashrc',
    ])('does not change %s where it is there [S-07, S-08]', (name) => {
      const where = makePlace(`held-${name.replaceAll('/', '-')}`);
      mkdirSync(join(where.cwd, name, '..'), { recursive: true });
      writeFileSync(join(where.cwd, name), 'as it was');
      const ran = run(
        `echo evil > ${name}; rm -rf ${name.split('/')[0]}; mv ${name.split('/')[0]} away; ln -s /tmp ${name}; echo fine > fine.txt`,
        { where },
      );
      expect(ran.err).toMatch(/Read-only file system|Is a directory|busy/);
      expect(existsSync(join(where.cwd, 'fine.txt'))).toBe(true);
      expect(readFileSync(join(where.cwd, name), 'utf8')).toBe('as it was');
    });

    test('sees no name in the working folder that is not there, and leaves none', () => {
      const where = makePlace('as it is');
      writeFileSync(join(where.cwd, 'a.txt'), '');
      expect(run('ls -A', { where }).out).toBe('a.txt\n');
      spawnSync('git', ['init', '-q', '--template='], { cwd: where.cwd });
      const names = readdirSync(join(where.cwd, '.git')).toSorted();
      expect(run('ls -A; ls -A .git', { where }).out.trim().split('\n')).toEqual(['.git', 'a.txt', ...names]);
      expect(readdirSync(where.cwd)).toEqual(['.git', 'a.txt']);
    });

    test('still works with a repository: what it stages and commits is there', () => {
      const where = makePlace('repository');
      const git = (args: string) =>
        spawnSync('sh', ['-c', `git -c user.name=a -c user.email=a@b ${args}`], { cwd: where.cwd, encoding: 'utf8' });
      git('init -q .');
      const ran = run('echo x > x.txt && git add -A && git -c user.name=a -c user.email=a@b commit -qm one && git status --short', {
        where,
      });
      expect(ran).toMatchObject({ code: 0, out: '' });
      expect(git('ls-files').stdout).toBe('x.txt\n');
      expect(run('git config core.fsmonitor ./evil', { where }).code).not.toBe(0);
    });

    test('leaves nothing running', () => {
      const mark = `late ${randomUUID()}`;
      const started = run(`sh -c 'sleep 300; echo ${mark}' & echo started`);
      expect(started).toMatchObject({ code: 0, out: 'started\n' });
      expect(spawnSync('pgrep', ['-f', mark]).stdout.toString()).toBe('');
    });
  },
);

test('a bubblewrap that does not work, is missing, or is the project’s is no sandbox, and the reason is told [S-47]', async () => {
  const folder = join(root, 'fake');
  mkdirSync(folder);
  writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n', { mode: 0o755 });
  const inProject = join(place.cwd, 'tools');
  mkdirSync(inProject, { recursive: true });
  symlinkSync('/bin/true', join(inProject, 'bwrap'));
  const probed = (path: string, platform = 'linux') => probeSandbox({ env: { PATH: path }, platform, cwd: place.cwd });
  expect(await probed(folder)).toEqual({
    kind: 'missing',
    why: expect.objectContaining({ en: 'bubblewrap does not work here: bwrap: No permissions to create a new namespace' }),
  });
  expect(await probed(`${inProject}:relative:`)).toEqual({
    kind: 'missing',
    why: expect.objectContaining({ en: 'bubblewrap (bwrap) is not installed' }),
  });
  expect(await probed(folder, 'darwin')).toEqual({ kind: 'missing', why: expect.objectContaining({ en: 'there is one on Linux only' }) });
});
