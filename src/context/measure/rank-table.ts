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
