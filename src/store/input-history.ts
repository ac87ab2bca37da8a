import { fstatSync } from 'node:fs';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { writeFileAtomic } from './files/atomic-write.ts';
import { type Disk, ensureFolder, openForAppend, readAt, useAndClose, withFile, writeAll } from './files/disk.ts';
import { folderOf, type StorePaths } from './files/paths.ts';

/** A larger file is cut to its newer half. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What was typed in earlier runs, as lines of a file. Only a convenience, so nothing here throws. */
export function createInputHistory(disk: Disk, { inputHistory: path }: StorePaths) {
  return {
    /** Returns the newest part of the file; empty when there is none. */
    load: () => orUndefined(() => readNewest(path, MAX_BYTES)) ?? '',
    /** Appends one line, its newline included. */
    append: (line: string): void =>
      orUndefined(() => {
        ensureFolder(disk, folderOf(path));
        useAndClose(openForAppend(disk, path), (file) => {
          writeAll(disk, file, Buffer.from(line), 'typed');
          if (fstatSync(file).size > MAX_BYTES)
            writeFileAtomic(disk, path, Buffer.from(readNewest(path, MAX_BYTES / 2)), { point: 'typed' });
        });
      }),
  };
}

export type InputHistory = ReturnType<typeof createInputHistory>;

/** Returns the last whole lines within `maxBytes`. */
function readNewest(path: string, maxBytes: number): string {
  return withFile(path, (file) => {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - maxBytes);
    const text = readAt(file, from, size - from).toString('utf8');
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  });
}
