import type { Fault } from './faults.ts';

/**
 * As many faults as are asked for, the same ones for one seed: the lines that can hold one are cut into parts of equal length, and each part
 * gives one, so that a room has as many as it has lines. On a line each kind has the same chance.
 */
export function drawFaults(faults: readonly Fault[], { seed, count }: { readonly seed: number; readonly count: number }): readonly Fault[] {
  const random = randomFrom(seed);
  const lines = groupsOf(faults, ({ file, line }) => `${file}:${line}`);
  const size = lines.length / Math.min(count, lines.length);
  return Array.from({ length: Math.min(count, lines.length) }, (_, part) => {
    const [first, next] = [Math.floor(part * size), Math.floor((part + 1) * size)];
    const onLine = pick(lines.slice(first, next), random);
    return pick(
      pick(
        groupsOf(onLine, ({ kind }) => kind),
        random,
      ),
      random,
    );
  });
}

function groupsOf<T>(all: readonly T[], keyOf: (each: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return [...groups.values()];
}

function pick<T>(all: readonly T[], random: () => number): T {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error('Nothing to draw from');
  return one;
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const again = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32;
  };
}
