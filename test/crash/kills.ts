import { isDrawn } from '../support/share.ts';

/** The steps to kill at, from 1 to `n`: `least` of them, evenly spread, the first and the last among them, and those that are drawn. */
export function stepsToKill(n: number, { least }: { readonly least: number }): readonly number[] {
  const steps = Array.from({ length: n }, (_, i) => i + 1);
  const those = new Set(spread(steps, least));
  return steps.filter((step) => those.has(step) || isDrawn(step - 1));
}

/** So many of the items, evenly spread, the first and the last among them. */
export function spread<T>(items: readonly T[], count: number): readonly T[] {
  const places = new Set(Array.from({ length: count }, (_, i) => Math.round((i * (items.length - 1)) / (count - 1))));
  return items.filter((_, at) => items.length <= count || places.has(at));
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

/** The line of figures of one test; the total at the end of `npm run test:acceptance` is made of these. */
export function tellKills(
  what: string,
  { kills, steps, problems = 0 }: { readonly kills: number; readonly steps: number; readonly problems?: number },
): void {
  console.log(`${what}: kills: ${kills} of ${steps} steps, problems: ${problems}`);
}
