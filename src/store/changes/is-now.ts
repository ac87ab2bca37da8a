import { fstatSync, lstatSync, readlinkSync, type Stats } from 'node:fs';
import { type Change, type Entry, type Holding, isContent, isSameThing, type PutBack } from '../../domain/session/change.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { hasOddBytes, onDisk } from '../files/byte-path.ts';
import { openToRead, readAt, useAndClose } from '../files/disk.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import type { Contents } from './contents.ts';
import { blobOid } from './git/clean-files.ts';
import { indexMeaning } from './git/git-index.ts';
import { isCovered, type State } from './look/recorder.ts';
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

export const bytesNow = (path: string): Buffer | undefined =>
  orUndefined(() => useAndClose(openToRead(onDisk(path)), (file) => readAt(file, 0, fstatSync(file).size)));

type Looked = Pick<State, 'uncovered' | 'scope'>;
type Keeping = { readonly contents: Contents; readonly maxBytes: number };

/**
 * What putting these back will change where no look at the folder sees it: outside of it, or where it does not look. What stands there is
 * on disk when this returns. Throws store_failed.
 */
export function unseenChanges(all: readonly PutBack[], states: readonly Looked[], { contents, maxBytes }: Keeping): readonly Change[] {
  const unseen = all.filter(
    ({ path }) => (hasOddBytes(path) || !states.some((state) => isCovered(path, state))) && blocked(path) === undefined,
  );
  const changes = unseen.map(({ path, to }) => ({ path, before: keptNow(path, { contents, maxBytes }), after: to }));
  contents.commit();
  return changes;
}

/** What stands at a path, its bytes kept as far as they may be; to be committed. */
export function keptNow(path: string, { contents, maxBytes }: Keeping): Entry | null {
  const entry = entryNow(path, maxBytes);
  const bytes = isContent(entry?.holds) ? bytesNow(path) : undefined;
  if (entry === null || bytes === undefined) return entry;
  return { ...entry, size: bytes.length, holds: `sha256:${contents.add(bytes)}` };
}

/** So much is read after a command, to know again what it wrote; what is beyond is known by its times alone. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The changes of an act, with the names of what it wrote: its content is not kept, but known again where only its times have changed since.
 * Marked as fresh, it is read before anything is claimed of it.
 */
export function nameContents(changes: readonly Change[]): readonly Change[] {
  let left = MAX_BYTES;
  return changes.map((change) => {
    const { path, after } = change;
    if (after?.kind !== 'file' || after.holds !== undefined || after.size > left) return change;
    left -= after.size;
    const bytes = bytesNow(path);
    const now = orUndefined(() => standingOf(lstatSync(path)));
    if (bytes?.length !== after.size || now?.mtime !== after.mtime || now.ctime !== after.ctime) return change;
    return { ...change, after: { ...after, holds: `sha256:${sha256Of(bytes)}`, isFresh: true } };
  });
}
