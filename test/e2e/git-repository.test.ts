import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { afterThisFile } from '../support/clean-up.ts';
import { createSandbox } from '../support/sanbot.ts';
import { visibleFolder } from '../support/visible-folder.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;

/** A repository with a submodule, a folder and a linked worktree beside it. */
function world() {
  const base = mkdtempSync(join(visibleFolder ?? tmpdir(), '.git-repository-'));
  afterThisFile(() => rmSync(base, { recursive: true, force: true }));
  const git = (folder: string, ...args: readonly string[]) =>
    spawnSync(
      'git',
      ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always', '-C', join(base, folder), ...args],
      {
        encoding: 'utf8',
        env: { ...process.env, HOME: base },
      },
    ).stdout;
  for (const name of ['lib', 'main/源码']) mkdirSync(join(base, name), { recursive: true });
  for (const name of ['lib', 'main']) {
    git(name, 'init', '-q', '-b', 'main');
    git(name, 'commit', '-q', '--allow-empty', '-m', 'first');
  }
  git('main', 'submodule', '--quiet', 'add', '../lib', 'sub');
  git('main', 'commit', '-qm', 'sub');
  git('main', 'worktree', 'add', '-q', '../linked');
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_SANDBOX: 'on' });
  mkdirSync(sandbox.home, { recursive: true, mode: 0o700 });
  const allow = (rules: readonly object[]) =>
    writeFileSync(join(sandbox.home, 'config.json'), JSON.stringify({ permissions: { sandboxedCommands: 'run', allow: rules } }), {
      mode: 0o600,
    });
  const run = (folder: string, command: string) => sandbox.run(['-p', `run ${command}`], { cwd: join(base, folder) });
  return { base, git, allow, run };
}

const COMMIT = 'echo new > new.txt; git add new.txt && git -c user.name=A -c user.email=a@b.c commit -qm second';

describe.skipIf(!works || visibleFolder === undefined)('git whose folder lies outside of the working folder', () => {
  test('commits in a linked worktree, a submodule and a folder below the top with one yes, which opens that folder alone', async () => {
    const { base, git, allow, run } = world();
    const places = ['linked', 'main/sub', 'main/源码'];
    allow([]);
    const asked = await run('linked', COMMIT);
    expect(asked.out).toContain("needs a person's yes");
    expect(asked.out).toContain(
      `the git folder of its repository, which lies outside of the working folder: ${join(base, 'main', '.git')},`,
    );
    expect((await run('linked', 'git status --short')).out).toContain('exit 0');
    const more = `; echo x > ${join(base, 'main', 'x')}; git config core.fsmonitor evil; echo x > ${join(base, 'main/.git/commondir')}`;
    allow([COMMIT, COMMIT + more].map((command) => ({ tool: 'run_command', command, needs: 'repository' })));
    for (const place of places) {
      const { out } = await run(place, COMMIT);
      expect([place, out]).toEqual([place, expect.stringContaining('exit 0')]);
      expect([place, git(place, 'log', '--format=%s', '-1')]).toEqual([place, 'second\n']);
    }
    await run('linked', COMMIT + more);
    expect(existsSync(join(base, 'main', 'x'))).toBe(false);
    expect(existsSync(join(base, 'main/.git/commondir'))).toBe(false);
    expect(git('main', 'config', '--get', 'core.fsmonitor')).toBe('');
  });
});
