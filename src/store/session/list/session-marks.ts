import { closeSync, writeSync } from 'node:fs';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { createFile, unlinkIfExists } from '../../files/atomic-write.ts';
import { type Disk, reopenForAppend } from '../../files/disk.ts';
import { errnoOf } from '../../files/failure.ts';
import type { StorePaths } from '../../files/paths.ts';

/**
 * Notes that a session may change from now on, so that the list of sessions need not look at those that have not. To be called under the
 * session's lock, before anything is written. Never throws: where it cannot be noted, the list is removed. Not synced: a list from before
 * the machine started is compared with every session.
 */
export function markSession(disk: Disk, paths: StorePaths, sessionId: string): void {
  try {
    const file = reopenForAppend(disk, paths.sessionMarks);
    try {
      // A line end on both sides, since a write that was cut short may have left half a line.
      writeSync(file, `\n${sessionId}\n`);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // Without this file no list is trusted.
    if (errnoOf(error) !== 'ENOENT') for (const path of [paths.sessionMarks, paths.sessionList]) unlinkIfExists(path);
  }
}

/** Begins to collect marks. Its first line is a name that no other such file has. Never throws. */
export function beginMarks(disk: Disk, paths: StorePaths): void {
  orUndefined(() => createFile(disk, paths.sessionMarks, Buffer.from(`${disk.newId()}\n`), 'session-marks'));
}
