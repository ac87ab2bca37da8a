import { constants, copyFileSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, readOwnFile } from '../files/disk.ts';
import { namesIn } from '../files/paths.ts';
import { nameOf } from './acts/places.ts';
import { TICK_MS } from './standing.ts';

/** A folder below `objects` that holds objects: git's two letters, its packs, and what git-lfs has. */
const GROUP = /^(?:[0-9a-f]{2}|pack)$/;
const OBJECT_FILE = /^(?:[0-9a-f]{38}|[0-9a-f]{62,64}|pack-[0-9a-f]{40,64}\.(?:pack|idx|rev|bitmap|mtimes|promisor))$/;

export type ObjectLinks = {
  /** Keeps what is new in a folder of objects. Returns how many bytes could not be kept. Never throws. */
  readonly keep: (objects: string, to: string) => number;
};

/**
 * The objects of a repository under second names of ours: they never change once written, so a link costs nothing, and what git drops later
 * is still here. On another file system they are copied, up to `mayCopy` bytes in all. Folders that did not change are not read again.
 */
export function createObjectLinks(mayCopy: number, now: () => number): ObjectLinks {
  const seen = new Map<string, { readonly ctime: number; readonly folders: readonly string[] }>();
  let copied = 0;
  let lost = 0;
  const keepFile = (from: string, to: string): void => {
    try {
      linkSync(from, to);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ENOENT') return;
      const bytes = lstatSync(from, { throwIfNoEntry: false })?.size ?? 0;
      if (copied + bytes > mayCopy) lost += bytes;
      else if (orUndefined(() => copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)) === undefined)
        copied += bytes;
    }
  };
  const keepFolder = (from: string, to: string, depth: number): void => {
    const stats = orUndefined(() => lstatSync(from));
    if (stats === undefined || !stats.isDirectory()) return;
    const before = seen.get(from);
    const isSame = before?.ctime === stats.ctimeMs && now() - stats.ctimeMs > TICK_MS;
    const entries = isSame ? [] : (orUndefined(() => readdirSync(from, { withFileTypes: true })) ?? []);
    const folders = isSame ? before.folders : entries.flatMap((each) => (each.isDirectory() && GROUP.test(each.name) ? [each.name] : []));
    if (depth > 0) for (const name of folders) keepFolder(join(from, name), join(to, name), depth - 1);
    const files = entries.filter((each) => each.isFile() && OBJECT_FILE.test(each.name));
    if (files.length > 0) mkdirSync(to, { recursive: true, mode: 0o700 });
    for (const { name } of files) keepFile(join(from, name), join(to, name));
    seen.set(from, { ctime: stats.ctimeMs, folders });
  };
  return {
    keep: (objects, to) => {
      const before = lost;
      // git-lfs has two levels of two letters.
      keepFolder(objects, to, 2);
      return lost - before;
    },
  };
}

/** Gives back the objects that a repository no longer has. Returns how many there were. Throws the system's error. */
export function returnObjects(kept: string, objects: string): number {
  let returned = 0;
  for (const entry of orUndefined(() => readdirSync(kept, { withFileTypes: true })) ?? []) {
    const [from, to] = [join(kept, entry.name), join(objects, entry.name)];
    if (entry.isDirectory()) returned += returnObjects(from, to);
    else if (lstatSync(to, { throwIfNoEntry: false }) === undefined) {
      mkdirSync(objects, { recursive: true });
      linkOrCopy(from, to);
      returned += 1;
    }
  }
  return returned;
}

/** Afterwards there is the whole object or none. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    const temporary = join(dirname(to), `tmp_obj_${basename(to)}`);
    copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
    renameSync(temporary, to);
  }
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
