import { type StatsFs, statfsSync } from 'node:fs';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { errnoOf, errnoReason } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { folderOf, printablePath } from './paths.ts';

/** Links are not followed here, which the system tells as if they went round. */
const LINK: Bilingual = { en: 'it is a link, and links are not followed here', zh: '它是链接，此处不跟随链接' };

/** A disk can run out of inodes while bytes are free, and then the remedy is a different one. */
function diskFullMessage(path: string): Bilingual {
  const stats = statDisk(folderOf(path));
  const noInodes = stats !== undefined && stats.files > 0 && stats.ffree === 0 && stats.bavail > 0;
  return noInodes
    ? { en: 'no more files can be made on this disk (it has no free inodes)', zh: '此磁盘无法再创建文件（没有空闲的 inode）' }
    : { en: 'the disk is full', zh: '磁盘已满' };
}

/** Looks at the nearest folder that exists. */
const statDisk = (folder: string): StatsFs | undefined =>
  orUndefined(() => statfsSync(folder)) ?? (folderOf(folder) === folder ? undefined : statDisk(folderOf(folder)));

/** Returns the reason in words for a person: "it is a folder". */
export function failureReason(error: unknown, path: string): Bilingual {
  const code = errnoOf(error);
  if (code === 'ENOSPC') return diskFullMessage(path);
  return code === 'ELOOP' ? LINK : (errnoReason(error) ?? errorReason(error));
}

const actions = {
  write: '写入',
  open: '打开',
  delete: '删除',
  remove: '移除',
  use: '使用',
  'make the folder': '创建文件夹',
  'make the lock': '创建锁',
  'take the lock': '取得锁',
  'use the home folder': '使用主目录',
  'follow the link': '跟随链接',
} as const;

/** What cannot be done to a file. */
export type StoreAction = keyof typeof actions;

/** Returns "Cannot write /x/log.jsonl: the disk is full", with the thrown value as its cause. Returns a SanbotError unchanged. */
export function storeFailure(error: unknown, action: StoreAction, path: string): SanbotError {
  if (error instanceof SanbotError) return error;
  const { en, zh } = failureReason(error, path);
  const shown = printablePath(path);
  return new SanbotError(
    'store_failed',
    { en: `Cannot ${action} ${shown}: ${en}`, zh: `无法${actions[action]} ${shown}：${zh}` },
    undefined,
    error,
  );
}

/** The same for a file that cannot be read. */
export function storeDamage(error: unknown, path: string): SanbotError {
  if (error instanceof SanbotError) return error;
  const { en, zh } = failureReason(error, path);
  const shown = printablePath(path);
  return new SanbotError('store_damaged', { en: `Cannot read ${shown}: ${en}`, zh: `无法读取 ${shown}：${zh}` }, undefined, error);
}

/** Returns what `work` returns; what it throws becomes a `storeFailure`. */
export const orStoreFailure = <T>(action: StoreAction, path: string, work: () => T): T =>
  orThrow(work, (error) => storeFailure(error, action, path));

/** Returns what `work` returns; what it throws becomes a `storeDamage`. */
export const orStoreDamage = <T>(path: string, work: () => T): T => orThrow(work, (error) => storeDamage(error, path));

function orThrow<T>(work: () => T, failure: (error: unknown) => SanbotError): T {
  try {
    return work();
  } catch (error) {
    throw failure(error);
  }
}

/** Returns what `work` returns; undefined when there is no such file or folder. */
export function ifExists<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Formats anything thrown as one line, for `warn`. */
export const formatError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
