/** Parts of wholes, one for each session. */
export type Part = { readonly part: number; readonly whole: number };
export type Interval = { readonly low: number; readonly high: number };

/** How many times sessions are drawn; the spread of the ends is then below half a point for any share. */
const DRAWS = 1_000;

/** The middle 95 % of the whole's share when sessions are drawn anew with replacement; undefined for less than two. Same parts, same answer. */
export function interval(parts: readonly Part[]): Interval | undefined {
  const counting = parts.filter(({ whole }) => whole > 0);
  if (counting.length < 2) return undefined;
  const next = numbers();
  const shares = Array.from({ length: DRAWS }, () => {
    let [part, whole] = [0, 0];
    for (let i = 0; i < counting.length; i++) {
      const drawn = counting[Math.floor(next() * counting.length)];
      part += drawn?.part ?? 0;
      whole += drawn?.whole ?? 0;
    }
    return whole === 0 ? 0 : part / whole;
  }).sort((a, b) => a - b);
  return { low: shares[Math.floor(DRAWS * 0.025)] ?? 0, high: shares[Math.ceil(DRAWS * 0.975) - 1] ?? 0 };
}

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
function numbers(): () => number {
  let state = 0x5eed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
