import type { BigIntStats, PathLike } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../tool.ts';

type StatFn = (path: PathLike, options: { readonly bigint: true }) => Promise<BigIntStats>;

/** Returns the stats of a path; undefined when nothing is there. Throws any other error of the system. */
export async function statOf(path: string, statFn: StatFn = stat): Promise<BigIntStats | undefined> {
  try {
    return await statFn(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** True when `path` is `folder` or below it. Compares by identity, so other spellings (case, Unicode form, mounts) match too. */
export async function isOrUnder(path: string, folder: string): Promise<boolean> {
  const folderStats = await statOf(folder);
  if (folderStats === undefined) return false;
  for (let current = path; ; current = dirname(current)) {
    const stats = await statOf(current);
    if (stats !== undefined && stats.dev === folderStats.dev && stats.ino === folderStats.ino) return true;
    if (dirname(current) === current) return false;
  }
}
