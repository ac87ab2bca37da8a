import { type BigIntStats, type PathLike, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../../domain/value/errno.ts';

type StatFn = (path: PathLike, options: { readonly bigint: true }) => BigIntStats;

/**
 * Returns the stats of a path; undefined when nothing is there. Throws any other error of the system. Not by the pool of threads: to read
 * one file some forty places are looked at, and each way to the pool and back costs ten times the look.
 */
export function statOf(path: string, statFn: StatFn = statSync): BigIntStats | undefined {
  try {
    return statFn(path, { bigint: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** True when `path` is `folder` or below it. Compares by identity, so other spellings (case, Unicode form, mounts) match too. */
export function isOrUnder(path: string, folder: string): boolean {
  const folderStats = statOf(folder);
  if (folderStats === undefined) return false;
  for (let current = path; ; current = dirname(current)) {
    const stats = statOf(current);
    if (stats !== undefined && stats.dev === folderStats.dev && stats.ino === folderStats.ino) return true;
    if (dirname(current) === current) return false;
  }
}
