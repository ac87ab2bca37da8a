import { chmodSync, constants, fchmodSync, lstatSync, mkdirSync, openSync, realpathSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorReason, ReasonError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Manifest, PutBack, PutBackProblem } from '../../domain/session/change.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { type Disk, faultPoint } from '../files/disk.ts';
import { namesIn } from '../files/paths.ts';
import { syncAndClose } from '../files/sync-files.ts';
import { createHardLinks } from './hard-links.ts';
import { type BytesOf, FILES_A_BATCH, makeParents, replaceFiles } from './replace-files.ts';

export type PutBackSources = {
  /** What stands there now. */
  readonly known: Manifest;
  readonly bytesOf: BytesOf;
  /** Tells what one record has left behind from what another is writing. */
  readonly tag: string;
};

/**
 * Makes paths what they were: what is to go goes first, folders are made from the top and their modes set last, each file is replaced whole, in the
 * order given.
 * Cut off anywhere, each path is as it was or as it is to be; doing it again finishes it. All of it is on disk when this resolves, with what
 * could not be done, and why.
 */
export async function putBack(
  disk: Disk,
  all: readonly PutBack[],
  { known, bytesOf, tag }: PutBackSources,
): Promise<readonly PutBackProblem[]> {
  const problems: PutBackProblem[] = [];
  const links = createHardLinks(known, all);
  /** Folders in which a name was made or taken away. */
  const touched = new Set<string>();
  const fail = (path: string, error: unknown): void => void problems.push({ path, why: errorReason(error) });
  const attempt = <T>({ path }: PutBack, work: () => T): T | undefined => {
    try {
      const why = blocked(path);
      if (why !== undefined) throw new ReasonError(why);
      faultPoint(disk, 'restore.path');
      return work();
    } catch (error) {
      fail(path, error);
      return undefined;
    }
  };
  removeLeftovers(all, tag);
  const nameTemporary = (folder: string): string => join(folder, `${beginningOf(tag)}${disk.newId()}.tmp`);
  const down = all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const up = down.toReversed();
  for (const each of up) if (each.to === null) attempt(each, () => remove(each, touched));
  for (const each of down) if (each.to?.kind === 'folder') attempt(each, () => makeFolder(each, touched));
  await replaceFiles(disk, all, { nameTemporary, links, touched, bytesOf, attempt, fail });
  const modes = new Map(up.flatMap((each) => (each.to?.kind === 'folder' ? [[each.path, each] as const] : [])));
  const folders = [...new Set([...modes.keys(), ...touched])].sort().reverse();
  for (let i = 0; i < folders.length; i += FILES_A_BATCH) {
    const open = folders.slice(i, i + FILES_A_BATCH).flatMap((path) => {
      const each = modes.get(path);
      const file = each === undefined ? openFolder(disk, path) : attempt(each, () => setMode(disk, each));
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
function removeLeftovers(all: readonly PutBack[], tag: string): void {
  for (const folder of new Set(all.flatMap(({ path, to }) => (to === null ? [] : [dirname(path)]))))
    for (const name of namesIn(folder).filter((each) => each.startsWith(beginningOf(tag)) && each.endsWith('.tmp')))
      if (blocked(join(folder, name)) === undefined) orUndefined(() => unlinkSync(join(folder, name)));
}

/** What some file systems say of a folder, which is no failure. */
const NOT_SYNCED: readonly string[] = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'];

const LED_ELSEWHERE: Bilingual = { en: 'a link on the way to it leads elsewhere now', zh: '途中的链接现已指向别处' };

/** Why nothing can be done at a path: a link is on the way to it, as far as that exists. */
export function blocked(path: string): Bilingual | undefined {
  let folder = dirname(path);
  while (lstatSync(folder, { throwIfNoEntry: false }) === undefined && dirname(folder) !== folder) folder = dirname(folder);
  return realpathSync(folder) === folder ? undefined : LED_ELSEWHERE;
}

function remove({ path }: PutBack, touched: Set<string>): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  touched.add(dirname(path));
  if (!stats.isDirectory()) {
    unlinkSync(path);
    return;
  }
  try {
    rmdirSync(path);
  } catch (error) {
    // What others put there stays, and its folder with it.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errnoOf(error))) throw error;
  }
}

function makeFolder({ path }: PutBack, touched: Set<string>): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) {
    if ((stats.mode & 0o700) !== 0o700) chmodSync(path, stats.mode | 0o700);
    return;
  }
  if (stats !== undefined) unlinkSync(path);
  makeParents(path, touched);
  mkdirSync(path);
  touched.add(dirname(path));
}

/** A folder to be flushed; undefined where it is gone, cannot be read, or the system has no such call (Windows). */
const openFolder = ({ platform }: Disk, path: string): number | undefined =>
  platform === 'win32'
    ? undefined
    : orUndefined(() => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK));

function setMode(disk: Disk, { path, to }: PutBack): number | undefined {
  const file = openFolder(disk, path);
  if (to === null) return file;
  if (file === undefined) chmodSync(path, to.mode);
  else fchmodSync(file, to.mode);
  return file;
}
