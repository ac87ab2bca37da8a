import { editSets } from '../../context/history/past.ts';
import type { Bilingual } from '../../domain/language.ts';
import { actorsOf, type ChangeSet, type Entry, isContent, isSameThing } from '../../domain/session/change.ts';
import type { LogRecord } from '../../domain/session/record.ts';
import type { ActChoice } from '../../terminal/chat/history-port.ts';

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

/** Which acts are to be undone, each with its number, and what of them. */
export type RestoreChoice = {
  /** What the restore is called in the list of changes. */
  readonly title: Bilingual;
  readonly isUndone: (act: ChangeSet, number: number) => boolean;
  readonly isMeant?: ((path: string) => boolean) | undefined;
  /** The session goes back right after it, so that the restore is no part of the state before that. */
  readonly isBeforeRewind?: boolean;
};

/** Everything that was done after a state of which record `n` of the session's log is the last: what was done right after that is part of it. */
export const actsSince = (n: number): RestoreChoice => ({
  title: { en: 'Files restored', zh: '恢复文件' },
  isUndone: (act) => actorsOf(act).some(({ record }) => record > n),
});

/** One act, or all from it on. What is meant of a folder is all in it. */
export const actsFrom = ({ number, andLater, path }: ActChoice): RestoreChoice => ({
  title: andLater
    ? { en: `Undo of ${number} and later`, zh: `撤销第 ${number} 项及之后的更改` }
    : { en: `Undo of ${number}`, zh: `撤销第 ${number} 项更改` },
  isUndone: (_, n) => (andLater ? n >= number : n === number),
  isMeant: path === undefined ? undefined : (each) => each === path || each.startsWith(`${path}/`),
});
