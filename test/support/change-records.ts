import { type Changes, type ChangesOptions, createChanges } from '../../src/store/changes/changes.ts';
import type { Disk } from '../../src/store/files/disk.ts';

const wideCaps = { fileBytes: 64 << 20, sessionBytes: 512 << 20 };

/** The record of changes in a folder, for work in temporary folders; a look may take as long as it needs. */
export const openRecord = (disk: Disk, folder: string, options: Partial<ChangesOptions> = {}): Changes =>
  createChanges(disk, {
    ...{ folder, caps: wideCaps, gitConfigs: [], searchPath: process.env.PATH ?? '', notBeyond: ['/dev/shm', '/tmp'], lookMs: 60_000 },
    ...options,
  });
