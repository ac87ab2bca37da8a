import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Change, Entry } from '../../../domain/session/change.ts';
import type { Contents } from '../contents.ts';
import { indexOf, mayConvert, oidBytes } from '../git/clean-files.ts';
import { type GitIndex, gitIndexOf, type IndexEntry } from '../git/git-index.ts';
import { isCovered } from '../look/recorder.ts';
import { lookAt, named, seenAt, standingOf, TICK_MS } from '../look/standing.ts';
import type { Walk } from '../look/walk.ts';
import type { Place } from './places.ts';

type MissedOptions = Pick<Missed, 'sizesOf' | 'now' | 'until'> & {
  readonly contents: Contents;
  readonly gitConfigs: readonly string[];
  readonly walk: Pick<Walk, 'withAttributes'>;
};

/** What became, since the acts of a place began, of files that git tracks and to which the look before them did not come. */
export function changesMissed(place: Place, { contents, gitConfigs, walk, ...options }: MissedOptions): readonly Change[] {
  const { state, roots, since } = place;
  if (since === undefined || place.isWide || ![...state.uncovered.values()].includes('late')) return [];
  const { gitFolder, path } = indexOf(roots);
  const entry = state.manifest.get(path);
  const sha256 = named('sha256', entry);
  const bytes = sha256 === undefined ? undefined : contents.read(sha256);
  const index = bytes === undefined || entry === undefined ? undefined : gitIndexOf(bytes, oidBytes(gitFolder), entry.mtime);
  if (index === undefined) return [];
  const attributes = [...walk.withAttributes, ...attributesIn(index, roots.top)];
  if (mayConvert({ gitFolder, folder: roots.top }, attributes, gitConfigs)) return [];
  return trackedChanges({
    ...{ index, since, top: roots.top, ...options },
    isCovered: (folder) => isCovered(folder, state),
    isKnown: (path) => state.manifest.has(path),
  });
}

const attributesIn = (index: GitIndex, top: string): readonly string[] =>
  [...index.paths()].flatMap((path) => (path === '.gitattributes' || path.endsWith('/.gitattributes') ? [dirname(join(top, path))] : []));

const FILES_A_CLOCK = 64;

type Missed = {
  readonly index: GitIndex;
  readonly top: string;
  /** Milliseconds: what changed earlier is no doing of those who acted. */
  readonly since: number;
  readonly isCovered: (folder: string) => boolean;
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

function above(path: string): Stats {
  const folder = dirname(path);
  return seenAt(folder) ?? above(folder);
}
