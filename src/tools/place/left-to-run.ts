import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import type { Change, Entry, LaterFile } from '../../domain/session/change.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { lazily } from '../../domain/value/word-list.ts';
import { pathsNamedByGit } from './git-config.ts';
import { bareRepositoryReason, isBareReason } from './git-files.ts';
import { gitFileReason, gitLeavesReason, isPlainRepository } from './git-leaves.ts';
import { isHeldName } from './held-names.ts';
import { plainName } from './path-patterns.ts';
import { linkRunsLater, runsLater } from './runs-later.ts';

export type LaterPlace = {
  /** The folder that the changes are of, absolute, without links: the work tree, or the working folder. */
  readonly root: string;
  /** Where programs are looked for. */
  readonly searchPath: string | undefined;
  /** Files that hooks and MCP servers of the settings run, absolute. */
  readonly runFiles: readonly string[];
  /** A person's own configurations of git. */
  readonly gitConfigs: readonly string[];
  /** Folders that were made part of the repository as repositories of their own, absolute; unknown where its index is not understood. */
  readonly gitlinks: readonly string[] | 'unknown';
};

const LINKED: Bilingual = {
  en: 'git status goes into a repository that it adds, whose configuration can run something',
  zh: 'git status 会进入它所添加的仓库，而该仓库的配置可以运行程序',
};
const NAMED: Bilingual = { en: 'the configuration of git names it', zh: 'git 的配置指名了它' };
const NAMED_BY_SETTINGS: Bilingual = { en: 'a hook or an MCP server of the settings runs it', zh: '设置中的钩子或 MCP 服务器会运行它' };
const ON_PATH: Bilingual = { en: 'commands are looked for in its folder', zh: '系统会在其文件夹中查找命令' };

/**
 * Which of these changes leave a file that runs by itself later, and why. By the one list of names (`runs-later`); of a repository by what
 * stands in it now, since one that is as git makes it runs nothing. A link counts as what it may lead to, and what was deleted where that may
 * have been a guard (`guardReason`). A folder by itself runs nothing.
 */
export function leftToRun(changes: readonly Change[], place: LaterPlace): readonly LaterFile[] {
  const named = lazily(() => pathsNamedByGit(place.root, place.gitConfigs));
  const folders = lazily(() => pathFolders(place));
  const changed = lazily(() => new Map(changes.map((change) => [change.path, change])));
  const nameReason = (path: string): Bilingual | undefined => (isNamed(path, named()) ? NAMED : undefined);
  const reasonOf = (change: Change): Bilingual | undefined => {
    const { path, before, after } = change;
    if (after === null) return before === null || before.kind === 'folder' ? undefined : deletedReason(path, before.kind);
    if (after.kind === 'folder') {
      const isClosed = before?.kind === 'folder' && before.mode !== after.mode && (after.mode & 0o500) !== 0o500;
      return before?.kind === 'link' || isClosed ? linkRunsLater(fromPackage(path, place.root)) : undefined;
    }
    const asFolder = after.kind === 'link' || before?.kind === 'link' ? linkRunsLater(fromPackage(path, place.root)) : undefined;
    const inPlace = before?.kind === 'folder' ? changes.map((each) => reasonBelow(path, each)).find((why) => why !== undefined) : undefined;
    return reasonFor(path, after.kind, place) ?? asFolder ?? inPlace ?? nameReason(path) ?? folderReason(path, folders());
  };
  const deletedReason = (path: string, kind: Entry['kind']): Bilingual | undefined =>
    guardReason({ path, kind, gone: goneWith(path, changed()) }, place) ?? nameReason(path);
  const reasonBelow = (folder: string, { path, before, after }: Change): Bilingual | undefined =>
    after === null && before !== null && before.kind !== 'folder' && path.startsWith(`${folder}/`)
      ? deletedReason(path, before.kind)
      : undefined;
  return changes.flatMap((change) => {
    const why = reasonOf(change);
    return why === undefined ? [] : [{ path: change.path, why }];
  });
}

/** The highest folder that was deleted with a path; the path itself where its folder is still there, or something else in its place. */
function goneWith(path: string, changed: ReadonlyMap<string, Change>): string {
  const above = changed.get(dirname(path));
  return above?.before?.kind === 'folder' && above.after === null ? goneWith(dirname(path), changed) : path;
}

const isNamed = (path: string, named: readonly string[]): boolean => named.some((each) => isWithin(path, each));

const folderReason = (path: string, folders: readonly string[]): Bilingual | undefined =>
  folders.includes(dirname(path)) ? ON_PATH : undefined;

/** Those in the folder: of a relative one, as the folder itself, each program that is started there would be of it. */
const pathFolders = ({ searchPath = '', root }: LaterPlace): readonly string[] =>
  searchPath
    .split(delimiter)
    .map((folder) => resolve(root, folder))
    .filter((folder) => isWithin(folder, root));

