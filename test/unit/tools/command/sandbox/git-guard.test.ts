import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canSandbox, makeWorld, users, type World } from './sandbox-world.ts';

/** A repository with a branch of which the workflow is another one. */
function repository(user: 'self' | 'nobody' = 'self'): World {
  const world = makeWorld({ user, guard: true });
  world.git('init -q -b main');
  const commit = (text: string): void => {
    for (const name of ['.github/workflows/ci.yml', 'AGENTS.md', 'a 文.txt', 'z.txt', 'src/b.txt']) world.put(name, text);
    world.git('add .');
    world.git(`commit -qm ${text}`);
  };
  commit('one');
  world.git('switch -qc feature');
  commit('two');
  world.git('switch -q main');
  return world;
}

describe.skipIf(!canSandbox)('git in the sandbox', () => {
  test.each(users)('does not begin what it could not end, whoever calls it: %s', (user) => {
    const world = repository(user);
    world.git('config alias.sw switch');
    world.git('config alias.again sw');
    world.put('go.sh', 'git switch -q feature > /dev/null 2>&1');
    chmodSync(world.put('.git/hooks/pre-commit', '#!/bin/sh\ngit checkout -q feature -- .\n'), 0o755);
    const commands = [
      'sh go.sh',
      'git sw feature',
      'git again feature',
      'git -c alias.o="!git merge -q feature" o',
      '$(git --exec-path)/git-switch feature',
      'cd src && git --work-tree=.. --git-dir="$PWD/../.git" checkout -f feature',
      `git -c user.name="o'neill" stash`,
      'git commit -q --allow-empty -m x',
      'git filter-branch --tree-filter "rm z.txt" HEAD',
      'git rm -rq "a 文.txt" AGENTS.md z.txt',
      'mkdir to; git mv -k src AGENTS.md z.txt to/',
      'git rm -rq --cached AGENTS.md; git clean -fdxq',
      'git switch --orphan new',
    ];
    for (const command of commands) {
      world.run(command);
      expect([command, world.git('diff HEAD --stat -- src z.txt').stdout]).toEqual([command, '']);
      expect([command, world.git('log --format=%s').stdout]).toEqual([command, 'one\n']);
    }
    expect(world.run('git stash').err).toContain('git stash was not begun: in the sandbox');
  });

  test('does all else as ever, and all of it in a repository in which nothing is held', () => {
    const world = repository();
    const commands = [
      'git rm -q "a 文.txt" && git mv z.txt y.txt && touch new && git clean -fq && test ! -e new',
      'git commit -qm x && git switch -qc new && git restore --staged . && git stash list && git reset -q',
      'git init -q /tmp/r && cd /tmp/r && echo a > AGENTS.md && git add . && git commit -qm a && git rm -q AGENTS.md && git stash && git checkout -q .',
      'git -C / status; test $? = 128; git --version; git no-such 2>&1 | grep -q "is not a git command"',
    ];
    for (const command of commands) expect(world.run(command), command).toMatchObject({ code: 0 });
    expect(readFileSync(join(world.cwd, 'y.txt'), 'utf8')).toBe('one');
    expect(existsSync(join(world.cwd, 'a 文.txt'))).toBe(false);
  });
});
