import { closeSync, copyFileSync, fstatSync, fsyncSync, linkSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createFile, unlinkIfExists } from './atomic-write.ts';
import { closeQuietly, type Disk, faultPoint, fsyncFolder, openNew, openToRead, readAt, writeAll } from './disk.ts';
import { formatTimestamp } from './ids.ts';
import type { LineLocation } from './json-line.ts';
import { lineSpans } from './json-line.ts';
import { folderOf } from './paths.ts';

/** Yields the whole lines of a file, holding one at a time in memory. */
export function* completeLines(path: string): Generator<LineLocation & { readonly bytes: Buffer }> {
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

/** Replaces the lines of a file: afterwards there is the old file or the new one. Call only under the session's lock. */
export function rewriteLines(disk: Disk, path: string, lines: Iterable<Uint8Array>): void {
  const temporary = join(folderOf(path), `.${basename(path)}.${disk.pid}.${disk.newId()}.tmp`);
  const file = openNew(disk, temporary);
  try {
    let totalBytes = 0;
    for (const line of lines) {
      writeAll(disk, file, line, 'rewrite');
      totalBytes += line.length;
    }
    if (fstatSync(file).size !== totalBytes) throw new Error('it did not take all that was written');
    faultPoint(disk, 'rewrite.sync');
    fsyncSync(file);
    closeSync(file);
    faultPoint(disk, 'rewrite.rename');
    renameSync(temporary, path);
    fsyncFolder(disk, folderOf(path), 'rewrite');
  } catch (error) {
    closeQuietly(file);
    unlinkIfExists(temporary);
    throw error;
  }
}

/** Keeps a file under a second name, before its lines are replaced. Returns that name. */
export function keepBackup(disk: Disk, path: string): string {
  const backup = damagedPath(disk, path);
  try {
    linkSync(path, backup);
  } catch {
    // A file system without hard links.
    copyFileSync(path, backup);
  }
  fsyncFolder(disk, folderOf(path), 'rewrite');
  return backup;
}

/** Writes damaged lines to a file of their own beside the original; returns its path. */
export function saveDamagedLines(disk: Disk, path: string, lines: readonly Uint8Array[]): string {
  for (;;) {
    const savedPath = damagedPath(disk, path);
    if (createFile(disk, savedPath, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])), 'aside')) return savedPath;
  }
}

const damagedPath = (disk: Disk, path: string): string => `${path}.damaged-${formatTimestamp(disk.now())}-${disk.newId().slice(-6)}`;
