import { fsyncSync, ftruncateSync, lstatSync, readdirSync, renameSync, unlinkSync, utimesSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because } from '../../domain/language.ts';
import { parseJson } from '../../domain/value/json.ts';
import { sweepTemporaries, unlinkIfExists, writeFileAtomic, writeTemporary } from '../files/atomic-write.ts';
import {
  type Disk,
  entryExists,
  faultPoint,
  fsyncFolder,
  readerOf,
  readOwnFile,
  reopenForAppend,
  useAndClose,
  withFile,
  writeAll,
} from '../files/disk.ts';
import { orStoreFailure } from '../files/failure.ts';
import { acquireLock, type Lock, printableHolder } from '../files/lock.ts';
import { groupsOf, isId, namesIn, printablePath, type StorePaths } from '../files/paths.ts';
import { piecesOf } from '../files/rewrite-lines.ts';
import { listPages, PAGE_LIST } from '../memory/archive.ts';
import { removeSearchIndex } from '../search/search-tables.ts';

const stateSchema = z.object({ bytes: z.int().nonnegative(), crc: z.int().nonnegative() });

/** Paths are relative to the home. `bytes`: of the new file. */
const moveSchema = z.object({ from: z.string(), to: z.string(), bytes: z.int().nonnegative(), was: stateSchema.optional() });
/** `begun`: the new files are being written by the process `by`, and nothing is replaced yet. */
const journalSchema = z.object({
  v: z.literal(2),
  ...{ moves: z.array(moveSchema), removes: z.array(z.string()), begun: z.boolean().optional(), by: z.int().optional() },
});

/** A process that there never is, for a journal of a version that did not say whose it is. */
const NOBODY = 0;

type Move = Readonly<z.infer<typeof moveSchema>>;

/** What is left to do when every new file is written: names to change and files to remove, which needs no room on the disk, nor the secret. */
type PurgeJournal = Readonly<z.infer<typeof journalSchema>>;

export type FileRewrite = { readonly path: string; readonly to: string; readonly parts: Iterable<Uint8Array> };

export function readPurgeJournal({ purgeJournal }: StorePaths): PurgeJournal | undefined {
  const parsed = journalSchema.safeParse(parseJson(readOwnFile(purgeJournal) ?? ''));
  return parsed.success ? parsed.data : undefined;
}

/** Writes every new file beside the old one, then the journal. Throws store_failed and undoes that. */
export function beginPurge(disk: Disk, paths: StorePaths, rewrites: Iterable<FileRewrite>): void {
  const moves: Move[] = [];
  const removes: string[] = [];
  const note = (journal: PurgeJournal) =>
    writeFileAtomic(disk, paths.purgeJournal, Buffer.from(`${JSON.stringify(journal)}\n`), { point: 'journal' });
  try {
    note({ v: 2, moves, removes, begun: true, by: disk.pid });
    for (const rewrite of rewrites) {
      moves.push(orStoreFailure('write', rewrite.to, () => stage(disk, paths.home, rewrite)));
      if (rewrite.to !== rewrite.path) removes.push(relative(paths.home, rewrite.path));
    }
    for (const folder of new Set(moves.map(({ from }) => dirname(join(paths.home, from)))))
      orStoreFailure('write', folder, () => fsyncFolder(disk, folder, 'purge'));
    note({ v: 2, moves, removes });
  } catch (error) {
    if (readPurgeJournal(paths)?.begun === true) {
      for (const { from } of moves) unlinkIfExists(join(paths.home, from));
      unlinkIfExists(paths.purgeJournal);
    }
    throw error;
  }
}

function stage(disk: Disk, home: string, { path, to, parts }: FileRewrite): Move {
  const { size, atime, mtime } = lstatSync(path);
  const was = path === to ? { was: { bytes: size, crc: crcOf(path, size) } } : {};
  const from = writeTemporary(disk, to, parts, { point: 'purge', sync: true });
  utimesSync(from, atime, mtime);
  return { from: relative(home, from), to: relative(home, to), bytes: lstatSync(from).size, ...was };
}

const crcOf = (path: string, bytes: number): number =>
  withFile(path, (file) => {
    let crc = 0;
    for (const piece of piecesOf(readerOf(file), 0, bytes)) crc = crc32(piece, crc);
    return crc;
  });

/**
 * Does what a journal says, if there is one, and removes it. May be called again when it throws store_failed. What was appended to a file
 * meanwhile is kept; returns the files that were changed otherwise, which stay as they are. Call only under all locks.
 */
export function finishPurge(disk: Disk, paths: StorePaths): readonly string[] {
  const journal = readPurgeJournal(paths);
  if (journal === undefined) return [];
  if (journal.begun === true) for (const folder of foldersBelow(paths.home)) sweepTemporaries(disk, folder, journal.by ?? NOBODY);
  const inHome = (name: string): string => {
    const path = resolve(paths.home, name);
    if (path.startsWith(`${paths.home}${sep}`)) return path;
    throw new Error(`${printablePath(name)} is not in the home`);
  };
  const changed = journal.moves
    .map((move) => ({ ...move, from: inHome(move.from), to: inHome(move.to) }))
    .filter((move) => !orStoreFailure('write', move.to, () => applyMove(disk, move)));
  removeSearchIndex(paths.searchIndex);
  // A title in it may end inside what was purged.
  unlinkIfExists(paths.sessionList);
  for (const folder of groupsOf(paths).map(paths.conversations).filter(entryExists)) {
    unlinkIfExists(join(folder, PAGE_LIST));
    listPages(disk, folder);
  }
  for (const path of [...journal.removes.map(inHome), paths.purgeJournal]) orStoreFailure('delete', path, () => removeFile(disk, path));
  return changed.map(({ to }) => to);
}

