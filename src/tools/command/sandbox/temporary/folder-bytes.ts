import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes that a folder takes on the disk, links not followed. What goes meanwhile, or cannot be read, counts nothing. Never rejects. */
export async function folderBytes(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += await folderBytes(path);
    else sum += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * BLOCK_BYTES;
  }
  return sum;
}

/** Whatever the file system's own blocks are. */
const BLOCK_BYTES = 512;
