import { accessSync, chmodSync, constants, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import type { Manifest, PutBack } from '../../domain/session/change.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { hasOddBytes, nameOfBytes, onDisk } from '../files/byte-path.ts';
import { type Disk, faultPoint } from '../files/disk.ts';
import { seenAt, statsAt } from './look/standing.ts';

/**
 * Folders in which names are made or taken away. What this process may not reach or write is opened to its owner first, with nothing given
 * to others: as root, or where the bits allow it, nothing is changed. Whoever uses these sets the bits back.
 */
export type TouchedFolders = {
  /** Before something at a path is looked at: lets the folders on the way be passed. */
  readonly reach: (path: string) => void;
  /** Before a name is made or taken away in a folder. One that does not exist is about to be made. */
  readonly enter: (folder: string) => void;
  readonly all: () => readonly string[];
  /** The permission bits that a folder had before it was opened; undefined where it was not. */
  readonly formerMode: (folder: string) => number | undefined;
};

export const realOf = (folder: string): string =>
  hasOddBytes(folder) ? nameOfBytes(realpathSync.native(onDisk(folder), 'buffer')) : realpathSync(folder);

const LED_ELSEWHERE: Bilingual = { en: 'a link on the way to it leads elsewhere now', zh: '途中的链接现已指向别处' };

/**
 * Why nothing can be done at a path: a link is on the way to it, as far as that exists; `made` are folders that will stand by then. A folder
 * that cannot be passed is no reason: whoever changes something there opens it, and asks again.
 */
export function blocked(path: string, made: ReadonlySet<string> = new Set()): Bilingual | undefined {
  let folder = dirname(path);
  try {
    while (!made.has(folder) && statsAt(folder) === undefined && dirname(folder) !== folder) folder = dirname(folder);
    if (made.has(folder)) return blocked(folder, made);
    return realOf(folder) === folder ? undefined : LED_ELSEWHERE;
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return undefined;
    // A link that leads nowhere, or in a circle.
    if (['ENOENT', 'ELOOP'].includes(errnoOf(error))) return LED_ELSEWHERE;
    throw error;
  }
}

const { R_OK, W_OK, X_OK } = constants;

export function createTouchedFolders(disk: Disk): TouchedFolders {
  const touched = new Set<string>();
  const formerModes = new Map<string, number>();
  const allow = (folder: string, need: number): void => {
    try {
      accessSync(onDisk(folder), need);
    } catch (error) {
      const parent = dirname(folder);
      if (parent === folder) return;
      if (errnoOf(error) !== 'EACCES') {
        if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) allow(parent, R_OK | W_OK | X_OK);
        return;
      }
      allow(parent, X_OK);
      open(folder);
    }
  };
  const open = (folder: string): void => {
    const stats = orUndefined(() => (realOf(folder) === folder ? seenAt(folder) : undefined));
    const mode = stats?.isDirectory() === true ? stats.mode & 0o7777 : 0o700;
    if ((mode & 0o700) === 0o700) return;
    faultPoint(disk, 'restore.open');
    if (orUndefined(() => chmodSync(onDisk(folder), mode | 0o700) ?? true) === true)
      formerModes.set(folder, formerModes.get(folder) ?? mode);
  };
  return {
    reach: (path) => allow(dirname(path), X_OK),
    enter: (folder) => {
      if (!touched.has(folder)) allow(folder, R_OK | W_OK | X_OK);
      touched.add(folder);
    },
    all: () => [...new Set([...touched, ...formerModes.keys()])],
    formerMode: (folder) => formerModes.get(folder),
  };
}

export function closeAgain({ all, formerMode }: TouchedFolders): void {
  for (const folder of all().toSorted().toReversed()) {
    const mode = formerMode(folder);
    if (mode !== undefined) orUndefined(() => chmodSync(onDisk(folder), mode));
  }
}

/** Does it while the folders on the way to these paths can be passed: what lies in one that cannot looks as if it were not there. */
export async function whileReached<T>(disk: Disk, all: readonly { readonly path: string }[], work: () => Promise<T>): Promise<T> {
  const touched = createTouchedFolders(disk);
  try {
    for (const { path } of all) touched.reach(path);
    return await work();
  } finally {
    closeAgain(touched);
  }
}

/**
 * Folders that are to be put back and that this process may not read: what became of all in them since they were closed nobody has seen.
 * They are opened by being put back, and not closed after that.
 */
export const closedFolders = (all: readonly PutBack[]): readonly string[] =>
  all.flatMap(({ path, to }) => (to?.kind === 'folder' && isClosed(path) ? [path] : []));

function isClosed(path: string): boolean {
  try {
    accessSync(onDisk(path), constants.R_OK | constants.X_OK);
    return false;
  } catch (error) {
    return errnoOf(error) === 'EACCES';
  }
}

export const liesInside = (path: string, folders: readonly string[]): boolean => folders.some((each) => path.startsWith(`${each}/`));

/** What stood in these folders when they were last looked at: it comes back with them. */
export function insideClosed(meant: readonly PutBack[], closed: readonly string[], manifest: Manifest): readonly PutBack[] {
  if (closed.length === 0) return [];
  const named = new Set(meant.map(({ path }) => path));
  return [...manifest].flatMap(([path, to]) => (!named.has(path) && liesInside(path, closed) ? [{ path, to }] : []));
}
