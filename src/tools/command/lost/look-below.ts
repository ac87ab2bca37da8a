import { readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { standingAt } from './complete-pattern.ts';

/** So many entries are looked at for one command: some 100 ms. What comes after them is not told. */
export const MAX_LOOKED = 20_000;
export type LookBudget = { left: number };

export type Below = { readonly path: string; readonly standing: Stats };

/** What stands below a folder, without following a link, the folders passed over that `passes` says. Never throws. */
export function* lookBelow(
  folder: string,
  passes: (folder: string, siblings: readonly string[], names: readonly string[]) => boolean,
  budget: LookBudget,
): Generator<Below> {
  const waiting: { readonly path: string; readonly siblings: readonly string[] }[] = [{ path: folder, siblings: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, siblings } = next;
    const names = orUndefined(() => readdirSync(path)) ?? [];
    if (path !== folder && passes(path, siblings, names)) continue;
    for (const name of names) {
      if (--budget.left < 0) return;
      const standing = standingAt(join(path, name));
      if (standing === undefined) continue;
      if (standing.isDirectory()) waiting.push({ path: join(path, name), siblings: names });
      else yield { path: join(path, name), standing };
    }
  }
}
