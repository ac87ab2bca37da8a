/**
 * Git, as far as it makes a look at a folder cheap and its state can come back: which repository a folder is of (`repository`), which files
 * its index says are clean (`git-index`, `clean-files`), its objects under second names of ours (`object-links`), and their bytes (`blobs`).
 *
 * All is read from the files themselves. The one program that runs is `git cat-file` in a repository of ours, so that nothing which a
 * stranger's repository configures ever runs.
 *
 * What git says is a hint: bytes are in git only where an object is there with that id.
 */

import { fstatSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf } from '../../../domain/value/errno.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { readAt, withFile } from '../../files/disk.ts';
import { namesIn } from '../../files/paths.ts';
import { isRemade } from '../look/remade.ts';

/** A folder to look at, and what of its repository lies elsewhere. */
export type Roots = {
  readonly top: string;
  /** The repository of a linked work tree or a submodule, where it stands outside of `top`. */
  readonly others: readonly string[];
  /** The index of `top`, and the objects that it names, where both stand elsewhere than in its `.git`. */
  readonly linked?: { readonly index: string; readonly objects: string } | undefined;
  /** A repository to which git is led from here and that does not name `top` in its turn: it is not looked at. */
  readonly apart?: string | undefined;
};

/**
 * Finds the repository that a folder belongs to, without asking git. A `.git` that is a file leads elsewhere only where what is there names
 * this work tree in its turn, as git itself writes it: a stranger's file leads nowhere. A link in the place of `.git` is not followed. A
 * folder in one that a tool makes again, of which a look at the work tree sees nothing, is looked at by itself. `notBeyond` are folders that are never taken for a work tree, as the home of the user.
 */
export function rootsOf(folder: string, notBeyond: readonly string[]): Roots {
  for (let top = folder; !notBeyond.includes(top); top = dirname(top)) {
    const git = join(top, '.git');
    const stats = orUndefined(() => lstatSync(git));
    if (stats?.isDirectory() === true && isRepository(git)) return { top, others: [] };
    if (stats?.isFile() === true) return linkedRoots(git, top);
    if (dirname(top) === top || isRemade(basename(top), namesIn(dirname(top)))) break;
  }
  return { top: folder, others: [] };
}

const isRepository = (git: string): boolean =>
  ['HEAD', 'objects', 'refs'].every((name) => orUndefined(() => lstatSync(join(git, name))) !== undefined);

function linkedRoots(file: string, top: string): Roots {
  const gitFolder = realOf(pathAfter(file, /^gitdir: (.+)$/m), top);
  if (gitFolder === undefined) return { top, others: [] };
  const common = realOf(strangersText(join(gitFolder, 'commondir'))?.trim(), gitFolder);
  const owner = realOf(strangersText(join(gitFolder, 'gitdir'))?.trim(), gitFolder);
  const isSubmodule = realOf(pathAfter(join(gitFolder, 'config'), /^\s*worktree\s*=\s*(.+)$/m), gitFolder) === top;
  const isLinked = owner === file && dirname(dirname(gitFolder)) === common;
  const repository = isLinked ? common : isSubmodule ? gitFolder : undefined;
  if (repository === undefined || !isRepository(repository))
    return { top, others: [], ...(isRepository(gitFolder) && { apart: gitFolder }) };
  return {
    top,
    others: repository.startsWith(`${top}/`) ? [] : [repository],
    linked: { index: join(gitFolder, 'index'), objects: join(repository, 'objects') },
  };
}

const pathAfter = (file: string, pattern: RegExp): string | undefined => pattern.exec(strangersText(file) ?? '')?.[1]?.trim();

export const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * A text of a folder that may be a stranger's: null where there is none; undefined where it cannot be read, is longer than any that somebody
 * wrote, or is no plain file, a link among them.
 */
export function strangersText(path: string): string | null | undefined {
  try {
    return withFile(path, (file) => {
      const { size } = fstatSync(file);
      return size > MAX_TEXT_BYTES ? undefined : readAt(file, 0, size).toString('utf8');
    });
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errnoOf(error)) ? null : undefined;
  }
}

const realOf = (path: string | undefined, from: string): string | undefined =>
  path === undefined ? undefined : orUndefined(() => realpathSync(resolve(from, path)));
