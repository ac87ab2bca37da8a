import { type BigIntStats, constants } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, readdir, realpath, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReasonError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { FileContent } from '../../domain/session/record.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { statOf } from '../place/folders.ts';
import { ABSENT, contentOf, fileKindProblem, sha256Hex } from './text-file.ts';

type ReplaceOptions = {
  readonly expected: string;
  readonly newId: () => string;
  readonly now: () => Date;
  /**
   * Receives the current content when everything is ready, right before it is replaced, and the folders that were made for it. If it throws,
   * the file stays as it is.
   */
  readonly beforeReplace: (before: FileContent | undefined, folders: readonly string[]) => void;
  /** Permission bits of a new file; the system's default when undefined. */
  readonly mode?: number | undefined;
};

/**
 * Replaces the content that is expected there (a fingerprint) with `bytes`, all or nothing: they are written beside it, synced, and renamed
 * over it. Mode, owner and group stay; parent folders are made. Returns the new hash, or why nothing was changed: the content is another, or
 * a replacement would break a link or a protection. Throws the system's errors, with nothing changed.
 */
export async function replaceIfUnchanged(path: string, bytes: Buffer, options: ReplaceOptions): Promise<string | Bilingual> {
  const folder = dirname(path);
  const folders = await makeFolder(folder);
  if ((await realpath(folder)) !== folder)
    return { en: 'its folder became a link meanwhile; nothing was written', zh: '其文件夹在此期间变成了链接；没有写入任何内容' };
  const old = statOf(path);
  const protection = protectionOf(old);
  if (protection !== undefined) return protection;
  if (old !== undefined) await access(path, constants.W_OK); // a rename does not check this
  await sweepTemps(folder, options.now());
  const temp = join(folder, `.sanbot-${options.newId()}.tmp`);
  const file = await open(temp, 'wx', old === undefined ? 0o666 : 0o600);
  let renamed = false;
  try {
    await writeAll(file, bytes);
    if (old !== undefined && !(await copyOwnership(file, old)))
      return { en: 'belongs to another user, and would no longer after this change', zh: '属于另一个用户，更改后将不再属于该用户' };
    if (old === undefined && options.mode !== undefined) await file.chmod(options.mode);
    await file.sync();
    const before = await contentOf(path);
    if ((before?.fingerprint ?? ABSENT) !== options.expected) return CHANGED_ON_DISK;
    options.beforeReplace(before, folders);
    await rename(temp, path);
    renamed = true;
  } finally {
    await file.close();
    if (!renamed) await unlink(temp).catch(() => {});
  }
  await trySyncFolder(folder);
  return sha256Hex(bytes);
}

export const CHANGED_ON_DISK: Bilingual = {
  en: 'changed on disk since this was prepared; nothing was written. Read it again',
  zh: '准备好此更改之后，磁盘上的文件已更改；没有写入任何内容。请重新读取',
};
export const CHANGED_SINCE_READ: Bilingual = {
  en: 'changed on disk since it was last read; read it again',
  zh: '上次读取之后，磁盘上的文件已更改；请重新读取',
};

/** Returns why an existing file must not be replaced by a new one; undefined when it may be, or when there is none. */
export function protectionOf(stats: BigIntStats | undefined): Bilingual | undefined {
  if (stats === undefined) return undefined;
  const kind = fileKindProblem(stats);
  if (kind !== undefined) return kind;
  const mode = Number(stats.mode & 0o7777n);
  if (stats.nlink > 1n)
    return {
      en: `has ${stats.nlink} hard links; a change would either part them or change all of them. Decide that with run_command`,
      zh: `有 ${stats.nlink} 个硬链接；更改要么使它们分开，要么全部更改。请用 run_command 决定`,
    };
  if ((mode & 0o222) === 0)
    return {
      en: `is read-only (mode ${octal(mode)}); if it is to be changed, run chmod u+w first`,
      zh: `是只读的（模式 ${octal(mode)}）；要更改它，请先运行 chmod u+w`,
    };
  if ((mode & 0o6000) !== 0)
    return {
      en: `has the setuid or setgid bit (mode ${octal(mode)}), which a change would carry over`,
      zh: `带有 setuid 或 setgid 位（模式 ${octal(mode)}），更改会保留它`,
    };
  return undefined;
}

const octal = (mode: number): string => mode.toString(8).padStart(4, '0');

const TEMP = /^\.sanbot-[0-9a-zA-Z-]+\.tmp$/;
/** No write and rename takes this long; an older file was left by a process that was killed. */
const STALE_TEMP_MS = 10 * 60_000;

/** Best effort: what cannot be checked or removed stays, and never makes the change of a file fail. */
async function sweepTemps(folder: string, now: Date): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter((entry) => TEMP.test(entry))) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isFile() === true && now.getTime() - stats.mtimeMs > STALE_TEMP_MS) await unlink(path).catch(() => {});
  }
}

/** On a full disk the file may be shorter even when every call reported success. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  await file.writeFile(bytes);
  const { size } = await file.stat();
  if (size !== bytes.length)
    throw new ReasonError({
      en: `only ${size} of ${bytes.length} bytes could be written`,
      zh: `${bytes.length} 字节中只写入了 ${size} 字节`,
    });
}

async function copyOwnership(file: FileHandle, old: BigIntStats): Promise<boolean> {
  const created = await file.stat({ bigint: true });
  if (created.uid !== old.uid || created.gid !== old.gid) {
    try {
      await file.chown(Number(old.uid), Number(old.gid));
    } catch (error) {
      if (errnoOf(error) === 'EPERM') return false;
      throw error;
    }
  }
  await file.chmod(Number(old.mode & 0o777n));
  return true;
}

/** Makes the new name survive a power cut. Some systems cannot open a folder; there it is as durable as they make it. */
export async function trySyncFolder(folder: string): Promise<void> {
  // The content is in place; only its durability is up to the system.
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}

/** Returns the folders that it made. Does not use `recursive`, which retries forever where a folder refuses a new one with ENOENT, as /proc does (node 20.20). */
async function makeFolder(folder: string): Promise<readonly string[]> {
  if (statOf(folder) !== undefined) return [];
  const above = dirname(folder) === folder ? [] : await makeFolder(dirname(folder));
  try {
    await mkdir(folder);
    return [...above, folder];
  } catch (error) {
    // Another process was quicker, or something else has that name, which the next step detects.
    if (errnoOf(error) !== 'EEXIST') throw error;
    return above;
  }
}
