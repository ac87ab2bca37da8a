import type { RankTable } from './rank-table.ts';

/** No slice of text that is counted at once is longer. */
export const MAX_PIECE_CHARS = 1_024;
const BYTES_PER_CHAR = 3;
const NONE = 0x7fffffff;

/**
 * How many tokens one piece of text has: the byte pair of the lowest rank is merged first, the leftmost of equals, until no pair is in the
 * table. Of text from `start` up to `end`, at most MAX_PIECE_CHARS characters. A lone surrogate stands for three bytes, as it is sent.
 */
export type CountPiece = (text: string, start: number, end: number) => number;

/** The numbers of a piece are kept between calls, so that nothing is allocated for one. */
export function createPieceCounter({ rankOf }: RankTable): CountPiece {
  const size = MAX_PIECE_CHARS * BYTES_PER_CHAR;
  const bytes = new Uint8Array(size);
  // Of the part that begins at a byte: where the next one begins, where the one before, and the rank of both together.
  const next = new Int32Array(size + 1);
  const before = new Int32Array(size + 1);
  const ranks = new Int32Array(size + 1);

  const rankPair = (part: number, length: number): void => {
    const second = next[part] ?? length;
    if (second >= length) ranks[part] = NONE;
    else {
      const rank = rankOf(bytes, part, next[second] ?? length);
      ranks[part] = rank < 0 ? NONE : rank;
    }
  };

  const merge = (length: number): number => {
    for (let part = 0; part < length; part++) {
      next[part] = part + 1;
      before[part] = part - 1;
    }
    for (let part = 0; part < length; part++) rankPair(part, length);
    for (let parts = length; ; parts--) {
      let lowest = NONE;
      let at = -1;
      for (let part = 0; part < length; part = next[part] ?? length) {
        const rank = ranks[part] ?? NONE;
        if (rank < lowest) {
          lowest = rank;
          at = part;
        }
      }
      if (at < 0) return parts;
      const end = next[next[at] ?? length] ?? length;
      next[at] = end;
      if (end < length) before[end] = at;
      rankPair(at, length);
      const left = before[at] ?? -1;
      if (left >= 0) rankPair(left, length);
    }
  };

  return (text, start, end) => {
    const length = writeUtf8(text, { start, end }, bytes);
    return length === 1 || rankOf(bytes, 0, length) >= 0 ? 1 : merge(length);
  };
}

function writeUtf8(text: string, { start, end }: { readonly start: number; readonly end: number }, bytes: Uint8Array): number {
  let length = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes[length++] = unit;
    else if (unit < 0x800) {
      bytes[length++] = 0xc0 | (unit >> 6);
      bytes[length++] = 0x80 | (unit & 0x3f);
    } else {
      const low = unit >= 0xd800 && unit <= 0xdbff && i + 1 < end ? text.charCodeAt(i + 1) : 0;
      if (low >= 0xdc00 && low <= 0xdfff) {
        const code = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
        bytes[length++] = 0xf0 | (code >> 18);
        bytes[length++] = 0x80 | ((code >> 12) & 0x3f);
        bytes[length++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[length++] = 0x80 | (code & 0x3f);
        i++;
      } else {
        const code = unit >= 0xd800 && unit <= 0xdfff ? 0xfffd : unit;
        bytes[length++] = 0xe0 | (code >> 12);
        bytes[length++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[length++] = 0x80 | (code & 0x3f);
      }
    }
  }
  return length;
}