function reasonFor(path: string, kind: 'file' | 'link' | 'other', { root, runFiles, gitlinks }: LaterPlace): Bilingual | undefined {
  if (runFiles.includes(path)) return NAMED_BY_SETTINGS;
  if (path === join(root, '.git', 'index') && (gitlinks === 'unknown' || runningRepositories(gitlinks, root).length > 0)) return LINKED;
  const inGit = gitReasons(path, kind, root);
  if (inGit !== 'elsewhere') return inGit;
  const why = (kind === 'link' ? linkRunsLater : runsLater)(fromPackage(path, root)) ?? bareRepositoryReason(path);
  if (why === undefined || !isBareReason(why)) return why;
  return kind === 'file' && repositoriesOf(path, root).every((folder) => isPlainRepository(folder, root)) ? undefined : why;
}

/** The folders that git would take for a repository because of a path in them. */
const repositoriesOf = (path: string, root: string): readonly string[] => {
  const parts = relative(root, path).split(sep);
  const above = parts.flatMap((part, i) =>
    ['objects', 'refs', 'hooks'].includes(plainName(part)) ? [join(root, ...parts.slice(0, i))] : [],
  );
  return [dirname(path), ...above];
};

/** Each `.git` on the way is judged, in whatever spelling; `elsewhere` where there is none. */
function gitReasons(path: string, kind: 'file' | 'link' | 'other', root: string): Bilingual | undefined | 'elsewhere' {
  const parts = relative(root, path).split(sep);
  const places = parts.flatMap((part, i) => (['.git', 'git~1'].includes(plainName(part)) ? [i] : []));
  if (places.length === 0) return 'elsewhere';
  for (const at of places) {
    const rest = parts.slice(at + 1).join('/');
    if (parts[at] !== '.git' || kind !== 'file') return runsLater(path) ?? runsLater(join(root, '.git', 'config'));
    const gitFolder = join(root, ...parts.slice(0, at + 1));
    const why = rest === '' ? gitFileReason(path, root) : gitLeavesReason({ path, gitFolder, rest, root });
    if (why !== undefined) return why;
  }
  return undefined;
}

/** The repositories among these folders that would run something. */
const runningRepositories = (gitlinks: readonly string[], root: string): readonly string[] =>
  gitlinks.filter((folder) => !isPlainRepository(join(folder, '.git'), root));

type Deleted = {
  readonly path: string;
  readonly kind: Entry['kind'];
  /** The highest folder that was deleted with it, or the path itself. */
  readonly gone: string;
};

/**
 * Why it matters that a file or a link was deleted: a hook, a rule or a check that ran by itself does not any more. What went with all of an
 * ordinary folder, or with all of a repository, guarded nothing else; nor did what installations and builds write.
 */
export function guardReason(
  { path, kind, gone }: Deleted,
  { root, runFiles }: { readonly root: string; readonly runFiles: readonly string[] },
): Bilingual | undefined {
  if (runFiles.includes(path)) return RUN_BY_SETTINGS;
  const worked = (each: string): string => fromPackage(each, root);
  const name = relative(root, path);
  const inGit = gitParts(name);
  if (inGit !== undefined) return gitGuard(inGit) && isPartOfGit(relative(root, gone)) ? runsLater(worked(path)) : undefined;
  const goneName = relative(root, gone);
  if (gone !== path && !isHeldName(goneName, 'folder') && linkRunsLater(worked(gone)) === undefined) return undefined;
  if (isHeldName(name, 'file')) return runsLater(worked(path));
  return kind === 'link' ? linkRunsLater(worked(path)) : undefined;
}

const RUN_BY_SETTINGS: Bilingual = {
  en: 'a hook or an MCP server of the settings runs it',
  zh: '设置中的钩子或 MCP 服务器会运行它',
};

/** What follows the last folder of git on the way to a path. */
function gitParts(name: string): readonly string[] | undefined {
  const parts = name.split(sep);
  const at = parts.findLastIndex((part) => plainName(part) === '.git');
  return at < 0 ? undefined : parts.slice(at + 1);
}

/** Hooks that are no samples, configuration and attributes; all else there is git's data, or led somewhere. */
function gitGuard(parts: readonly string[]): boolean {
  const file = parts.at(-1) ?? '';
  if (['refs', 'logs', 'objects'].includes(parts[0] ?? '')) return false;
  if (parts.at(-2) === 'hooks') return !file.endsWith('.sample');
  return ['config', 'config.worktree'].includes(file) || join(parts.at(-2) ?? '', file) === join('info', 'attributes');
}

/** True where what was deleted is not all of a repository's folder, nor all of a submodule's or a linked worktree's. */
function isPartOfGit(gone: string): boolean {
  const parts = gitParts(gone);
  return parts !== undefined && (['hooks', 'info'].includes(basename(gone)) || gitGuard(parts));
}

/** Who works in an installed package works on it: that it is one says nothing of its files. */
export const fromPackage = (path: string, root: string): string => {
  const at = `${root}/`.lastIndexOf('/node_modules/');
  return at < 0 ? path : path.slice(at + '/node_modules'.length);
};
