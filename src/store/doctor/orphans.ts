import { closeSync, lstatSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Disk } from '../files/disk.ts';
import { openToRead, readAt, step, syncFolder } from '../files/disk.ts';
import { lineOf } from '../files/failure.ts';
import { isId } from '../files/ids.ts';
import { takeLock } from '../files/lock.ts';
import { folderOf, type StorePaths, shownPath } from '../files/paths.ts';
import { namesIn, strayTemporaries } from '../files/replace-file.ts';
import { versionsIn } from '../session/file-versions.ts';

/** A file of a session that nothing needs: `body` an offloaded result or `version` a file's content that the log never names. */
export type Orphan = { readonly path: string; readonly bytes: number; readonly what: 'body' | 'version' | 'temporary' };

/** What a crash may have left behind a moment ago could still be about to be named; after an hour it is not. */
const HOUR_MS = 3_600_000;

/**
 * The files that interrupted work left in the folders of sessions. Only what no line of the log names in any way, not even in the text
 * of a message: so neither a context, nor a snapshot of one, nor a way back can need it. A session in use is left out, and so is one
 * of which a log cannot be read.
 */
export function findOrphans(disk: Disk, paths: StorePaths): readonly Orphan[] {
  return namesIn(paths.sessions)
    .filter(isId)
    .flatMap((sessionId) => underLock(disk, paths, sessionId, () => orphansOf(disk, paths, sessionId)));
}

/** Removes them, each looked at anew under its session's lock. Returns what went; a failure is told, and the rest goes on. */
export function removeOrphans(disk: Disk, paths: StorePaths): readonly Orphan[] {
  return namesIn(paths.sessions)
    .filter(isId)
    .flatMap((sessionId) =>
      underLock(disk, paths, sessionId, () => orphansOf(disk, paths, sessionId).filter((orphan) => isRemoved(disk, orphan))),
    );
}

function underLock(disk: Disk, paths: StorePaths, sessionId: string, look: () => readonly Orphan[]): readonly Orphan[] {
  try {
    if (!namesIn(paths.session(sessionId)).includes('log.jsonl') || candidates(disk, paths, sessionId).length === 0) return [];
    const answer = takeLock(disk, paths.sessionLock(sessionId));
    if (answer.kind === 'busy') return [];
    try {
      return look();
    } finally {
      answer.lock.release();
    }
  } catch (error) {
    disk.tell(`The files of session ${sessionId} were not looked at: ${lineOf(error)}`);
    return [];
  }
}

type Candidate = Orphan & { readonly name: string };

function orphansOf(disk: Disk, paths: StorePaths, sessionId: string): readonly Orphan[] {
  const found = new Map(candidates(disk, paths, sessionId).map((each) => [each.name, each]));
  const named = [...found.values()].filter(({ what }) => what !== 'temporary').length;
  if (named > 0) for (const name of namesInLogs(paths.session(sessionId))) found.delete(name);
  return [...found.values()].map(({ path, bytes, what }) => ({ path, bytes, what }));
}

function candidates(disk: Disk, paths: StorePaths, sessionId: string): readonly Candidate[] {
  const bodies = namesIn(paths.offloaded(sessionId))
    .filter((name) => /^[0-9a-f]{32}\.txt$/.test(name))
    .map((name) => ({ name: name.slice(0, 32), path: paths.body(sessionId, name.slice(0, 32)), what: 'body' as const }));
  const versions = versionsIn(paths, sessionId).map(({ prefix, path }) => ({ name: prefix, path, what: 'version' as const }));
  const temporaries = [paths.session(sessionId), paths.offloaded(sessionId), paths.versions(sessionId)].flatMap((folder) =>
    strayTemporaries(disk, folder).map((path) => ({ name: path, path, what: 'temporary' as const })),
  );
  return [...bodies, ...versions, ...temporaries].flatMap((each) => {
    const stats = lstatSync(each.path, { throwIfNoEntry: false });
    const settled = stats?.isFile() === true && (each.what === 'temporary' || disk.now().getTime() - stats.mtimeMs > HOUR_MS);
    return settled ? [{ ...each, bytes: stats.size }] : [];
  });
}

const PIECE_BYTES = 1 << 20;
const NAME_CHARS = 32;

/** Whatever may be such a name in the log, or in what a repair kept of a former one, wherever it stands, torn and damaged lines too. */
function* namesInLogs(folder: string): Generator<string> {
  for (const log of namesIn(folder).filter((name) => name.startsWith('log.jsonl'))) {
    const file = openToRead(join(folder, log));
    try {
      for (let position = 0, read = PIECE_BYTES; read === PIECE_BYTES; position += PIECE_BYTES - NAME_CHARS) {
        const piece = readAt(file, position, PIECE_BYTES);
        read = piece.length;
        for (const [run] of piece.toString('latin1').matchAll(/[0-9a-f]{32,}/g))
          for (let at = 0; at + NAME_CHARS <= run.length; at++) yield run.slice(at, at + NAME_CHARS);
      }
    } finally {
      closeSync(file);
    }
  }
}

function isRemoved(disk: Disk, { path }: Orphan): boolean {
  try {
    step(disk, 'orphan.unlink');
    unlinkSync(path);
    syncFolder(disk, folderOf(path), 'orphan');
    return true;
  } catch (error) {
    disk.tell(`Cannot remove ${shownPath(path)}: ${lineOf(error)}`);
    return false;
  }
}
