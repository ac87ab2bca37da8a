import { join } from 'node:path';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { unlinkIfExists, writeFileAtomic } from './files/atomic-write.ts';
import { type Disk, ensureFolder, readOwnFile } from './files/disk.ts';
import { isId, namesIn, type StorePaths } from './files/paths.ts';

/** Which sessions run commands in the sandbox, and where, so that the next process finds what a killed one has not settled. */
export const createHeldActs = (disk: Disk, paths: StorePaths) => ({
  /** To be called before the first such command of a session. Throws store_failed. */
  note: (sessionId: string, cwd: string): void => {
    ensureFolder(disk, paths.heldActs);
    writeFileAtomic(disk, join(paths.heldActs, sessionId), Buffer.from(cwd), { point: 'held' });
  },
  /** To be called when all of them are settled. */
  clear: (sessionId: string): void => unlinkIfExists(join(paths.heldActs, sessionId)),
  /** Reads one folder, where there is none at all. */
  all: (): readonly { readonly sessionId: string; readonly cwd: string }[] =>
    namesIn(paths.heldActs)
      .filter(isId)
      .flatMap((sessionId) => {
        const cwd = orUndefined(() => readOwnFile(join(paths.heldActs, sessionId))?.toString('utf8'));
        return cwd === undefined ? [] : [{ sessionId, cwd }];
      }),
});
