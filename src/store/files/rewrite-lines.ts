import { closeSync, copyFileSync, fstatSync, fsyncSync, linkSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { closeQuietly, type Disk, openNew, openToRead, readAt, step, syncFolder, writeAll } from './disk.ts';
import { timestampOf } from './ids.ts';
import type { LineAt } from './json-line.ts';
import { lineSpans } from './json-line.ts';
import { folderOf } from './paths.ts';
import { createFile, unlinkIfThere } from './replace-file.ts';

/** The whole lines of a file, one in memory at a time. */
export function* wholeLines(path: string): Generator<LineAt & { readonly bytes: Buffer }> {
  const file = openToRead(path);
  try {
    let line = 0;
    for (const { position, length } of lineSpans((at, count) => readAt(file, at, count), 0, 0)) {
      line += 1;
      yield { line, position, length, bytes: readAt(file, position, length) };
    }
  } finally {
    closeSync(file);
  }
}

/** Puts other lines in the place of a file: afterwards there is the old file or the new one. To be called under the session's lock. */
export function rewriteLines(disk: Disk, path: string, lines: Iterable<Uint8Array>): void {
  const temporary = join(folderOf(path), `.${basename(path)}.${disk.pid}.${disk.newId()}.tmp`);
  const file = openNew(disk, temporary);
  try {
    let written = 0;
    for (const line of lines) {
      writeAll(disk, file, line, 'rewrite');
      written += line.length;
    }
    if (fstatSync(file).size !== written) throw new Error('it did not take all that was written');
    step(disk, 'rewrite.sync');
    fsyncSync(file);
    closeSync(file);
    step(disk, 'rewrite.rename');
    renameSync(temporary, path);
    syncFolder(disk, folderOf(path), 'rewrite');
  } catch (error) {
    closeQuietly(file);
    unlinkIfThere(temporary);
    throw error;
  }
}

/** Keeps a file under a second name, which is returned, before other lines take its place. */
export function keepFormer(disk: Disk, path: string): string {
  const former = damagedName(disk, path);
  try {
    linkSync(path, former);
  } catch {
    // A file system without hard links.
    copyFileSync(path, former);
  }
  syncFolder(disk, folderOf(path), 'rewrite');
  return former;
}

/** Writes damaged lines to a file of their own beside the one they were in; returns its path. */
export function keepLinesApart(disk: Disk, path: string, lines: readonly Uint8Array[]): string {
  for (;;) {
    const apart = damagedName(disk, path);
    if (createFile(disk, apart, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])), 'aside')) return apart;
  }
}

const damagedName = (disk: Disk, path: string): string => `${path}.damaged-${timestampOf(disk.now())}-${disk.newId().slice(-6)}`;
