/**
 * A git worktree for an agent that works in one: a branch and a folder of its own, beside SanBot's home, so that what it changes is a
 * difference to look at. What came of it is committed there; nothing is merged, and a folder in which anything is left is never removed.
 *
 * git runs here with the repository's hooks off, only in a folder that the person trusts, and no program of that folder in its place.
 */

import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { environmentRules } from '../../domain/config/command-environment.ts';
import { type Bilingual, because, sameInBoth } from '../../domain/language.ts';
import type { HelperWorktree } from '../../domain/session/record.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { scrubEnv } from '../../tools/command/scrub-env.ts';
import { realpathOf } from '../prompt/project-context.ts';
import type { Runtime } from '../runtime.ts';
import { findRepositoryRoot } from '../trust/repository.ts';

type Git = Pick<Runtime, 'environment' | 'config'>;
export type WorktreeRuntime = Git & Pick<Runtime, 'home' | 'trustsProject'>;

const HOOKS_OFF = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
const AUTHOR = ['-c', 'user.name=SanBot', '-c', 'user.email=sanbot@localhost', '-c', 'commit.gpgSign=false'];
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color'];
const MAX_MS = 300_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Makes the worktree from the newest commit; a text says why there is none. */
export async function beginWorktree(name: string, runtime: WorktreeRuntime): Promise<HelperWorktree | Bilingual> {
  const { environment, home, trustsProject } = runtime;
  const cwd = realpathOf(environment.cwd());
  const root = findRepositoryRoot(cwd);
  if (root === undefined)
    return {
      en: 'it works in a git worktree, and this folder is in no git repository',
      zh: '它在 git worktree 中工作，而此文件夹不在 git 仓库中',
    };
  if (!trustsProject)
    return {
      en: 'it works in a git worktree, which needs a folder that the user trusts',
      zh: '它在 git worktree 中工作，这需要用户信任此文件夹',
    };
  const folder = join(`${home}-worktrees`, `${basename(root)}-${name}`);
  const branch = `sanbot/${name}`;
  const base = await git(['rev-parse', 'HEAD'], root, runtime);
  if (!base.ok) return because({ en: 'no worktree was made', zh: '没有建立 worktree' }, sameInBoth(base.text));
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const made = await git(['worktree', 'add', '-q', '-b', branch, folder, base.text], root, runtime);
  if (!made.ok) return because({ en: 'no worktree was made', zh: '没有建立 worktree' }, sameInBoth(made.text));
  return { root, folder, cwd: join(folder, relative(realpathOf(root), cwd)), branch, base: base.text };
}

/** Commits what is there, and adds branch and difference to what the helper said. Without anything in it the worktree goes. */
export async function endWorktree(outcome: ToolOutcome, worktree: HelperWorktree, runtime: Git): Promise<ToolOutcome> {
  const { folder, branch, base } = worktree;
  const filter = await strangeFilter(folder, runtime);
  if (filter !== undefined)
    return withText(outcome, `Its worktree: ${folder}. Nothing is committed, since git would run ${filter} outside of the sandbox.`);
  const state = await git(['status', '--porcelain', '--ignored'], folder, runtime);
  if (!state.ok) return withText(outcome, `Its worktree ${folder} cannot be read: ${state.text}`);
  const commits = await git(['rev-list', `${base}..HEAD`], folder, runtime);
  if (state.text === '' && commits.ok && commits.text === '') return removeEmpty(outcome, worktree, runtime);
  await git(['add', '-A'], folder, runtime);
  await git([...AUTHOR, 'commit', '-q', '--no-verify', '-m', `Work of the agent in ${basename(folder)}`], folder, runtime);
  const [stat, patch] = [
    await git(['diff', ...PLAIN, '--stat', base, 'HEAD'], folder, runtime),
    await git(['diff', ...PLAIN, base, 'HEAD'], folder, runtime),
  ];
  const road = `Nothing is merged. Ask the user; after a yes, git merge ${branch} brings it.`;
  return withText(
    outcome,
    `It worked in ${folder}, on the branch ${branch} from ${base.slice(0, 12)}. ${road}\n\n${stat.text}\n\n${patch.text}`,
  );
}

/** A filter that git would run on what the agent left, and that may take the agent's files for its program; the usual ones are their own. */
async function strangeFilter(folder: string, runtime: Git): Promise<string | undefined> {
  const { ok, text } = await git(['config', '--get-regexp', '^filter\\..*\\.(clean|process)$'], folder, runtime);
  const filters = ok ? text.split('\n') : [];
  return filters.find((line) => !/^filter\.\S+ "?git-(?:lfs|crypt)"? [\w% =-]*$/.test(line))?.split(' ')[0];
}

async function removeEmpty(outcome: ToolOutcome, { root, folder, branch }: HelperWorktree, runtime: Git): Promise<ToolOutcome> {
  const removed = await git(['worktree', 'remove', folder], root, runtime);
  if (removed.ok) await git(['branch', '-q', '-d', branch], root, runtime);
  return withText(outcome, removed.ok ? 'It changed nothing, and its worktree is gone.' : `It changed nothing. Its worktree: ${folder}`);
}

function withText(outcome: ToolOutcome, text: string): ToolOutcome {
  const { shown, ...rest } = outcome;
  const content = `${outcome.content}\n\n${text}`;
  return { ...rest, content, ...(shown !== undefined && { shown: { ...shown, en: content } }) };
}

/** Never rejects: `text` is what git printed, or why it failed. */
function git(args: readonly string[], cwd: string, { environment, config }: Git): Promise<{ readonly ok: boolean; readonly text: string }> {
  const { env } = scrubEnv(environment.env, environmentRules(config));
  const path = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWithin(folder, environment.cwd()) && !isWithin(folder, cwd));
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  const options = {
    ...{ cwd, timeout: MAX_MS, maxBuffer: MAX_BYTES },
    env: { ...own, PATH: path.join(delimiter), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  };
  return new Promise((resolve) => {
    execFile('git', [...HOOKS_OFF, ...args], options, (error, out, err) => {
      const [line = ''] = (err || error?.message || '').trim().split('\n');
      resolve(error === null ? { ok: true, text: out.trim() } : { ok: false, text: line });
    });
  });
}
