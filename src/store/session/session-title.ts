import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, readOwnFile } from '../files/disk.ts';
import { formatError } from '../files/failure.ts';
import type { StorePaths } from '../files/paths.ts';

/**
 * What the user calls a session, beside its log so that a list need not read the log for it. The log's newest title record is the
 * truth; this file is derived from it, and brought up to it when the session is opened. Undefined when there is none.
 */
export function readTitle(paths: StorePaths, sessionId: string): string | undefined {
  try {
    return readOwnFile(paths.title(sessionId))?.toString('utf8');
  } catch {
    return undefined;
  }
}

/** On disk when it returns. Throws store_failed. */
export function writeTitle(
  disk: Disk,
  paths: StorePaths,
  { sessionId, title }: { readonly sessionId: string; readonly title: string },
): void {
  writeFileAtomic(disk, paths.title(sessionId), Buffer.from(title, 'utf8'), { point: 'title' });
}

/**
 * Brings the file up to the log, which a crash leaves a step ahead of it. Never throws: the problem in words, if there is one. What
 * cannot be read stays as it is.
 */
export function syncTitle(
  disk: Disk,
  paths: StorePaths,
  { sessionId, title }: { readonly sessionId: string; readonly title: string },
): readonly string[] {
  try {
    if (readOwnFile(paths.title(sessionId))?.toString('utf8') !== title) writeTitle(disk, paths, { sessionId, title });
    return [];
  } catch (error) {
    return [`The file with the session's title is not what the log says: ${formatError(error)}.`];
  }
}
