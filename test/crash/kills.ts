import { chmodSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
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

/** Copies a folder with the permissions of all folders in it, which Node 22 does not copy. */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const name of ['.', ...readdirSync(from, { recursive: true, encoding: 'utf8' })])
    chmodSync(join(to, name), statSync(join(from, name)).mode);
}

/**
 * A world of its own with the same home and folder. At another path it would be another folder's session; so what names the folder in
 * the log is moved along.
 */
export function copyOfWorld(world: Sandbox, env: Readonly<Record<string, string>>): Sandbox {
  const copy = createSandbox(env);
  copyTree(world.home, copy.home);
  copyTree(world.cwd, copy.cwd);
  for (const id of copy.names('sessions')) {
    const log = join(copy.home, `sessions/${id}/log.jsonl`);
    writeFileSync(log, readFileSync(log, 'utf8').replaceAll(world.cwd, copy.cwd));
  }
  return copy;
}
