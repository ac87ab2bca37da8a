import { lstatSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { namesIn } from '../../files/paths.ts';
import { keptFolders } from '../git/object-links.ts';

export type LostObject = {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds: the loss itself, since it took a name of the file away; later when another name was made or taken away since. */
  readonly since: number;
};

/**
 * The kept objects that their repository no longer has: what they take is taken for us alone. A copy on another file system is not told
 * of, since nothing says when the repository lost it.
 */
export function* lostObjects(git: string): Generator<LostObject> {
  for (const [kept, from] of keptFolders(git)) {
    const device = deviceOf(from);
    yield* lostBelow(kept, from, device);
  }
}

function* lostBelow(kept: string, from: string, device: number | undefined): Generator<LostObject> {
  const own = new Set(namesIn(from));
  for (const entry of orUndefined(() => readdirSync(kept, { withFileTypes: true })) ?? []) {
    const path = join(kept, entry.name);
    if (entry.isDirectory()) yield* lostBelow(path, join(from, entry.name), device);
    else if (!own.has(entry.name)) {
      const stats = orUndefined(() => lstatSync(path));
      if (stats !== undefined && stats.dev === device) yield { path, bytes: stats.size, since: stats.ctimeMs };
    }
  }
}

/** Of the folder, or of the nearest one above it that is there. */
function deviceOf(folder: string): number | undefined {
  const stats = orUndefined(() => lstatSync(folder));
  return stats !== undefined || dirname(folder) === folder ? stats?.dev : deviceOf(dirname(folder));
}

/** Drops what repositories lost until then, but for objects with these ids that stand by themselves. */
export function dropLost(git: string, until: number, needed: ReadonlySet<string>): void {
  for (const { path, since } of lostObjects(git)) {
    const id = `${dirname(path).slice(-2)}${path.slice(path.lastIndexOf('/') + 1)}`;
    if (since <= until && !needed.has(id)) unlinkSync(path);
  }
}

export const dropAllObjects = (git: string): void => rmSync(git, { recursive: true, force: true });
