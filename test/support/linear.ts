const LARGE = 1024 * 1024;
const FACTOR = 16;
const SMALL = LARGE / FACTOR;
/** The work for 16 times as much may be four times that, and not 256 times as with a quadratic pattern. */
const LEEWAY = 4;
/** A reader that takes so long for the small text is first judged on four times as much: with less than six times the work it is done. */
const SLOW_MS = 2;
const STEP = 4;
const STEP_LIMIT = 6;
/** What else the machine does can spoil a measurement: the best of so many counts. */
const ATTEMPTS = 4;
/** Below this nothing can be measured. */
const LEAST_MS = 8;

/** A text of this length, and an end. */
export const runOf = (unit: string, length: number, end: string): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end;

export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What `yardstick` takes on a machine that does nothing else. */
const YARDSTICK_MS = 20;

/** Work of a fixed size, of the kind that readers do. */
function yardstick(): number {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({ n, word: `w${n}` }));
  const text = JSON.stringify(rows);
  return text.replace(/\d+/g, 'x').length + (JSON.parse(text) as typeof rows).length;
}

/**
 * The least of some measurements, which ends with the first that is good enough. CPU time grows with what else the machine does:
 * a measurement that is not good enough is told in the time of a machine on which the yardstick takes what it should.
 */
export async function bestMs(work: () => unknown, enough: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && best > enough; attempt++) {
    const taken = await cpuMs(work);
    if (taken <= enough) return taken;
    best = Math.min(best, taken / Math.max(1, (await cpuMs(yardstick)) / YARDSTICK_MS));
  }
  return best;
}

/** The runs on which the time of a reader grows faster than the text. */
export async function growsTooFast(read: (text: string) => unknown, units: readonly string[]): Promise<readonly string[]> {
  const slow: string[] = [];
  for (const unit of units) {
    for (const end of ['', 'x']) {
      const ratio = await growthOf((length) => read(runOf(unit, length, end)));
      if (ratio > FACTOR * LEEWAY)
        slow.push(`${JSON.stringify(unit)}${end}: ${ratio.toFixed(0)} times the work for ${FACTOR} times as much`);
    }
  }
  return slow;
}

/** How many times the work 16 times as much text is, at the least that was measured; 0 where fewer measurements show that it is linear. */
async function growthOf(read: (length: number) => unknown): Promise<number> {
  const small = () => read(SMALL);
  const first = await cpuMs(small);
  // The first reading also warms the engine up.
  const base = first > SLOW_MS ? Math.min(first, await cpuMs(small)) : first;
  if (base > SLOW_MS && (await cpuMs(() => read(SMALL * STEP))) < base * STEP_LIMIT) return 0;
  const least = Math.max(LEAST_MS, base);
  return (await bestMs(() => read(LARGE), least * FACTOR * LEEWAY)) / least;
}
