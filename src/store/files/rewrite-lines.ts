import { closeSync, copyFileSync, linkSync, renameSync } from 'node:fs';
import { unlinkIfExists, writeTemporary } from './atomic-write.ts';
import { type Disk, faultPoint, fsyncFolder, openToRead, readAt } from './disk.ts';
import { formatTimestamp } from './ids.ts';
import { type LineLocation, lineSpans, type ReadAt } from './json-line.ts';
import { folderOf } from './paths.ts';
import { readLine } from './record-line.ts';

/** Yields the whole lines of a file from a line's start on, holding one at a time in memory; a very long one that is damaged, without its bytes. */
export function* completeLines(path: string, start = 0): Generator<LineLocation & { readonly bytes: Buffer | undefined }> {
  const file = openToRead(path);
  try {
    let line = 0;
    const read = (at: number, count: number) => readAt(file, at, count);
    for (const { position, length } of lineSpans(read, start, 0)) {
      line += 1;
      yield { line, position, length, bytes: readLine(read, { position, length }) };
    }
  } finally {
    closeSync(file);
  }
}

/** Replaces the lines of a file: afterwards there is the old file or the new one. Call only under the session's lock. */
export function rewriteLines(disk: Disk, path: string, lines: Iterable<Uint8Array>, point = 'rewrite'): void {
  const temporary = writeTemporary(disk, path, lines, { point, sync: true });
  try {
    faultPoint(disk, `${point}.rename`);
    renameSync(temporary, path);
    fsyncFolder(disk, folderOf(path), point);
  } catch (error) {
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

/** Yields lines of a file as they are, with their line ends, in pieces. */
export function* linesAt(path: string, isWanted: (position: number) => boolean): Generator<Uint8Array> {
  const file = openToRead(path);
  try {
    const read = (at: number, count: number) => readAt(file, at, count);
    for (const { position, length } of lineSpans(read, 0, 0))
      if (isWanted(position)) yield* piecesOf(read, position, position + length + 1);
  } finally {
    closeSync(file);
  }
}

const PIECE_BYTES = 1024 * 1024;

/** Yields the bytes of a part of a file. */
export function* piecesOf(read: ReadAt, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; at += PIECE_BYTES) yield read(at, Math.min(PIECE_BYTES, to - at));
}

/** Writes lines to a file of their own beside the original; returns its path. */
export function saveLines(disk: Disk, path: string, lines: Iterable<Uint8Array>): string {
  const savedPath = damagedPath(disk, path);
  rewriteLines(disk, savedPath, lines, 'aside');
  return savedPath;
}

const damagedPath = (disk: Disk, path: string): string => `${path}.damaged-${formatTimestamp(disk.now())}-${disk.newId().slice(-6)}`;
