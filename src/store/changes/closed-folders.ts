import { accessSync, constants } from 'node:fs';
import type { Manifest, PutBack } from '../../domain/session/change.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { onDisk } from '../files/byte-path.ts';

/**
 * Folders that are to be put back and that this process may not read: what became of all in them since they were closed nobody has seen.
 * They are opened by being put back, and not closed after that.
 */
export const closedFolders = (all: readonly PutBack[]): readonly string[] =>
  all.flatMap(({ path, to }) => (to?.kind === 'folder' && isClosed(path) ? [path] : []));

function isClosed(path: string): boolean {
  try {
    accessSync(onDisk(path), constants.R_OK | constants.X_OK);
    return false;
  } catch (error) {
    return errnoOf(error) === 'EACCES';
  }
}

export const liesInside = (path: string, folders: readonly string[]): boolean => folders.some((each) => path.startsWith(`${each}/`));

/** What stood in these folders when they were last looked at: it comes back with them. */
export function insideClosed(meant: readonly PutBack[], closed: readonly string[], manifest: Manifest): readonly PutBack[] {
  if (closed.length === 0) return [];
  const named = new Set(meant.map(({ path }) => path));
  return [...manifest].flatMap(([path, to]) => (!named.has(path) && liesInside(path, closed) ? [{ path, to }] : []));
}
