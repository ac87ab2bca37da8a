import { fstatSync } from 'node:fs';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { writeFileAtomic } from './files/atomic-write.ts';
import { type Disk, ensureFolder, openForAppend, readAt, useAndClose, withFile, writeAll } from './files/disk.ts';
import { folderOf, type StorePaths } from './files/paths.ts';

/** What was typed in earlier runs, as lines of a file. Only a convenience, so nothing here throws. */
export type InputHistory = {
  /** Returns the newest part of the file; empty when there is none. */
  readonly load: () => string;
  /** Appends one line, its newline included. */
  readonly append: (line: string) => void;
};

/** A larger file is cut to its newer half. */
const MAX_BYTES = 16 * 1024 * 1024;

export function createInputHistory(disk: Disk, { inputHistory: path }: StorePaths): InputHistory {
  return {
    load: () => orUndefined(() => readNewest(path, MAX_BYTES)) ?? '',
    append: (line) =>
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

/** Returns the last whole lines within `maxBytes`. */
function readNewest(path: string, maxBytes: number): string {
  return withFile(path, (file) => {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - maxBytes);
    const text = readAt(file, from, size - from).toString('utf8');
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  });
}
