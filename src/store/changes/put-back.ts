import { chmodSync, constants, fchmodSync, lstatSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorReason, ReasonError } from '../../domain/errors.ts';
import type { Manifest, PutBack, PutBackProblem } from '../../domain/session/change.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { onDisk } from '../files/byte-path.ts';
import { type Disk, faultPoint } from '../files/disk.ts';
import { namesIn } from '../files/paths.ts';
import { syncAndClose } from '../files/sync-files.ts';
import { createHardLinks } from './hard-links.ts';
import { seenAt, statsAt } from './look/standing.ts';
import { type BytesOf, FILES_A_BATCH, makeParents, replaceFiles } from './replace-files.ts';
import { blocked, createTouchedFolders, type TouchedFolders } from './touched-folders.ts';

type PutBackSources = {
  readonly known: Manifest;
  readonly bytesOf: BytesOf;
  /** Tells what one record has left behind from what another is writing. */
  readonly tag: string;
  readonly objects: ObjectsBack;
};

/** What becomes of the objects of repositories; each of these tells of which it could not, and why. */
export type ObjectsBack = {
  readonly drop: (folders: TouchedFolders) => readonly PutBackProblem[];
  /** What fills a folder of objects that is about to be made: it takes its name with all of them, or it would count as done. */
  readonly fill: (path: string) => ((folder: string, folders: TouchedFolders) => void) | undefined;
  readonly bring: (folders: TouchedFolders) => readonly PutBackProblem[];
};

/**
 * Makes paths what they were: what is to go goes first, folders are made from the top and their modes set last, each file is replaced whole, in the
 * order given.
 * Cut off anywhere, each path is as it was or as it is to be; nothing, where a folder and another kind take each other's place; or a folder
 * with more rights for its owner, where nothing could be done in it. Doing it again finishes it. All of it is on disk when this resolves, with
 * what could not be done, and why.
 */
export async function putBack(
  disk: Disk,
  all: readonly PutBack[],
  { known, bytesOf, tag, objects }: PutBackSources,
): Promise<readonly PutBackProblem[]> {
  const problems: PutBackProblem[] = [];
  const links = createHardLinks(known, all);
  const touched = createTouchedFolders(disk);
  const fail = (path: string, error: unknown): void => void problems.push({ path, why: errorReason(error) });
  const attempt = <T>({ path }: Pick<PutBack, 'path'>, work: () => T): T | undefined => {
    try {
      touched.reach(path);
      const why = blocked(path);
      if (why !== undefined) throw new ReasonError(why);
      faultPoint(disk, 'restore.path');
      return work();
    } catch (error) {
      fail(path, error);
      return undefined;
    }
  };
  removeLeftovers(all, tag, touched);
  const nameTemporary = (folder: string): string => join(folder, `${beginningOf(tag)}${disk.newId()}.tmp`);
  const down = all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const up = down.toReversed();
  problems.push(...objects.drop(touched));
  for (const each of up) if (each.to === null) attempt(each, () => remove(each, touched));
  for (const each of down)
    if (each.to?.kind === 'folder') attempt(each, () => makeFolder(disk, each, { touched, nameTemporary, fill: objects.fill(each.path) }));
  problems.push(...objects.bring(touched));
  await replaceFiles(disk, all, { nameTemporary, links, touched, bytesOf, attempt, fail });
  const modes = new Map(up.flatMap(({ path, to }) => (to?.kind === 'folder' ? [[path, to.mode] as const] : [])));
  const folders = [...new Set([...modes.keys(), ...touched.all()])].sort().reverse();
  for (let i = 0; i < folders.length; i += FILES_A_BATCH) {
    const open = folders.slice(i, i + FILES_A_BATCH).flatMap((path) => {
      const mode = modes.get(path) ?? (seenAt(path) && touched.formerMode(path));
      const file = mode === undefined ? openFolder(disk, path) : attempt({ path }, () => setMode(disk, path, mode));
      return file === undefined ? [] : [{ path, file }];
    });
    const files = open.map(({ file }) => file);
    for (const [at, error] of (await syncAndClose(disk, files, 'restore.folder')).entries())
      if (error !== undefined && !NOT_SYNCED.includes(errnoOf(error))) fail(open[at]?.path ?? '', error);
  }
  return [...problems, ...links.broken()];
}

const beginningOf = (tag: string): string => `.sanbot-${tag}-`;

/** Removes what an earlier restore had not yet named when it was killed: it stands beside what is still to be made. */
function removeLeftovers(all: readonly PutBack[], tag: string, touched: TouchedFolders): void {
  for (const folder of new Set(all.flatMap(({ path, to }) => (to === null ? [] : [dirname(path)]))))
    for (const name of namesIn(folder).filter((each) => each.startsWith(beginningOf(tag)) && each.endsWith('.tmp'))) {
      if (blocked(join(folder, name)) !== undefined) continue;
      touched.enter(folder);
      orUndefined(() => rmSync(join(folder, name), { recursive: true }));
    }
}

/** What some file systems say of a folder, which is no failure. */
const NOT_SYNCED: readonly string[] = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'];

function remove({ path }: PutBack, touched: TouchedFolders): void {
  const stats = statsAt(path);
  if (stats === undefined) return;
  touched.enter(dirname(path));
  if (!stats.isDirectory()) {
    unlinkSync(onDisk(path));
    return;
  }
  try {
    rmdirSync(onDisk(path));
  } catch (error) {
    // What others put there stays, and its folder with it.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errnoOf(error))) throw error;
  }
}

type FolderMeans = {
  readonly touched: TouchedFolders;
  readonly nameTemporary: (folder: string) => string;
  readonly fill: ReturnType<ObjectsBack['fill']>;
};

function makeFolder(disk: Disk, { path, to }: PutBack, { touched, nameTemporary, fill }: FolderMeans): void {
  const stats = statsAt(path);
  if (stats?.isDirectory() === true) return;
  const mode = to?.mode ?? 0o700;
  touched.enter(dirname(path));
  makeParents(path, touched);
  if (fill === undefined) {
    if (stats !== undefined) unlinkSync(onDisk(path));
    mkdirWith(path, mode);
    return;
  }
  const temporary = nameTemporary(dirname(path));
  try {
    mkdirWith(temporary, mode);
    fill(temporary, touched);
    if (stats !== undefined) unlinkSync(onDisk(path));
    faultPoint(disk, 'restore.rename');
    renameSync(onDisk(temporary), onDisk(path));
  } catch (error) {
    orUndefined(() => rmSync(onDisk(temporary), { recursive: true }));
    throw error;
  }
  for (const name of namesIn(path)) touched.enter(join(path, name));
}

/** A folder has the bits from the beginning that it is to have at last, or others could look into it. */
function mkdirWith(path: string, mode: number): void {
  mkdirSync(onDisk(path), { mode });
  if ((lstatSync(onDisk(path)).mode & 0o7777) !== mode) chmodSync(onDisk(path), mode);
}

/** A folder to be flushed; undefined where it is gone, cannot be read, or the system has no such call (Windows). */
const openFolder = ({ platform }: Disk, path: string): number | undefined =>
  platform === 'win32'
    ? undefined
    : orUndefined(() => openSync(onDisk(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK));

function setMode(disk: Disk, path: string, mode: number): number | undefined {
  const file = openFolder(disk, path);
  if (file === undefined) chmodSync(onDisk(path), mode);
  else fchmodSync(file, mode);
  return file;
}
