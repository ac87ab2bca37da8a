import { unique } from '../../domain/lists.ts';
import { type ChangeSet, isFileChange } from '../../domain/session/change.ts';
import type { ChangedPaths } from '../../domain/session/message.ts';

/** Of more files than these, the folders are named. */
const MAX_PATHS = 20;

/** Which files acts changed or made, and which they deleted: below the folder where they ran, or absolute. A folder ends with a slash. */
export function changedPaths(sets: readonly ChangeSet[], cwd: string): ChangedPaths | undefined {
  const isGone = new Map<string, boolean>();
  for (const { path, after } of sets.flatMap(({ changes }) => changes.filter(isFileChange))) isGone.set(path, after === null);
  if (isGone.size === 0) return undefined;
  const pathsOf = (gone: boolean): string[] =>
    [...isGone].flatMap(([path, is]) => (is !== gone ? [] : [path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path]));
  return { files: fewPaths(pathsOf(false)), deleted: fewPaths(pathsOf(true)) };
}

function fewPaths(paths: string[]): string[] {
  if (paths.length <= MAX_PATHS) return paths;
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  // The first name of an absolute path is empty.
  const foldersAt = (depth: number): string[] =>
    unique(folders.map((names) => folderName(names.slice(0, names[0] === '' ? depth + 1 : depth))));
  let depth = folders.reduce((most, { length }) => Math.max(most, length), 0);
  while (depth > 0 && foldersAt(depth).length > MAX_PATHS) depth -= 1;
  return foldersAt(depth);
}

const folderName = (names: readonly string[]): string => (names.length === 0 ? './' : `${names.join('/')}/`);
