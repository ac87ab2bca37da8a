import type { LostPaths } from '../../../domain/permission.ts';
import { joinPatterns } from '../../../domain/permission.ts';
import { type Argument, type CalledProgram, patternsFor, type SortedArguments, sortArguments } from './called-program.ts';

export type GitCall = {
  readonly subcommand: string;
  readonly rest: readonly Argument[];
  /** Where -C leads. */
  readonly folder?: string | null;
};

const GLOBAL_VALUED: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);

/** The subcommand of git and what comes after it; undefined where none is known. */
export function gitCall({ rest, command }: CalledProgram): GitCall | undefined {
  let folder = command.folder;
  for (let at = 0; at < rest.length; at++) {
    const argument = rest[at];
    const word = argument?.word;
    if (word === undefined) return undefined;
    if (!word.startsWith('-')) return { subcommand: word, rest: rest.slice(at + 1), ...(folder !== undefined && { folder }) };
    const value = rest[at + 1];
    if (word === '-C' && value !== undefined) folder = joinPatterns(folder, patternsFor(value, command)[0] ?? '') || null;
    if (GLOBAL_VALUED.has(word)) at++;
  }
  return undefined;
}

/** What git takes out of the work tree of which it has no copy: its own objects can be brought back. */
export function gitLosses(called: CalledProgram): readonly LostPaths[] {
  const call = gitCall(called);
  if (call === undefined) return [];
  const lost = SUBCOMMANDS.get(call.subcommand)?.(sortArguments(call.rest, VALUED.get(call.subcommand)), called) ?? [];
  return call.folder === undefined ? lost : lost.map((each) => ({ ...each, folder: call.folder ?? null }));
}

type Reader = (sorted: SortedArguments, called: CalledProgram) => readonly LostPaths[];

const has = ({ options }: SortedArguments, ...names: readonly string[]): boolean => names.some((name) => options.includes(name));

const EVERYTHING_TRACKED: readonly LostPaths[] = [{ kind: 'paths', act: 'overwrite', patterns: [], only: 'tracked' }];

const tracked = ({ operands }: SortedArguments, { command }: CalledProgram): readonly LostPaths[] => {
  const patterns = operands.flatMap((each) => patternsFor(each, command));
  return patterns.length === 0 ? [] : [{ kind: 'paths', act: 'overwrite', patterns, only: 'tracked' }];
};

const deleted = ({ operands }: SortedArguments, { command }: CalledProgram): readonly LostPaths[] => {
  const patterns = operands.flatMap((each) => patternsFor(each, command));
  return patterns.length === 0 ? [] : [{ kind: 'paths', act: 'delete', patterns }];
};

const SUBCOMMANDS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'clean',
    (sorted, { command }) => {
      if (!has(sorted, '-f', '--force') || has(sorted, '-n', '--dry-run')) return [];
      const paths = sorted.operands.flatMap((each) => patternsFor(each, command));
      const patterns = sorted.operands.length === 0 ? ['.'] : paths;
      return [{ kind: 'paths', act: 'delete', patterns, only: has(sorted, '-x', '-X') ? 'untracked' : 'unignored' }];
    },
  ],
  ['reset', (sorted) => (has(sorted, '--hard') ? EVERYTHING_TRACKED : [])],
  ['switch', (sorted) => (has(sorted, '-f', '--force', '--discard-changes') ? EVERYTHING_TRACKED : [])],
  [
    'checkout',
    (sorted, called) => {
      if (has(sorted, '-f', '--force')) return EVERYTHING_TRACKED;
      return has(sorted, '-b', '-B', '--orphan', '--detach') ? [] : tracked(sorted, called);
    },
  ],
  ['restore', (sorted, called) => (has(sorted, '-S', '--staged') && !has(sorted, '-W', '--worktree') ? [] : tracked(sorted, called))],
  ['rm', (sorted, called) => (has(sorted, '--cached', '-n', '--dry-run') ? [] : deleted(sorted, called))],
  [
    'worktree',
    (sorted, called) => {
      const [act, ...operands] = sorted.operands;
      return act?.word === 'remove' ? deleted({ ...sorted, operands }, called) : [];
    },
  ],
]);

const VALUED: ReadonlyMap<string, string> = new Map([
  ['clean', '-e --exclude'],
  ['restore', '-s --source'],
  ['checkout', '-b -B --orphan'],
  ['reset', ''],
]);
