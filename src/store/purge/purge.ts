import { lstatSync, unlinkSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { logRecordSchema } from '../../domain/session/record.ts';
import { shown } from '../../domain/text.ts';
import { type Disk, readOwnFile, step, syncFolder } from '../files/disk.ts';
import { storeFailure } from '../files/failure.ts';
import { groupsOf } from '../files/groups.ts';
import { isId, parseSnapshotId, shownTime } from '../files/ids.ts';
import { parseJson } from '../files/json-line.ts';
import { type Lock, takeLock } from '../files/lock.ts';
import { type StorePaths, shownPath } from '../files/paths.ts';
import { namesIn, replaceFile } from '../files/replace-file.ts';
import { rewriteLines } from '../files/rewrite-lines.ts';
import { removeSearchIndex } from '../search/search-tables.ts';
import { decodeBody, encodeBody, refOf, sha256Of } from '../session/body-text.ts';
import { decodeSnapshot } from '../snapshot/snapshot-file.ts';
import { countIn, type Leak, leakOf, PURGED } from './leak.ts';
import { archiveNames, renameArchive } from './purge-archive.ts';
import { countInPart, filesOf, type HomeFile, partsOf, purgedPart } from './purge-files.ts';
import { isSnapshot, journalBytes, OFFLOADED, purgedBody, type Renamed, readJournal, renamedBy } from './purge-hashes.ts';
import { breaksStructure, type Purge } from './purge-values.ts';

export type PurgeFinding = {
  /** Below the home. */
  readonly name: string;
  /** In the text of the file; one in its name counts as one. */
  readonly count: number;
};

export type PurgePlan = {
  readonly found: readonly PurgeFinding[];
  /** How often the settings hold it: they are the user's to change. */
  readonly inSettings: number;
  /** A purge was interrupted, and goes on. */
  readonly unfinished: boolean;
};

const LEAST_CHARS = 4;
const LEAST_BYTES = 6;

/** Throws usage for what is too short to be a secret: it would stand everywhere. */
export function checkLeak(text: string): void {
  const size = [...text.trim()].length;
  if (size < LEAST_CHARS || Buffer.byteLength(text.trim()) < LEAST_BYTES)
    throw new SanbotError('usage', `--match needs at least ${LEAST_BYTES} bytes of text, found ${Buffer.byteLength(text.trim())}`, {
      hint: 'Give the whole secret; a short text would be found in what has nothing to do with it.',
    });
  if (!text.isWellFormed() || text.includes('\0')) throw new SanbotError('usage', '--match has half a character or a NUL in it');
  if (PURGED.includes(text)) throw new SanbotError('usage', `--match is a part of ${PURGED}, which would take its place`);
}

/** Where a text stands in the whole home, in any form. Changes nothing. Throws refused when SanBot's own files could not be read without it. */
export function planPurge(paths: StorePaths, text: string): PurgePlan {
  checkLeak(text);
  const leak = leakOf(text);
  const files = filesOf(paths);
  refuseNames(paths, text);
  const hashes = { leak, hashes: renamedBy(leak, files, paths).bodies };
  const found = files.flatMap((file) => {
    let count = archiveNames(file, text) === undefined ? 0 : 1;
    for (const part of partsOf(file)) {
      const here = countInPart(part, file.kind, hashes);
      if (here > 0) refuseBroken(file, part, { text, purge: hashes });
      count += here;
    }
    return count === 0 ? [] : [{ name: file.name, count }];
  });
  const settings = readOwnFile(paths.config)?.toString('latin1') ?? '';
  return { found, inSettings: countIn(settings, leak.inBytes), unfinished: readJournal(paths) !== undefined };
}

/** Sessions, groups and snapshots are known by their names. */
function refuseNames(paths: StorePaths, text: string): void {
  const groups = groupsOf(paths);
  const snapshots = groups.flatMap((group) => namesIn(paths.summaries(group)));
  const named = [...namesIn(paths.sessions).filter(isId), ...groups, ...snapshots].find((name) => name.includes(text));
  if (named !== undefined)
    throw new SanbotError('refused', `${shown(named)} is the name of a session, a group or a snapshot, which cannot be purged`, {
      hint: 'Nothing was changed. A session goes with sanbot sessions delete ID.',
    });
}

type Purging = { readonly text: string; readonly purge: Purge };

/** A word of our own records, such as "assistant", would take the record with it. */
function refuseBroken({ path, name, kind }: HomeFile, part: Buffer, { text, purge }: Purging): void {
  const value = kind === 'text' ? undefined : parseJson(part);
  const isRecord = basename(path) === 'log.jsonl' && logRecordSchema.safeParse(value).success;
  const survives = !isRecord || logRecordSchema.safeParse(parseJson(purgedPart(part, kind, purge))).success;
  if (survives && !breaksStructure(value, text)) return;
  throw new SanbotError(
    'refused',
    `${shown(text)} is a word of SanBot's own files (${shownPath(name)}), which could not be read without it`,
  );
}

/**
 * Takes a text out of every file of the home, each replaced at once. What is known by its hash gets the new one wherever it is named, and
 * the hashes are written down first, so that an interrupted purge can be done again. Throws session_locked when a session is open anywhere,
 * and store_failed.
 */
export function purge(disk: Disk, paths: StorePaths, text: string): void {
  const locks = lockAll(disk, paths);
  try {
    planPurge(paths, text);
    perform(disk, paths, { text, leak: leakOf(text) });
  } finally {
    for (const lock of locks) lock.release();
  }
}

function perform(disk: Disk, paths: StorePaths, { text, leak }: { readonly text: string; readonly leak: Leak }): void {
  const files = filesOf(paths);
  const renamed = renamedBy(leak, files, paths);
  checkSnapshots(files, { leak, hashes: renamed.bodies });
  replaceFile(disk, paths.purge, journalBytes(renamed), { point: 'purge' });
  const old = writeNewBodies(disk, files, { leak, renamed });
  const gone = new Set(old);
  const last = (file: HomeFile) => file.path.endsWith('bodies.jsonl');
  const rest = files.filter((file) => !gone.has(file.path) && !file.path.endsWith('.meta.json'));
  for (const file of rest.filter((each) => !last(each))) rewrite(disk, file, { leak, hashes: renamed.bodies });
  const hashes = new Map([...renamed.bodies, ...renamed.snapshots]);
  for (const file of files.filter(({ path }) => path.endsWith('.meta.json'))) rewrite(disk, file, { leak, hashes });
  // What the hashes were made of goes last: until then the purge can be planned again.
  for (const file of rest.filter(last)) rewrite(disk, file, { leak, hashes: renamed.bodies });
  for (const path of old) removeFile(disk, path);
  for (const file of files) renameArchive(disk, file, text);
  removeSearchIndex(paths.searchIndex);
  removeFile(disk, paths.purge);
}

/** A session's lock keeps others from opening it; a memory's keeps them from writing there. */
function lockAll(disk: Disk, paths: StorePaths): readonly Lock[] {
  const sessions = namesIn(paths.sessions).filter(isId);
  const memories = groupsOf(paths).filter((group) => lstatSync(paths.memory(group), { throwIfNoEntry: false }) !== undefined);
  const wanted = [
    ...sessions.map((id) => ({ path: paths.sessionLock(id), what: `Session ${id}` })),
    ...memories.map((group) => ({ path: paths.memoryLock(group), what: `The memory of group ${group}` })),
    ...memories
      .filter((group) => lstatSync(dirname(paths.consolidationLock(group)), { throwIfNoEntry: false }) !== undefined)
      .map((group) => ({ path: paths.consolidationLock(group), what: `The consolidation of group ${group}` })),
  ];
  const locks: Lock[] = [];
  try {
    for (const { path, what } of wanted) {
      const answer = takeLock(disk, path);
      if (answer.kind === 'busy') {
        const { pid, host, since } = answer.holder;
        throw new SanbotError(
          'session_locked',
          `${what} is open in another sanbot (process ${pid} on ${shown(host)}, since ${shownTime(since)})`,
          {
            hint: 'Nothing was changed. Close it, then purge again: what it wrote meanwhile would be missed.',
          },
        );
      }
      locks.push(answer.lock);
    }
    return locks;
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}

function checkSnapshots(files: readonly HomeFile[], made: Purge): void {
  for (const file of files.filter(isSnapshot)) {
    const id = basename(file.path, '.jsonl');
    const sessionId = parseSnapshotId(id)?.sessionId;
    const parts = [...partsOf(file)];
    const next = parts.map((part) => purgedPart(part, file.kind, made));
    if (sessionId === undefined || next.every((part, i) => part === parts[i])) continue;
    if (decodeSnapshot(Buffer.concat(parts), { id, sessionId }).kind === 'damaged') continue;
    const after = decodeSnapshot(Buffer.concat(next), { id, sessionId });
    if (after.kind === 'damaged')
      throw new SanbotError('refused', `Snapshot ${id} could not be read without it (${after.why})`, { hint: 'Nothing was changed.' });
  }
}

type Making = { readonly leak: Leak; readonly renamed: Renamed };

/** Bodies under their new names; returns the files to be removed at the end. */
function writeNewBodies(disk: Disk, files: readonly HomeFile[], { leak, renamed }: Making): readonly string[] {
  return files.flatMap(({ path }) => {
    const [, prefix] = OFFLOADED.exec(path) ?? [];
    if (prefix === undefined) return [];
    const bytes = readOwnFile(path) ?? Buffer.alloc(0);
    if (!renamed.bodies.has(sha256Of(bytes))) return [];
    const next = encodeBody(purgedBody(leak, decodeBody(bytes)));
    replaceFile(disk, join(dirname(path), `${refOf(next).sha256.slice(0, 32)}.txt`), next, { point: 'purge' });
    return [path];
  });
}

/** One file, whole; one without a change is not touched. Its time stays, since sessions are listed by it. */
function rewrite(disk: Disk, file: HomeFile, made: Purge): void {
  const { path, kind } = file;
  let changes = false;
  for (const part of partsOf(file)) if (purgedPart(part, kind, made) !== part) changes = true;
  if (!changes) return;
  const { atime, mtime } = lstatSync(path);
  try {
    rewriteLines(disk, path, purgedParts(file, made));
    utimesSync(path, atime, mtime);
  } catch (error) {
    throw storeFailure(error, 'write', path);
  }
}

function* purgedParts(file: HomeFile, made: Purge): Generator<Buffer> {
  for (const part of partsOf(file)) yield purgedPart(part, file.kind, made);
}

function removeFile(disk: Disk, path: string): void {
  try {
    step(disk, 'purge.unlink');
    unlinkSync(path);
    syncFolder(disk, dirname(path), 'purge');
  } catch (error) {
    throw storeFailure(error, 'delete', path);
  }
}
