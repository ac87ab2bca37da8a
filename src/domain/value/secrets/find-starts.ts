export type StartTable<Row> = { readonly slots: Uint16Array; readonly lists: readonly (readonly Started<Row>[])[] };

/** A word of ASCII with two characters or more. */
export type Started<Row> = { readonly start: string; readonly row: Row };

/** Six bits of each of three characters. */
const SLOTS = 1 << 18;
const LAST_SLOT = SLOTS - 1;
const LETTERS = 128;

/** Of words that begin alike, the longer comes first. */
export function startTable<Row>(all: readonly Started<Row>[]): StartTable<Row> {
  const slots = new Uint16Array(SLOTS);
  const lists: Started<Row>[][] = [[]];
  for (const each of all.toSorted((a, b) => b.start.length - a.start.length)) {
    for (const slot of slotsOf(each.start)) {
      if (slots[slot] === 0) slots[slot] = lists.push([]) - 1;
      lists[slots[slot] ?? 0]?.push(each);
    }
  }
  return { slots, lists };
}

/** A word of two characters may go on with any. */
function slotsOf(start: string): ReadonlySet<number> {
  const [first, second, third] = [start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2)];
  const thirds = start.length > 2 ? [third] : Array.from({ length: LETTERS }, (_, code) => code);
  return new Set(thirds.map((code) => slotOf(first, second, code)));
}

const slotOf = (first: number, second: number, third: number): number => ((first & 63) << 12) | ((second & 63) << 6) | (third & 63);

/** What is told of each place: `found` of a word of the table, `sign` of a character of which `signs` says something. */
export type Told<Row> = {
  readonly signs: Uint8Array;
  readonly sign: (said: number, at: number) => void;
  /** Returns where to go on; undefined when it was not what the word looks like. */
  readonly found: (row: Row, at: number) => number | undefined;
};

/** Tells of each word of the table, wherever it stands. Reads each character once. `codes` are the characters of the text, each cut to a byte. */
export function eachStart<Row>(
  { text, codes }: { readonly text: string; readonly codes: Uint8Array },
  { slots, lists }: StartTable<Row>,
  { signs, sign, found }: Told<Row>,
): void {
  let slot = 0;
  let next = 2;
  const size = codes.length;
  for (let at = 0; at < size; at++) {
    const code = codes[at] ?? 0;
    slot = ((slot << 6) | (code & 63)) & LAST_SLOT;
    const list = slots[slot] ?? 0;
    const said = signs[code] ?? 0;
    if ((list | said) === 0) continue;
    if (said !== 0) sign(said, at);
    if (list === 0 || at < next) continue;
    const end = firstFound(text, lists[list] ?? [], at - 2, found);
    if (end !== undefined) next = Math.max(next, end + 2);
  }
}

function firstFound<Row>(
  text: string,
  words: readonly Started<Row>[],
  at: number,
  found: (row: Row, at: number) => number | undefined,
): number | undefined {
  for (const { start, row } of words) {
    if (!text.startsWith(start, at)) continue;
    const end = found(row, at);
    if (end !== undefined) return end;
  }
  return undefined;
}
