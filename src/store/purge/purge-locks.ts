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
    ...sessions.map((id) => ({ path: paths.sessionLock(id), what: { en: `Session ${id}`, zh: `会话 ${id}` } })),
    ...memories.map((group) => ({ path: paths.memoryLock(group), what: { en: `The memory of group ${group}`, zh: `组 ${group} 的记忆` } })),
    ...memories
      .filter((group) => entryExists(dirname(paths.consolidationLock(group))))
      .map((group) => ({
        path: paths.consolidationLock(group),
        what: { en: `The consolidation of group ${group}`, zh: `组 ${group} 的整理` },
      })),
  ];
  const locks: Lock[] = [];
  try {
    for (const { path, what } of targets) {
      const result = acquireLock(disk, path);
      if (result.kind === 'busy') {
        const { pid, host, since } = result.holder;
        const [place, time] = [inspectText(host), printableTime(since)];
        throw new SanbotError(
          'session_locked',
          {
            en: `${what.en} is open in another sanbot (process ${pid} on ${place}, since ${time})`,
            zh: `${what.zh}正被另一个 sanbot 使用（${place} 上的进程 ${pid}，始于 ${time}）`,
          },
          {
            hint: {
              en: 'Nothing was changed. Close it, then purge again: what it wrote meanwhile would be missed.',
              zh: '没有做任何更改。请关闭它，再重新清除：它同时写入的内容会被漏掉。',
            },
          },
        );
      }
      locks.push(result.lock);
    }
    return locks;
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}
