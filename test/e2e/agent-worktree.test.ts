import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { helperTask, helperWorld } from '../support/helpers.ts';
import { callsTool, replies, type Script } from '../support/scenario.ts';

const builder = (field: string): string => `---\ndescription: Builds.\n${field}\n---\nBuild it.\n`;

/** A repository whose hooks would tell that they ran, and a session that gives a task to the agent. */
async function world(field = 'worktree: true', written = 'new words') {
  const script: Script = (request) => {
    const task = helperTask(request);
    if (task === undefined)
      return request.messages.length === 1
        ? callsTool('task', { task: JSON.stringify(request.messages[0]).includes('look') ? 'look' : 'change', agent: 'builder' })
        : replies('done');
    if (request.messages.length > 1) return replies('built');
    return task === 'look'
      ? callsTool('read_file', { path: 'a.txt' })
      : callsTool('write_file', { path: '新 file.txt', content: `${written}\n` });
  };
  const made = await helperWorld(script);
  const { cwd, home } = made;
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@localhost', '-c', 'core.hooksPath=/dev/null', ...args], {
      cwd,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  for (const hook of ['post-checkout', 'pre-commit', 'post-commit'])
    writeFileSync(join(cwd, '.git/hooks', hook), `#!/bin/sh\ntouch '${join(cwd, 'hook-ran')}'\n`, { mode: 0o755 });
  mkdirSync(join(home, 'agents'), { recursive: true });
  writeFileSync(join(home, 'agents/builder.md'), builder(field));
  const folders = (): readonly string[] => (existsSync(`${home}-worktrees`) ? readdirSync(`${home}-worktrees`) : []);
  const told = (): string => JSON.stringify(made.main().at(-1)?.request.messages.at(-1)?.content);
  return { ...made, git, folders, told };
}

const TRUSTED = ['--trust', '--permission-mode', 'accept-edits'];

test.each(['worktree: true', 'isolation: worktree'])(
  'an agent with %s changes files on a branch of its own, whose difference comes back, and nothing is merged',
  async (field) => {
    const { say, cwd, home, git, folders, told } = await world(field);
    expect(await say('change it', ...TRUSTED)).toMatchObject({ code: 0, out: 'done\n' });
    const [folder = ''] = folders();
    expect(readFileSync(join(`${home}-worktrees`, folder, '新 file.txt'), 'utf8')).toBe('new words\n');
    expect(existsSync(join(cwd, '新 file.txt'))).toBe(false);
    const branch = /sanbot\/[\w-]+/.exec(git('branch', '--list', 'sanbot/*'))?.[0] ?? 'none';
    expect(told()).toContain(`on the branch ${branch} from ${git('rev-parse', 'HEAD').slice(0, 12)}`);
    expect(told()).toContain('+new words');
    expect(told()).toContain(`git merge ${branch}`);
    expect(git('diff', '--name-only', 'HEAD', branch).trim()).not.toBe('');
    expect(existsSync(join(cwd, 'hook-ran'))).toBe(false);
    expect(git('status', '--porcelain')).toBe('');
  },
);

test('a filter of the repository, which the agent may have changed, does not run: its work stays in the folder, and is named', async () => {
  const { say, cwd, git, folders, told } = await world('worktree: true', 'touch ../ran; cat');
  git('config', 'filter.own.clean', 'sh "新 file.txt"');
  writeFileSync(join(cwd, '.gitattributes'), '*.txt filter=own\n');
  git('add', '.gitattributes');
  git('commit', '-qm', 'second');
  await say('change it', ...TRUSTED);
  expect(folders()).toEqual([expect.not.stringMatching(/^ran$/)]);
  expect(told()).toContain('Nothing is committed, since git would run filter.own.clean');
});

test('one that changed nothing leaves no worktree and no branch', async () => {
  const { say, git, folders, told } = await world();
  await say('look at it', ...TRUSTED);
  expect(told()).toContain('It changed nothing, and its worktree is gone.');
  expect(folders()).toEqual([]);
  expect(git('branch', '--list', 'sanbot/*')).toBe('');
});

test('in a folder that is not trusted there is none, and the agent does not begin', async () => {
  const { say, told, git, of } = await world();
  await say('change it', '--permission-mode', 'accept-edits');
  expect(told()).toContain('needs a folder that the user trusts');
  expect(of('change')).toEqual([]);
  expect(git('branch', '--list', 'sanbot/*')).toBe('');
});
