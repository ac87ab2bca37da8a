import { lstatSync, readdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { mountedElsewhere } from './mounts.ts';

/**
 * In the working folder: what programs outside obey when they start in it. These can be read and not changed, and not made either: a name
 * that is not there is covered while the command runs by an empty folder, which git and builds pass over.
 */
const COVERED: readonly string[] = (
  '.git/hooks .git/config .git/config.worktree .gitmodules .gitconfig .husky .githooks .vscode .idea .claude .cursor .codex .gemini .agents ' +
  '.sanbot .sanbot.json .mcp.json .github/workflows .envrc .ripgreprc .pre-commit-config.yaml .bashrc .bash_profile .profile .zshrc .zshenv'
).split(' ');

type Covered = { readonly path: string; readonly isThere: boolean };

/** Arguments that cover what is not there, and the paths at which the command must leave nothing. */
export function coverMissing(cwd: string): { readonly args: readonly string[]; readonly empty: readonly string[] } {
  const covers = coveredNames(cwd)
    .filter(({ isThere }) => !isThere)
    .map(({ path }) => path);
  return { args: covers.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]), empty: [...covers, ...trapsIn(cwd)] };
}

function coveredNames(cwd: string): readonly Covered[] {
  // Where there is no .git, a HEAD with three more names makes a repository of the folder itself.
  const names = kindOf(join(cwd, '.git')) === undefined ? [...COVERED, 'HEAD'] : COVERED;
  // The cover of another session's command is not there either: the last of those who need it removes it.
  const shared = mountedElsewhere(emptyCovers(cwd));
  const covers = names.map((name): Covered => {
    const path = join(cwd, name);
    if (kindOf(path) !== undefined) return { path, isThere: shared.get(path) !== 'empty' };
    // What would lie in a folder that is not there is covered by that folder's name; so is what a file stands in the place of, as .git does
    // in a worktree.
    const parent = dirname(path);
    const kind = parent === cwd ? 'folder' : kindOf(parent);
    if (kind === 'folder' && shared.get(parent) === 'empty') return { path: parent, isThere: false };
    return { path: kind === 'folder' ? path : parent, isThere: kind === 'file' };
  });
  return [...new Map(covers.map((each) => [each.path, each])).values()];
}

/**
 * Names that lead git to another configuration and that no cover can stand for: git would stop at one. They have no business where they were
 * not before, so what a command leaves there goes when it has ended.
 */
const TRAPS: readonly string[] = ['.git/commondir', 'commondir', 'HEAD'];

const trapsIn = (cwd: string): readonly string[] =>
  kindOf(join(cwd, '.git')) === undefined
    ? []
    : TRAPS.map((name) => join(cwd, name)).filter((path) => orUndefined(() => lstatSync(path)) === undefined);

/** The folders in a working folder that a sandbox may have left: names that it covers, or what these would lie in, with nothing in them. */
export const emptyCovers = (cwd: string): readonly string[] =>
  [...new Set([...COVERED, ...TRAPS].flatMap((name) => [join(cwd, name), dirname(join(cwd, name))]))].filter(
    (path) =>
      path !== cwd && orUndefined(() => lstatSync(path))?.isDirectory() === true && orUndefined(() => readdirSync(path))?.length === 0,
  );

/**
 * bubblewrap makes an empty folder to put a cover on, and leaves it. One that is not empty somebody else has made, and one that covers a
 * name for a command of another session stays. Returns those that stay for such a command.
 */
export function removeCovers(covers: readonly string[]): readonly string[] {
  const needed = mountedElsewhere(covers.filter((path) => kindOf(path) === 'folder'));
  for (const path of covers.filter((each) => !needed.has(each))) {
    orUndefined(() => rmdirSync(path));
    if (TRAPS.some((name) => basename(name) === basename(path))) orUndefined(() => unlinkSync(path));
  }
  return [...needed.keys()];
}

/** A link is what it leads to; undefined for what is not there. */
function kindOf(path: string): 'folder' | 'file' | undefined {
  const stats = orUndefined(() => statSync(path));
  return stats === undefined ? undefined : stats.isDirectory() ? 'folder' : 'file';
}
