import { closeSync, lstatSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { because } from '../../domain/language.ts';
import { versionsIn } from '../changes/former-versions.ts';
import { staleTemporaries } from '../files/atomic-write.ts';
import { type Disk, faultPoint, fsyncFolder, openToRead, readAt } from '../files/disk.ts';
import { failureReason, storeFailure } from '../files/failure.ts';
import { acquireLock } from '../files/lock.ts';
import { folderOf, isId, namesIn, type StorePaths } from '../files/paths.ts';
import { bodyFiles } from '../session/bodies/body-text.ts';

/** A file of a session that nothing needs: half written (`temporary`), or a result or a file's content that the log never names. */
export type Orphan = { readonly path: string; readonly bytes: number; readonly what: 'body' | 'version' | 'temporary' };

/** A newer file may be named by the log any moment now; after an hour that is ruled out. */
const HOUR_MS = 3_600_000;

/**
 * Finds the files that interrupted work left in the folders of sessions. A body or version is an orphan only when no line of the log names
 * it in any way, not even in the text of a message: so no context, no snapshot of one and no undo can need it. Skips sessions in use and
 * sessions whose log cannot be read.
 */
export const findOrphans = (disk: Disk, paths: StorePaths): readonly Orphan[] => orphansOfAll(disk, paths, () => true);

/** Removes the orphans, each checked again under its session's lock. Returns those removed; warns of a failure and goes on. */
export const removeOrphans = (disk: Disk, paths: StorePaths): readonly Orphan[] =>
  orphansOfAll(disk, paths, (orphan) => isRemoved(disk, orphan));

const orphansOfAll = (disk: Disk, paths: StorePaths, isTaken: (orphan: Orphan) => boolean): readonly Orphan[] =>
  namesIn(paths.sessions)
    .filter(isId)
    .flatMap((sessionId) => withSessionLock(disk, paths, sessionId, () => orphansOf(disk, paths, sessionId).filter(isTaken)));

function withSessionLock(disk: Disk, paths: StorePaths, sessionId: string, work: () => readonly Orphan[]): readonly Orphan[] {
  try {
    if (candidates(disk, paths, sessionId).length === 0) return [];
    const result = acquireLock(disk, paths.sessionLock(sessionId));
    if (result.kind === 'busy') return [];
    try {
      return work();
    } finally {
      result.lock.release();
    }
  } catch (error) {
    const what = { en: `The files of session ${sessionId} were not looked at`, zh: `没有检查会话 ${sessionId} 的文件` };
    disk.warn(because(what, failureReason(error, paths.session(sessionId))));
    return [];
  }
}

function orphansOf(disk: Disk, paths: StorePaths, sessionId: string): readonly Orphan[] {
  const byName = new Map(candidates(disk, paths, sessionId).map((each) => [each.name, each]));
  if ([...byName.values()].some(({ what }) => what !== 'temporary'))
    for (const name of namesInLogs(paths.session(sessionId))) byName.delete(name);
  return [...byName.values()].map(({ path, bytes, what }) => ({ path, bytes, what }));
}

function candidates(disk: Disk, paths: StorePaths, sessionId: string): readonly (Orphan & { readonly name: string })[] {
  const names = namesIn(paths.session(sessionId));
  if (!names.includes('log.jsonl')) return [];
  // Most sessions have no folder of either kind, and to look into one that is not there costs as much as all else.
  const folders = [
    { what: 'body', folder: paths.offloaded(sessionId), filesIn: bodyFiles },
    { what: 'version', folder: paths.versions(sessionId), filesIn: versionsIn },
  ] as const;
  const present = folders.filter(({ folder }) => names.includes(basename(folder)));
  const files = present.flatMap(({ what, filesIn }) => filesIn(paths, sessionId).map(({ prefix, path }) => ({ name: prefix, path, what })));
  const temporaries = [
    ...staleTemporaries(disk, paths.session(sessionId), names),
    ...present.flatMap(({ folder }) => staleTemporaries(disk, folder)),
  ].map((path) => ({ name: path, path, what: 'temporary' as const }));
  return [...files, ...temporaries].flatMap((each) => {
    const stats = lstatSync(each.path, { throwIfNoEntry: false });
    const isSettled = stats?.isFile() === true && (each.what === 'temporary' || disk.now().getTime() - stats.mtimeMs > HOUR_MS);
    return isSettled ? [{ ...each, bytes: stats.size }] : [];
  });
}

const CHUNK_BYTES = 1 << 20;
const NAME_CHARS = 32;

/** Yields whatever may be such a name, anywhere in the log or in what a repair kept of an earlier log, torn and damaged lines included. */
function* namesInLogs(folder: string): Generator<string> {
  for (const log of namesIn(folder).filter((name) => name.startsWith('log.jsonl'))) {
    const file = openToRead(join(folder, log));
    try {
      for (let position = 0, read = CHUNK_BYTES; read === CHUNK_BYTES; position += CHUNK_BYTES - NAME_CHARS) {
        const chunk = readAt(file, position, CHUNK_BYTES);
        read = chunk.length;
        for (const [run] of chunk.toString('latin1').matchAll(/[0-9a-f]{32,}/g))
          for (let at = 0; at + NAME_CHARS <= run.length; at++) yield run.slice(at, at + NAME_CHARS);
      }
    } finally {
      closeSync(file);
    }
  }
}

function isRemoved(disk: Disk, { path }: Orphan): boolean {
  try {
    faultPoint(disk, 'orphan.unlink');
    unlinkSync(path);
    fsyncFolder(disk, folderOf(path), 'orphan');
    return true;
  } catch (error) {
    disk.warn(storeFailure(error, 'remove', path).shown.message);
    return false;
  }
}
