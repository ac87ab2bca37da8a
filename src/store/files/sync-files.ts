import { closeSync, fsync } from 'node:fs';
import { promisify } from 'node:util';
import { type Disk, faultPoint } from './disk.ts';

/** More would only wait for the threads that do it. */
const AT_ONCE = 8;
const sync = promisify(fsync);

/**
 * Flushes open files side by side, so that the journal of the file system commits once for many, and closes them. Returns for each what went
 * wrong; undefined where nothing did.
 */
export async function syncAndClose(disk: Disk, files: readonly number[], point: string): Promise<readonly unknown[]> {
  const failures: unknown[] = files.map(() => undefined);
  const waiting = files.entries();
  const work = async (): Promise<void> => {
    for (const [i, file] of waiting) {
      try {
        faultPoint(disk, `${point}.sync`);
        await sync(file);
      } catch (error) {
        failures[i] = error;
      } finally {
        closeSync(file);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}
