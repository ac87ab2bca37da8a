import { type Disk, readOwnFile } from './disk.ts';
import type { StorePaths } from './paths.ts';
import { replaceFile } from './replace-file.ts';

/**
 * What the user calls a session, beside its log so that a list need not read the log for it. The log's newest title record is the
 * truth; this file is derived from it, and written anew by `sanbot doctor --repair`. Undefined when there is none.
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
  replaceFile(disk, paths.title(sessionId), Buffer.from(title, 'utf8'), { point: 'title' });
}
