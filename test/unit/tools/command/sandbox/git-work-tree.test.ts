import { expect, test } from 'vitest';
import { parseShell } from '../../../../../src/tools/command/parse-command.ts';
import { changesWorkTree } from '../../../../../src/tools/command/sandbox/needs.ts';

test('git that goes to another state of its files is known, wherever it stands in a command line', async () => {
  const commands = [
    'git switch feature',
    'git checkout main',
    'git checkout -b x origin/main',
    'git -C sub -c a=b merge feature',
    '/usr/bin/git stash',
    'git stash pop',
    'git reset --hard HEAD~1',
    'git reset "$MODE"',
    'git restore .',
    'git restore --staged --worktree a',
    'git rebase main',
    'git worktree add wt',
    'npm test && git cherry-pick abc; true',
    'bash -c "git revert abc"',
    'git pull --ff-only',
    'git switch --orphan new',
    'env A=b timeout 9 git switch feature',
    'echo feature | xargs git switch',
  ];
  for (const command of commands) expect([command, changesWorkTree(await parseShell(command))]).toEqual([command, true]);
});

test('git that reads, or writes its own data alone, is not meant, nor is another program', async () => {
  const commands = [
    'git status',
    'git commit -m "switch"',
    'git add . && git commit -m x',
    'git switch -c new',
    'git checkout -b new',
    'git branch -D x',
    'git stash list',
    'git reset',
    'git reset HEAD~1',
    'git restore --staged a',
    'git log merge',
    'git fetch',
    'git apply --check p.diff',
    'echo git switch x',
    'ssh host git pull',
  ];
  for (const command of commands) expect([command, changesWorkTree(await parseShell(command))]).toEqual([command, false]);
});
