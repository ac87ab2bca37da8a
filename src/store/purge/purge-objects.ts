import { readdirSync, unlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inflateSync } from 'node:zlib';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { keptFolders } from '../changes/git/object-links.ts';
import { readOwnFile } from '../files/disk.ts';
import { isId, namesIn, type StorePaths } from '../files/paths.ts';
import { contentName } from './purge-changes.ts';
import { fileParts, type HomeFile } from './purge-files.ts';
import { countMatches, hasMatch, type SecretPattern } from './secret-pattern.ts';

/** Hashes of the kept contents of files that hold a secret. */
export const contentsWith = (files: readonly HomeFile[], { inBytes }: SecretPattern): ReadonlySet<string> =>
  new Set(
    files
      .filter(({ kind }) => kind === 'contents')
      .flatMap((file) => [...fileParts(file)].filter((part) => hasMatch(part.toString('latin1'), inBytes)).map(contentName)),
  );

type FoundObject = { readonly path: string; readonly name: string; readonly count: number };

/** The kept objects of repositories that hold a secret, of those that stand by themselves; and the repositories with packs, which do not. */
export function objectsWith(
  paths: StorePaths,
  pattern: SecretPattern,
): { readonly found: readonly FoundObject[]; readonly packs: readonly string[] } {
  const kept = namesIn(paths.sessions)
    .filter(isId)
    .flatMap((id) => keptFolders(join(paths.changes(id), 'git')));
  const found = kept.flatMap(([objects]) =>
    filesBelow(objects).flatMap((path): readonly FoundObject[] => {
      const count = countIn(path, pattern);
      return count === 0 ? [] : [{ path, name: relative(paths.home, path), count }];
    }),
  );
  const packs = kept.filter(([objects]) => namesIn(join(objects, 'pack')).length > 0).map(([, from]) => from);
  return { found, packs: [...new Set(packs)].sort() };
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'pack' ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });

/** What git-lfs keeps is not packed. */
function countIn(path: string, { inBytes }: SecretPattern): number {
  const bytes = readOwnFile(path) ?? Buffer.alloc(0);
  return countMatches((orUndefined(() => inflateSync(bytes)) ?? bytes).toString('latin1'), inBytes);
}

/** A second name goes; the repository's own file stays as it is. */
export function dropFound(objects: readonly FoundObject[]): void {
  for (const { path } of objects) orUndefined(() => unlinkSync(path));
}
