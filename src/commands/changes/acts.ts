import { editSets } from '../../context/history/past.ts';
import type { ChangeSet } from '../../domain/session/change.ts';
import type { LogRecord } from '../../domain/session/record.ts';

/**
 * Everything that changed files in a session, by whomever, in order of time. Each is called by its place among them, from 1, which it keeps:
 * nothing is ever added before another.
 */
export const actsIn = (records: Iterable<LogRecord>, sets: readonly ChangeSet[]): readonly ChangeSet[] =>
  [...editSets(records), ...sets].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));

/** The folder of a repository that a path is of, as `.git`. */
export const gitFolderOf = (path: string): string | undefined => /^.*?\/\.git(?=\/|$)/.exec(path)?.[0];
