import { closeSync, fstatSync, fsyncSync, ftruncateSync, lstatSync, renameSync, unlinkSync, utimesSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from '../../domain/value/json.ts';
import { unlinkIfExists, writeFileAtomic } from '../files/atomic-write.ts';
import {
  type Disk,
  entryExists,
  faultPoint,
  fsyncFolder,
  openNew,
  openToRead,
  readAt,
  readOwnFile,
  reopenForAppend,
  useAndClose,
  withFile,
  writeAll,
} from '../files/disk.ts';
import { orStoreFailure } from '../files/failure.ts';
import { folderOf, printablePath, type StorePaths } from '../files/paths.ts';
import { piecesOf } from '../files/rewrite-lines.ts';
import { removeSearchIndex } from '../search/search-tables.ts';

/** What a file was when its replacement was written. */
const stateSchema = z.object({ bytes: z.int().nonnegative(), crc: z.int().nonnegative() });

/** Paths are relative to the home. `was`: of the file that is replaced; left out when none is. */
const moveSchema = z.object({ from: z.string(), to: z.string(), bytes: z.int().nonnegative(), was: stateSchema.optional() });
const journalSchema = z.object({ v: z.literal(2), moves: z.array(moveSchema), removes: z.array(z.string()) });

type Move = Readonly<z.infer<typeof moveSchema>>;

/** What is left to do when every new file is written: names to change and files to remove, which needs no room on the disk, nor the secret. */
export type PurgeJournal = Readonly<z.infer<typeof journalSchema>>;

/** New contents of a file, beside it under another name. */
export type FileRewrite = { readonly path: string; readonly to: string; readonly parts: Iterable<Uint8Array> };

/**
 * Writes replacements beside the files that they will replace, with the same times; they are on disk when it returns. Throws store_failed
 * with all of them removed.
 */
export function stageAll(disk: Disk, home: string, replacements: Iterable<FileRewrite>): readonly Move[] {
  const moves: Move[] = [];
  try {
    for (const replacement of replacements) moves.push(orStoreFailure('write', replacement.to, () => stage(disk, home, replacement)));
    return moves;
  } catch (error) {
    for (const { from } of moves) unlinkIfExists(join(home, from));
    throw error;
  }
}

function stage(disk: Disk, home: string, { path, to, parts }: FileRewrite): Move {
  const from = join(folderOf(path), `.${basename(to)}.${disk.pid}.${disk.newId()}.tmp`);
  const was = path === to ? { was: stateOf(path, lstatSync(path).size) } : {};
  const { atime, mtime } = lstatSync(path);
  const file = openNew(disk, from);
  try {
    try {
      for (const part of parts) writeAll(disk, file, part, 'purge');
      faultPoint(disk, 'purge.sync');
      fsyncSync(file);
      return { from: relative(home, from), to: relative(home, to), bytes: fstatSync(file).size, ...was };
    } finally {
      closeSync(file);
      utimesSync(from, atime, mtime);
    }
  } catch (error) {
    unlinkIfExists(from);
    throw error;
  }
}

const stateOf = (path: string, bytes: number): Move['was'] =>
  withFile(path, (file) => {
    let crc = 0;
    for (const piece of piecesOf((at, length) => readAt(file, at, length), 0, bytes)) crc = crc32(piece, crc);
    return { bytes, crc };
  });

/** Returns what an interrupted purge has left to do; undefined when there is none. */
export function readPurgeJournal({ purgeJournal }: StorePaths): PurgeJournal | undefined {
  const parsed = journalSchema.safeParse(parseJson(readOwnFile(purgeJournal) ?? ''));
  return parsed.success ? parsed.data : undefined;
}

/** From here on the purge is done or can be finished. Throws store_failed: then the new files are removed, unless it has begun even so. */
export function beginPurge(disk: Disk, paths: StorePaths, plan: Omit<PurgeJournal, 'v'>): PurgeJournal {
  const journal: PurgeJournal = { v: 2, ...plan };
  try {
    writeFileAtomic(disk, paths.purgeJournal, Buffer.from(`${JSON.stringify(journal)}\n`), { point: 'journal' });
    return journal;
  } catch (error) {
    const isStaged = ({ was, bytes }: Move) => was !== undefined || bytes > 0;
    if (readPurgeJournal(paths) === undefined)
      for (const move of journal.moves.filter(isStaged)) unlinkIfExists(join(paths.home, move.from));
    throw error;
  }
}

/**
 * Does what is left to do, and removes the journal. May be called again when it throws store_failed. What was appended to a file meanwhile
 * is kept; returns the files that were changed otherwise, which stay as they are. Call only under all locks.
 */
export function finishPurge(disk: Disk, paths: StorePaths, { moves, removes }: PurgeJournal): readonly string[] {
  const inHome = (name: string): string => {
    const path = resolve(paths.home, name);
    if (path.startsWith(`${paths.home}${sep}`)) return path;
    throw new Error(`${printablePath(name)} is not in the home`);
  };
  const changed = moves.flatMap((move) => {
    const [from, to] = [inHome(move.from), inHome(move.to)];
    return orStoreFailure('write', to, () => applyMove(disk, { from, to, move }));
  });
  for (const path of removes.map(inHome)) if (entryExists(path)) removeFile(disk, path);
  removeSearchIndex(paths.searchIndex);
  // A title in it may end inside what was purged.
  unlinkIfExists(paths.sessionList);
  removeFile(disk, paths.purgeJournal);
  return changed;
}

type OpenMove = { readonly from: string; readonly to: string; readonly move: Move };

function applyMove(disk: Disk, { from, to, move }: OpenMove): readonly string[] {
  // Done before, or gone with its folder.
  if (!entryExists(from)) return [];
  if (move.was !== undefined && !catchUp(disk, { from, to, move })) {
    unlinkSync(from);
    return entryExists(to) ? [to] : [];
  }
  faultPoint(disk, 'purge.rename');
  renameSync(from, to);
  fsyncFolder(disk, dirname(to), 'purge');
  return [];
}

/** Adds to a new file what was appended to the old one since. False when the old one was changed in another way, or is gone. */
function catchUp(disk: Disk, { from, to, move: { bytes, was } }: OpenMove): boolean {
  const size = lstatSync(to, { throwIfNoEntry: false })?.size ?? -1;
  if (was === undefined || size < was.bytes || stateOf(to, was.bytes)?.crc !== was.crc) return false;
  if (size === was.bytes) return true;
  useAndClose(openToRead(to), (old) =>
    useAndClose(reopenForAppend(disk, from), (file) => {
      ftruncateSync(file, bytes);
      for (const piece of piecesOf((at, length) => readAt(old, at, length), was.bytes, size)) writeAll(disk, file, piece, 'purge');
      fsyncSync(file);
    }),
  );
  return true;
}

function removeFile(disk: Disk, path: string): void {
  orStoreFailure('delete', path, () => {
    faultPoint(disk, 'purge.unlink');
    unlinkSync(path);
    fsyncFolder(disk, dirname(path), 'purge');
  });
}
