const LARGE = 1024 * 1024;
const FACTOR = 16;
const SMALL = LARGE / FACTOR;
/** The work for 16 times as much may be four times that, and not 256 times as with a quadratic pattern. */
const LEEWAY = 4;
/** A text of which the work can be told from that for another one. */
const SLOW_MS = 2;
const STEP = 4;
/** Work of less than this times as much for four times the text is linear: 256 KB of a slow reader tell it, and nearly always 64 KB. */
const STEP_LIMIT = 6;
const SMALL_STEP_LIMIT = 4.5;
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
  const small = () => cpuMs(() => read(SMALL));
  const least = LEAST_MS * FACTOR * LEEWAY;
  // The first reading also warms the engine up.
  const first = await small();
  if (first <= cubeOf(SMALL / LARGE, least)) return 0;
  if (first <= SLOW_MS) return (await isShortBy(read, { longest: LARGE, share: 1 / STEP, mostMs: least })) ? 0 : growthTo(read, first);
  const less = Math.min(await cpuMs(() => read(SMALL / STEP)), await cpuMs(() => read(SMALL / STEP)));
  const base = Math.min(first, await small());
  if (less > SLOW_MS / STEP && base < less * SMALL_STEP_LIMIT) return 0;
  if ((await cpuMs(() => read(SMALL * STEP))) < base * STEP_LIMIT) return 0;
  return growthTo(read, base);
}

async function growthTo(read: (length: number) => unknown, base: number): Promise<number> {
  const least = Math.max(LEAST_MS, base);
  return (await bestMs(() => read(LARGE), least * FACTOR * LEEWAY)) / least;
}

/** What a share of the text may take, so that the whole takes at most so long even if the work grows with the cube. */
const cubeOf = (share: number, mostMs: number): number => mostMs * share ** 3;

type Bound = { readonly longest: number; readonly mostMs: number };

const isShortBy = async (
  work: (length: number) => unknown,
  { longest, share, mostMs }: Bound & { readonly share: number },
): Promise<boolean> => (await cpuMs(() => work(Math.ceil(longest * share)))) <= cubeOf(share, mostMs);

/** Whether the longest text takes at most so much CPU. Where a part of it takes little enough, the whole is not read. */
export async function inTime(work: (length: number) => unknown, bound: Bound): Promise<boolean> {
  for (const share of [1 / 4, 1 / 2]) if (await isShortBy(work, { ...bound, share })) return true;
  return (await bestMs(() => work(bound.longest), bound.mostMs)) <= bound.mostMs;
}
