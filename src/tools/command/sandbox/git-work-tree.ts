import { type ParsedCommand, programName, type SimpleCommand } from '../../../domain/permission.ts';

/** Options of git itself, before its command, that have a value as the next word. */
const VALUED: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']);

/**
 * True where a part of the command line has git write files of its choice into a work tree, as it changes to another state of it: where some
 * of them cannot be written, it stops half way or goes on without them. What is not known of such a part counts.
 */
export const changesWorkTree = ({ commands }: ParsedCommand): boolean => commands.some(writesFiles);

function writesFiles({ words, isElsewhere }: SimpleCommand): boolean {
  const [program, ...rest] = words;
  if (isElsewhere === true || program === undefined || programName(program) !== 'git') return false;
  let at = 0;
  while (rest[at]?.startsWith('-') === true) at += VALUED.has(rest[at] ?? '') ? 2 : 1;
  const [name, ...args] = rest.slice(at);
  const writes = name !== undefined && Object.hasOwn(WRITES, name) ? WRITES[name] : undefined;
  return writes?.(args) === true;
}

type Args = readonly (string | undefined)[];

const has = (args: Args, ...options: readonly string[]): boolean => args.some((arg) => arg !== undefined && options.includes(arg));
const always = (): boolean => true;
/** Without what says where to go on from, a new branch is where one stands. */
const makesBranch = (args: Args, ...options: readonly string[]): boolean => args.length === 2 && has(args.slice(0, 1), ...options);

const WRITES: Readonly<Record<string, (args: Args) => boolean>> = {
  switch: (args) => !makesBranch(args, '-c', '-C', '--create', '--force-create', '--orphan'),
  checkout: (args) => !makesBranch(args, '-b', '-B') && args.length > 0,
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
