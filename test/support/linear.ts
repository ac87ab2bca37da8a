const MB = 1024 * 1024;
/** The work for 16 times as much may be four times that, and not 256 times as with a quadratic pattern. */
const LEEWAY = 4;
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

/** The least of some measurements, which ends with the first that is good enough. */
export async function bestMs(work: () => unknown, enough: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && best > enough; attempt++) best = Math.min(best, await cpuMs(work));
  return best;
}

/** The runs on which the time of a reader grows faster than the text. */
export async function growsTooFast(read: (text: string) => unknown, units: readonly string[]): Promise<readonly string[]> {
  const slow: string[] = [];
  for (const unit of units) {
    for (const end of ['', 'x']) {
      const small = runOf(unit, MB / 16, end);
      const base = Math.max(LEAST_MS, Math.min(await cpuMs(() => read(small)), await cpuMs(() => read(small))));
      if (base > 10_000) {
        slow.push(`${JSON.stringify(unit)}: ${base} ms for 64 KB`);
        continue;
      }
      // A slow reader is measured on less, so that the test ends in time.
      const factor = base > 20 ? 4 : 16;
      const large = runOf(unit, (MB / 16) * factor, end);
      const ratio = (await bestMs(() => read(large), base * factor * LEEWAY)) / base;
      if (ratio > factor * LEEWAY)
        slow.push(`${JSON.stringify(unit)}${end}: ${ratio.toFixed(0)} times the work for ${factor} times as much`);
    }
  }
  return slow;
}
