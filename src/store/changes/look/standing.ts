import { lstatSync, type Stats } from 'node:fs';
import type { Entry, Standing } from '../../../domain/session/change.ts';
import { errnoOf } from '../../../domain/value/errno.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { onDisk } from '../../files/byte-path.ts';
import type { Contents } from '../contents.ts';

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

/** Its bytes, or where it leads, are not kept, and could be by the next look: of what was purged or lost there may be as much as before. */
export const isUnread = ({ kind, holds }: Entry): boolean =>
  kind === 'file' ? holds === undefined || UNREAD.has(holds) : kind === 'link' && holds === 'purged';

const UNREAD: ReadonlySet<string> = new Set(['late', 'full', 'large', 'purged', 'lost']);

/** The paths that must be looked at again though they look the same: those of `former`, as these entries have changed it. */
export function unsettledWith(former: Iterable<string>, entries: ReadonlyMap<string, Entry | null>): Set<string> {
  const unsettled = new Set(former);
  for (const [path, entry] of entries) {
    if (entry !== null && (entry.isFresh === true || isUnread(entry))) unsettled.add(path);
    else unsettled.delete(path);
  }
  return unsettled;
}

/** What an act wrote has the name of its content before that is kept: where it is not there any more, its bytes cannot be had. */
export function claimable(before: Entry | undefined, contents: Contents): Entry | null {
  const sha256 = named('sha256', before);
  return before === undefined || sha256 === undefined || contents.has(sha256) ? (before ?? null) : { ...before, holds: undefined };
}

export const named = (kind: 'sha256' | 'blob', entry: Entry | undefined): string | undefined =>
  entry?.holds?.startsWith(`${kind}:`) === true ? entry.holds.slice(kind.length + 1) : undefined;

/** By its index git's files are known where a look does not come to them: it is read first, and however little time is left. */
export const isGitIndex = (path: string): boolean => path.endsWith('/index') && path.includes('/.git/');

export function withEntries(manifest: Map<string, Entry>, entries: ReadonlyMap<string, Entry | null>): Map<string, Entry> {
  if (entries.size === 0) return manifest;
  const next = new Map(manifest);
  for (const [path, entry] of entries) {
    if (entry === null) next.delete(path);
    else next.set(path, entry);
  }
  return next;
}
