const HEADER_BYTES = 12;
/** The fixed part of an entry before its object id: two times of eight bytes, then dev, ino, mode, uid, gid and size. */
export const STAT_BYTES = 40;
const EXTENDED = 0x4000;
/** Of the flags: how long the path is, or this for a longer one. */
const LENGTH = 0xfff;
/** What the paths of version 4 are written out into at first. */
const TEXT_BYTES = 64 * 1024;
/** Without these an index is not understood, though git may know more of them. */
const NEEDED = /^[a-z]/;
const SPARSE_FOLDERS = 'sdir';

export type Visits = {
  /** An entry: where it begins in the index, its flags without the length of its path, and where in `text` that stands. */
  readonly entry: (start: number, flags: number, text: Buffer, from: number, to: number) => void;
  readonly extension?: (name: string, content: Buffer) => void;
};

/** How many entries an index says that it has; undefined for what is none of version 2, 3 or 4, or too short for them. */
export function entriesIn(bytes: Buffer): number | undefined {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  return version < 2 || version > 4 || count > bytes.length / STAT_BYTES ? undefined : count;
}

/**
 * Visits an index of version 2, 3 or 4 (gitformat-index), half a million entries in some hundredths of a second. Returns what the paths
 * stand in; undefined where something is not understood. Throws where it is cut off.
 */
export function scanIndex(bytes: Buffer, oidBytes: number, { entry, extension = () => undefined }: Visits): Buffer | undefined {
  const count = entriesIn(bytes);
  if (count === undefined) return undefined;
  const longhand = bytes.readUInt32BE(4) === 4 ? createLonghand(bytes) : undefined;
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    const start = at;
    at += STAT_BYTES + oidBytes;
    const low = bytes.readUInt16BE(at);
    const isExtended = (low & EXTENDED) !== 0;
    const flags = (low & ~(EXTENDED | LENGTH)) + (isExtended ? bytes.readUInt16BE(at + 2) * 0x10000 : 0);
    at += isExtended ? 4 : 2;
    if (longhand === undefined) {
      const end = endOf(bytes, at, low & LENGTH);
      entry(start, flags, bytes, at, end);
      at = start + ((end - start + 8) & ~7);
    } else {
      at = longhand.add(at);
      entry(start, flags, longhand.text(), longhand.from(), longhand.to());
    }
  }
  const last = bytes.length - oidBytes;
  while (at + 8 <= last) {
    const name = bytes.toString('latin1', at, at + 4);
    if (NEEDED.test(name) && name !== SPARSE_FOLDERS) return undefined;
    const length = bytes.readUInt32BE(at + 4);
    extension(name, bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return at === last ? (longhand?.text() ?? bytes) : undefined;
}

/** Where a path ends, of which the flags tell the length. Throws where the index ends before. */
function endOf(bytes: Buffer, at: number, length: number): number {
  const end = length < LENGTH ? at + length : bytes.indexOf(0, at);
  if (end < 0 || bytes[end] !== 0) throw new RangeError('the index is cut off');
  return end;
}

/** The paths of version 4, in which only what differs from the one before is written, in full. */
function createLonghand(bytes: Buffer) {
  let text = Buffer.allocUnsafe(TEXT_BYTES);
  let [from, to] = [0, 0];
  return {
    text: () => text,
    from: () => from,
    to: () => to,
    add: (at: number): number => {
      const { cut, next } = prefixCut(bytes, at);
      const end = bytes.indexOf(0, next);
      const kept = to - from - cut;
      if (end < 0 || kept < 0) throw new RangeError('the index is cut off');
      const length = kept + end - next;
      if (to + length > text.length) text = Buffer.concat([text.subarray(0, to)], 2 * (to + length));
      text.copy(text, to, from, from + kept);
      bytes.copy(text, to + kept, next, end);
      [from, to] = [to, to + length];
      return end + 1;
    },
  };
}

/** How many bytes of the path before are cut off, in git's variable width encoding. */
function prefixCut(bytes: Buffer, at: number): { readonly cut: number; readonly next: number } {
  let next = at;
  let byte = bytes.readUInt8(next++);
  let cut = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(next++);
    cut = ((cut + 1) << 7) | (byte & 0x7f);
  }
  return { cut, next };
}
