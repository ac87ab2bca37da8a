import { fstatSync, readlinkSync, type Stats } from 'node:fs';
import { type Entry, type Holding, isContent, isSameThing } from '../../domain/session/change.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { onDisk } from '../files/byte-path.ts';
import { openToRead, readAt, useAndClose } from '../files/disk.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import { blobOid } from './git/clean-files.ts';
import { indexMeaning } from './git/git-index.ts';
import { standingOf, statsAt } from './look/standing.ts';
import { blocked } from './touched-folders.ts';

/** What stands at a path itself: what a link on the way leads to does not, though it may be the very file that was moved there. */
const standsAt = (path: string): Stats | undefined => orUndefined(() => (blocked(path) === undefined ? statsAt(path) : undefined));

/** Whether a path is what an entry says: its kind, permission bits, bytes, and where it leads as a link. Never throws. */
export function isNow(path: string, entry: Entry | null): boolean {
  const stats = standsAt(path);
  if (stats === undefined || entry === null) return stats === undefined && entry === null;
  const standing = standingOf(stats);
  if (standing.kind !== entry.kind) return false;
  if (standing.kind === 'link') return `link:${orUndefined(() => readlinkSync(onDisk(path)))}` === entry.holds;
  if (standing.kind !== 'file' || !isContent(entry.holds)) return isSameThing(standing, entry);
  if (entry.listed === undefined && standing.size !== entry.size) return isSameThing(standing, entry);
  // An object of git never changes, and may be large.
  if (entry.holds?.startsWith('object:') === true) return isSameThing({ ...standing, holds: entry.holds }, entry);
  const bytes = bytesNow(path);
  if (bytes === undefined) return false;
  if (entry.listed !== undefined && indexMeaning(bytes) === entry.listed) return standing.mode === entry.mode;
  return isSameThing({ ...standing, holds: nameAs(bytes, entry.holds) }, entry);
}

/** Whether a file has the bytes that are kept under a name; its length is known to be that. */
export function bytesAre(path: string, holds: Holding | undefined): boolean {
  if (holds?.startsWith('object:') === true) return true;
  const bytes = bytesNow(path);
  return bytes !== undefined && nameAs(bytes, holds) === holds;
}

/** The name of bytes, of the same kind as another one. */
function nameAs(bytes: Buffer, other: Holding | undefined): Holding {
  const [kind, id = ''] = other?.split(':') ?? [];
  return kind === 'blob' ? `blob:${blobOid(bytes, id.length)}` : `sha256:${sha256Of(bytes)}`;
}

/** What stands at a path, a file's bytes known by their hash unless it is larger than anything that is kept. Never throws. */
export function entryNow(path: string, maxBytes: number): Entry | null {
  const stats = standsAt(path);
  if (stats === undefined) return null;
  const standing = standingOf(stats);
  if (standing.kind === 'link') return { ...standing, holds: `link:${orUndefined(() => readlinkSync(onDisk(path)))}` };
  const bytes = standing.kind === 'file' && standing.size <= maxBytes ? bytesNow(path) : undefined;
  if (bytes === undefined) return standing;
  const listed = path.endsWith('/index') ? indexMeaning(bytes) : undefined;
  return { ...standing, size: bytes.length, holds: `sha256:${sha256Of(bytes)}`, ...(listed !== undefined && { listed }) };
}

/** The bytes of a file; undefined where there is none, or it cannot be read. */
export const bytesNow = (path: string): Buffer | undefined =>
  orUndefined(() => useAndClose(openToRead(onDisk(path)), (file) => readAt(file, 0, fstatSync(file).size)));
