import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { KeptFiles, RecordReach } from '../../agent/ports/disk.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { lazily } from '../../domain/value/word-list.ts';
import { indexOf, listedIn, oidBytes, trackedFolders, workTrees } from './git/clean-files.ts';
import { readGitIndex } from './git/git-index.ts';
import { type Roots, rootsOf } from './git/repository.ts';
import { isRemade, isRemadeInside } from './look/remade.ts';
import { standingOf } from './look/standing.ts';

export type ReachOptions = {
  /** Folders beside the working folder. */
  readonly beside?: readonly string[];
  readonly fileBytes: number;
  readonly gitConfigs: readonly string[];
  readonly notBeyond: readonly string[];
  /** What the record of the session keeps; all that is not too large where there is none. */
  readonly keeps?: KeptFiles | undefined;
  /** SanBot's home: objects of git on its file system are kept by a link, whatever their size. */
  readonly home: string;
};

const KEEPS_ALL = { isKept: () => true };

export function reachOf(cwd: string, { beside = [], ...options }: ReachOptions): RecordReach {
  const own = reachOfOne(cwd, options);
  if (beside.length === 0) return own;
  const reaches = [own, ...beside.map((folder) => reachOfOne(folder, options))];
  const reachAt = (path: string): RecordReach => reaches.find(({ folders }) => folders.some((folder) => isWithin(path, folder))) ?? own;
  return {
    ...own,
    folders: reaches.flatMap(({ folders }) => folders),
    isRemade: (folder, siblings, names) => reachAt(folder).isRemade(folder, siblings, names),
    isClean: (path) => reachAt(path).isClean(path),
  };
}

function reachOfOne(cwd: string, { fileBytes, gitConfigs, notBeyond, home, keeps = KEEPS_ALL }: ReachOptions): RecordReach {
  const roots = rootsOf(cwd, notBeyond);
  const tracksIn = trackedFolders(roots);
  const trees = lazily(() =>
    workTrees({ objectFolders: [join(indexOf(roots).gitFolder, 'objects')], withAttributes: [] }, roots, gitConfigs),
  );
  return {
    folders: [roots.top, ...roots.others],
    ...{ fileBytes, ...keeps },
    isRemade: (folder, siblings, names) =>
      (isRemade(basename(folder), siblings) || isRemadeInside(basename(folder), names, folder)) && !tracksIn(folder),
    tracked: lazily(() => trackedFiles(roots)),
    isClean: (path) => {
      if (isObject(path)) return deviceOf(path) === deviceOf(home);
      const standing = orUndefined(() => standingOf(lstatSync(path)));
      return standing !== undefined && !hasAttributes(path, roots) && listedIn(trees(), path, standing)?.isSure === true;
    },
  };
}

function isObject(path: string): boolean {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const above = dirname(folder);
    if (basename(folder) === 'objects' && (basename(above) === 'lfs' || ['HEAD', 'refs'].every((name) => isThere(join(above, name)))))
      return true;
  }
  return false;
}

const isThere = (path: string): boolean => orUndefined(() => lstatSync(path)) !== undefined;
const deviceOf = (path: string): number | undefined => orUndefined(() => lstatSync(path).dev);

function trackedFiles(roots: Roots): ReadonlySet<string> {
  const { gitFolder, path } = indexOf(roots);
  return new Set([...(readGitIndex(path, oidBytes(gitFolder))?.paths() ?? [])].map((each) => `${roots.top}/${each}`));
}

/** True where a file of attributes between a file and the top of its work tree may say that git converts it. */
function hasAttributes(path: string, { top }: Roots): boolean {
  for (let folder = dirname(path); folder.startsWith(top); folder = dirname(folder)) {
    if (isThere(join(folder, '.gitattributes'))) return true;
    if (folder === top) break;
  }
  return false;
}
