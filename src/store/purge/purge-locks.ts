import { dirname } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { inspectText } from '../../domain/text.ts';
import { namesIn } from '../files/atomic-write.ts';
import { type Disk, entryExists } from '../files/disk.ts';
import { groupsOf } from '../files/groups.ts';
import { isId, printableTime } from '../files/ids.ts';
import { acquireLock, type Lock } from '../files/lock.ts';
import type { StorePaths } from '../files/paths.ts';

/** Does something while nobody else has a session open or writes to a memory. Throws session_locked, naming what is in use. */
export function withAllLocks<T>(disk: Disk, paths: StorePaths, work: () => T): T {
  const locks: Lock[] = [];
  try {
    for (const [path, what] of locksOf(paths)) locks.push(lockOrRefuse(disk, path, what));
    return work();
  } finally {
    for (const lock of locks) lock.release();
  }
}

function* locksOf(paths: StorePaths): Generator<readonly [path: string, what: Bilingual]> {
  for (const id of namesIn(paths.sessions).filter(isId)) yield [paths.sessionLock(id), { en: `Session ${id}`, zh: `会话 ${id}` }];
  for (const group of groupsOf(paths).filter((each) => entryExists(paths.memory(each)))) {
    yield [paths.memoryLock(group), { en: `The memory of group ${group}`, zh: `组 ${group} 的记忆` }];
    const consolidation = paths.consolidationLock(group);
    if (entryExists(dirname(consolidation))) yield [consolidation, { en: `The consolidation of group ${group}`, zh: `组 ${group} 的整理` }];
  }
}

function lockOrRefuse(disk: Disk, path: string, what: Bilingual): Lock {
  const result = acquireLock(disk, path);
  if (result.kind === 'held') return result.lock;
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
