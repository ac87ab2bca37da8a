import { lstatSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { readText } from '../../store/files/read-text.ts';

const MAX_FOLDERS = 40;

const statsOf = (path: string): Stats | undefined => orUndefined(() => lstatSync(path, { throwIfNoEntry: false }));

/** The nearest folder at or above this one in which a `.git` is seen; undefined when there is none. Starts no program, never throws. */
export function findRepositoryRoot(cwd: string): string | undefined {
  let folder = cwd;
  for (let level = 0; level < MAX_FOLDERS; level++) {
    if (statsOf(join(folder, '.git')) !== undefined) return folder;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return undefined;
}

/** The folder that counts as one project: the repository, or else the working folder. */
export function projectRootOf({ cwd }: { readonly cwd: () => string }): string {
  const folder = cwd();
  return findRepositoryRoot(folder) ?? folder;
}

/** The branch of a repository; undefined when none is checked out. */
export function branchOf(root: string): string | undefined {
  const head = readTextOrEmpty(join(gitFolderOf(root), 'HEAD'));
  return /^ref: refs\/heads\/([\w./+@-]{1,200})\s*$/.exec(head)?.[1];
}

/**
 * What a repository is known by wherever it is checked out: the address it came from, without a password; "local" when it came from
 * nowhere. Read from its own files, since git may run what they name.
 */
export function repositoryIdentity(root: string): string {
  const folder = gitFolderOf(root);
  const common = readTextOrEmpty(join(folder, 'commondir')).trim();
  const config = readTextOrEmpty(
    join(common === '' ? folder : isAbsolute(common) ? common : join(folder, common), 'config'),
    MAX_CONFIG_BYTES,
  );
  return originIn(config) ?? 'local';
}

const MAX_CONFIG_BYTES = 256 * 1024;

function originIn(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.split('\n')) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[')) isOrigin = trimmed === '[remote "origin"]';
    else if (isOrigin && /^url\s*=/i.test(trimmed)) return withoutPassword(trimmed.slice(trimmed.indexOf('=') + 1).trim());
  }
  return undefined;
}

function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Of a worktree and of a submodule, `.git` is a file that names it. */
function gitFolderOf(root: string): string {
  const path = join(root, '.git');
  if (statsOf(path)?.isFile() !== true) return path;
  const link = /^gitdir: (.+)$/m.exec(readTextOrEmpty(path))?.[1]?.trim();
  return link === undefined ? path : isAbsolute(link) ? link : join(root, link);
}

/** Empty for what is missing, unreadable or no plain file: a project's file must not stop a session. */
export const readTextOrEmpty = (path: string, maxBytes = 4096, onGarbled?: () => void): string =>
  orUndefined(() => readText(path, maxBytes, onGarbled)) ?? '';
