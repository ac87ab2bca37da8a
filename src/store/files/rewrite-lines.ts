import { closeSync, copyFileSync, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, linkSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import { isObject } from '../../domain/value/json.ts';
import { unlinkIfExists, writeTemporary } from './atomic-write.ts';
import { type Disk, faultPoint, fsyncFolder, openToRead, readAt, readerOf, writeAll } from './disk.ts';
import { folderOf, formatTimestamp, printablePath } from './paths.ts';
import { isSealed, isWholeRecord, type LineLocation, lineSpans, linesBackward, type ReadAt, readLine, readRecord } from './record-line.ts';

type WholeLine = LineLocation & { readonly bytes: Buffer | undefined };

/** Yields the whole lines of an open file from a line's start on, one at a time in memory; a very long one that is damaged, without its bytes. */
export function* wholeLines(file: number, start = 0): Generator<WholeLine> {
  let line = 0;
  for (const { position, length } of lineSpans(readerOf(file), start, 0)) {
    line += 1;
    yield { line, position, length, bytes: readLine(readerOf(file), { position, length }) };
  }
}

/** The same of a file that is opened for it. */
export function* completeLines(path: string, start = 0): Generator<WholeLine> {
  const file = openToRead(path);
  try {
    yield* wholeLines(file, start);
  } finally {
    closeSync(file);
  }
}

/** Visits every whole line of an open file, and returns where what follows the last line end is, and what it is. */
export function visitLines(
  file: number,
  visit: (line: WholeLine) => void,
): LineLocation & { readonly state: ReturnType<typeof tailState> } {
  let [line, position] = [1, 0];
  for (const each of wholeLines(file)) {
    visit(each);
    line = each.line + 1;
    position = each.position + each.length + 1;
  }
  const length = Math.max(0, fstatSync(file).size - position);
  return { line, position, length, state: tailState(readLine(readerOf(file), { position, length })) };
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
function* linesAt(path: string, isWanted: (position: number) => boolean): Generator<Uint8Array> {
  const file = openToRead(path);
  try {
    for (const { position, length } of lineSpans(readerOf(file), 0, 0))
      if (isWanted(position)) yield* piecesOf(readerOf(file), position, position + length + 1);
  } finally {
    closeSync(file);
  }
}

const PIECE_BYTES = 1024 * 1024;

/** Yields the bytes of a part of a file. */
export function* piecesOf(read: ReadAt, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; at += PIECE_BYTES) yield read(at, Math.min(PIECE_BYTES, to - at));
}

/** Moves the lines at these positions to a file of their own beside the original. Returns its path. Throws store_failed. */
export function moveLines(disk: Disk, path: string, isMoved: (position: number) => boolean): string {
  const savedPath = damagedPath(disk, path);
  rewriteLines(disk, savedPath, linesAt(path, isMoved), 'aside');
  rewriteLines(
    disk,
    path,
    linesAt(path, (position) => !isMoved(position)),
  );
  return savedPath;
}

const damagedPath = (disk: Disk, path: string): string => `${path}.damaged-${formatTimestamp(disk.now())}-${disk.newId().slice(-6)}`;

/**
 * Repairs the end of a line file after a crash. A complete last record without its line end gets one, also when it is damaged; a torn one
 * is saved in a file of its own and cut off, so that the next append is not glued to it. Only the holder of the lock may call this: in a
 * file that another process is writing, it would cut off an unfinished line. Returns the size and a warning per repair.
 */
export function repairTail(disk: Disk, file: number, path: string): { readonly size: number; readonly warnings: readonly Bilingual[] } {
  const size = fstatSync(file).size;
  if (size === 0 || readAt(file, size - 1, 1)[0] === 0x0a) return { size, warnings: [] };
  const read = readerOf(file);
  // One past the end stands for the missing line end.
  const position = linesBackward(read, size + 1).next().value?.position ?? 0;
  const state = tailState(readLine(read, { position, length: size - position }));
  if (state !== 'torn') {
    const end = state === 'line end changed' ? size - 1 : size;
    if (end < size) ftruncateSync(file, end);
    writeAll(disk, file, Buffer.from('\n'), 'repair');
    faultPoint(disk, 'repair.sync');
    fdatasyncSync(file);
    return {
      size: end + 1,
      warnings: [
        {
          en: `The last record of ${printablePath(path)} had lost its line end; it was kept.`,
          zh: `${printablePath(path)} 的最后一条记录缺少行尾；已保留。`,
        },
      ],
    };
  }
  const savedPath = `${path}.torn-${formatTimestamp(disk.now())}-${disk.newId().slice(-6)}`;
  rewriteLines(disk, savedPath, piecesOf(read, position, size), 'aside');
  faultPoint(disk, 'repair.truncate');
  ftruncateSync(file, position);
  faultPoint(disk, 'repair.sync');
  fsyncSync(file);
  return {
    size: position,
    warnings: [
      {
        en: `The last line of ${printablePath(path)} was cut off by a crash; its ${size - position} bytes are in ${printablePath(basename(savedPath))}.`,
        zh: `${printablePath(path)} 的最后一行因崩溃而不完整；其 ${size - position} 字节保存在 ${printablePath(basename(savedPath))}。`,
      },
    ],
  };
}

/** What stands behind the last line end: a whole record, a damaged one, one whose line end became another character, or a part of one. */
export function tailState(tail: Buffer | undefined): 'intact' | 'damaged' | 'line end changed' | 'torn' {
  if (tail === undefined) return 'torn';
  if (isObject(readRecord(tail))) return 'intact';
  if (isWholeRecord(tail)) return 'damaged';
  const withoutEnd = tail.subarray(0, -1);
  return isSealed(withoutEnd) && isObject(readRecord(withoutEnd)) ? 'line end changed' : 'torn';
}
