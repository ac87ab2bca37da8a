import { FULL } from './store-world.ts';

/**
 * The steps to kill at, from 1 to `n`: at most `quick` of them, evenly spread, the first and the last among them; in a full run `full`,
 * which is every step where that takes minutes and no more.
 */
export function stepsToKill(n: number, { quick, full = n }: { readonly quick: number; readonly full?: number }): readonly number[] {
  const most = FULL ? full : quick;
  if (n <= most) return Array.from({ length: n }, (_, i) => i + 1);
  return [...new Set(Array.from({ length: most }, (_, i) => 1 + Math.round((i * (n - 1)) / (most - 1))))];
}

/** Two at a time: more do not help on a small machine. Resolves to what they found, in their order. */
export async function twoAtATime<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<readonly R[]> {
  const waiting = items.map((item, at) => ({ item, at }));
  const found = new Map<number, R>();
  const one = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) found.set(next.at, await run(next.item));
  };
  await Promise.all([one(), one()]);
  return [...found].sort(([a], [b]) => a - b).map(([, result]) => result);
}

/** The line of figures of one test; the total at the end of a run is made of these (total.ts). */
export function tellKills(
  what: string,
  { kills, steps, problems = 0 }: { readonly kills: number; readonly steps: number; readonly problems?: number },
): void {
  console.log(`${what}: kills: ${kills} of ${steps} steps, problems: ${problems}`);
}
