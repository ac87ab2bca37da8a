import { fdatasyncSync, fstatSync, fsyncSync, ftruncateSync } from 'node:fs';
import { basename } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import { isObject } from '../../domain/value/json.ts';
import { type Disk, faultPoint, readAt, writeAll } from './disk.ts';
import { formatTimestamp } from './ids.ts';
import { linesBackward } from './json-line.ts';
import { printablePath } from './paths.ts';
import { isSealed, isWholeRecord, readLine, readRecord } from './record-line.ts';
import { piecesOf, rewriteLines } from './rewrite-lines.ts';

/**
 * Repairs the end of a line file after a crash. A complete last record without its line end gets one, also when it is damaged; a torn one
 * is saved in a file of its own and cut off, so that the next append is not glued to it. Only the holder of the lock may call this: in a
 * file that another process is writing, it would cut off an unfinished line. Returns the size and a warning per repair.
 */
export function repairTail(disk: Disk, file: number, path: string): { readonly size: number; readonly warnings: readonly Bilingual[] } {
  const size = fstatSync(file).size;
  if (size === 0 || readAt(file, size - 1, 1)[0] === 0x0a) return { size, warnings: [] };
  const read = (at: number, length: number) => readAt(file, at, length);
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

/**
 * What stands behind the last line end: a record that has lost its own, one whose checksum is wrong, one whose line end became another
 * character, or a part of one.
 */
export function tailState(tail: Buffer | undefined): 'intact' | 'damaged' | 'line end changed' | 'torn' {
  if (tail === undefined) return 'torn';
  if (isObject(readRecord(tail))) return 'intact';
  if (isWholeRecord(tail)) return 'damaged';
  const withoutEnd = tail.subarray(0, -1);
  return isSealed(withoutEnd) && isObject(readRecord(withoutEnd)) ? 'line end changed' : 'torn';
}
