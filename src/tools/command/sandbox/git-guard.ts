import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import type { SandboxPlace } from './sandbox-place.ts';

/** Where git is to be found by the program that stands in its place; what is not there, it does not need. */
const REAL_GIT = '/run/sanbot/git';

/** Where git keeps the programs that it calls, itself among them, beside the folder of programs. */
const CORES: readonly string[] = ['lib/git-core', 'libexec/git-core'];

/**
 * Arguments that put the guard in the place of git, so that what stops half way is not begun, whoever calls it. Nothing where git is not
 * found as it is installed, or lies in a folder that can be written or in a home.
 */
export function gitGuardArgs({ env, cwd, folders = [], home, userHome, gitGuard }: SandboxPlace): readonly string[] {
  if (gitGuard === undefined || !isProgram(gitGuard)) return [];
  const found = (env.PATH ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, 'git'))
    .find(isProgram);
  const git = found && realPath(found);
  const cores = git === undefined ? [] : CORES.flatMap((core) => realPath(join(dirname(git), '..', core, 'git')) ?? []);
  if (
    git === undefined ||
    cores.length === 0 ||
    [cwd, ...folders, home, userHome].some((folder) => folder !== undefined && isWithin(git, folder))
  )
    return [];
  return ['--ro-bind', git, REAL_GIT, ...[...new Set([git, ...cores])].flatMap((path) => ['--ro-bind', gitGuard, path])];
}

const realPath = (path: string): string | undefined => orUndefined(() => realpathSync.native(path));

const isProgram = (path: string): boolean => orUndefined(() => accessSync(path, constants.X_OK) ?? true) === true;
