import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { Change, Entry } from '../../../domain/session/change.ts';
import { lookAt, seenAt, standingOf, TICK_MS } from '../look/standing.ts';
import type { GitIndex, IndexEntry } from './git-index.ts';

/** So many files are looked at between two looks at the clock. */
const FILES_A_CLOCK = 64;

export type Missed = {
  /** The index as it was before. */
  readonly index: GitIndex;
  readonly top: string;
  /** Milliseconds: what changed earlier is no doing of those who acted. */
  readonly since: number;
  /** Of a folder: whether all in it is known anyway. */
  readonly isCovered: (folder: string) => boolean;
  readonly isKnown: (path: string) => boolean;
  /** How long those of these objects are that we keep. */
  readonly sizesOf: (oids: readonly string[]) => ReadonlyMap<string, number>;
  readonly now: () => number;
  readonly until: number;
};

/**
 * Where a look did not come to before an act, what git tracks there is known by its index: what has changed since the act began stood there
 * as git last saw it, and comes back by its object. An object counts when we keep it and it is as long as the file was.
 */
export function trackedChanges(missed: Missed): readonly Change[] {
  const { index, sizesOf } = missed;
  const found = [...differingIn(missed)].flatMap(([path, name, stats]) => {
    const entry = index.entryAt(name);
    return entry === undefined ? [] : [{ path, entry, stats }];
  });
  const sizes = found.length === 0 ? new Map<string, number>() : sizesOf([...new Set(found.map(({ entry }) => entry.oid))]);
  return found.flatMap(({ path, entry, stats }): readonly Change[] =>
    sizes.get(entry.oid) === entry.size
      ? [{ path, before: entryBefore(entry, stats), after: stats === undefined ? null : standingOf(stats) }]
      : [],
  );
}

function entryBefore({ isExecutable, oid, ...times }: IndexEntry, now: Stats | undefined): Entry {
  const usual = isExecutable ? 0o755 : 0o644;
  const mode = now?.isFile() === true && ((now.mode & 0o100) !== 0) === isExecutable ? now.mode & 0o7777 : usual;
  return { kind: 'file', mode, ...times, holds: `blob:${oid}` };
}

/** Until the clock says so: what is not where the index says, or not as it says, and became so since. */
function* differingIn({ index, top, since, isCovered, isKnown, now, until }: Missed) {
  const isSince = (stats: Stats): boolean => Math.max(stats.ctimeMs, stats.mtimeMs) >= since - TICK_MS;
  let [looked, folder, isLeft] = [0, '', false];
  for (const name of index.paths()) {
    const path = `${top}/${name}`;
    const parent = dirname(path);
    if (parent !== folder) [folder, isLeft] = [parent, isCovered(parent)];
    if (isLeft || isKnown(path)) continue;
    if (++looked % FILES_A_CLOCK === 0 && now() > until) return;
    const stats = lookAt(path);
    if (stats === 'unreadable') continue;
    if (stats === undefined) {
      if (isSince(above(path))) yield [path, name, stats] as const;
    } else if (isSince(stats) && index.cleanOid(name, standingOf(stats)) === undefined) yield [path, name, stats] as const;
  }
}

/** The nearest folder above a path that is there. */
function above(path: string): Stats {
  const folder = dirname(path);
  return seenAt(folder) ?? above(folder);
}
