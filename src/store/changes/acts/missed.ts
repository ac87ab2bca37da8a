import type { Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Change, type Entry, looksSame } from '../../../domain/session/change.ts';
import type { Contents } from '../contents.ts';
import { indexOf, mayConvert, oidBytes } from '../git/clean-files.ts';
import { type GitIndex, gitIndexOf, type IndexEntry, type readGitIndex } from '../git/git-index.ts';
import { isCovered } from '../look/recorder.ts';
import { lookAt, named, seenAt, standingOf, TICK_MS } from '../look/standing.ts';
import type { Walk } from '../look/walk.ts';
import type { Place } from './places.ts';

type MissedOptions = Pick<Missed, 'sizesOf' | 'now' | 'until'> & {
  readonly contents: Contents;
  readonly gitConfigs: readonly string[];
  readonly readIndex: typeof readGitIndex;
  readonly walk: Pick<Walk, 'withAttributes'>;
};

/** What became, since the acts of a place began, of files that git tracks and to which the look before them did not come. */
export function changesMissed(place: Place, { contents, gitConfigs, readIndex, walk, ...options }: MissedOptions): readonly Change[] {
  const { state, roots, since } = place;
  if (since === undefined || place.isWide || ![...state.uncovered.values()].includes('late')) return [];
  const { gitFolder, path } = indexOf(roots);
  const index = indexBefore(path, state.manifest.get(path), { contents, readIndex, bytesOfOid: oidBytes(gitFolder) });
  if (index === undefined) return [];
  const { top } = roots;
  const { late, changed, withAttributes } = foldersMissed(index, { top, since, isCovered: (folder) => isCovered(folder, state) });
  if (mayConvert({ gitFolder, folder: top }, [...walk.withAttributes, ...withAttributes], gitConfigs)) return [];
  // Where names came or went, something has changed for sure: of all others only a part may be seen in time.
  const [sooner, later] = [true, false].map((isSooner) => late.filter((name) => changed.has(dirname(name)) === isSooner));
  return trackedChanges({
    ...{ index, since, top, ...options },
    names: [...(sooner ?? []), ...(later ?? [])],
    isKnown: (each) => state.manifest.has(each),
  });
}

/** The index as it was before the acts: the file itself where it still is that. */
function indexBefore(
  path: string,
  entry: Entry | undefined,
  from: Pick<MissedOptions, 'contents' | 'readIndex'> & { readonly bytesOfOid: number },
) {
  const { contents, readIndex, bytesOfOid } = from;
  const sha256 = named('sha256', entry);
  if (entry === undefined || sha256 === undefined) return undefined;
  const stats = seenAt(path);
  if (entry.isFresh !== true && stats !== undefined && looksSame(entry, standingOf(stats))) return readIndex(path, bytesOfOid);
  const bytes = contents.read(sha256);
  return bytes === undefined ? undefined : gitIndexOf(bytes, bytesOfOid, entry.mtime);
}

/** The files that an index lists where no look came, their folders in which names came or went since, and those that have attributes. */
function foldersMissed(
  index: GitIndex,
  { top, since, isCovered: isSeen }: Pick<Missed, 'top' | 'since'> & { readonly isCovered: (folder: string) => boolean },
) {
  const [late, withAttributes, changed]: [string[], string[], Set<string>] = [[], [], new Set()];
  let [parent, isLeft]: [string | undefined, boolean] = [undefined, false];
  for (const name of index.paths()) {
    const folder = dirname(name);
    if (folder !== parent) {
      const path = join(top, folder);
      [parent, isLeft] = [folder, isSeen(path)];
      const stats = isLeft ? undefined : seenAt(path);
      if (!isLeft && (stats === undefined || isSince(stats, since))) changed.add(folder);
    }
    if (name.endsWith('.gitattributes') && basename(name) === '.gitattributes') withAttributes.push(join(top, folder));
    if (!isLeft) late.push(name);
  }
  return { late, changed, withAttributes };
}

const FILES_A_CLOCK = 64;

type Missed = {
  readonly index: GitIndex;
  readonly top: string;
  /** Milliseconds: what changed earlier is no doing of those who acted. */
  readonly since: number;
  /** What may have changed, in the order in which it is looked at. */
  readonly names: Iterable<string>;
  readonly isKnown: (path: string) => boolean;
  readonly sizesOf: (oids: readonly string[]) => ReadonlyMap<string, number>;
  readonly now: () => number;
  readonly until: number;
};

/**
 * Where a look did not come to before an act, what git tracks there is known by its index: what has changed since the act began stood there
 * as git last saw it, and comes back by its object. An object counts when we keep it and it is as long as the file was.
 */
function trackedChanges(missed: Missed): readonly Change[] {
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

function* differingIn({ index, top, since, names, isKnown, now, until }: Missed) {
  let looked = 0;
  for (const name of names) {
    const path = `${top}/${name}`;
    if (isKnown(path)) continue;
    if (++looked % FILES_A_CLOCK === 0 && now() > until) return;
    const stats = lookAt(path);
    if (stats === 'unreadable') continue;
    if (stats === undefined) {
      if (isSince(above(path), since)) yield [path, name, stats] as const;
    } else if (isSince(stats, since) && index.cleanOid(name, standingOf(stats)) === undefined) yield [path, name, stats] as const;
  }
}

const isSince = ({ ctimeMs, mtimeMs }: Stats, since: number): boolean => Math.max(ctimeMs, mtimeMs) >= since - TICK_MS;

function above(path: string): Stats {
  const folder = dirname(path);
  return seenAt(folder) ?? above(folder);
}
