import { type StatsFs, statfsSync } from 'node:fs';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { folderOf, printablePath } from './paths.ts';

/** Returns the `code` of a system error, such as ENOSPC; empty for anything else. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const DENIED = { en: 'permission is denied', zh: '没有权限' };
const TOO_MANY = { en: 'too many files are open', zh: '打开的文件太多' };

const errnoMessages: Readonly<Record<string, Bilingual>> = {
  EDQUOT: { en: 'your disk quota is used up', zh: '你的磁盘配额已用完' },
  EROFS: { en: 'the file system is read-only', zh: '文件系统是只读的' },
  EFBIG: { en: 'the file would be larger than this account may write', zh: '文件会超过此账户允许写入的大小' },
  EACCES: DENIED,
  EPERM: DENIED,
  EMFILE: TOO_MANY,
  ENFILE: TOO_MANY,
  EIO: { en: 'the disk reports an error', zh: '磁盘报告错误' },
  ENAMETOOLONG: { en: 'its name is too long', zh: '名称太长' },
  ELOOP: { en: 'it is a link, and links are not followed here', zh: '它是链接，此处不跟随链接' },
  ENOENT: { en: 'it does not exist, or its folder does not', zh: '它或它的文件夹不存在' },
  ENOTDIR: { en: 'a part of its path is not a folder', zh: '路径中有一部分不是文件夹' },
  EISDIR: { en: 'it is a folder', zh: '它是文件夹' },
  EEXIST: { en: 'it already exists', zh: '它已存在' },
  EXDEV: { en: 'its folder spans two file systems', zh: '它的文件夹跨越两个文件系统' },
};

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
  return errnoMessages[code] ?? errorReason(error);
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
    { cause: error },
  );
}

/** The same for a file that cannot be read. */
export function storeDamage(error: unknown, path: string): SanbotError {
  if (error instanceof SanbotError) return error;
  const { en, zh } = failureReason(error, path);
  const shown = printablePath(path);
  return new SanbotError('store_damaged', { en: `Cannot read ${shown}: ${en}`, zh: `无法读取 ${shown}：${zh}` }, { cause: error });
}

/** Returns what `work` returns; what it throws becomes a `storeFailure`. */
export function orStoreFailure<T>(action: StoreAction, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeFailure(error, action, path);
  }
}

/** Returns what `work` returns; what it throws becomes a `storeDamage`. */
export function orStoreDamage<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeDamage(error, path);
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
