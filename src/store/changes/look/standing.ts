import { lstatSync, type Stats } from 'node:fs';
import type { Standing } from '../../../domain/session/change.ts';
import { errnoOf } from '../../../domain/value/errno.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { onDisk } from '../../files/byte-path.ts';

/** File systems have ticks of some milliseconds: what was written so shortly before a look could be written again with the same times. */
export const TICK_MS = 50;

const OR_UNDEFINED = { throwIfNoEntry: false } as const;

/** What the system says of a path, links not followed; undefined for nothing. */
export function lookAt(path: string): Stats | 'unreadable' | undefined {
  try {
    return lstatSync(path, OR_UNDEFINED);
  } catch (error) {
    // Below what is no folder, which Node 20 takes for a failure.
    return errnoOf(error) === 'ENOTDIR' ? undefined : 'unreadable';
  }
}

/** The same of a name that may be no text. Throws the system's error where it cannot be looked at. */
export function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(onDisk(path), OR_UNDEFINED);
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The same; undefined as well where it cannot be looked at. */
export const seenAt = (path: string): Stats | undefined => orUndefined(() => statsAt(path));

export function standingOf(stats: Stats): Standing {
  const { size, mtimeMs: mtime, ctimeMs: ctime, ino, nlink } = stats;
  const standing = { kind: kindOf(stats), mode: stats.mode & 0o7777, size, mtime, ctime, ino };
  return standing.kind === 'file' && nlink > 1 ? { ...standing, links: nlink } : standing;
}

/** The same as `looksSame`, and nothing is made for it. */
export const looksLike = (was: Standing, stats: Stats): boolean =>
  was.ctime === stats.ctimeMs &&
  was.ino === stats.ino &&
  was.mtime === stats.mtimeMs &&
  was.size === stats.size &&
  was.mode === (stats.mode & 0o7777) &&
  was.kind === kindOf(stats);

function kindOf(stats: Stats): Standing['kind'] {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other';
}
