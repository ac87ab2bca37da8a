import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from '../../runtime/world.ts';

/** A folder for what need not survive, in memory where there is room. Gone at the latest when the program ends, whatever the reason. */
export function makePassingFolder(world: World): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(roomiest(), `sanbot-replay-${world.pid}-`));
  const remove = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  world.onExit(remove);
  return { path, remove };
}

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4_000_000_000;

/** In memory, where there is much room for it, nothing waits for a disk (two thirds of the time on a busy one). */
function roomiest(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, constants.W_OK);
    return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
