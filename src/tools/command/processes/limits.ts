import { readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bilingual } from '../../../domain/language.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { type ProcessGroup, processesOf, processIds } from './process-group.ts';

/** What a command may take of the machine, with all that it starts. */
export type CommandLimits = {
  readonly processes: number;
  /** Undefined for no limit. */
  readonly memoryBytes: number | undefined;
  /** The temporary folder of its session, where it has that, and what may be in it. */
  readonly temporary?: { readonly folder: string; readonly maxBytes: number } | undefined;
};

export const overLimits = ['too_many_processes', 'too_much_memory', 'temporary_full'] as const;
export type OverLimit = (typeof overLimits)[number];

/** A command that makes processes as fast as it can makes some thousands in this time. */
const LOOK_MS = 250;

/**
 * Watches what a command takes, from outside. The system's own limit of processes is none: it counts all of a user together, does not bind
 * root, and binds nobody else than who has a user namespace of his own; groups of the kernel (cgroups) are not given to everybody.
 *
 * `over` resolves when it takes too much. A look counts the names in /proc, and reads them only when so many have come since the command
 * began that these could be it: 0.3 ms among 200 processes, and 5 ms where the memory has a limit. Known on Linux only.
 */
export function watchLimits(group: Pick<ProcessGroup, 'pid' | 'mark' | 'platform'>, { processes, memoryBytes, temporary }: CommandLimits) {
  let dispose = () => {};
  const over = new Promise<{ readonly stop: OverLimit }>((resolve) => {
    if (group.platform !== 'linux') return;
    let fewest = processIds().length;
    const look = (): void => {
      const count = processIds().length;
      fewest = Math.min(fewest, count);
      const mayBeTooMany = count - fewest > processes / 2;
      if (!mayBeTooMany && memoryBytes === undefined) return;
      const found = processesOf(group);
      if (found.length > processes) resolve({ stop: 'too_many_processes' });
      else if (memoryBytes !== undefined && found.reduce((sum, pid) => sum + ownBytes(pid), 0) > memoryBytes)
        resolve({ stop: 'too_much_memory' });
    };
    const timer = setInterval(look, LOOK_MS);
    const room = temporary === undefined ? undefined : watchRoom(temporary, () => resolve({ stop: 'temporary_full' }));
    dispose = () => {
      clearInterval(timer);
      room?.();
    };
  });
  return { over, dispose: () => dispose() };
}

const ROOM_LOOK_MS = 2_000;

/** A folder has no quota, so it is looked at. The next look begins a while after the last has ended, however many files there are. Returns what ends it. */
function watchRoom({ folder, maxBytes }: NonNullable<CommandLimits['temporary']>, full: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    const bytes = await folderBytes(folder);
    if (isOver) return;
    if (bytes > maxBytes) full();
    else timer = setTimeout(() => void look(), ROOM_LOOK_MS);
  };
  timer = setTimeout(() => void look(), 0);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** The second field of statm is what it has in memory, the third how much of that it shares with others, as programs and libraries; in pages. */
function ownBytes(pid: string): number {
  const [, resident, shared] = (orUndefined(() => readFileSync(`/proc/${pid}/statm`, 'latin1')) ?? '').split(' ').map(Number);
  return Math.max(0, (resident ?? 0) - (shared ?? 0)) * PAGE_BYTES;
}

/** On nearly every machine; on others it counts less than there is. */
const PAGE_BYTES = 4_096;

/** Why it was ended, and by which setting. */
export function overLimitText(which: OverLimit, { processes, memoryBytes = 0 }: CommandLimits): Bilingual {
  if (which === 'too_many_processes')
    return {
      en: `had more than ${processes} processes at once (commands.maxProcesses); it and all it started were stopped`,
      zh: `同时运行的进程超过 ${processes} 个（commands.maxProcesses）；它和它启动的一切都已停止`,
    };
  if (which === 'temporary_full')
    return {
      en: 'put more than 1 GiB into the temporary folder of the session (/tmp); it and all it started were stopped; delete there what is not needed',
      zh: '在会话的临时文件夹（/tmp）中写入超过 1 GiB；它和它启动的一切都已停止；请删除其中不需要的内容',
    };
  const mib = Math.ceil(memoryBytes / 2 ** 20);
  return {
    en: `took more than ${mib} MiB of memory (commands.maxMemoryBytes); it and all it started were stopped`,
    zh: `占用的内存超过 ${mib} MiB（commands.maxMemoryBytes）；它和它启动的一切都已停止`,
  };
}

/** One short line for a person. */
export const overLimitNote = (which: OverLimit): Bilingual => NOTES[which];

const NOTES: Readonly<Record<OverLimit, Bilingual>> = {
  too_many_processes: { en: 'too many processes', zh: '进程过多' },
  too_much_memory: { en: 'too much memory', zh: '内存过多' },
  temporary_full: { en: 'temporary folder full', zh: '临时文件夹已满' },
};

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
