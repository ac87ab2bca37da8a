import { dirname } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { inspectText } from '../../domain/text.ts';
import { namesIn } from '../files/atomic-write.ts';
import { type Disk, entryExists } from '../files/disk.ts';
import { groupsOf } from '../files/groups.ts';
import { isId, printableTime } from '../files/ids.ts';
import { acquireLock, type Lock } from '../files/lock.ts';
import type { StorePaths } from '../files/paths.ts';

/** Does something while nobody else has a session open or writes to a memory. Throws session_locked, naming what is in use. */
export function withAllLocks<T>(disk: Disk, paths: StorePaths, work: () => T): T {
  const locks = lockAll(disk, paths);
  try {
    return work();
  } finally {
    for (const lock of locks) lock.release();
  }
}

function lockAll(disk: Disk, paths: StorePaths): readonly Lock[] {
  const sessions = namesIn(paths.sessions).filter(isId);
  const memories = groupsOf(paths).filter((group) => entryExists(paths.memory(group)));
  const targets = [
    ...sessions.map((id) => ({ path: paths.sessionLock(id), what: `Session ${id}` })),
    ...memories.map((group) => ({ path: paths.memoryLock(group), what: `The memory of group ${group}` })),
    ...memories
      .filter((group) => entryExists(dirname(paths.consolidationLock(group))))
      .map((group) => ({ path: paths.consolidationLock(group), what: `The consolidation of group ${group}` })),
  ];
  const locks: Lock[] = [];
  try {
    for (const { path, what } of targets) {
      const result = acquireLock(disk, path);
      if (result.kind === 'busy') {
        const { pid, host, since } = result.holder;
        const who = `process ${pid} on ${inspectText(host)}, since ${printableTime(since)}`;
        throw new SanbotError('session_locked', `${what} is open in another sanbot (${who})`, {
          hint: 'Nothing was changed. Close it, then purge again: what it wrote meanwhile would be missed.',
        });
      }
      locks.push(result.lock);
    }
    return locks;
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}
