/**
 * Takes a text that should never have been written, such as a password, out of every file of the home, in whatever form it stands there:
 * plain, as a JSON escape, as an HTML reference, percent-encoded, or cut off at the end of a line.
 *
 * The text comes in and a plan comes out, which changes nothing; performing it replaces file after file. What is named by its hash gets
 * the new hash wherever it is named, and the new names are written down first, so that an interrupted purge can be done again.
 *
 * It refuses texts that are too short to be secrets, words by which our own records are told apart, and a home with an open session. What
 * other programs copied elsewhere, it cannot reach.
 */

import { lstatSync, unlinkSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { logRecordSchema } from '../../domain/session/record.ts';
import { inspectText } from '../../domain/text.ts';
import { namesIn, writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, entryExists, faultPoint, fsyncFolder, readOwnFile } from '../files/disk.ts';
import { orStoreFailure } from '../files/failure.ts';
import { groupsOf } from '../files/groups.ts';
import { isId, parseSnapshotId, printableTime } from '../files/ids.ts';
import { acquireLock, type Lock } from '../files/lock.ts';
import { printablePath, type StorePaths } from '../files/paths.ts';
import { rewriteLines } from '../files/rewrite-lines.ts';
import { removeSearchIndex } from '../search/search-tables.ts';
import { bodyRefOf, decodeBody, encodeBody, sha256Of } from '../session/body-text.ts';
import { decodeSnapshot } from '../snapshot/snapshot-file.ts';
import { archiveNameParts, renameArchive } from './purge-archive.ts';
import { countInPart, fileParts, type HomeFile, homeFiles, purgedPart, valueIn } from './purge-files.ts';
import { findHashRenames, type HashRenames, isSnapshot, journalBytes, OFFLOADED, purgedBody, readJournal } from './purge-hashes.ts';
import { breaksStructure, type Redaction } from './purge-values.ts';
import { countMatches, createSecretPattern, PURGED, type SecretPattern } from './secret-pattern.ts';

export type PurgeFinding = {
  /** Relative to the home. */
  readonly name: string;
  /** Matches in the text of the file, plus one when its name contains the secret. */
  readonly count: number;
};

export type PurgePlan = {
  readonly findings: readonly PurgeFinding[];
  /** Matches in the settings, which are the user's to change. */
  readonly inSettings: number;
  /** True when a purge was interrupted; the next one completes it. */
  readonly unfinished: boolean;
};

const MIN_CHARS = 4;
const MIN_BYTES = 6;

/** Throws usage for a text that is too short to be a secret (it would occur everywhere) or that cannot be replaced. */
export function checkSecret(text: string): void {
  const size = [...text.trim()].length;
  if (size < MIN_CHARS || Buffer.byteLength(text.trim()) < MIN_BYTES)
    throw new SanbotError('usage', `--match needs at least ${MIN_BYTES} bytes of text, found ${Buffer.byteLength(text.trim())}`, {
      hint: 'Give the whole secret; a short text would also match unrelated content.',
    });
  if (!text.isWellFormed() || text.includes('\0')) throw new SanbotError('usage', '--match has half a character or a NUL in it');
  if (PURGED.includes(text)) throw new SanbotError('usage', `--match is a part of ${PURGED}, which would take its place`);
}

/** Finds a text anywhere in the home, in any form. Changes nothing. Throws usage, or refused when SanBot needs it to read its files. */
export function planPurge(paths: StorePaths, text: string): PurgePlan {
  checkSecret(text);
  const pattern = createSecretPattern(text);
  const files = homeFiles(paths);
  refuseNames(paths, text);
  const redaction = { pattern, hashes: findHashRenames(pattern, files, paths).bodies };
  const findings = files.flatMap((file) => {
    let count = archiveNameParts(file, text) === undefined ? 0 : 1;
    for (const part of fileParts(file)) {
      const partCount = countInPart(part, file.kind, redaction);
      if (partCount > 0) refuseBroken(file, part, { text, redaction });
      count += partCount;
    }
    return count === 0 ? [] : [{ name: file.name, count }];
  });
  const settings = readOwnFile(paths.config)?.toString('latin1') ?? '';
  return { findings, inSettings: countMatches(settings, pattern.inBytes), unfinished: readJournal(paths) !== undefined };
}

/** Sessions, groups and snapshots are identified by their names. */
function refuseNames(paths: StorePaths, text: string): void {
  const groups = groupsOf(paths);
  const snapshots = groups.flatMap((group) => namesIn(paths.summaries(group)));
  const match = [...namesIn(paths.sessions).filter(isId), ...groups, ...snapshots].find((name) => name.includes(text));
  if (match !== undefined)
    throw new SanbotError('refused', `${inspectText(match)} is the name of a session, a group or a snapshot, which cannot be purged`, {
      hint: 'Nothing was changed. A session goes with sanbot sessions delete ID.',
    });
}

type PartCheck = { readonly text: string; readonly redaction: Redaction };

/** Removing a word of our own records, such as "assistant", would make the record unreadable. */
function refuseBroken({ path, name, kind }: HomeFile, part: Buffer, { text, redaction }: PartCheck): void {
  const value = valueIn(part, kind);
  const isRecord = basename(path) === 'log.jsonl' && logRecordSchema.safeParse(value).success;
  const isReadable = !isRecord || logRecordSchema.safeParse(valueIn(purgedPart(part, kind, redaction), kind)).success;
  if (isReadable && !breaksStructure(value, text)) return;
  throw new SanbotError(
    'refused',
    `${inspectText(text)} is a word of SanBot's own files (${printablePath(name)}), which could not be read without it`,
  );
}

/**
 * Removes a text from every file of the home, replacing each file atomically. What is named after its hash gets the new name wherever it is
 * mentioned. The hashes are written down first, so that an interrupted purge can be repeated. Throws like `planPurge`, session_locked when
 * a session or a memory is in use anywhere, and store_failed.
 */
export function purge(disk: Disk, paths: StorePaths, text: string): void {
  const locks = lockAll(disk, paths);
  try {
    planPurge(paths, text);
    performPurge(disk, paths, { text, pattern: createSecretPattern(text) });
  } finally {
    for (const lock of locks) lock.release();
  }
}

function performPurge(disk: Disk, paths: StorePaths, { text, pattern }: { readonly text: string; readonly pattern: SecretPattern }): void {
  const files = homeFiles(paths);
  const renames = findHashRenames(pattern, files, paths);
  checkSnapshots(files, { pattern, hashes: renames.bodies });
  writeFileAtomic(disk, paths.purgeJournal, journalBytes(renames), { point: 'purge' });
  const oldPaths = writeNewBodies(disk, files, { pattern, renames });
  const replacedPaths = new Set(oldPaths);
  const isLast = (file: HomeFile) => file.path.endsWith('bodies.jsonl');
  const remaining = files.filter((file) => !replacedPaths.has(file.path) && !file.path.endsWith('.meta.json'));
  for (const file of remaining.filter((each) => !isLast(each))) rewriteFile(disk, file, { pattern, hashes: renames.bodies });
  const hashes = new Map([...renames.bodies, ...renames.snapshots]);
  for (const file of files.filter(({ path }) => path.endsWith('.meta.json'))) rewriteFile(disk, file, { pattern, hashes });
  // What the hashes were computed from changes last: until then the purge can be planned again.
  for (const file of remaining.filter(isLast)) rewriteFile(disk, file, { pattern, hashes: renames.bodies });
  for (const path of oldPaths) removeFile(disk, path);
  for (const file of files) renameArchive(disk, file, text);
  removeSearchIndex(paths.searchIndex);
  removeFile(disk, paths.purgeJournal);
}

/** The lock of a session keeps others from opening it; that of a memory keeps them from writing to it. */
function lockAll(disk: Disk, paths: StorePaths): readonly Lock[] {
  const sessions = namesIn(paths.sessions).filter(isId);
  const memories = groupsOf(paths).filter((group) => entryExists(paths.memory(group)));
  const targets = [
    ...sessions.map((id) => ({ path: paths.sessionLock(id), what: `Session ${id}` })),
    ...memories.map((group) => ({ path: paths.memoryLock(group), what: `The memory of group ${group}` })),
    ...memories
      .filter((group) => entryExists(dirname(paths.consolidationLock(group))))
      .map((group) => ({ path: paths.consolidationLock(group), what: `The consolidation of group ${group}` })),
  ];
  const locks: Lock[] = [];
  try {
    for (const { path, what } of targets) {
      const result = acquireLock(disk, path);
      if (result.kind === 'busy') {
        const { pid, host, since } = result.holder;
        const who = `process ${pid} on ${inspectText(host)}, since ${printableTime(since)}`;
        throw new SanbotError('session_locked', `${what} is open in another sanbot (${who})`, {
          hint: 'Nothing was changed. Close it, then purge again: what it wrote meanwhile would be missed.',
        });
      }
      locks.push(result.lock);
    }
    return locks;
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}

function checkSnapshots(files: readonly HomeFile[], redaction: Redaction): void {
  for (const file of files.filter(isSnapshot)) {
    const id = basename(file.path, '.jsonl');
    const sessionId = parseSnapshotId(id)?.sessionId;
    const parts = [...fileParts(file)];
    const next = parts.map((part) => purgedPart(part, file.kind, redaction));
    if (sessionId === undefined || next.every((part, i) => part === parts[i])) continue;
    if (decodeSnapshot(Buffer.concat(parts), { id, sessionId }).kind === 'damaged') continue;
    const after = decodeSnapshot(Buffer.concat(next), { id, sessionId });
    if (after.kind === 'damaged')
      throw new SanbotError('refused', `Snapshot ${id} could not be read without it (${after.why})`, { hint: 'Nothing was changed.' });
  }
}

type BodyRewrite = { readonly pattern: SecretPattern; readonly renames: HashRenames };

/** Writes bodies under their new names. Returns the old files, to be removed at the end. */
function writeNewBodies(disk: Disk, files: readonly HomeFile[], { pattern, renames }: BodyRewrite): readonly string[] {
  return files.flatMap(({ path }) => {
    const [, prefix] = OFFLOADED.exec(path) ?? [];
    if (prefix === undefined) return [];
    const bytes = readOwnFile(path) ?? Buffer.alloc(0);
    if (!renames.bodies.has(sha256Of(bytes))) return [];
    const next = encodeBody(purgedBody(pattern, decodeBody(bytes)));
    writeFileAtomic(disk, join(dirname(path), `${bodyRefOf(next).sha256.slice(0, 32)}.txt`), next, { point: 'purge' });
    return [path];
  });
}

/** Rewrites one file atomically; leaves it alone when nothing changes. Keeps its times, since sessions are listed by them. */
function rewriteFile(disk: Disk, file: HomeFile, redaction: Redaction): void {
  const { path, kind } = file;
  let changes = false;
  for (const part of fileParts(file)) if (purgedPart(part, kind, redaction) !== part) changes = true;
  if (!changes) return;
  const { atime, mtime } = lstatSync(path);
  orStoreFailure('write', path, () => {
    rewriteLines(disk, path, purgedParts(file, redaction));
    utimesSync(path, atime, mtime);
  });
}

function* purgedParts(file: HomeFile, redaction: Redaction): Generator<Buffer> {
  for (const part of fileParts(file)) yield purgedPart(part, file.kind, redaction);
}

function removeFile(disk: Disk, path: string): void {
  orStoreFailure('delete', path, () => {
    faultPoint(disk, 'purge.unlink');
    unlinkSync(path);
    fsyncFolder(disk, dirname(path), 'purge');
  });
}
