import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Standing } from '../../../domain/session/change.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { lazily } from '../../../domain/value/word-list.ts';
import { readText } from '../../files/read-text.ts';
import { TICK_MS } from '../look/standing.ts';
import type { Walk } from '../look/walk.ts';
import { type GitIndex, readGitIndex } from './git-index.ts';
import { MAX_TEXT_BYTES, type Roots, strangersText } from './repository.ts';

/**
 * The object that we keep of a file, where the file looks as git saw it. Sure where nothing could have converted it on the way (line ends,
 * filters); elsewhere the bytes must be compared. Undefined where git has none.
 */
export type CleanFiles = (path: string) => { readonly oid: string; readonly isSure: boolean } | undefined;

export const NO_CLEAN_FILES: CleanFiles = () => undefined;

/** The id that git gives to a file with these bytes, in a repository whose ids have so many hexadecimal digits. */
export const blobOid = (bytes: Uint8Array, digits: number): string =>
  createHash(digits === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');

type WorkTree = { readonly folder: string; readonly index: GitIndex; readonly converts: boolean };

type Sources = {
  readonly roots: Roots;
  readonly configFiles: readonly string[];
  readonly sizesOf: (oids: readonly string[]) => ReadonlyMap<string, number>;
  /** Those of these objects that we do not keep, of whatever length; undefined where it is sooner asked for how long they are. */
  readonly unkept: (oids: readonly string[]) => ReadonlySet<string> | undefined;
  readonly readIndex: typeof readGitIndex;
};

/**
 * Finds which of these files git has, by the index of each repository that we saw. Nothing of a repository is run, and its configuration is
 * read as a text only. An object counts when we keep it and it is as long as the file, as it is unless line ends were converted.
 */
export function findCleanFiles(
  files: readonly (readonly [path: string, standing: Standing])[],
  walk: Pick<Walk, 'objectFolders' | 'withAttributes'>,
  { roots, configFiles, sizesOf, unkept, readIndex }: Sources,
): CleanFiles {
  const oldest = files.reduce((least, [, { mtime }]) => Math.min(least, mtime), Number.POSITIVE_INFINITY);
  const trees = workTrees(walk, roots, configFiles, { oldest, readIndex });
  const found = new Map<string, { readonly oid: string; readonly isSure: boolean }>();
  for (const [path, file] of files) {
    const listed = listedIn(trees, path, file);
    if (listed !== undefined) found.set(path, listed);
  }
  if (found.size === 0) return NO_CLEAN_FILES;
  const oids = [...new Set([...found.values()].map(({ oid }) => oid))];
  const lacking = trees.some(({ converts }) => converts) ? undefined : unkept(oids);
  if (lacking !== undefined) for (const [path, { oid }] of lacking.size === 0 ? [] : found) lacking.has(oid) && found.delete(path);
  else {
    const sizes = sizesOf(oids);
    for (const [path, { size }] of files) if (sizes.get(found.get(path)?.oid ?? '') !== size) found.delete(path);
  }
  return (path) => found.get(path);
}

/** What an index says of a file that looks as git saw it; whether git has these bytes is not asked. */
export function listedIn(trees: readonly WorkTree[], path: string, file: Standing): ReturnType<CleanFiles> {
  const tree = trees.find(({ folder }) => path[folder.length] === '/' && path.startsWith(folder));
  const oid = tree?.index.cleanOid(path.slice(tree.folder.length + 1), file);
  return tree === undefined || oid === undefined ? undefined : { oid, isSure: !tree.converts };
}

/**
 * The files of each repository: those beside it, those of a submodule, and linked work trees. An index that was written before the `oldest`
 * of the files in question, in milliseconds, knows nothing of them and is not read.
 */
export function workTrees(
  { objectFolders, withAttributes }: Pick<Walk, 'objectFolders' | 'withAttributes'>,
  roots: Roots,
  configFiles: readonly string[],
  { oldest = 0, readIndex = readGitIndex }: { readonly oldest?: number; readonly readIndex?: typeof readGitIndex } = {},
): readonly WorkTree[] {
  const trees = objectFolders.flatMap((objects): readonly WorkTree[] => {
    const gitFolder = dirname(objects);
    return indexesOf(gitFolder, roots).flatMap(({ folder, path }) => {
      const writtenAt = orUndefined(() => lstatSync(path).mtimeMs);
      const index = writtenAt === undefined || writtenAt <= oldest ? undefined : readIndex(path, oidBytes(gitFolder));
      return index === undefined ? [] : [{ folder, index, converts: mayConvert({ gitFolder, folder }, withAttributes, configFiles) }];
    });
  });
  // The innermost first: a folder below another one has files of its own.
  return trees.toSorted((a, b) => b.folder.length - a.folder.length);
}

/** Whether git may store other bytes of the same length for files of a work tree. */
export function mayConvert(
  { gitFolder, folder }: { readonly gitFolder: string; readonly folder: string },
  withAttributes: readonly string[],
  configFiles: readonly string[],
): boolean {
  const attributes = withAttributes.filter((each) => each === folder || each.startsWith(`${folder}/`));
  return !(
    configFiles.every((path) => isSilent(personsText(path), path)) &&
    CONFIGURATION.every((name) => isSilent(strangersText(join(gitFolder, name)), name)) &&
    attributes.every((each) => isSilent(strangersText(join(each, '.gitattributes')), 'attributes'))
  );
}

/** The indexes of a repository, each with the folder whose files it lists. What is said of a folder elsewhere matches no file. */
function indexesOf(gitFolder: string, { top, linked }: Roots): readonly { readonly folder: string; readonly path: string }[] {
  const own = join(gitFolder, 'index');
  const worktree = WORKTREE.exec(strangersText(join(gitFolder, 'config')) ?? '')?.[1]?.trim();
  const isOfTop = linked !== undefined && dirname(linked.objects) === gitFolder;
  const ofOwn = worktree !== undefined ? resolve(gitFolder, worktree) : basename(gitFolder) === '.git' ? dirname(gitFolder) : undefined;
  const links = orUndefined(() => readdirSync(join(gitFolder, 'worktrees'))) ?? [];
  return [
    ...(isOfTop ? [{ folder: top, path: linked.index }] : []),
    ...(ofOwn === undefined ? [] : [{ folder: ofOwn, path: own }]),
    ...links.flatMap((name) => {
      const file = strangersText(join(gitFolder, 'worktrees', name, 'gitdir'))?.trim();
      return file === undefined ? [] : [{ folder: dirname(file), path: join(gitFolder, 'worktrees', name, 'index') }];
    }),
  ];
}

const WORKTREE = /^\s*worktree\s*=\s*(.+)$/m;

/** The index of the working folder, and the repository that it belongs to. */
export function indexOf({ top, linked }: Roots): { readonly gitFolder: string; readonly path: string } {
  const gitFolder = linked === undefined ? join(top, '.git') : dirname(linked.objects);
  return { gitFolder, path: linked?.index ?? join(gitFolder, 'index') };
}

/** Tells of a folder whether the repository of the working folder tracks something in it; the index is read when it is first asked. */
export function trackedFolders(roots: Roots, readIndex = readGitIndex): (folder: string) => boolean {
  const { gitFolder, path } = indexOf(roots);
  const read = lazily(() => ({ index: readIndex(path, oidBytes(gitFolder)) }));
  return (folder) => read().index?.isFolder(folder.slice(roots.top.length + 1)) === true;
}

/** Reads an index once as long as it stays as it is. */
export function createIndexReader(now: () => number): typeof readGitIndex {
  const known = new Map<string, { readonly stamp: string; readonly index: GitIndex | undefined }>();
  return (path, bytesOfOid) => {
    const stats = orUndefined(() => lstatSync(path));
    const stamp = stats && [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs, bytesOfOid].join();
    const former = known.get(path);
    if (former !== undefined && former.stamp === stamp) return former.index;
    known.delete(path);
    const index = readGitIndex(path, bytesOfOid);
    if (stamp !== undefined && Math.max(stats?.mtimeMs ?? 0, stats?.ctimeMs ?? 0) < now() - TICK_MS) known.set(path, { stamp, index });
    return index;
  };
}

export const oidBytes = (gitFolder: string): number =>
  /objectformat\s*=\s*sha256/i.test(strangersText(join(gitFolder, 'config')) ?? '') ? 32 : 20;

const CONFIGURATION = ['config', 'config.worktree', join('info', 'attributes')];
/** Attributes that make git store other bytes, of any length; all others change line ends at most. */
const CONVERTING = /\b(?:filter|ident|working-tree-encoding)\b/;
/** A configuration that names attributes which we do not read, or is not all of it. */
const LEADS_ELSEWHERE = /attributesfile|\[\s*include/i;

/** True where a file of attributes or configuration makes git store no other bytes; false where it cannot be read. */
const isSilent = (text: string | null | undefined, path: string): boolean =>
  text === null || (text !== undefined && !(path.endsWith('attributes') ? CONVERTING : LEADS_ELSEWHERE).test(text));

const personsText = (path: string): string | null | undefined => orUndefined(() => readText(path, MAX_TEXT_BYTES) ?? null);
