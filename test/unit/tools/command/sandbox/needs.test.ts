import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseShell } from '../../../../../src/tools/command/parse-command.ts';
import { cautionOf, neededBy } from '../../../../../src/tools/command/sandbox/needs.ts';
import { makeWorld } from './sandbox-world.ts';

function repository() {
  const world = makeWorld();
  world.git('init -q -b main');
  world.put('a.txt');
  world.git('add .');
  world.git('commit -qm one');
  world.git('worktree add -q ../linked');
  const below = join(world.cwd, 'below');
  mkdirSync(below);
  return { ...world, below, linked: join(world.root, 'linked') };
}

test('git that writes needs the git folder of its repository where that lies outside, and the question names it', async () => {
  const { cwd, below, linked } = repository();
  const needs = async (command: string, folder: string, asked?: 'network' | 'repository' | 'everything') =>
    neededBy(await parseShell(command), asked, folder);
  for (const command of [
    'git commit -qm x',
    'npm test && git add .',
    'git "$WHAT"',
    'git -C . tag v1',
    'git stash drop',
    'git new-thing',
  ]) {
    expect([command, await needs(command, below)]).toEqual([command, 'repository']);
    expect([command, await needs(command, linked)]).toEqual([command, 'repository']);
    expect([command, await needs(command, cwd)]).toEqual([command, undefined]);
  }
  for (const command of ['git status', 'git log --oneline | head', 'git branch -a', 'git tag', 'git --version', 'git stash list', 'make'])
    expect([command, await needs(command, below)]).toEqual([command, undefined]);
  // A program that is git inside, and what needs more anyway.
  expect(await needs('make release', below, 'repository')).toBe('repository');
  expect(await needs('make release', cwd, 'repository')).toBeUndefined();
  expect(await needs('git switch x', below, 'repository')).toBe('everything');
  expect(await needs('git commit', below, 'everything')).toBe('everything');
  expect(cautionOf('repository', { cwd: below, problem: undefined }).en).toMatch(/outside of the working folder: .*project\/\.git$/);
  expect(cautionOf('repository', { cwd: linked, problem: undefined }).en).toMatch(
    /: .*project\/\.git, .*project\/\.git\/worktrees\/linked$/,
  );
});
