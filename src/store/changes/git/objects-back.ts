import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorReason } from '../../../domain/errors.ts';
import type { PutBack, PutBackProblem } from '../../../domain/session/change.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { type Disk, faultPoint } from '../../files/disk.ts';
import type { ObjectsBack } from '../put-back.ts';
import { blocked, type TouchedFolders } from '../touched-folders.ts';
import { copyWhole, keptFolders } from './object-links.ts';
import { GROUP, TEMPORARY } from './object-losses.ts';

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
        to === undefined || to?.kind === 'folder' ? [] : attempt(path, () => dropObjects(disk, kept, objects, { folders, targets })),
      ),
    fill: (path) => {
      const kept = touched.find(({ objects }) => objects === path)?.kept;
      return kept === undefined ? undefined : (folder, folders) => bringObjects(disk, kept, folder, folders);
    },
    bring: (folders) =>
      touched.flatMap(({ kept, objects, path, to }) => {
        const stays = to === undefined || to?.kind === 'folder';
        if (!stays || !isFolder(objects)) return [];
        const mode = to?.mode ?? lstatSync(objects).mode & 0o7777;
        return [
          ...attempt(path, () => bringObjects(disk, kept, objects, folders, mode)),
          ...all.flatMap((each) =>
            each.path.startsWith(`${objects}/`) ? attempt(each.path, () => replaceObject(disk, git, each, folders)) : [],
          ),
        ];
      }),
  };
}

function replaceObject(disk: Disk, git: string, { path, to }: PutBack, folders: TouchedFolders): void {
  if (to?.holds?.startsWith('object:') !== true || lstatSync(path).size === to.size || blocked(path) !== undefined) return;
  const temporary = join(dirname(path), `tmp_obj_${disk.newId()}`);
  folders.enter(dirname(path));
  linkOrCopy(disk, join(git, to.holds.slice('object:'.length)), temporary);
  faultPoint(disk, 'objects.rename');
  renameSync(temporary, path);
}

/** Bits that let the owner read what git keeps, where they were taken away. */
function open(path: string, { mode }: Stats, needed: number, usual: number): void {
  if ((mode & needed) !== needed) chmodSync(path, (mode & 0o7777) | needed | usual);
}

const isFolder = (path: string): boolean => orUndefined(() => lstatSync(path, { throwIfNoEntry: false }))?.isDirectory() === true;

/**
 * Gives back the objects that a repository no longer has, or may not read; nothing where a link leads elsewhere. `mode` is that of the folder
 * of all of them. Throws the system's error.
 */
function bringObjects(disk: Disk, kept: string, objects: string, folders: TouchedFolders, mode = 0o755): void {
  if (blocked(join(objects, 'any')) !== undefined) return;
  folders.reach(join(objects, 'any'));
  for (const entry of orUndefined(() => readdirSync(kept, { withFileTypes: true })) ?? []) {
    const [from, to] = [join(kept, entry.name), join(objects, entry.name)];
    const stats = lstatSync(to, { throwIfNoEntry: false });
    if (entry.isDirectory()) {
      if (stats?.isDirectory() === true) open(to, stats, 0o500, mode & 0o755);
      if (stats === undefined && entry.name === 'pack') {
        folders.enter(objects);
        mkdirSync(to);
      }
      bringObjects(disk, from, to, folders, mode);
    } else if (stats === undefined) {
      folders.enter(objects);
      mkdirSync(objects, { recursive: true });
      faultPoint(disk, 'objects.return');
      linkOrCopy(disk, from, to);
    }
    if (!entry.isDirectory()) open(to, lstatSync(to), 0o400, mode & 0o444);
  }
}

type Dropping = { readonly folders: TouchedFolders; readonly targets: ReadonlyMap<string, PutBack['to']> };

/**
 * Removes the objects that are kept, what is to go from beside them, what git left unfinished when it was killed, and the folders that are
 * empty then, but not the folder of all of them.
 * Throws the system's error.
 */
function dropObjects(disk: Disk, kept: string, objects: string, dropping: Dropping): void {
  if (blocked(join(objects, 'any')) !== undefined) return;
  dropping.folders.enter(objects);
  for (const entry of orUndefined(() => readdirSync(objects, { withFileTypes: true })) ?? []) {
    const [from, path] = [join(kept, entry.name), join(objects, entry.name)];
    const isToGo = dropping.targets.get(path) === null || TEMPORARY.test(entry.name);
    if (entry.isFile() && (isToGo || lstatSync(from, { throwIfNoEntry: false }) !== undefined)) {
      faultPoint(disk, 'objects.drop');
      unlinkSync(path);
    }
    if (!entry.isDirectory() || !GROUP.test(entry.name)) continue;
    dropObjects(disk, from, path, dropping);
    if (readdirSync(path).length === 0) rmdirSync(path);
  }
}

function linkOrCopy(disk: Disk, from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyWhole(disk, from, to);
  }
}
