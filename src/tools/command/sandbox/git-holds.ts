import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { redact } from '../../../domain/value/redact.ts';
import { strangersFile } from '../../place/git-config.ts';
import { gitMayWrite } from '../../place/git-files.ts';
import { isHeldName } from '../../place/held-names.ts';
import { addProblem, CLOSED_FOLDER, createHolds, type Holds, hold, isHeld, pin, statsOf } from './holds.ts';

/**
 * Holds what of a repository's git folder git may not write, its submodules and linked worktrees included. The folder itself stays writable:
 * git writes a file beside the old one and renames it. What is not there cannot be held.
 */
export function holdGitFolder(folder: string, cwd: string, holds: Holds): void {
  pin(holds, folder);
  const names = orUndefined(() => readdirSync(folder));
  if (names === undefined) addProblem(holds, folder, CLOSED_FOLDER);
  for (const name of names ?? []) {
    if (name === 'worktrees') holdBelow(join(folder, name), cwd, holds);
    else if (name === 'modules') holdModules(join(folder, name), { cwd, holds, depth: 0 });
    else if (name === 'info') holdFiles(join(folder, name), name, holds);
    else if (name === 'objects') holdFiles(join(folder, name, 'info'), `${name}/info`, holds);
    else if (!gitMayWrite(name) && statsOf(join(folder, name))?.isSocket() !== true) hold(holds, join(folder, name));
  }
  for (const name of ['config', 'config.worktree']) holdNamed(join(folder, name), cwd, holds);
}

/** More git folders in one are held as they are, so that a command in there needs more than the sandbox gives. */
const MOST_FOLDERS = 4;

function holdBelow(folder: string, cwd: string, holds: Holds): void {
  const names = orUndefined(() => readdirSync(folder)) ?? [];
  if (statsOf(folder)?.isDirectory() !== true || names.length > MOST_FOLDERS) hold(holds, folder);
  else for (const name of names) holdGitFolder(join(folder, name), cwd, holds);
}

/** A submodule's name may have slashes, so that its git folder lies deeper. */
function holdModules(folder: string, { cwd, holds, depth }: { readonly cwd: string; readonly holds: Holds; readonly depth: number }): void {
  const names = orUndefined(() => readdirSync(folder)) ?? [];
  if (statsOf(folder)?.isDirectory() !== true || names.length > MOST_FOLDERS || depth > MOST_FOLDERS) hold(holds, folder);
  else
    for (const path of names.map((name) => join(folder, name))) {
      if (statsOf(path)?.isDirectory() === true && existsSync(join(path, 'HEAD'))) holdGitFolder(path, cwd, holds);
      else holdModules(path, { cwd, holds, depth: depth + 1 });
    }
}

function holdFiles(folder: string, name: string, holds: Holds): void {
  if (statsOf(folder)?.isDirectory() !== true) hold(holds, folder);
  const files = (orUndefined(() => readdirSync(folder)) ?? []).filter((file) => !gitMayWrite(`${name}/${file}`));
  for (const file of files) hold(holds, join(folder, file));
}

/** Keys of git's configuration whose value is a file that git reads more configuration from, or runs. */
const NAMING_KEYS: ReadonlySet<string> = new Set(
  `path hookspath attributesfile fsmonitor clean smudge process textconv command driver helper editor pager program sshcommand askpass cmd
  templatedir`.split(/\s+/),
);

const FOLDER_KEYS: ReadonlySet<string> = new Set(['hookspath', 'templatedir']);

