import type { BigIntStats, PathLike } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../tool.ts';

type Look = (path: PathLike, options: { readonly bigint: true }) => Promise<BigIntStats>;

/** What stands at the path, or undefined when nothing does. Throws for anything else. */
export async function statOf(path: string, look: Look = stat): Promise<BigIntStats | undefined> {
  try {
    return await look(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether `path` is `folder` or below it by identity, so that another spelling of the same folder does not pass: case, Unicode form, mounts. */
export async function isOrUnder(path: string, folder: string): Promise<boolean> {
  const wanted = await statOf(folder);
  if (wanted === undefined) return false;
  for (let here = path; ; here = dirname(here)) {
    const found = await statOf(here);
    if (found !== undefined && found.dev === wanted.dev && found.ino === wanted.ino) return true;
    if (dirname(here) === here) return false;
  }
}
