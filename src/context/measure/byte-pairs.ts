/**
 * The vocabulary of the tokenizer as one block of bytes, made by the build: as a JavaScript module of 2 MB it took 200 ms of CPU and 63 MB
 * at each start.
 *
 * First little-endian numbers of 32 bits: how many buckets, a power of two; where each begins and the last ends. Then one bit for each of
 * 2^20 hashes, set where a token has it, which takes a tenth of the time from counting. Then the buckets: each token as its length in one
 * byte, its rank in three, lowest first, and its bytes.
 */
export type RankTable = {
  /** The rank of the bytes from `start` up to, not including, `end`; -1 where they are no token. A lower rank is merged first. */
  readonly rankOf: (bytes: Uint8Array, start: number, end: number) => number;
};

const NUMBER_BYTES = 4;
const HEAD_BYTES = 4;
const BIT_BYTES = 2 ** 17;

/** Throws RangeError for bytes that are no such table. */
export function openRankTable(file: Uint8Array): RankTable {
  const whole = file.byteOffset % NUMBER_BYTES === 0 ? file : file.slice();
  const [buckets = 0] = new Uint32Array(whole.buffer, whole.byteOffset, 1);
  const starts = new Uint32Array(whole.buffer, whole.byteOffset + NUMBER_BYTES, buckets + 1);
  const bits = new Uint8Array(whole.buffer, starts.byteOffset + starts.byteLength, BIT_BYTES);
  const tokens = new Uint8Array(whole.buffer, bits.byteOffset + BIT_BYTES, starts[buckets]);
  return {
    rankOf: (bytes, start, end) => {
      const hash = hashOf(bytes, start, end);
      if (((bits[bitByte(hash)] ?? 0) & bitIn(hash)) === 0) return -1;
      const length = end - start;
      const bucket = hash & (buckets - 1);
      const last = starts[bucket + 1] ?? 0;
      for (let at = starts[bucket] ?? 0; at < last; at += HEAD_BYTES + (tokens[at] ?? 0)) {
        if (tokens[at] !== length) continue;
        let same = 0;
        while (same < length && tokens[at + HEAD_BYTES + same] === bytes[start + same]) same++;
        if (same === length) return (tokens[at + 1] ?? 0) | ((tokens[at + 2] ?? 0) << 8) | ((tokens[at + 3] ?? 0) << 16);
      }
      return -1;
    },
  };
}

/** The table of tokens in the order of their ranks. None is longer than 255 bytes. */
export function writeRankTable(tokens: readonly Uint8Array[]): Uint8Array {
  const buckets = 2 ** Math.floor(Math.log2(Math.max(1, tokens.length)));
  const ranks: number[][] = Array.from({ length: buckets }, () => []);
  const bits = new Uint8Array(BIT_BYTES);
  for (const [rank, token] of tokens.entries()) {
    const hash = hashOf(token, 0, token.length);
    ranks[hash & (buckets - 1)]?.push(rank);
    bits[bitByte(hash)] = (bits[bitByte(hash)] ?? 0) | bitIn(hash);
  }
  const parts: Uint8Array[] = [];
  const numbers = new Uint32Array(1 + buckets + 1);
  numbers[0] = buckets;
  let end = 0;
  for (const [bucket, inside] of ranks.entries()) {
    for (const rank of inside) {
      const token = tokens[rank] ?? new Uint8Array();
      if (token.length > 0xff) throw new RangeError(`a token of ${token.length} bytes`);
      parts.push(Uint8Array.of(token.length, rank & 0xff, (rank >> 8) & 0xff, rank >> 16), token);
      end += HEAD_BYTES + token.length;
    }
    numbers[1 + bucket + 1] = end;
  }
  return new Uint8Array(Buffer.concat([new Uint8Array(numbers.buffer), bits, ...parts]));
}

const bitByte = (hash: number): number => (hash >>> 3) & (BIT_BYTES - 1);
const bitIn = (hash: number): number => 1 << (hash & 7);

/** FNV-1a, with its high bits brought down to where the bucket is taken from. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** No slice of text that is counted at once is longer. */
export const MAX_PIECE_CHARS = 1_024;
const BYTES_PER_CHAR = 3;
const NONE = 0x7fffffff;
/** From so many bytes on it is quicker to keep the pairs in order than to look through them for each merge. */
const LONG_BYTES = 48;

