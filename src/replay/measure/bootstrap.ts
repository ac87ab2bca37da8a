/** The share of one session, as a part and a whole. */
export type Fraction = { readonly part: number; readonly whole: number };
export type ConfidenceInterval = { readonly low: number; readonly high: number };

/** How many times the sessions are resampled; the ends of the interval then vary by less than half a point for any share. */
const RESAMPLES = 1_000;

/** Returns the middle 95 % of the total share when sessions are drawn with replacement; undefined for fewer than two. Deterministic. */
export function bootstrapInterval(parts: readonly Fraction[]): ConfidenceInterval | undefined {
  const nonEmpty = parts.filter(({ whole }) => whole > 0);
  if (nonEmpty.length < 2) return undefined;
  const next = createRandom();
  const shares = Array.from({ length: RESAMPLES }, () => {
    let [part, whole] = [0, 0];
    for (let i = 0; i < nonEmpty.length; i++) {
      const sample = nonEmpty[Math.floor(next() * nonEmpty.length)];
      part += sample?.part ?? 0;
      whole += sample?.whole ?? 0;
    }
    return whole === 0 ? 0 : part / whole;
  }).sort((a, b) => a - b);
  return { low: shares[Math.floor(RESAMPLES * 0.025)] ?? 0, high: shares[Math.ceil(RESAMPLES * 0.975) - 1] ?? 0 };
}

/** Returns a source of numbers in [0, 1) that is the same in every run (mulberry32). */
function createRandom(): () => number {
  let state = 0x5eed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
