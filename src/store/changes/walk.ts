import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { Standing, Uncovered } from '../../domain/session/change.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { isRemade, isRemadeInside } from './remade.ts';

export type Walk = {
  /** By absolute path, the folders themselves left out. */
  readonly standing: ReadonlyMap<string, Standing>;
  readonly uncovered: Uncovered;
  /** Folders with the objects of a git repository: its files never change, and are not listed. */
  readonly objectFolders: readonly string[];
};

export type WalkLimits = {
  /** Milliseconds after which the rest is left. */
  readonly until: number;
  readonly now: () => number;
  /** A folder that is passed over, as if it were not there: SanBot's own home. */
  readonly own: string;
  /** A folder that a tool makes again counts all the same when this says so, as one that git tracks does. */
  readonly isTracked: (folder: string) => boolean;
};

/** Looks at all below these folders without following a link. Never throws; what cannot be looked at is told. */
export function walkFolders(roots: readonly string[], { until, now, own, isTracked }: WalkLimits): Walk {
  const standing = new Map<string, Standing>();
  const uncovered = new Map<string, 'remade' | 'unreadable' | 'late' | 'name'>();
  const objectFolders: string[] = [];
  const waiting = [...roots];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (now() > until) {
      for (const path of [folder, ...waiting]) uncovered.set(path, 'late');
      break;
    }
    const names = namesOf(folder);
    if (names === undefined) {
      uncovered.set(folder, 'unreadable');
      continue;
    }
    const folderName = folder.slice(folder.lastIndexOf('/') + 1);
    if (!roots.includes(folder) && isRemadeInside(folderName, names, folder) && !isTracked(folder)) {
      standing.delete(folder);
      uncovered.set(folder, 'remade');
      continue;
    }
    const isRepository = isGitFolder(names);
    for (const name of names) {
      const path = `${folder}/${name}`;
      if (name.includes('\uFFFD')) {
        uncovered.set(path, 'name');
        continue;
      }
      const stats = path === own ? undefined : statOf(path);
      if (stats === undefined) continue;
      if (stats === 'unreadable') {
        uncovered.set(path, 'unreadable');
        continue;
      }
      const entry = standingOf(stats);
      if (entry.kind === 'folder' && isRemade(name, names) && !isTracked(path)) {
        uncovered.set(path, 'remade');
        continue;
      }
      standing.set(path, entry);
      if (entry.kind !== 'folder') continue;
      const isOfObjects = name === 'objects' && (isRepository || /\/lfs$/.test(folder));
      if (!isOfObjects) {
        waiting.push(path);
        continue;
      }
      objectFolders.push(path);
      // What stands there may change, as where other objects are.
      if (orUndefined(() => lstatSync(`${path}/info`))?.isDirectory() === true) waiting.push(`${path}/info`);
    }
  }
  return { standing, uncovered, objectFolders };
}

/** The same of these paths, each with what is below it; of one with a link on the way to it nothing. */
export function walkPaths(paths: readonly string[], limits: WalkLimits): Walk {
  const isOwn = (path: string): boolean => path === limits.own || path.startsWith(`${limits.own}/`);
  const standing = new Map<string, Standing>();
  const unreadable = new Map<string, 'unreadable'>();
  for (const path of paths.filter((each) => !isOwn(each) && orUndefined(() => realpathSync(dirname(each))) === dirname(each))) {
    const stats = statOf(path);
    if (stats === 'unreadable') unreadable.set(path, stats);
    else if (stats !== undefined) standing.set(path, standingOf(stats));
  }
  const folders = [...standing].filter(([, { kind }]) => kind === 'folder').map(([path]) => path);
  const tops = folders.filter((path) => !folders.some((other) => path.startsWith(`${other}/`)));
  const walk = walkFolders(tops, limits);
  return {
    ...walk,
    standing: new Map([...standing, ...walk.standing]),
    uncovered: new Map([...unreadable, ...walk.uncovered]),
  };
}

/** A repository, whatever it is called: git takes a folder for one that has these three. */
const isGitFolder = (names: readonly string[]): boolean => ['HEAD', 'objects', 'refs'].every((name) => names.includes(name));

const namesOf = (folder: string): readonly string[] | undefined => orUndefined(() => readdirSync(folder));

function statOf(path: string): Stats | 'unreadable' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? undefined : 'unreadable';
  }
}

export const standingOf = (stats: Stats): Standing => ({
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other',
  mode: stats.mode & 0o7777,
  size: stats.size,
  mtime: stats.mtimeMs,
  ctime: stats.ctimeMs,
  ino: stats.ino,
});
