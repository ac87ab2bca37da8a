import { createHash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { lowest } from '../../../domain/lists.ts';
import type { Standing } from '../../../domain/session/change.ts';
import { entriesIn, STAT_BYTES, scanIndex } from '../../../domain/session/git-index.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { readAt, withFile } from '../../files/disk.ts';

/** A file of which git has the bytes, as it was when git looked at it last. */
export type IndexEntry = Pick<Standing, 'mtime' | 'ctime' | 'ino' | 'size'> & { readonly oid: string; readonly isExecutable: boolean };

export type GitIndex = {
  readonly entryAt: (path: string) => IndexEntry | undefined;
  /** The id of the object with the bytes of a file, where it is as git saw it; undefined where it may have changed since. */
  readonly cleanOid: (path: string, file: Standing) => string | undefined;
  /** Whether it lists something below a folder, or the folder as a repository of its own. */
  readonly isFolder: (path: string) => boolean;
  readonly paths: () => Iterable<string>;
};

const ASSUME_UNCHANGED = 0x8000;
const STAGE = 0x3000;
/** Of the second pair of bytes of flags. */
const SKIP_WORKTREE = 0x4000 * 0x10000;
/** Where the parts of an entry stand; the time of its change is first. */
const MTIME_AT = 8;
const INO_AT = 20;
const MODE_AT = 24;
const SIZE_AT = 36;
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;

const MAX_INDEX_BYTES = 512 * 1024 * 1024;

/**
 * Reads an index. Undefined when there is none, it is no plain file, or it is not understood, as one that is split; files with a conflict,
 * links and files that git was told not to look at are left out. `oidBytes` is 20, or 32 in a repository of sha256.
 */
export function readGitIndex(path: string, oidBytes: number): GitIndex | undefined {
  return orUndefined(() =>
    withFile(path, (file) => {
      const { size, mtimeMs } = fstatSync(file);
      return size > MAX_INDEX_BYTES ? undefined : gitIndexOf(readAt(file, 0, size), oidBytes, mtimeMs);
    }),
  );
}

/**
 * The same of an index that was read. Where entries begin and their paths stand is found by a hash of the path: an object for each of half a
 * million would take a second.
 */
export function gitIndexOf(bytes: Buffer, oidBytes: number, writtenAt: number): GitIndex | undefined {
  const most = entriesIn(bytes) ?? 0;
  const [starts, froms, tos] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
  const mask = 2 ** Math.ceil(Math.log2(2 * most + 2)) - 1;
  /** One more than the number of an entry; zero for none. */
  const slots = new Uint32Array(mask + 1);
  let count = 0;
  const links: string[] = [];
  const text = scanIndex(bytes, oidBytes, {
    entry: (start, flags, paths, from, to) => {
      if (typeAt(bytes, start) === GITLINK) links.push(paths.toString('utf8', from, to));
      const isOrdinary = (flags & (ASSUME_UNCHANGED | STAGE | SKIP_WORKTREE)) === 0;
      if (!isOrdinary || typeAt(bytes, start) !== REGULAR_FILE) return;
      starts[count] = start;
      froms[count] = from;
      tos[count] = to;
      count += 1;
      let slot = hashOf(paths, from, to) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = count;
    },
  });
  if (text === undefined) return undefined;
  const compare = (n: number, path: Buffer, most: number): number => {
    const from = froms[n] ?? 0;
    return text.compare(path, 0, path.length, from, Math.min(tos[n] ?? 0, from + most));
  };
  const startOf = (path: string): number | undefined => {
    const wanted = Buffer.from(path);
    for (let slot = hashOf(wanted, 0, wanted.length) & mask; ; slot = (slot + 1) & mask) {
      const n = (slots[slot] ?? 0) - 1;
      if (n < 0) return undefined;
      if (compare(n, wanted, Number.POSITIVE_INFINITY) === 0) return starts[n];
    }
  };
  const isFolder = (path: string): boolean => {
    if (links.some((link) => `${link}/`.startsWith(`${path}/`))) return true;
    const beginning = Buffer.from(`${path}/`);
    const low = lowest(0, count, (n) => compare(n, beginning, beginning.length) >= 0);
    return low < count && compare(low, beginning, beginning.length) === 0;
  };
  const paths = function* (): Generator<string> {
    for (let n = 0; n < count; n++) yield text.toString('utf8', froms[n], tos[n]);
  };
  return {
    entryAt: (path) => {
      const start = startOf(path);
      return start === undefined ? undefined : entryOf(bytes, start, oidBytes);
    },
    cleanOid: (path, file) => {
      const start = startOf(path);
      return start !== undefined && isClean(bytes, start, file, writtenAt) ? oidOf(bytes, start, oidBytes) : undefined;
    },
    isFolder,
    paths,
  };
}

function entryOf(bytes: Buffer, start: number, oidBytes: number): IndexEntry {
  return {
    ...{ ctime: timeAt(bytes, start), mtime: timeAt(bytes, start + MTIME_AT) },
    ...{ ino: bytes.readUInt32BE(start + INO_AT), size: bytes.readUInt32BE(start + SIZE_AT) },
    isExecutable: (bytes.readUInt32BE(start + MODE_AT) & 0o100) !== 0,
    oid: oidOf(bytes, start, oidBytes),
  };
}

const oidOf = (bytes: Buffer, start: number, oidBytes: number): string =>
  bytes.toString('hex', start + STAT_BYTES, start + STAT_BYTES + oidBytes);

const timeAt = (bytes: Buffer, at: number): number => bytes.readUInt32BE(at) * 1000 + bytes.readUInt32BE(at + 4) / 1e6;

function isClean(bytes: Buffer, start: number, file: Standing, writtenAt: number): boolean {
  const isSame = bytes.readUInt32BE(start + INO_AT) === file.ino % 2 ** 32 && bytes.readUInt32BE(start + SIZE_AT) === file.size % 2 ** 32;
  const mtime = timeAt(bytes, start + MTIME_AT);
  return isSame && near(mtime, file.mtime) && near(timeAt(bytes, start), file.ctime) && Math.max(mtime, file.mtime) < Math.floor(writtenAt);
}

function hashOf(bytes: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}

/** So much is put together before it is hashed: a call for each entry takes longer than all else. */
const CHUNK_BYTES = 1024 * 1024;
/** What is hashed of an entry beside its object id and its path: mode, flags, and how long the path is. */
const FACTS_BYTES = 12;

const GITLINK = 0o160000;

/**
 * The folders that an index has as repositories of their own, by path below the work tree. Undefined for what is not understood, as one that is
 * split. Git reads one that is not sealed as well.
 */
export function gitlinksIn(bytes: Buffer): readonly string[] | undefined {
  for (const oidBytes of [20, 32]) {
    const links: string[] = [];
    const isWhole = orUndefined(() =>
      scanIndex(bytes, oidBytes, {
        entry: (start, _flags, text, from, to) => {
          if (typeAt(bytes, start) === GITLINK) links.push(text.toString('utf8', from, to));
        },
      }),
    );
    if (isWhole !== undefined) return links;
  }
  return undefined;
}

const typeAt = (bytes: Buffer, start: number): number => bytes.readUInt32BE(start + MODE_AT) & FILE_TYPE;

/**
 * A hash of what an index lists: paths, modes, objects, stages and flags, and what it says besides. What git only notes to be faster is left
 * out: when it looked at a file, trees that it need not write, files that it does not track. Undefined for what is no index.
 */
export function indexMeaning(bytes: Buffer): string | undefined {
  const oidBytes = [20, 32].find((length) => isSealed(bytes, length));
  if (oidBytes === undefined) return undefined;
  const hash = createHash('sha256');
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  const flush = (): void => {
    hash.update(chunk.subarray(0, filled));
    filled = 0;
  };
  const isWhole = orUndefined(() =>
    scanIndex(bytes, oidBytes, {
      entry: (start, flags, text, from, to) => {
        const length = FACTS_BYTES + oidBytes + to - from;
        if (filled + length > chunk.length) flush();
        if (length > chunk.length) chunk = Buffer.allocUnsafe(length);
        chunk.writeUInt32BE(bytes.readUInt32BE(start + MODE_AT), filled);
        chunk.writeUInt32BE(flags >>> 0, filled + 4);
        chunk.writeUInt32BE(to - from, filled + 8);
        bytes.copy(chunk, filled + FACTS_BYTES, start + STAT_BYTES, start + STAT_BYTES + oidBytes);
        text.copy(chunk, filled + FACTS_BYTES + oidBytes, from, to);
        filled += length;
      },
      extension: (name, content) => {
        if (CACHES.has(name)) return;
        flush();
        hash.update(name).update(content);
      },
    }),
  );
  if (isWhole === undefined) return undefined;
  flush();
  return hash.digest('hex');
}

const CACHES: ReadonlySet<string> = new Set(['TREE', 'UNTR', 'FSMN', 'EOIE', 'IEOT']);

/** An index ends with the hash of what stands before, or with zeros where git was told to spare it. */
function isSealed(bytes: Buffer, oidBytes: number): boolean {
  const end = bytes.length - oidBytes;
  if (end < 0 || entriesIn(bytes) === undefined) return false;
  const seal = bytes.subarray(end);
  return (
    seal.every((byte) => byte === 0) ||
    createHash(oidBytes === 32 ? 'sha256' : 'sha1')
      .update(bytes.subarray(0, end))
      .digest()
      .equals(seal)
  );
}

/** A double holds a time of today to a quarter of a microsecond. */
const TIME_TOLERANCE = 0.001;
const near = (a: number, b: number): boolean => Math.abs(a - b) < TIME_TOLERANCE;
