import { actorsOf, type ChangeSet, type Entry, isSameThing } from '../../domain/session/change.ts';

/** How a path is brought back: what it should hold now, if nobody else touched it, and what it held before. */
export type Undo = {
  readonly path: string;
  readonly expected: Entry | null;
  readonly target: Entry | null;
  /** Somebody else changed it between two of the acts: theirs is the target, and this is what stood there before all of them. */
  readonly earlier?: Entry | null;
};

/**
 * What it takes to undo these acts and nothing that others changed meanwhile. `sets` are all that were written down, in order of time.
 * Going back stops at a version that none of the acts made.
 */
export function undoOf(sets: readonly ChangeSet[], isUndone: (set: ChangeSet) => boolean): readonly Undo[] {
  const undos = new Map<string, Undo & { readonly isStopped?: boolean }>();
  for (const set of sets.toReversed()) {
    if (actorsOf(set).length === 0 || !isUndone(set)) continue;
    for (const { path, before, after } of set.changes) {
      const known = undos.get(path);
      if (known === undefined) undos.set(path, { path, expected: after, target: before });
      else if (known.isStopped !== true && isSameThing(known.target, after)) undos.set(path, { ...known, target: before });
      else undos.set(path, { ...known, earlier: before, isStopped: true });
    }
  }
  const isGone = (path: string): boolean =>
    undos.get(path)?.target === null || (path.includes('/') && isGone(path.slice(0, path.lastIndexOf('/'))));
  // Objects of git are not told of while they come, and go with the folder of their repository.
  for (const [path, { target }] of undos) if (target?.holds?.startsWith('object:') === true && isGone(path)) undos.delete(path);
  // Where others had brought back what stood there first, or an act that was written down never happened, there is nothing to choose.
  return [...undos.values()].map(({ isStopped, earlier, ...undo }) =>
    earlier === undefined || isSameThing(earlier, undo.target) ? undo : { ...undo, earlier },
  );
}
