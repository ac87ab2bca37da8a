import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../runtime/environment.ts';

/** A folder for what need not survive, in memory where there is room. Gone at the latest when the program ends, whatever the reason. */
export function createTemporaryFolder(environment: Environment): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(chooseTemporaryRoot(), `sanbot-replay-${environment.pid}-`));
  const remove = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  environment.onExit(remove);
  return { path, remove };
}

/** Where Linux keeps files in memory. */
const SHARED_MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4_000_000_000;

/** In memory, where there is much room for it, nothing waits for a disk (two thirds of the time on a busy one). */
function chooseTemporaryRoot(): string {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    accessSync(SHARED_MEMORY, constants.W_OK);
    return bavail * bsize >= MIN_FREE_BYTES ? SHARED_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
