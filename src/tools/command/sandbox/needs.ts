import type { SandboxNeeds } from '../../../domain/config/sandbox-mode.ts';
import { type Bilingual, because, joinTexts, sameInBoth } from '../../../domain/language.ts';
import { type ParsedCommand, programName, type SimpleCommand } from '../../../domain/permission.ts';
import { visibleLine } from '../../place/visible.ts';
import { outerGitFolders } from './git-holds.ts';

/**
 * What a command needs beyond the sandbox, by what was asked for and by what git in it does: all that it does to a work tree or nothing of
 * it, so that needs everything; and where it writes a repository of which the git folder lies outside of the working folder, that folder.
 */
export function neededBy(parsed: ParsedCommand, asked: SandboxNeeds | undefined, cwd: string): SandboxNeeds | undefined {
  if (changesWorkTree(parsed)) return 'everything';
  const isMeant = asked === 'repository' || (asked !== 'everything' && writesRepository(parsed));
  if (!isMeant) return asked;
  const isOutside = outerGitFolders(cwd).length > 0;
  // The network and that folder as well, as to fetch there, is more than the sandbox gives.
  return asked === 'network' ? (isOutside ? 'everything' : asked) : isOutside ? 'repository' : undefined;
}

/** What the person is told of it. `problem`: why no sandbox can be made here. */
export function cautionOf(
  needs: SandboxNeeds,
  { cwd, problem }: { readonly cwd: string; readonly problem: Bilingual | undefined },
): Bilingual {
  if (problem !== undefined) return because(NO_SANDBOX_HERE, problem);
  if (needs !== 'repository') return cautions[needs];
  const folders = outerGitFolders(cwd).map((folder) => sameInBoth(visibleLine(folder, 300)));
  return because(cautions.repository, joinTexts(folders, { en: ', ', zh: '、' }));
}

const cautions: Readonly<Record<SandboxNeeds, Bilingual>> = {
  network: { en: 'it reaches the network from the sandbox', zh: '它从沙箱中访问网络' },
  repository: {
    en: 'it writes, from the sandbox, the git folder of its repository, which lies outside of the working folder',
    zh: '它从沙箱中写入其仓库的 git 文件夹，该文件夹位于当前文件夹之外',
  },
  everything: { en: 'it runs outside of the sandbox', zh: '它在沙箱之外运行' },
};

const NO_SANDBOX_HERE: Bilingual = {
  en: 'it runs outside of the sandbox, which cannot be made here',
  zh: '它在沙箱之外运行，因为在此无法建立沙箱',
};

/** Options of git itself, before its command, that have a value as the next word. */
const VALUED: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']);

/**
 * True where a part of the command line has git write files of its choice into a work tree, as it changes to another state of it: where some
 * of them cannot be written, it stops half way or goes on without them. What is not known of such a part counts.
 */
export const changesWorkTree = ({ commands }: ParsedCommand): boolean =>
  commands.flatMap(gitCommand).some(([name, ...args]) => tableEntry(WRITES, name)?.(args) === true);

/** True where a part of the command line is git and not known to leave the repository as it is. */
export const writesRepository = ({ commands }: ParsedCommand): boolean =>
  commands.flatMap(gitCommand).some(([name, ...args]) => !(READING.has(name ?? '') || tableEntry(READS, name)?.(args) === true));

/** Git's own command with its words; none where this is not git, or is git without a command. */
function gitCommand({ words, isElsewhere }: SimpleCommand): readonly Args[] {
  const from = words.findIndex((word = '') => programName(word) === 'git');
  if (isElsewhere === true || from < 0 || (from > 0 && !STARTERS.has(programName(words[0] ?? '')))) return [];
  const rest = words.slice(from + 1);
  let at = 0;
  while (rest[at]?.startsWith('-') === true) at += VALUED.has(rest[at] ?? '') ? 2 : 1;
  return at < rest.length ? [rest.slice(at)] : [];
}

/** Programs that start the one that their words name. */
const STARTERS: ReadonlySet<string> = new Set('env command exec nohup nice setsid stdbuf time timeout xargs sudo doas'.split(' '));

type Table = Readonly<Record<string, (args: Args) => boolean>>;

const tableEntry = (table: Table, name: string | undefined): Table[string] | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

type Args = readonly (string | undefined)[];

const has = (args: Args, ...options: readonly string[]): boolean => args.some((arg) => arg !== undefined && options.includes(arg));
const always = (): boolean => true;
/** Without what says where to go on from, a new branch is where one stands. */
const makesBranch = (args: Args, ...options: readonly string[]): boolean => args.length === 2 && has(args.slice(0, 1), ...options);

const WRITES: Table = {
  switch: (args) => !makesBranch(args, '-c', '-C', '-qc', '-qC', '--create', '--force-create'),
  checkout: (args) => !makesBranch(args, '-b', '-B', '-qb', '-qB') && args.length > 0,
  merge: (args) => !has(args, '--quit'),
  pull: always,
  rebase: (args) => !has(args, '--quit', '--show-current-patch', '--edit-todo'),
  'cherry-pick': (args) => !has(args, '--quit'),
  revert: (args) => !has(args, '--quit'),
  stash: ([name]) => !['list', 'show', 'drop', 'clear', 'create', 'store'].includes(name ?? 'push'),
  reset: (args) => has(args, '--hard', '--merge', '--keep', '--recurse-submodules') || args.includes(undefined),
  restore: (args) => !has(args, '--staged', '-S') || has(args, '--worktree', '-W'),
  am: always,
  apply: (args) => !has(args, '--stat', '--numstat', '--summary', '--check', '--cached'),
  'read-tree': (args) => has(args, '-u'),
  'checkout-index': always,
  bisect: ([name]) => !['log', 'view', 'visualize', 'terms', 'help'].includes(name ?? ''),
  worktree: ([name]) => name === 'add',
  submodule: (args) => has(args, 'update', 'add', 'deinit'),
  'sparse-checkout': ([name]) => !['list'].includes(name ?? ''),
};

/** Configuration and remotes are here too: they are held in any case. */
const READING: ReadonlySet<string> = new Set(
  `status log diff show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog cat-file diff-tree diff-index
  diff-files merge-base name-rev for-each-ref show-ref show-branch var version help check-ignore check-attr check-mailmap check-ref-format
  count-objects range-diff cherry whatchanged archive config remote`.split(/\s+/),
);

const lists = (args: Args): boolean => args.every((arg) => arg !== undefined && LISTING.has(arg.replace(/=.*$/s, '=')));
const LISTING: ReadonlySet<string> = new Set(
  `-a -r -v -vv -l -av -rv -avv --all --remotes --list --show-current --verbose --column --no-column --color --no-color --sort= --format=`.split(
    /\s+/,
  ),
);

const READS: Table = {
  branch: lists,
  tag: lists,
  stash: ([name]) => ['list', 'show'].includes(name ?? ''),
  worktree: ([name]) => name === 'list',
  reflog: ([name]) => name === undefined || name === 'show',
  submodule: ([name]) => name === undefined || ['status', 'summary'].includes(name),
  notes: ([name]) => name === undefined || ['list', 'show'].includes(name),
  bisect: ([name]) => ['log', 'view', 'visualize', 'terms', 'help'].includes(name ?? ''),
};
