import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Change } from '../../../domain/session/change.ts';
import { errnoOf } from '../../../domain/value/errno.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { type Disk, ensureFolder, faultPoint, readOwnFile } from '../../files/disk.ts';
import { namesIn } from '../../files/paths.ts';
import { nameOf } from '../acts/places.ts';
import { lookAt, TICK_MS } from '../look/standing.ts';
import { GROUP, lossesIn, OBJECT_FILE, type Present } from './object-losses.ts';

export type Keeping = {
  /** Paths in the folder of objects that an act names: a name of ours is no help against who writes into the file, so these are copied. */
  readonly named: readonly string[];
  /** Milliseconds: where this process has not looked before, what was lost earlier is no doing of those who act; undefined for nobody. */
  readonly since: number | undefined;
};

type ObjectLinks = {
  /**
   * Keeps what is new in a folder of objects. Returns what was there at the look before and is gone, unless a pack has it now, or cannot be
   * read any more. Never throws.
   */
  readonly keep: (objects: string, to: string, keeping: Keeping) => readonly Change[];
};

/**
 * The objects of a repository under second names of ours: they never change once written, so a link costs nothing, and what git drops later
 * is still here. On another file system they are copied, up to `mayCopy` bytes in all. Folders that did not change are not read again, but
 * for packs, which are few.
 */
export function createObjectLinks(disk: Disk, mayCopy: number): ObjectLinks {
  const seen = new Map<string, Present & { readonly folders: readonly string[] }>();
  let copied = 0;
  const copy = (from: string, to: string, { size }: Pick<Stats, 'size'>): void => {
    if (copied + size <= mayCopy && orUndefined(() => copyWhole(disk, from, to) ?? true) === true) copied += size;
  };
  const keepFile = (from: string, to: string, stats: Stats, isNamed: boolean): void => {
    faultPoint(disk, 'objects.keep');
    if (!isNamed) {
      try {
        linkSync(from, to);
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST' && errnoOf(error) !== 'ENOENT') copy(from, to, stats);
      }
    } else if (lstatSync(to, { throwIfNoEntry: false })?.ino === stats.ino) copy(from, to, stats);
  };
  const look = (from: string, isNamed: boolean): (Present & { readonly folders: readonly string[] }) | 'same' | undefined => {
    const stats = lookAt(from);
    // Its folder is closed: that is a change of that folder, and all in it comes with it.
    if (stats === 'unreadable') return 'same';
    if (stats?.isDirectory() !== true) return undefined;
    const before = seen.get(from);
    const isSettled = disk.now().getTime() - stats.ctimeMs > TICK_MS;
    if (before?.stats.ctimeMs === stats.ctimeMs && isSettled && !isNamed && !from.endsWith('/pack')) return 'same';
    const names = orUndefined(() => readdirSync(from));
    if (names === undefined) return { stats, files: before?.files ?? new Map(), folders: before?.folders ?? [] };
    return { stats, files: filesIn(from, names), folders: names.filter((name) => GROUP.test(name)) };
  };
  const keepFolder = (from: string, to: string, depth: number, keeping: Keeping): readonly Change[] => {
    const before = seen.get(from);
    // Who writes into a file changes nothing of its folder.
    const now = look(
      from,
      keeping.named.some((each) => isWithin(each, from) || isWithin(from, each)),
    );
    const { files, folders } = (now === 'same' ? before : now) ?? { files: new Map<string, Stats>(), folders: [] };
    const isNamed = (path: string): boolean => keeping.named.some((each) => isWithin(path, each));
    const kept = new Set(now === 'same' ? [] : namesIn(to));
    const losses = now === 'same' ? [] : lossesIn({ from, to, kept }, { before, now }, keeping.since);
    // Git makes this one with the repository, with nothing in it.
    const isEmptyPack = from.endsWith('/pack') && now !== undefined && now !== 'same' && kept.size === 0;
    if (files.size > kept.size || isEmptyPack) mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const [name, stats] of files) {
      if (now !== 'same' && !kept.has(name)) keepFile(join(from, name), join(to, name), stats, false);
      if (keeping.named.length > 0 && isNamed(join(from, name))) keepFile(join(from, name), join(to, name), stats, true);
    }
    if (now === undefined) seen.delete(from);
    else if (now !== 'same') seen.set(from, now);
    const inner = depth === 0 ? [] : new Set([...(before?.folders ?? []), ...folders, ...[...kept].filter((name) => GROUP.test(name))]);
    return [...losses, ...[...inner].flatMap((name) => keepFolder(join(from, name), join(to, name), depth - 1, keeping))];
  };
  // git-lfs has two levels of two letters.
  return { keep: (objects, to, keeping) => orUndefined(() => keepFolder(objects, to, 2, keeping)) ?? [] };
}

function filesIn(folder: string, names: readonly string[]): ReadonlyMap<string, Stats> {
  const files = names.filter((name) => OBJECT_FILE.test(name)).map((name) => [name, lookAt(join(folder, name))] as const);
  return new Map(
    files.flatMap(([name, stats]) => (stats !== undefined && stats !== 'unreadable' && stats.isFile() ? [[name, stats]] : [])),
  );
}

/** Where the objects of a repository are kept; the folder beside them says whose they are. */
export function keptObjects(disk: Disk, git: string, objects: string): string {
  const folder = join(git, nameOf(objects));
  if (!existsSync(join(folder, 'from'))) {
    ensureFolder(disk, folder);
    writeFileAtomic(disk, join(folder, 'from'), Buffer.from(objects), { point: 'changes' });
  }
  return join(folder, 'objects');
}

export const keptFolders = (git: string): readonly (readonly [kept: string, from: string])[] =>
  namesIn(git).flatMap((name) => {
    const from = orUndefined(() => readOwnFile(join(git, name, 'from'))?.toString());
    return from === undefined ? [] : [[join(git, name, 'objects'), from]];
  });

/** Under a name that git takes for one of its own unfinished files, and removes. */
export function copyWhole(disk: Disk, from: string, to: string): void {
  const temporary = join(dirname(to), `tmp_obj_${disk.newId()}`);
  try {
    copyFileSync(from, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    faultPoint(disk, 'objects.rename');
    renameSync(temporary, to);
  } catch (error) {
    orUndefined(() => unlinkSync(temporary));
    throw error;
  }
}
