/**
 * The vocabulary of the tokenizer as one block of bytes, made when the program is built, so that opening it parses nothing and fills no
 * map: as a JavaScript module of 2 MB it took 200 ms of CPU and 63 MB at each start.
 *
 * All numbers are 32 bits wide in the byte order of the machines that Node runs on (little-endian): how many tokens there are, how many
 * slots; where the bytes of each token begin, by rank, and where the last one ends; the slots, each the rank of a token plus one, or 0; then
 * the bytes of all tokens. A token stands in the slot that its hash names, or in the next free one.
 */
export type RankTable = {
  /** The rank of the bytes from `start` up to, not including, `end`; -1 where they are no token. A lower rank is merged first. */
  readonly rankOf: (bytes: Uint8Array, start: number, end: number) => number;
};

const HEADER_NUMBERS = 2;
const SLOTS_PER_TOKEN = 2;

/** Throws RangeError for bytes that are no such table. */
export function openRankTable(file: Uint8Array): RankTable {
  const whole = file.byteOffset % 4 === 0 ? file : file.slice();
  const header = new Uint32Array(whole.buffer, whole.byteOffset, HEADER_NUMBERS);
  const [tokens = 0, slots = 0] = header;
  const starts = new Uint32Array(whole.buffer, whole.byteOffset + header.byteLength, tokens + 1);
  const table = new Uint32Array(whole.buffer, starts.byteOffset + starts.byteLength, slots);
  const text = new Uint8Array(whole.buffer, table.byteOffset + table.byteLength, starts[tokens]);
  const isToken = (rank: number, bytes: Uint8Array, { start, end }: { readonly start: number; readonly end: number }): boolean => {
    const from = starts[rank] ?? 0;
    if ((starts[rank + 1] ?? 0) - from !== end - start) return false;
    for (let i = start, j = from; i < end; i++, j++) if (bytes[i] !== text[j]) return false;
    return true;
  };
  return {
    rankOf: (bytes, start, end) => {
      for (let slot = hashOf(bytes, start, end) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
        const rank = (table[slot] ?? 0) - 1;
        if (rank < 0 || isToken(rank, bytes, { start, end })) return rank;
      }
    },
  };
}

/** The table of tokens in the order of their ranks. */
export function writeRankTable(tokens: readonly Uint8Array[]): Uint8Array {
  const slots = 2 ** Math.ceil(Math.log2(tokens.length * SLOTS_PER_TOKEN));
  const numbers = new Uint32Array(HEADER_NUMBERS + tokens.length + 1 + slots);
  numbers.set([tokens.length, slots]);
  const table = numbers.subarray(HEADER_NUMBERS + tokens.length + 1);
  let end = 0;
  for (const [rank, token] of tokens.entries()) {
    let slot = hashOf(token, 0, token.length) & (slots - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (slots - 1);
    table[slot] = rank + 1;
    end += token.length;
    numbers[HEADER_NUMBERS + rank + 1] = end;
  }
  const file = new Uint8Array(numbers.byteLength + end);
  file.set(new Uint8Array(numbers.buffer));
  let at = numbers.byteLength;
  for (const token of tokens) {
    file.set(token, at);
    at += token.length;
  }
  return file;
}

/** FNV-1a, with its high bits brought down to where the slot is taken from. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