/** The parts of a piece, each with what follows and precedes it and the rank of the pair that it begins. */
function createParts({ rankOf }: RankTable, bytes: Uint8Array) {
  const next = new Int32Array(bytes.length + 1);
  const before = new Int32Array(bytes.length + 1);
  const ranks = new Int32Array(bytes.length + 1);
  // Every piece begins with pairs of single bytes: their ranks plus two, once they were looked up.
  const pairRanks = new Int32Array(0x10000);
  const rankTwoBytes = (part: number): number => {
    const pair = ((bytes[part] ?? 0) << 8) | (bytes[part + 1] ?? 0);
    const known = pairRanks[pair] ?? 0;
    if (known !== 0) return known - 2;
    const rank = rankOf(bytes, part, part + 2);
    pairRanks[pair] = rank + 2;
    return rank;
  };
  const rankPair = (part: number, length: number): void => {
    const second = next[part] ?? length;
    const end = second < length ? (next[second] ?? length) : -1;
    const rank = end < 0 ? -1 : end === part + 2 ? rankTwoBytes(part) : rankOf(bytes, part, end);
    ranks[part] = rank < 0 ? NONE : rank;
  };
  return {
    ranks,
    next,
    begin: (length: number): void => {
      for (let part = 0; part < length; part++) {
        next[part] = part + 1;
        before[part] = part - 1;
      }
      for (let part = 0; part < length; part++) rankPair(part, length);
    },
    /** Makes one part of the one at `at` and the next. Returns the one before it, or -1. */
    join: (at: number, length: number): number => {
      const second = next[at] ?? length;
      const end = next[second] ?? length;
      ranks[second] = NONE;
      next[at] = end;
      if (end < length) before[end] = at;
      rankPair(at, length);
      const left = before[at] ?? -1;
      if (left >= 0) rankPair(left, length);
      return left;
    },
  };
}

/** The tokens of a piece of at most MAX_PIECE_CHARS: the pair of the lowest rank is merged first, the leftmost of equals. */
export function createPieceCounter(table: RankTable): (text: string, start: number, end: number) => number {
  const bytes = new Uint8Array(MAX_PIECE_CHARS * BYTES_PER_CHAR);
  const heap = createRankHeap(bytes.length);
  const { ranks, next, begin, join } = createParts(table, bytes);

  const mergeShort = (length: number): number => {
    begin(length);
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
      join(at, length);
    }
  };

  const mergeLong = (length: number): number => {
    begin(length);
    const push = (part: number): void => {
      const rank = ranks[part] ?? NONE;
      if (rank !== NONE) heap.push(rank, part);
    };
    heap.clear();
    for (let part = 0; part < length; part++) push(part);
    for (let parts = length; ; parts--) {
      let at = heap.pop();
      // One whose pair has become another since is in the heap again.
      while (at >= 0 && ranks[at] !== heap.poppedRank()) at = heap.pop();
      if (at < 0) return parts;
      const left = join(at, length);
      push(at);
      if (left >= 0) push(left);
    }
  };

  return (text, start, end) => {
    const length = writeUtf8(text, { start, end }, bytes);
    if (length === 1 || table.rankOf(bytes, 0, length) >= 0) return 1;
    return length < LONG_BYTES ? mergeShort(length) : mergeLong(length);
  };
}

const encoder = new TextEncoder();

/** Written out but for pairs of surrogates: a call into the engine takes as long as a short piece. */
function writeUtf8(text: string, { start, end }: { readonly start: number; readonly end: number }, bytes: Uint8Array): number {
  let length = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes[length++] = unit;
    else if (unit < 0x800) {
      bytes[length++] = 0xc0 | (unit >> 6);
      bytes[length++] = 0x80 | (unit & 0x3f);
    } else if (unit >= 0xd800 && unit <= 0xdfff) return encoder.encodeInto(text.slice(start, end), bytes).written;
    else {
      bytes[length++] = 0xe0 | (unit >> 12);
      bytes[length++] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[length++] = 0x80 | (unit & 0x3f);
    }
  }
  return length;
}

const PLACE_BITS = 12;
const PLACE_MASK = (1 << PLACE_BITS) - 1;
const PUSHES_PER_PLACE = 3;

/** A heap of pairs, the lowest rank first and of equals the leftmost. Each is one number: a rank below 2^18 and a place below 2^12. */
function createRankHeap(places: number) {
  const keys = new Int32Array(places * PUSHES_PER_PLACE + 1);
  let size = 0;
  let popped = 0;
  const sinkFromTop = (key: number): void => {
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && (keys[child + 1] ?? 0) < (keys[child] ?? 0)) child += 1;
      const smaller = keys[child] ?? 0;
      if (key <= smaller) break;
      keys[at] = smaller;
      at = child;
    }
    keys[at] = key;
  };
  return {
    clear: (): void => {
      size = 0;
    },
    push: (rank: number, place: number): void => {
      const key = rank * (PLACE_MASK + 1) + place;
      let at = size++;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        const above = keys[parent] ?? 0;
        if (above <= key) break;
        keys[at] = above;
        at = parent;
      }
      keys[at] = key;
    },
    pop: (): number => {
      if (size === 0) return -1;
      popped = keys[0] ?? 0;
      size -= 1;
      if (size > 0) sinkFromTop(keys[size] ?? 0);
      return popped & PLACE_MASK;
    },
    poppedRank: (): number => popped >> PLACE_BITS,
  };
}
