import { basename, join, relative, sep } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import type { Entry } from '../../domain/session/change.ts';
import { isHeldName } from './held-names.ts';
import { plainName } from './path-patterns.ts';
import { linkRunsLater, runsLater } from './runs-later.ts';

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
