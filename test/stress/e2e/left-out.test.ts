import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { killedWorld } from '../../support/left-out.ts';
import { world } from '../../support/left-out-turn.ts';

import { visibleFolder } from '../../support/visible-folder.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;

type Git = (...args: readonly string[]) => { readonly stdout: string };
const cwdOf = (git: Git): string => git('rev-parse', '--show-toplevel').stdout.trim();

describe.skipIf(!works || visibleFolder === undefined)('what a command in the sandbox leaves that runs later', () => {
  test('runs at no git command: a repository with a monitor that is added as a part, hooks, a list of a rebase', async () => {
    const plant = [
      'git init -q evil && git -C evil -c user.name=A -c user.email=a@b.c commit -q --allow-empty -m x',
      'git -C evil config core.fsmonitor "touch ../ran; false"',
      'git update-index --add --cacheinfo 160000,$(git -C evil rev-parse HEAD),evil',
      'printf "#!/bin/sh\\ntouch ran\\n" > evil/.git/hooks/post-checkout; chmod +x evil/.git/hooks/post-checkout',
      'mkdir -p .git/rebase-merge; echo "exec touch ran" > .git/rebase-merge/git-rebase-todo',
    ].join('; ');
    const { say, git, get, cwd, told } = await world([plant]);
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const { code, err } = await say();
    expect(code, err).toBe(0);
    git('status');
    git('-C', 'evil', 'status');
    git('rebase', '--continue');
    expect([get('ran'), get('evil/ran')]).toEqual([undefined, undefined]);
    expect(existsSync(join(cwd, 'evil', '.git', 'HEAD'))).toBe(true);
    expect(told()).toContain('evil/.git/config');
  });

  test('is put back where it replaced a link or a folder by a link, or deleted a guard', async () => {
    const { say, told, get, cwd } = await world([
      'rm CLAUDE.md sub/.envrc; echo evil > CLAUDE.md; mv sub/.github sub/old; mkdir sub/x; ln -s x sub/.github; rm -r gone; ln -s sub/x .vscode',
    ]);
    for (const name of ['AGENTS.md', 'sub/.envrc', 'sub/.github/workflows/ci.yml', 'gone/Makefile']) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), `my ${name}`);
    }
    symlinkSync('AGENTS.md', join(cwd, 'CLAUDE.md'));
    const { code, err } = await say();
    expect(code, err).toBe(0);
    expect(lstatSync(join(cwd, 'CLAUDE.md')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(cwd, 'sub', '.github')).isDirectory()).toBe(true);
    expect([get('sub/.envrc'), get('sub/.github/workflows/ci.yml')]).toEqual(['my sub/.envrc', 'my sub/.github/workflows/ci.yml']);
    expect([existsSync(join(cwd, 'gone')), existsSync(join(cwd, '.vscode')), existsSync(join(cwd, 'sub', 'x'))]).toEqual([
      false,
      false,
      true,
    ]);
    expect(told()).toContain('deleted by the command and there again, since it runs by itself: sub/.envrc (');
    expect(err).not.toContain('is still there');
  });

  test('stays where a package manager that was allowed wrote its packages, and not where a script wrote more', async () => {
    const version = 'npm version patch --no-git-tag-version';
    const manifest = (more: object = {}) => JSON.stringify({ name: 'a', version: '1.0.0', ...more });
    const evil = `node -e "const f=require('fs');f.writeFileSync('package.json',f.readFileSync('package.json','utf8').replace('innocent','evil'))"`;
    const scripts = { preversion: 'true', postversion: evil, test: 'innocent' };
    const allow = [{ tool: 'run_command', command: version }];
    for (const [settings, more, expected] of [
      [{ sandboxedCommands: 'run' }, {}, '1.0.0'],
      [{ sandboxedCommands: 'run', allow }, {}, '1.0.1'],
      [{ allow }, {}, '1.0.1'],
      [{ sandboxedCommands: 'run', allow }, { scripts }, '1.0.0'],
    ] as const) {
      const { say, get, cwd, told } = await world([version], { permissions: settings });
      writeFileSync(join(cwd, 'package.json'), manifest(more));
      const { code, err } = await say();
      expect(code, err).toBe(0);
      expect([settings, JSON.parse(get('package.json') ?? '')]).toMatchObject([settings, { version: expected }]);
      expect(get('package.json')).not.toMatch(/"test": ?"evil"/);
      expect(told().includes('not there any more')).toBe(expected === '1.0.0');
    }
  });

  test('git goes to another state as a whole, outside of the sandbox and with a yes, or not at all', async () => {
    const commands = ['git switch -q feature', 'true && git merge -q feature', 'git stash'];
    const allowed = commands.slice(0, 1).map((command) => ({ tool: 'run_command', command, needs: 'everything' }));
    const states = [];
    for (const allow of [[], allowed]) {
      const { say, git, get, told } = await world(commands, { permissions: { sandboxedCommands: 'run', allow } });
      const commit = (text: string): void => {
        writeFileSync(join(cwdOf(git), '.github', 'workflows', 'ci.yml'), text);
        git('add', '.');
        git('commit', '-qm', text);
      };
      git('init', '-q', '-b', 'main');
      mkdirSync(join(cwdOf(git), '.github', 'workflows'), { recursive: true });
      commit('one');
      git('switch', '-qc', 'feature');
      commit('two');
      git('switch', '-q', 'main');
      const { code, err } = await say();
      expect(code, err).toBe(0);
      expect(git('status', '--porcelain').stdout).toBe('');
      states.push([git('branch', '--show-current').stdout, get('.github/workflows/ci.yml'), told().split('nobody to ask').length - 1]);
    }
    expect(states).toEqual([
      ['main\n', 'one', 3],
      ['feature\n', 'two', 2],
    ]);
  });

  test('is put back by the next process where SanBot was killed before it could, and told then', async () => {
    const { killed, next, get } = await killedWorld();
    const steps = await killed(0);
    // Right after the change was written down, and in the middle of putting it back.
    for (const name of ['restore.path', 'restore.rename']) {
      await killed(steps.lastIndexOf(name) + 1);
      const { out, err } = await next();
      expect([out, get('sub/.envrc'), get('sub/Makefile'), get('a.txt')]).toEqual([expect.any(String), undefined, 'mine\n', '1\n']);
      expect(err).toContain('Left out, since it runs by itself later: sub/.envrc');
      expect((await next()).err).not.toContain('Left out');
    }
  });
});
