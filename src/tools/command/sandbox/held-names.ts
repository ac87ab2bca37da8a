import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { isHeldName } from '../../place/held-names.ts';
import { holdGitFolder, holdNested, isBareRepository } from './git-holds.ts';
import { createHolds, type Holds, hold, statsOf } from './holds.ts';

/** Folders at the top whose own names say nothing, while names in them do. */
const LOOKED_INTO: ReadonlySet<string> = new Set(
  '.github .config .local .forgejo docs doc gradle project common config tools etc'.split(' '),
);

/** What is held of a working folder: what runs later at its top, what git obeys, and the files that the settings run. */
export function holdWorkingFolder(cwd: string, runFiles: readonly string[]): Holds {
  const holds = createHolds(cwd);
  holdRepository(cwd, holds);
  holdNames(cwd, '', holds);
  holdNested(cwd, holds);
  for (const path of runFiles) if (statsOf(path) !== undefined) hold(holds, path);
  return holds;
}

function holdRepository(cwd: string, holds: Holds): void {
  const git = join(cwd, '.git');
  if (statsOf(git)?.isDirectory() === true) holdGitFolder(git, cwd, holds);
  else if (statsOf(git) !== undefined) hold(holds, git);
  if (isBareRepository(cwd)) for (const name of BARE) hold(holds, join(cwd, name));
}

/** In a repository without a work tree: what git obeys beside its data. Other files of the folder may be anything. */
const BARE: readonly string[] = ['config', 'config.worktree', 'hooks', 'info', 'commondir'];

function holdNames(cwd: string, folder: string, holds: Holds): void {
  for (const entry of orUndefined(() => readdirSync(join(cwd, folder), { withFileTypes: true })) ?? []) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (name === '.git') continue;
    const isLink = entry.isSymbolicLink();
    const isMeant = isHeldName(name, entry.isDirectory() ? 'folder' : 'file') || (isLink && isHeldName(name, 'folder'));
    const isWay = folder === '' && LOOKED_INTO.has(entry.name);
    if (isMeant || (isWay && isLink)) hold(holds, join(cwd, name));
    else if (isWay && entry.isDirectory()) holdNames(cwd, entry.name, holds);
  }
}
