/**
 * Which files the work changed and deleted, as its calls tell and as was found after them. Paths come out as the calls name them, one name
 * a file; a file whose changes were all taken back is left out.
 *
 * Total. What is not plain counts as changed: a name too many costs a line, one too few is work done twice.
 */

import { groupBy, unique } from '../../../domain/lists.ts';
import type { Ledger } from '../../../domain/session/ledger.ts';
import { quoteLine } from '../../text/sentences.ts';
import { wasRun } from '../outcomes.ts';
import type { ToolCall } from '../types.ts';
import { filesWrittenBy } from './shell-files.ts';
import { foundChanges, isSamePath, removalOf, type TakenBack, takenBack } from './undone.ts';

type Files = { readonly filesModified: string[]; readonly filesDeleted: string[] };
type EarlierFiles = Pick<Ledger, 'filesModified' | 'filesDeleted'>;

/** Follows which files the calls changed and which of them they deleted again; not those that are as they were before. */
export function changedFiles(calls: readonly ToolCall[]): Files & Pick<TakenBack, 'restored'> {
  const { isAsBefore, restored } = takenBack(calls);
  const { filesModified, filesDeleted } = calls.reduce<Files>(
    (files, call) => {
      const found = foundChanges(call);
      const isNamed = wasRun(call) && !call.failed && (call.kind === 'write' || call.kind === 'run');
      if (!isNamed && found === undefined) return files;
      const gone = unique([...(isNamed ? goneBy(call) : []), ...(found?.deleted ?? [])]);
      const paths = unique([...(isNamed ? withoutFound(call.paths, found) : []), ...(found?.files ?? [])]).filter(
        (path) => !gone.includes(path),
      );
      return mergeFiles(files, { filesModified: paths.map(quotePath), filesDeleted: gone.map(quotePath) });
    },
    { filesModified: [], filesDeleted: [] },
  );
  const differs = (path: string): boolean => !isAsBefore(path);
  return { filesModified: filesModified.filter(differs), filesDeleted: filesDeleted.filter(differs), restored };
}

function goneBy(call: ToolCall): readonly string[] {
  const removal = removalOf(call);
  return removal?.kind === 'files' && removal.isDeleted ? removal.paths : movedAway(call);
}

/** A command may name a file from another folder. */
const withoutFound = (paths: readonly string[], found: ToolCall['changed']): readonly string[] =>
  paths.filter((path) => !found?.files.some((file) => file.endsWith(`/${path.replace(/^\.\//, '')}`)));

const quotePath = (path: string): string => quoteLine(path, 1_000);

/** What is written again is there again; what is deleted later is gone. A file that has two names has the longer one. */
export function mergeFiles(earlier: EarlierFiles, later: EarlierFiles): Files {
  const [before, deleted] = [earlier.filesDeleted ?? [], later.filesDeleted ?? []];
  if (later.filesModified.length + deleted.length === 0) return { filesModified: [...earlier.filesModified], filesDeleted: [...before] };
  const isIn = (path: string, paths: readonly string[]): boolean => paths.some((other) => other === path || isOneFile(other, path));
  const modified = [...earlier.filesModified.filter((path) => !isIn(path, deleted)), ...later.filesModified];
  const whole = deleted.map((path) => earlier.filesModified.find((other) => isOneFile(other, path)) ?? path);
  return {
    filesModified: withoutSecondNames(modified),
    filesDeleted: unique([...before, ...whole]).filter((path) => !isIn(path, later.filesModified)),
  };
}

const isOneFile = (a: string, b: string): boolean => a !== b && isSamePath(a, b) && /^[/~]/.test(a.length > b.length ? a : b);

function withoutSecondNames(paths: readonly string[]): string[] {
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const all = unique(paths);
  const byName = groupBy(all, nameOf);
  return all.filter((path) => !byName.get(nameOf(path))?.some((other) => other.length > path.length && isOneFile(other, path)));
}

const movedAway = ({ command }: ToolCall): readonly string[] => {
  const words = /(?:^|&& )(?:git )?mv ([^\s;&|]+) ([^\s;&|]+)\s*(?:$|&&|;)/.exec(command ?? '');
  return words === null ? [] : [words[1] ?? ''].filter((path) => filesWrittenBy(command ?? '').includes(path));
};

export function madeOnly(command: string, deleted: readonly string[]): boolean {
  const made = deleted.length === 0 || /(?:^|&& )(?:git )?(?:rm|mv) /.test(command) ? [] : filesWrittenBy(command);
  return made.length > 0 && made.every((path) => deleted.some((gone) => isSamePath(gone, path)));
}
