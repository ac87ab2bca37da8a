import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errorReason } from '../../../domain/errors.ts';
import type { PutBack, PutBackProblem } from '../../../domain/session/change.ts';
import { errnoOf } from '../../../domain/value/errno.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { type Disk, ensureFolder, faultPoint, readOwnFile } from '../../files/disk.ts';
import { namesIn } from '../../files/paths.ts';
import { nameOf } from '../acts/places.ts';
import { TICK_MS } from '../look/standing.ts';
import { blocked, type ObjectsBack } from '../put-back.ts';
import type { TouchedFolders } from '../touched-folders.ts';

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
export function createObjectLinks(disk: Disk, mayCopy: number): ObjectLinks {
  const seen = new Map<string, { readonly ctime: number; readonly folders: readonly string[] }>();
  let copied = 0;
  let lost = 0;
  const keepFile = (from: string, to: string): void => {
    faultPoint(disk, 'objects.keep');
    try {
      linkSync(from, to);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ENOENT') return;
      const bytes = lstatSync(from, { throwIfNoEntry: false })?.size ?? 0;
      if (copied + bytes > mayCopy || orUndefined(() => copyWhole(disk, from, to) ?? true) === undefined) lost += bytes;
      else copied += bytes;
    }
  };
  const keepFolder = (from: string, to: string, depth: number): void => {
    const stats = orUndefined(() => lstatSync(from));
    if (stats === undefined || !stats.isDirectory()) return;
    const before = seen.get(from);
    const isSame = before?.ctime === stats.ctimeMs && disk.now().getTime() - stats.ctimeMs > TICK_MS;
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

/**
 * Where anything of a repository's folder is brought back, its objects come with the folder of all of them, and go with it. Where that is not
 * there and does not come, as when a restore was killed that removes it, nothing does.
 */
export function objectsBack(disk: Disk, git: string, all: readonly PutBack[]): ObjectsBack {
  const targets = new Map(all.map(({ path, to }) => [path, to]));
  const touched = keptFolders(git).flatMap(([kept, objects]) => {
    const repository = dirname(objects);
    const first = all.find(({ path }) => path === repository || path.startsWith(`${repository}/`));
    return first === undefined ? [] : [{ kept, objects, path: first.path, to: targets.get(objects) }];
  });
  const attempt = (path: string, work: () => void): readonly PutBackProblem[] => {
    try {
      work();
      return [];
    } catch (error) {
      return [{ path, why: errorReason(error) }];
    }
  };
  return {
    drop: (folders) =>
      touched.flatMap(({ kept, objects, path, to }) =>
        to === undefined || to?.kind === 'folder' ? [] : attempt(path, () => dropObjects(disk, kept, objects, folders)),
      ),
    fill: (path) => {
      const kept = touched.find(({ objects }) => objects === path)?.kept;
      return kept === undefined ? undefined : (folder, folders) => bringObjects(disk, kept, folder, folders);
    },
    bring: (folders) =>
      touched.flatMap(({ kept, objects, path, to }) => {
        const stays = to === undefined || to?.kind === 'folder';
        return stays && isFolder(objects) ? attempt(path, () => bringObjects(disk, kept, objects, folders)) : [];
      }),
  };
}

const isFolder = (path: string): boolean => orUndefined(() => lstatSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;

/** Gives back the objects that a repository no longer has; nothing where a link leads elsewhere. Throws the system's error. */
function bringObjects(disk: Disk, kept: string, objects: string, folders: TouchedFolders): void {
  if (blocked(join(objects, 'any')) !== undefined) return;
  for (const entry of orUndefined(() => readdirSync(kept, { withFileTypes: true })) ?? []) {
    const [from, to] = [join(kept, entry.name), join(objects, entry.name)];
    if (entry.isDirectory()) bringObjects(disk, from, to, folders);
    else if (lstatSync(to, { throwIfNoEntry: false }) === undefined) {
      folders.enter(objects);
      mkdirSync(objects, { recursive: true });
      faultPoint(disk, 'objects.return');
      linkOrCopy(disk, from, to);
    }
  }
}

/** Removes the objects that are kept, and the folders that are empty then, but not the folder of all of them. Throws the system's error. */
function dropObjects(disk: Disk, kept: string, objects: string, folders: TouchedFolders): void {
  if (blocked(join(objects, 'any')) !== undefined) return;
  folders.enter(objects);
  for (const entry of orUndefined(() => readdirSync(objects, { withFileTypes: true })) ?? []) {
    const [from, path] = [join(kept, entry.name), join(objects, entry.name)];
    if (entry.isFile() && lstatSync(from, { throwIfNoEntry: false }) !== undefined) {
      faultPoint(disk, 'objects.drop');
      unlinkSync(path);
    }
    if (!entry.isDirectory() || !GROUP.test(entry.name)) continue;
    dropObjects(disk, from, path, folders);
    if (readdirSync(path).length === 0) rmdirSync(path);
  }
}

/** Afterwards there is the whole object or none, wherever this is cut off. */
function linkOrCopy(disk: Disk, from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyWhole(disk, from, to);
  }
}

/** Under a name that git takes for one of its own unfinished files, and removes. */
function copyWhole(disk: Disk, from: string, to: string): void {
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