/** Holds the files of the working folder that a configuration leads git to. */
function holdNamed(config: string, cwd: string, holds: Holds): void {
  const text = strangersFile(config) ?? '';
  for (const { key, value } of gitValues(text)) {
    if (!NAMING_KEYS.has(key) && !value.startsWith('!')) continue;
    const bases = key === 'path' ? [dirname(config)] : [cwd, dirname(dirname(config))];
    for (const word of value.replace(/^!/, '').split(/[\s"';&|()<>`]+/)) {
      const paths = bases.map((base) => resolve(base, word)).filter((path) => word !== '' && path !== cwd && isWithin(path, cwd));
      for (const path of paths) if (FOLDER_KEYS.has(key) || statsOf(path)?.isDirectory() !== true) hold(holds, path);
    }
  }
}

/**
 * The git folders of the repository that a folder belongs to, where they lie outside of it: of a linked worktree, of a submodule, of a folder
 * below a repository's top. A file that leads to a git folder counts only where that leads back, and one to the folder that several share
 * only where that has this one among its worktrees. What has another in it comes first.
 */
export function outerGitFolders(cwd: string): readonly string[] {
  const git = findGit(cwd);
  const found = git === undefined ? undefined : orUndefined(() => realpathSync.native(git));
  if (found === undefined) return [];
  const named = strangersFile(join(found, 'commondir'))?.trim();
  const common = named === undefined || named === '' ? undefined : orUndefined(() => realpathSync.native(resolve(found, named)));
  const isShared = common !== undefined && found.startsWith(`${join(common, 'worktrees')}/`);
  const folders = isShared ? [common, found] : [found];
  return folders.filter((folder) => !isWithin(folder, cwd) && isGitFolder(folder));
}

const isGitFolder = (folder: string): boolean =>
  existsSync(join(folder, 'HEAD')) && (existsSync(join(folder, 'objects')) || existsSync(join(folder, 'commondir')));

function findGit(folder: string): string | undefined {
  const path = join(folder, '.git');
  const stats = statsOf(path);
  if (stats?.isDirectory() === true) return path;
  if (stats?.isFile() !== true) return stats !== undefined || folder === dirname(folder) ? undefined : findGit(dirname(folder));
  const led = /^gitdir: (.*)/.exec(strangersFile(path) ?? '')?.[1]?.trim();
  return led !== undefined && leadsBack(resolve(folder, led), folder) ? resolve(folder, led) : undefined;
}

/** A linked worktree's git folder names the file that leads to it, a submodule's the folder of its files. */
function leadsBack(git: string, folder: string): boolean {
  const linked = strangersFile(join(git, 'gitdir'))?.trim();
  const config = strangersFile(join(git, 'config')) ?? '';
  const trees = gitValues(config).filter(({ key }) => key === 'worktree');
  const named = [...(linked === undefined ? [] : [dirname(resolve(git, linked))]), ...trees.map(({ value }) => resolve(git, value))];
  return named.some((path) => orUndefined(() => realpathSync.native(path)) === folder);
}

/** More folders are not searched for repositories before a command. */
const MOST_SEARCHED = 150;
const DEEPEST = 3;
const MOST_NESTED = 4;
const PASSED_OVER: ReadonlySet<string> = new Set(
  'node_modules .git .venv venv target dist build out .next .cache __pycache__ vendor'.split(' '),
);

/**
 * Holds the git folders of repositories that lie in the working folder below its top, as far as few folders have to be looked into. Of many
 * repositories each is held as a whole.
 */
export function holdNested(cwd: string, holds: Holds): void {
  const repositories: string[] = [];
  let folders: readonly string[] = [cwd];
  for (let depth = 0, searched = 0; depth < DEEPEST && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      if (searched++ >= MOST_SEARCHED) break;
      for (const entry of orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
        if (entry.name === '.git' && folder !== cwd) repositories.push(join(folder, entry.name));
        else if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) below.push(join(folder, entry.name));
      }
    }
    folders = below;
  }
  for (const path of repositories) {
    if (isHeld(holds, path)) continue;
    if (repositories.length > MOST_NESTED || statsOf(path)?.isDirectory() !== true) hold(holds, path);
    else holdGitFolder(path, dirname(path), holds);
  }
}

/** True where git would take the folder itself for a repository. */
export const isBareRepository = (folder: string): boolean => ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));

/** The values of a git configuration, with the last part of each key in small letters. A line that goes on in the next is one value. */
export function gitValues(text: string): readonly { readonly key: string; readonly value: string }[] {
  return linesOf(text).flatMap((line) => {
    const [, key, value = ''] = /^\s*(?:\[[^\]]*\]\s*)?([A-Za-z][\w-]*)\s*=\s*(.*)$/s.exec(line) ?? [];
    return key === undefined
      ? []
      : [
          {
            key: key.toLowerCase(),
            value: value
              .replace(/\s+[#;][^"]*$/, '')
              .replace(/^"(.*)"$/s, '$1')
              .trim(),
          },
        ];
  });
}

const linesOf = (text: string): readonly string[] => text.replace(/\\\r?\n/g, ' ').split(/\r?\n/);

/**
 * A git configuration without credentials: without headers, passwords, tokens, commands that print them, and what stands before the host of
 * an address. Returns the very text where it has none.
 */
export function withoutCredentials(text: string): string {
  const kept = linesOf(text).filter((line) => !CREDENTIAL_KEYS.test(line) && !/^\s*helper\s*=\s*"?!/i.test(line));
  const clean = redact(kept.join('\n').replace(/:\/\/[^/@\s"\]]+@/g, '://'));
  return kept.length === linesOf(text).length && clean === linesOf(text).join('\n') ? text : clean;
}

const CREDENTIAL_KEYS = /^\s*(?:\[[^\]]*\]\s*)?[\w-]*(?:extraheader|password|token|secret|apikey|smtppass)[\w-]*\s*=/i;

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
