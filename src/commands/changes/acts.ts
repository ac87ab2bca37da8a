import { editSets } from '../../context/history/past.ts';
import { type ChangeSet, type Entry, isContent, isSameThing } from '../../domain/session/change.ts';
import type { LogRecord } from '../../domain/session/record.ts';

/**
 * Everything that changed files in a session, by whomever, in order of time. Each is called by its place among them, from 1, which it keeps:
 * nothing is ever added before another.
 */
export const actsIn = (records: Iterable<LogRecord>, sets: readonly ChangeSet[]): readonly ChangeSet[] =>
  knowingContents([...editSets(records), ...sets].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))));

/** Right after an act nobody keeps what it wrote. What the next change of a path found there is what the one before it left. */
function knowingContents(acts: readonly ChangeSet[]): readonly ChangeSet[] {
  const found = new Map<string, Entry | null>();
  const known = acts.toReversed().map((act) => ({
    ...act,
    changes: act.changes.map((change) => {
      const next = found.get(change.path);
      found.set(change.path, change.before);
      if (change.after === null || next === undefined || next === null || change.after.holds === next.holds) return change;
      const isKnown = isContent(change.after.holds) && !isContent(next.holds);
      return isKnown || !isSameThing(change.after, next) ? change : { ...change, after: next };
    }),
  }));
  return known.toReversed();
}

/** The folder of a repository that a path is of, as `.git`. */
export const gitFolderOf = (path: string): string | undefined => /^.*?\/\.git(?=\/|$)/.exec(path)?.[0];

/** A folder stands before what is in it. */
export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : Number(a.path > b.path);
