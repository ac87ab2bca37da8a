import { readFileSync, statSync } from 'node:fs';
import type { Standing } from '../../domain/session/change.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

/** A file of which git has the bytes, as it was when git looked at it last. */
export type IndexEntry = Pick<Standing, 'mtime' | 'ctime' | 'ino' | 'size'> & { readonly oid: string };

export type GitIndex = {
  /** By path below the work tree. */
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** When the index was written: what changed since may look as it was. */
  readonly writtenAt: number;
};

const HEADER_BYTES = 12;
/** The fixed part of an entry before its object id: two times of eight bytes, then dev, ino, mode, uid, gid and size. */
const STAT_BYTES = 40;
const ASSUME_UNCHANGED = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const SKIP_WORKTREE = 0x4000;
const REGULAR_FILE = 0o100000;

/**
 * Reads an index of version 2, 3 or 4, as git documents it (gitformat-index). Undefined when there is none, or it is not understood; files
 * with a conflict, links and files that git was told not to look at are left out. `oidBytes` is 20, or 32 in a repository of sha256.
 */
export function readGitIndex(path: string, oidBytes: number): GitIndex | undefined {
  const bytes = orUndefined(() => readFileSync(path));
  const writtenAt = orUndefined(() => statSync(path).mtimeMs);
  if (bytes === undefined || writtenAt === undefined) return undefined;
  const entries = orUndefined(() => entriesIn(bytes, oidBytes));
  return entries && { entries, writtenAt };
}

function entriesIn(bytes: Buffer, oidBytes: number): ReadonlyMap<string, IndexEntry> | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  const entries = new Map<string, IndexEntry>();
  let path = '';
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    const start = at;
    const time = (offset: number): number => bytes.readUInt32BE(start + offset) * 1000 + bytes.readUInt32BE(start + offset + 4) / 1e6;
    at += STAT_BYTES;
    const oid = bytes.toString('hex', at, at + oidBytes);
    at += oidBytes;
    const flags = bytes.readUInt16BE(at);
    at += 2;
    const more = (flags & EXTENDED) === 0 ? 0 : bytes.readUInt16BE(at);
    if ((flags & EXTENDED) !== 0) at += 2;
    if (version === 4) {
      const cut = prefixCut(bytes, at);
      const end = endOf(bytes, cut.next);
      path = path.slice(0, path.length - cut.chars) + bytes.toString('latin1', cut.next, end);
      at = end + 1;
    } else {
      const end = endOf(bytes, at);
      path = bytes.toString('latin1', at, end);
      at = start + ((end - start + 8) & ~7);
    }
    const isOrdinary = (flags & (ASSUME_UNCHANGED | STAGE)) === 0 && (more & SKIP_WORKTREE) === 0;
    if (!isOrdinary || (bytes.readUInt32BE(start + 24) & 0o170000) !== REGULAR_FILE) continue;
    entries.set(Buffer.from(path, 'latin1').toString('utf8'), {
      ...{ ctime: time(0), mtime: time(8), oid },
      ino: bytes.readUInt32BE(start + 20),
      size: bytes.readUInt32BE(start + 36),
    });
  }
  return entries;
}

/** Where a path ends. Throws where the index does before. */
function endOf(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(0, at);
  if (end < 0) throw new RangeError('the index is cut off');
  return end;
}

/** How many bytes of the path before are cut off, in git's variable width encoding. */
function prefixCut(bytes: Buffer, at: number): { readonly chars: number; readonly next: number } {
  let next = at;
  let byte = bytes.readUInt8(next++);
  let chars = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(next++);
    chars = ((chars + 1) << 7) | (byte & 0x7f);
  }
  return { chars, next };
}

/** A double holds a time of today to a quarter of a microsecond. */
const TIME_TOLERANCE = 0.001;
const near = (a: number, b: number): boolean => Math.abs(a - b) < TIME_TOLERANCE;

/** The id of the object with the bytes of a file, where it is as git saw it; undefined where it may have changed since. */
export function cleanOid({ entries, writtenAt }: GitIndex, path: string, file: Standing): string | undefined {
  const entry = entries.get(path);
  if (entry === undefined || entry.size !== file.size % 2 ** 32 || entry.ino !== file.ino % 2 ** 32) return undefined;
  return near(entry.mtime, file.mtime) && near(entry.ctime, file.ctime) && entry.mtime < writtenAt && file.mtime < Math.floor(writtenAt)
    ? entry.oid
    : undefined;
}
