import { join } from 'node:path';
import { isWithin } from '../domain/value/is-within.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { unlinkIfExists, writeFileAtomic } from './files/atomic-write.ts';
import { type Disk, ensureFolder, readOwnFile } from './files/disk.ts';
import { isId, namesIn, type StorePaths } from './files/paths.ts';

/** A session that runs commands in the sandbox, and the folders that they can change. */
export type HeldActs = { readonly sessionId: string; readonly folders: readonly string[] };

/** Which sessions run commands in the sandbox, and where, so that the next process finds what a killed one has not settled. */
export const createHeldActs = (disk: Disk, paths: StorePaths) => ({
  /** To be called before the first such command of a session, and when it gets other folders. Throws store_failed. */
  note: (sessionId: string, folders: readonly string[]): void => {
    ensureFolder(disk, paths.heldActs);
    writeFileAtomic(disk, join(paths.heldActs, sessionId), Buffer.from(folders.join('\0')), { point: 'held' });
  },
  /** To be called when all of them are settled. */
  clear: (sessionId: string): void => unlinkIfExists(join(paths.heldActs, sessionId)),
  /** Reads one folder, where there is none at all. */
  all: (): readonly HeldActs[] =>
    namesIn(paths.heldActs)
      .filter(isId)
      .flatMap((sessionId) => {
        const text = orUndefined(() => readOwnFile(join(paths.heldActs, sessionId))?.toString('utf8'));
        return text === undefined ? [] : [{ sessionId, folders: text.split('\0') }];
      }),
});

/** Whether one of these folders is or holds one of the others. */
export const areNear = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.some((other) => isWithin(one, other) || isWithin(other, one)));
