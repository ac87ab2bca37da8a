import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Standing } from '../../domain/session/change.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { cleanOid, type GitIndex, readGitIndex } from './git-index.ts';
import type { Roots } from './repository.ts';
import type { Walk } from './walk.ts';

/** Files of which a repository has the bytes, so that they need not be kept once more. */
export type CleanFiles = {
  /**
   * The object that git has of a file, where the file looks as git saw it. Sure where git converts nothing on the way (line ends, filters);
   * elsewhere the bytes must be compared. Undefined where git cannot be asked.
   */
  readonly find: (path: string, file: Standing) => { readonly oid: string; readonly isSure: boolean } | undefined;
};

export const NO_CLEAN_FILES: CleanFiles = { find: () => undefined };

/** The id that git gives to a file with these bytes, in a repository whose ids have so many hexadecimal digits. */
export const blobOid = (bytes: Uint8Array, digits: number): string =>
  createHash(digits === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');

type Repository = { readonly workTree: string; readonly index: GitIndex; readonly converts: boolean };

/**
 * Reads the index of each repository whose objects we keep. Nothing of the repository is run, and its configuration is read as a text only:
 * whatever could convert files makes us compare bytes.
 */
export function readCleanFiles(
  { objectFolders, standing }: Pick<Walk, 'objectFolders' | 'standing'>,
  { top, linked }: Roots,
  configFiles: readonly string[],
): CleanFiles {
  const attributes = [...standing.keys()].filter((path) => basename(path) === '.gitattributes');
  const isConfigured = configFiles.some(mayConvert);
  const repositories = objectFolders.flatMap((objects): readonly Repository[] => {
    const gitFolder = dirname(objects);
    const isLinked = objects === linked?.objects;
    if ((basename(gitFolder) !== '.git' && !isLinked) || exists(join(objects, 'info', 'alternates'))) return [];
    const workTree = isLinked ? top : dirname(gitFolder);
    const index = readGitIndex(isLinked ? linked.index : join(gitFolder, 'index'), oidBytes(gitFolder));
    if (index === undefined) return [];
    const converts =
      isConfigured ||
      mayConvert(join(gitFolder, 'config')) ||
      exists(join(gitFolder, 'info', 'attributes')) ||
      attributes.some((path) => path.startsWith(`${workTree}/`));
    return [{ workTree, index, converts }];
  });
  // The innermost repository first: a folder below another one has files of its own.
  const inner = repositories.toSorted((a, b) => b.workTree.length - a.workTree.length);
  return {
    find: (path, file) => {
      const repository = inner.find(({ workTree }) => path.startsWith(`${workTree}/`));
      const oid = repository && cleanOid(repository.index, path.slice(repository.workTree.length + 1), file);
      return oid === undefined || repository === undefined ? undefined : { oid, isSure: !repository.converts };
    },
  };
}

/** Tells of a folder whether the repository of the working folder tracks something in it; the index is read when it is first asked. */
export function trackedFolders({ top, linked }: Roots): (folder: string) => boolean {
  let paths: readonly string[] | undefined;
  return (folder) => {
    const repository = linked === undefined ? join(top, '.git') : dirname(linked.objects);
    paths ??= [...(readGitIndex(linked?.index ?? join(repository, 'index'), oidBytes(repository))?.entries.keys() ?? [])];
    const start = `${folder.slice(top.length + 1)}/`;
    return paths.some((path) => path.startsWith(start));
  };
}

export const oidBytes = (gitFolder: string): number =>
  /objectformat\s*=\s*sha256/i.test(textOf(join(gitFolder, 'config')) ?? '') ? 32 : 20;

const mayConvert = (config: string): boolean => /autocrlf|attributesfile|\[\s*include/i.test(textOf(config) ?? '');
const textOf = (path: string): string | undefined => orUndefined(() => readFileSync(path, 'utf8'));
const exists = (path: string): boolean => orUndefined(() => lstatSync(path)) !== undefined;
