import { createHash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import type { Standing } from '../../../domain/session/change.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { readAt, withFile } from '../../files/disk.ts';

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
/** Of the second pair of bytes of flags. */
const SKIP_WORKTREE = 0x4000 * 0x10000;
const MODE_AT = 24;
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;

/** A larger index is not read. */
const MAX_INDEX_BYTES = 512 * 1024 * 1024;

/**
 * Reads an index of version 2, 3 or 4, as git documents it (gitformat-index). Undefined when there is none, it is no plain file, or it is not
 * understood, as one that is split; files with a conflict, links and files that git was told not to look at are left out. `oidBytes` is 20,
 * or 32 in a repository of sha256.
 */
export function readGitIndex(path: string, oidBytes: number): GitIndex | undefined {
  return orUndefined(() =>
    withFile(path, (file) => {
      const { size, mtimeMs } = fstatSync(file);
      if (size > MAX_INDEX_BYTES) return undefined;
      const bytes = readAt(file, 0, size);
      const entries = new Map<string, IndexEntry>();
      const isWhole = scan(bytes, oidBytes, ({ start, flags, path: name }) => {
        const isOrdinary = (flags & (ASSUME_UNCHANGED | STAGE | SKIP_WORKTREE)) === 0;
        if (!isOrdinary || (bytes.readUInt32BE(start + MODE_AT) & FILE_TYPE) !== REGULAR_FILE) return;
        const time = (at: number): number => bytes.readUInt32BE(at) * 1000 + bytes.readUInt32BE(at + 4) / 1e6;
        entries.set(textOfPath(name), {
          ...{ ctime: time(start), mtime: time(start + 8), ino: bytes.readUInt32BE(start + 20), size: bytes.readUInt32BE(start + 36) },
          oid: bytes.toString('hex', start + STAT_BYTES, start + STAT_BYTES + oidBytes),
        });
      });
      return isWhole ? { entries, writtenAt: mtimeMs } : undefined;
    }),
  );
}

/**
 * A hash of what an index lists: paths, modes, objects, stages and flags, and what it says besides. What git only notes to be faster is left
 * out: when it looked at a file, trees that it need not write, files that it does not track. Undefined for what is no index.
 */
export function indexMeaning(bytes: Buffer): string | undefined {
  const oidBytes = [20, 32].find((length) => isSealed(bytes, length));
  if (oidBytes === undefined) return undefined;
  const hash = createHash('sha256');
  let text = '';
  const isWhole = orUndefined(() =>
    scan(
      bytes,
      oidBytes,
      ({ start, flags, path }) => {
        const mode = bytes.readUInt32BE(start + MODE_AT);
        const oid = bytes.toString('latin1', start + STAT_BYTES, start + STAT_BYTES + oidBytes);
        // The lowest bits are the length of the path.
        text += `${mode} ${flags & ~0xfff} ${path}\0${oid}`;
      },
      (name, content) => {
        if (!CACHES.has(name)) hash.update(name).update(content);
      },
    ),
  );
  return isWhole === true ? hash.update(text, 'latin1').digest('hex') : undefined;
}

/** A path as a text, of one with a character for each byte. Most have nothing to decode. */
const textOfPath = (bytes: string): string => (/^[ -~]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8'));

/** Extensions of an index that hold what can be found again. */
const CACHES: ReadonlySet<string> = new Set(['TREE', 'UNTR', 'FSMN', 'EOIE', 'IEOT']);
/** Without these an index is not understood, though git may know more of them. */
const NEEDED = /^[a-z]/;
const SPARSE_FOLDERS = 'sdir';

/** An index ends with the hash of what stands before, or with zeros where git was told to spare it. */
function isSealed(bytes: Buffer, oidBytes: number): boolean {
  const end = bytes.length - oidBytes;
  if (end < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return false;
  const seal = bytes.subarray(end);
  return (
    seal.every((byte) => byte === 0) ||
    createHash(oidBytes === 32 ? 'sha256' : 'sha1')
      .update(bytes.subarray(0, end))
      .digest()
      .equals(seal)
  );
}

type Scanned = { readonly start: number; readonly flags: number; readonly path: string };

/** Visits each entry, its path with a character for each byte, and what follows them. False where something is not understood. Throws where the index is cut off. */
function scan(
  bytes: Buffer,
  oidBytes: number,
  visit: (entry: Scanned) => void,
  visitExtension: (name: string, content: Buffer) => void = () => undefined,
): boolean {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC') return false;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return false;
  let path = '';
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    const start = at;
    at += STAT_BYTES + oidBytes;
    const flags = bytes.readUInt16BE(at);
    const more = (flags & EXTENDED) === 0 ? 0 : bytes.readUInt16BE(at + 2);
    at += (flags & EXTENDED) === 0 ? 2 : 4;
    const cut = version === 4 ? prefixCut(bytes, at) : undefined;
    const end = endOf(bytes, cut?.next ?? at);
    path =
      cut === undefined
        ? bytes.toString('latin1', at, end)
        : path.slice(0, path.length - cut.chars) + bytes.toString('latin1', cut.next, end);
    at = cut === undefined ? start + ((end - start + 8) & ~7) : end + 1;
    visit({ start, flags: (flags & ~EXTENDED) + more * 0x10000, path });
  }
  const last = bytes.length - oidBytes;
  while (at + 8 <= last) {
    const name = bytes.toString('latin1', at, at + 4);
    if (NEEDED.test(name) && name !== SPARSE_FOLDERS) return false;
    const length = bytes.readUInt32BE(at + 4);
    visitExtension(name, bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return at === last;
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
