import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { isPlainConfig, strangersFile } from './git-config.ts';
import { gitMayWrite } from './git-files.ts';

const CONFIGURED: Bilingual = {
  en: 'git obeys it, and it says more than git writes into a new repository',
  zh: 'git 会遵从它，而其中的内容超出 git 写入新仓库的范围',
};
const HOOK: Bilingual = { en: 'git runs hooks by themselves', zh: 'git 会自动运行钩子' };
const LEADS: Bilingual = { en: 'it leads git to another configuration', zh: '它会把 git 引向另一份配置' };
const EXECUTES: Bilingual = {
  en: 'git runs what its exec lines say when the rebase goes on',
  zh: '变基继续时，git 会运行其 exec 行的命令',
};
const MERGES: Bilingual = {
  en: 'git runs a program of that name when it goes on',
  zh: '操作继续时，git 会运行该名称对应的程序',
};
const OBEYS: Bilingual = { en: 'git obeys it, and does not write it by itself', zh: 'git 会遵从它，而 git 自己不会写它' };

/** What a path in a repository's git folder is, of which the rest is given as it is seen from there. */
type InGit = { readonly path: string; readonly gitFolder: string; readonly rest: string; readonly root: string };

/**
 * Why git would run something because of a file in its folder, by what stands in it now; undefined for its data, and for what it writes into
 * a new repository. What is not known is not git's.
 */
export function gitLeavesReason({ path, gitFolder, rest, root }: InGit): Bilingual | undefined {
  const name = basename(rest);
  if (/(?:^|\/)hooks\/./.test(rest) && !rest.startsWith('refs/') && !rest.startsWith('logs/'))
    return name.endsWith('.sample') ? undefined : HOOK;
  if (/^git-rebase-todo|^todo$|^done$/.test(name) && /(?:^|\/)(?:rebase-merge|sequencer)\/[^/]+$/.test(rest))
    return runsLines(strangersFile(path)) ? EXECUTES : undefined;
  if (/(?:^|\/)(?:rebase-merge\/strategy|sequencer\/opts)$/.test(rest)) return namesStrategy(strangersFile(path)) ? undefined : MERGES;
  if (gitMayWrite(rest)) return undefined;
  if (/^(?:config|config\.worktree)$/.test(name)) return isPlain(path, root) ? undefined : CONFIGURED;
  if (name === 'commondir') return leadsTo(path) === ownerOf(gitFolder, rest) ? undefined : LEADS;
  if (name === 'gitdir') return isWithin(leadsTo(path), root) ? undefined : LEADS;
  return NEW_REPOSITORY.test(rest) && isWordless(path) ? undefined : OBEYS;
}

/** Files that are copied into a new repository. */
const NEW_REPOSITORY = /^(?:modules\/.{1,500}\/)?(?:description|info\/exclude)$/s;

/** They run nothing whatever they say. */
const isWordless = (path: string): boolean => strangersFile(path) !== undefined;

const isPlain = (path: string, root: string): boolean => {
  const text = strangersFile(path);
  const isInside = (worktree: string): boolean => isWithin(resolve(dirname(path), worktree), root);
  return text !== undefined && (isPlainConfig(text, isInside) || isReference(text));
};

/** A branch may be called so. */
const isReference = (text: string): boolean => /^(?:ref: refs\/[^\s\\]{1,500}|[0-9a-f]{40}|[0-9a-f]{64})\n$/.test(text);

/** A command that git runs, by any name that it has in a list of what is to be done; also where the list cannot be read. */
const runsLines = (text: string | undefined): boolean => text === undefined || /^[\t ]*(?:x|exec)(?:[\t ]|$)/m.test(text);

/** git merges by running `git-merge-NAME`: with a slash in the name, a program of the folder. */
const namesStrategy = (text: string | undefined): boolean =>
  text !== undefined && (/^[\w-]*\n?$/.test(text) || text.split('\n').every((line) => STRATEGY_LINE.test(line)));

/** Lines as git writes them when it stops; of no other key is the value a program. */
const STRATEGY_LINE = /^(?:|\[options\]|\tstrategy = [\w-]+|\t(?!strategy =)[a-z-]+ = [^\\]*)$/;

/** Where a file of git leads; nowhere where it cannot be read. */
function leadsTo(path: string): string {
  const text = strangersFile(path)
    ?.replace(/^gitdir: /, '')
    .trim();
  return text === undefined || text === '' || text.includes('\0') ? '' : resolve(dirname(path), text);
}

/** The repository that a linked work tree is of. */
const ownerOf = (gitFolder: string, rest: string): string | undefined =>
  /^worktrees\/[^/]+\/commondir$/.test(rest) ? gitFolder : undefined;

/** Why git would run something because of a file in the place of its folder: it leads where nothing is judged. */
export function gitFileReason(path: string, root: string): Bilingual | undefined {
  const text = strangersFile(path);
  const target = text?.startsWith('gitdir: ') ? leadsTo(path) : '';
  const isOfRoot = /^(?:worktrees|modules)\/./.test(target.slice(join(root, '.git').length + 1));
  return isOfRoot && isWithin(target, join(root, '.git')) ? undefined : LEADS;
}

const isNowhere = (path: string): boolean =>
  !path.includes('\uFFFD') &&
  (orUndefined(() => ({ stats: lstatSync(path, { throwIfNoEntry: false }) })) ?? { stats: 'unknown' }).stats === undefined;

/**
 * True where git, if it took this folder for a repository, would run nothing because of it: its configuration is one that git writes, and it
 * has no hook.
 */
export function isPlainRepository(folder: string, root: string): boolean {
  // Git reads what it knows by name also where nobody can list it, and a name that is no text leads elsewhere.
  const names = orUndefined(() => readdirSync(folder)) ?? (isNowhere(folder) ? [] : undefined);
  if (names === undefined) return false;
  const configs = ['config', 'config.worktree'].filter((name) => names.some((each) => each.toLowerCase() === name));
  const hooks = names.includes('hooks') ? (orUndefined(() => readdirSync(join(folder, 'hooks'))) ?? ['?']) : [];
  return (
    configs.every((name) => isPlain(join(folder, name), root)) &&
    hooks.every((name) => name.endsWith('.sample')) &&
    !names.includes('commondir')
  );
}
