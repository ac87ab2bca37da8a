import { chmodSync, linkSync, lstatSync, type Stats, utimesSync } from 'node:fs';
import type { Bilingual } from '../../domain/language.ts';
import { type Entry, isContent, type Manifest, type PutBack, type PutBackProblem } from '../../domain/session/change.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { onDisk } from '../files/byte-path.ts';
import { bytesAre } from './is-now.ts';
import { seenAt, standingOf } from './look/standing.ts';

/**
 * Files with several names. What is put back is linked to another name that the same file had, where that stands as it did; what had one name
 * becomes a file of its own, though it was moved to where it still stands. What is replaced is replaced under this name alone: nothing is
 * written into a file that may have a name elsewhere, and that it has is told.
 */
export type HardLinks = {
  /** Makes `at` a name of the file that `path` was a name of. False where it stands under none. */
  readonly linkTo: (path: string, to: Entry, at: string) => boolean;
  readonly made: (to: Entry, at: string) => void;
  /** A path was put back; `replaced` stood there. */
  readonly add: (path: string, to: Entry, replaced?: Stats) => void;
  readonly broken: () => readonly PutBackProblem[];
};

export function createHardLinks(known: Manifest, all: readonly PutBack[]): HardLinks {
  const back = new Map<string, string>();
  const replacedNames = new Map<number, { readonly names: number; readonly replaced: number; readonly paths: readonly string[] }>();
  /** Files that are what they were: so they are under all names. */
  const linked = new Set<number>();
  const inodeOf = new Map(all.map(({ path, to }) => [path, to?.ino]));
  let byIno: ReadonlyMap<number, readonly string[]> | undefined;
  const idOf = ({ ino, ctime, mtime, size, holds }: Entry): string => [ino, ctime, mtime, size, holds].join();
  /** Permission bits are of a file, not of a name: they are set where another name is to be the same file again. */
  const hasMode = (path: string, stats: Stats, to: Entry): boolean => standingOf(stats).mode === to.mode || inodeOf.get(path) === to.ino;
  const stands = (path: string, to: Entry): boolean => {
    const stats = seenAt(path);
    return (
      stats?.isFile() === true &&
      stats.ino === to.ino &&
      stats.mtimeMs === to.mtime &&
      hasThose(path, stats, to) &&
      hasMode(path, stats, to)
    );
  };
  return {
    linkTo: (path, to, at) => {
      if (!isContent(to.holds) || to.ino <= 0 || to.links === undefined) return false;
      byIno ??= namesByIno(known);
      const twin = back.get(idOf(to)) ?? byIno.get(to.ino)?.find((each) => each !== path && stands(each, to));
      if (twin === undefined || twin === path || orUndefined(() => linkSync(onDisk(twin), onDisk(at)) ?? true) !== true) return false;
      linked.add(lstatSync(onDisk(at)).ino);
      // To be set its times takes what a double holds of them, and the twin would not be known again by those.
      back.set(idOf(to), at);
      return true;
    },
    made: (to, at) => {
      back.set(idOf(to), at);
    },
    add: (path, to, replaced) => {
      back.set(idOf(to), path);
      if (replaced === undefined || !replaced.isFile() || linked.has(replaced.ino)) return;
      if (replaced.nlink < 2 && !replacedNames.has(replaced.ino)) return;
      const known = replacedNames.get(replaced.ino) ?? { names: replaced.nlink, replaced: 0, paths: [] };
      // What was another file then has lost a name that it did not have.
      const paths = replaced.ino === to.ino ? [...known.paths, path] : known.paths;
      replacedNames.set(replaced.ino, { names: known.names, replaced: known.replaced + 1, paths });
    },
    broken: () =>
      [...replacedNames.values()]
        .filter(({ names, replaced }) => replaced < names)
        .flatMap(({ paths }) => paths.map((path) => ({ path, why: STAYS }))),
  };
}

const STAYS: Bilingual = {
  en: 'it is back under this name, and stays as it is under other names of the same file',
  zh: '已在此名称下恢复；同一文件的其他名称（硬链接）下仍保持现状',
};

function namesByIno(known: Manifest): ReadonlyMap<number, readonly string[]> {
  const names = new Map<number, string[]>();
  for (const [path, { kind, ino }] of known) if (kind === 'file') names.set(ino, [...(names.get(ino) ?? []), path]);
  return names;
}

/** True where a file has its bytes already, and only its permission bits and times are to be set: its other names stay names of it. */
export function hasThose(path: string, now: Stats, to: Entry): boolean {
  if (now.size !== to.size) return false;
  return isContent(to.holds) ? bytesAre(path, to.holds) : now.ino === to.ino && now.mtimeMs === to.mtime;
}

export function setFacts(path: string, to: Entry): void {
  if (to.mode >= 0) chmodSync(onDisk(path), to.mode);
  if (to.mtime > 0) utimesSync(onDisk(path), to.mtime / 1000, to.mtime / 1000);
}