const foldersBelow = (folder: string): readonly string[] => [
  folder,
  ...readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? foldersBelow(join(folder, entry.name)) : [])),
];

/**
 * Finishes what a killed purge has left to do, and tells it. While a session is open elsewhere, a later opening does. Never throws: what the disk
 * refuses is told. A journal of another version is left alone, for the doctor to tell of.
 */
export function finishInterruptedPurge(disk: Disk, paths: StorePaths): void {
  try {
    const journal = readPurgeJournal(paths);
    if (journal === undefined) return;
    withAllLocks(disk, paths, () => finishPurge(disk, paths));
    disk.warn(journal.begun === true ? interruptedTexts.begun : interruptedTexts.finished);
  } catch (error) {
    if (error instanceof SanbotError && error.code === 'session_locked') return;
    disk.warn(because(interruptedTexts.failed, errorReason(error)));
  }
}

const interruptedTexts = {
  begun: {
    en: 'A purge was interrupted before it had changed anything. Run it again: sanbot purge --match -',
    zh: '一次清除在更改任何内容之前被中断。请重新运行：sanbot purge --match -',
  },
  finished: { en: 'A purge that was interrupted has been finished.', zh: '已完成一次被中断的清除。' },
  failed: { en: 'A purge that was interrupted cannot be finished', zh: '无法完成一次被中断的清除' },
} as const;

/** Returns false when the old file was changed meanwhile: it stays, and the new one goes. */
function applyMove(disk: Disk, move: Move): boolean {
  const { from, to } = move;
  // Done before, or gone with its folder.
  if (!entryExists(from)) return true;
  if (!catchUp(disk, move)) {
    unlinkSync(from);
    return !entryExists(to);
  }
  faultPoint(disk, 'purge.rename');
  renameSync(from, to);
  fsyncFolder(disk, dirname(to), 'purge');
  return true;
}

/** Adds to the new file what was appended to the old one since. Returns false when the old one was changed in another way, or is gone. */
function catchUp(disk: Disk, { from, to, bytes, was }: Move): boolean {
  if (was === undefined) return true;
  const size = lstatSync(to, { throwIfNoEntry: false })?.size ?? -1;
  if (size < was.bytes || crcOf(to, was.bytes) !== was.crc) return false;
  if (size === was.bytes) return true;
  withFile(to, (old) =>
    useAndClose(reopenForAppend(disk, from), (file) => {
      ftruncateSync(file, bytes);
      for (const piece of piecesOf(readerOf(old), was.bytes, size)) writeAll(disk, file, piece, 'purge');
      fsyncSync(file);
    }),
  );
  return true;
}

function removeFile(disk: Disk, path: string): void {
  if (!entryExists(path)) return;
  faultPoint(disk, 'purge.unlink');
  unlinkSync(path);
  fsyncFolder(disk, dirname(path), 'purge');
}

/** Does something while nobody else has a session open or writes to a memory. Throws session_locked, naming what is in use. */
export function withAllLocks<T>(disk: Disk, paths: StorePaths, work: () => T): T {
  const locks: Lock[] = [];
  try {
    for (const [path, what] of locksOf(paths)) locks.push(lockOrRefuse(disk, path, what));
    return work();
  } finally {
    for (const lock of locks) lock.release();
  }
}

function* locksOf(paths: StorePaths): Generator<readonly [path: string, what: Bilingual]> {
  for (const id of namesIn(paths.sessions).filter(isId)) yield [paths.sessionLock(id), { en: `Session ${id}`, zh: `会话 ${id}` }];
  for (const group of groupsOf(paths).filter((each) => entryExists(paths.memory(each)))) {
    yield [paths.memoryLock(group), { en: `The memory of group ${group}`, zh: `组 ${group} 的记忆` }];
    const consolidation = paths.consolidationLock(group);
    if (entryExists(dirname(consolidation))) yield [consolidation, { en: `The consolidation of group ${group}`, zh: `组 ${group} 的整理` }];
  }
}

function lockOrRefuse(disk: Disk, path: string, what: Bilingual): Lock {
  const result = acquireLock(disk, path);
  if (result.kind === 'held') return result.lock;
  const { pid, place, time } = printableHolder(result.holder);
  throw new SanbotError(
    'session_locked',
    {
      en: `${what.en} is open in another sanbot (process ${pid} on ${place}, since ${time})`,
      zh: `${what.zh}正被另一个 sanbot 使用（${place} 上的进程 ${pid}，始于 ${time}）`,
    },
    {
      en: 'Nothing was changed. Close it, then purge again: what it wrote meanwhile would be missed.',
      zh: '没有做任何更改。请关闭它，再重新清除：它同时写入的内容会被漏掉。',
    },
  );
}
