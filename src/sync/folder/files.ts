import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../../domain/value/errno.ts';
import { sweepTemporaries, unlinkIfExists, writeFileAtomic } from '../../store/files/atomic-write.ts';
import { type Disk, faultPoint, fileSize, readOwnFile } from '../../store/files/disk.ts';
import { ifExists, orStoreDamage, orStoreFailure } from '../../store/files/failure.ts';
import { printablePath } from '../../store/files/paths.ts';
import { MAX_PLAIN_BYTES } from '../segment.ts';

/** The files of a folder that is carried, by their paths in it, with `/` between the names. */
export type FolderFiles = {
  /** The names in a folder of it; none where there is no such folder. */
  readonly names: (folder: string) => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<Buffer | undefined>;
  readonly write: (path: string, bytes: Buffer, point: string) => Promise<void>;
  readonly remove: (path: string, point: string) => Promise<void>;
  /** Tells that a file holds more than any of ours, and is left alone. */
  readonly tooLarge: (path: string) => void;
};

/** As they are. */
export const plainFiles = (disk: Disk, root: string): FolderFiles => ({
  // One that cannot be read is not an empty one.
  names: async (folder) => orStoreDamage(join(root, folder), () => ifExists(() => readdirSync(join(root, folder))) ?? []),
  read: async (path) => {
    if (fileSize(join(root, path)) > MAX_PLAIN_BYTES) return tellTooLarge(disk, join(root, path));
    return orStoreDamage(join(root, path), () => readOwnFile(join(root, path)));
  },
  write: async (path, bytes, point) => {
    ensureFolders(root, dirname(path));
    // What a killed exchange left half written goes first.
    sweepTemporaries(disk, join(root, dirname(path)));
    writeFileAtomic(disk, join(root, path), bytes, { point });
  },
  remove: async (path, point) => {
    faultPoint(disk, point);
    orStoreFailure('remove', join(root, path), () => unlinkIfExists(join(root, path)));
  },
  tooLarge: (path) => tellTooLarge(disk, join(root, path)),
});

function tellTooLarge(disk: Disk, path: string): undefined {
  const most = MAX_PLAIN_BYTES / 1024 / 1024;
  disk.warn({
    en: `${printablePath(path)} holds more than ${most} MiB, so it is not of SanBot: it was not read. Delete it; the next exchange sends what is missing.`,
    zh: `${printablePath(path)} 的内容超过 ${most} MiB，因此不属于 SanBot：未读取。请删除它；下次交换会送出缺少的内容。`,
  });
}

/** Never the root: a disk that is not there must not be written below its place. */
function ensureFolders(root: string, path: string): void {
  if (path === '.') return;
  ensureFolders(root, dirname(path));
  orStoreFailure('make the folder', join(root, path), () => {
    try {
      mkdirSync(join(root, path), { mode: 0o700 });
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  });
}
