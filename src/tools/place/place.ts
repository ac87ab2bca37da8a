/**
 * Where a path of a model leads, and what may be done there. Every tool that touches a file asks here first.
 *
 * A path comes in as the model wrote it. Out comes the real one, all links followed, and whether it lies in the working folder, outside of
 * it, or is a result of this session; or a refusal in words that the model can act on.
 *
 * What is judged is what is touched: the path is looked at again right before the work, and one that leads elsewhere by then is refused.
 * SanBot's home is refused, this session's results apart, and files by which other programs run something are always asked about.
 * Nothing in a path is expanded. Whether a person agrees is not decided here.
 */

import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { ReasonError } from '../../domain/errors.ts';
import { type Bilingual, because, isBilingual, sameInBoth } from '../../domain/language.ts';
import type { Caution } from '../../domain/permission.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { failureOf, toolFailure } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { isOrUnder, statOf } from './folders.ts';
import { bareRepositoryReason } from './git-files.ts';
import { ledToReason } from './led-to.ts';
import { pathProblem } from './path-problem.ts';
import { ruledNames } from './ruled-paths.ts';
import { runsLater } from './runs-later.ts';
import { holdsSecrets } from './secret-files.ts';
import { inTemporary, mayBeTemporary, placeSeenAt } from './temporary.ts';
import { visibleLine } from './visible.ts';

export type PathContext = Pick<
  ToolContext,
  'cwd' | 'folders' | 'home' | 'sessionFolder' | 'platform' | 'readBody' | 'env' | 'temporary' | 'sandbox' | 'pathRules'
>;

export type ResolvedPath = {
  /** Absolute, with every link resolved, even when the file does not exist yet. For an own body, the path that the store knows. */
  readonly path: string;
  /** `inside`: in the working folder or in one that was added; `temporary`: in the temporary folder of the session, which commands have at /tmp. */
  readonly place: 'inside' | 'outside' | 'own_body' | 'temporary';
  /** The working folder, with links resolved. */
  readonly cwd: string;
  /** For people and the model: relative to the working folder when inside it; shows the target when links led elsewhere. One line. */
  readonly displayName: string;
  /** The path that was given, absolute; another one where links lead from it. Of a temporary file, where commands see it. */
  readonly given: string;
  /** Other names of the same file by which rules of the person know it. */
  readonly aliases?: readonly string[];
  /** Why a person is asked about it also where the place alone would not ask. */
  readonly caution?: Caution;
};

/**
 * Returns where a path from the model leads, or why it is refused. Links are followed before anything is judged, and what is judged is what is touched.
 * Everything in SanBot's home is refused, except this session's offloaded bodies. Never throws.
 */
export function resolvePath(path: string, context: PathContext): ResolvedPath | Bilingual {
  const problem = pathProblem(path, context.platform);
  const name = visibleLine(path, 200);
  if (problem !== undefined) return because(sameInBoth(name), problem);
  const cwd = orUndefined(() => realpathSync.native(context.cwd));
  if (cwd === undefined)
    return {
      en: `the working folder ${visibleLine(context.cwd, 200)} no longer exists`,
      zh: `当前文件夹 ${visibleLine(context.cwd, 200)} 已不存在`,
    };
  try {
    const absolute = resolve(context.cwd, path);
    const { real, temporary } = followed(absolute, context);
    if (temporary !== undefined) return { path: real, place: 'temporary', cwd, ...temporary };
    const body = ownBody([absolute, real], context);
    if (body !== undefined) return { path: body, place: 'own_body', cwd, displayName: visibleLine(body, 400), given: body };
    if (isWithin(absolute, context.home) || isWithin(real, realTarget(context.home)) || isOrUnder(real, context.home)) {
      return because(sameInBoth(name), {
        en: "lies in SanBot's own folder, which tools do not read or change",
        zh: '位于 SanBot 自己的文件夹中，工具不读取也不更改它',
      });
    }
    const place = rootOf(real, cwd, context) === undefined ? 'outside' : 'inside';
    const lexical = isWithin(absolute, context.cwd) ? resolve(cwd, relative(context.cwd, absolute)) : absolute;
    const caution: Partial<ResolvedPath> = [real, lexical].some(holdsSecrets) ? { caution: HOLDS_SECRETS } : {};
    const [from, to] = [displayPath(cwd, lexical), displayPath(cwd, real)];
    const displayName = visibleLine(lexical === real ? to : `${from} -> ${to}`, 400);
    const rules = context.pathRules?.();
    const aliases = rules === undefined ? [] : ruledNames(statOf(real), rules, cwd);
    return { path: real, place, cwd, displayName, given: lexical, ...(aliases.length > 0 && { aliases }), ...caution };
  } catch (error) {
    return toolFailure(error, name);
  }
}

/** Where a path leads for a command of this session: its own temporary folder goes before the system's, also where a link leads there. */
function followed(path: string, context: PathContext) {
  const folder = context.temporary === undefined ? undefined : realTarget(context.temporary.folder);
  for (let [current, links] = [path, 0]; ; links++) {
    const real = realTarget(inTemporary(current, context) ?? current);
    if (context.temporary !== undefined && folder !== undefined && isWithin(real, folder)) {
      const seen = placeSeenAt(join(context.temporary.folder, relative(folder, real)), context.temporary);
      if (seen !== undefined) return { real, temporary: { given: seen.path, displayName: temporaryName(seen) } };
    }
    if (real === current || inTemporary(real, context) === undefined) return { real };
    if (links > MAX_LINKS) throw new ReasonError({ en: 'its symbolic links go on and on', zh: '符号链接一个接一个，没有尽头' });
    current = real;
  }
}

const temporaryName = ({ path, isElsewhereToo }: { readonly path: string; readonly isElsewhereToo: boolean }): string =>
  visibleLine(isElsewhereToo ? `${path} (of this session; outside of the sandbox there is another)` : path, 400);

/** Whether the session has a temporary folder is known once a sandbox has been looked for: to be called before a path that may lie there is resolved. */
export async function knowTemporary(path: string, { cwd, folders, temporary, sandbox }: PathContext): Promise<void> {
  if (temporary === undefined || temporary.isUsed()) return;
  const real = orUndefined(() => realTarget(resolve(cwd, path))) ?? path;
  if ([resolve(cwd, path), real].some((each) => mayBeTemporary(each) && rootOf(each, cwd, { folders }) === undefined))
    await sandbox().catch(() => undefined);
}

const HOLDS_SECRETS: Caution = { why: { en: 'such files hold keys or passwords', zh: '这类文件含有密钥或密码' }, eachTime: false };

/**
 * Like `resolvePath`, for something that will be changed. What can make something run later by itself, or is reached by a link, is asked
 * about each time. Bodies of this session are refused.
 */
export function resolveTarget(path: string, context: PathContext): ResolvedPath | Bilingual {
  if (/[/\\]$/.test(path))
    return because(sameInBoth(visibleLine(path, 200)), {
      en: 'names a folder; give the path of a file',
      zh: '指的是文件夹；请给出文件的路径',
    });
  const target = resolvePath(path, context);
  if (isBilingual(target)) return target;
  if (target.place === 'own_body')
    return because(sameInBoth(target.displayName), { en: 'offloaded results are never changed', zh: '转存的结果从不更改' });
  if (target.place === 'temporary') return target;
  const why = changeReason(target, context);
  const { caution: _read, ...rest } = target;
  return why === undefined ? rest : { ...rest, caution: { why, eachTime: true } };
}

/** Why a change of what a command names is asked about, by its name and where that leads; undefined for anything else. */
export function changeReasonOf(path: string, context: PathContext): Bilingual | undefined {
  const target = resolvePath(path.replace(/[/\\]+$/, ''), context);
  return isBilingual(target) || target.path === target.cwd ? undefined : changeReason({ ...target, given: target.path }, context);
}

/** The working folder or the added one that a path lies in. */
const rootOf = (path: string, cwd: string, { folders }: Pick<PathContext, 'folders'>): string | undefined =>
  [cwd, ...(folders?.() ?? [])].find((folder) => isWithin(path, folder));

/** Why a change of this file is asked about each time. Judged are the path as it was given and the one that it leads to. */
function changeReason({ path, given, cwd }: ResolvedPath, { env, pathRules, folders }: PathContext): Bilingual | undefined {
  const runFiles = pathRules?.().runFiles ?? [];
  for (const each of [path, given]) {
    const why = runsLater(each) ?? bareRepositoryReason(each);
    if (why !== undefined) return why;
    if (runFiles.includes(each)) return { en: 'a hook or an MCP server of the settings runs it', zh: '设置中的钩子或 MCP 服务器会运行它' };
  }
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (isAbsolute(folder) && isOrUnder(path, folder))
      return { en: `commands are looked for in ${visibleLine(folder, 200)}`, zh: `系统会在 ${visibleLine(folder, 200)} 中查找命令` };
  }
  const root = rootOf(path, cwd, { folders });
  const ledTo = root === undefined ? undefined : ledToReason(path, root);
  if (ledTo !== undefined) return ledTo;
  return given === path ? undefined : { en: 'it is reached by a link', zh: '它是通过链接到达的' };
}

export type PlannedPath = { readonly path: string; readonly target: ResolvedPath; readonly context: PathContext };

/** Does it where the path that was planned with still leads to the same place. `done`: what then was done to nothing. */
export async function unlessMoved(
  { path, target, context }: PlannedPath,
  done: Bilingual,
  work: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const current = resolvePath(path, context);
  if (!isBilingual(current) && current.path === target.path) return work();
  const why = { en: `now leads elsewhere; nothing was ${done.en}`, zh: `现在指向别处；没有${done.zh}任何内容` };
  return failureOf(target.displayName, why);
}

/** Returns a path relative to `cwd` when it is below it, else the whole path. */
export function displayPath(cwd: string, path: string): string {
  return isWithin(path, cwd) ? relative(cwd, path) || '.' : path;
}

export const NO_BODY: Bilingual = {
  en: 'no result of this session is stored there, or it is damaged',
  zh: '那里没有保存本会话的结果，或者已经损坏',
};

/** Returns a short name for a body in results: its path is long, and whoever reads the result has just given it. */
export const bodyName = (path: string): string => visibleLine(`…/${basename(dirname(path))}/${basename(path)}`, 150);

const MAX_LINKS = 40;

/**
 * Follows links as far as the path exists, even links that lead nowhere, and appends the rest. Throws for circles and forbidden folders.
 */
function realTarget(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  const entry = statOf(path, lstatSync);
  if (entry?.isSymbolicLink() === true) {
    if (links >= MAX_LINKS) throw new ReasonError({ en: 'its symbolic links go on and on', zh: '符号链接一个接一个，没有尽头' });
    return realTarget(resolve(realTarget(dirname(path), links + 1), readlinkSync(path)), links + 1);
  }
  const parent = dirname(path);
  return parent === path ? path : join(realTarget(parent, links), basename(path));
}

/** Returns the path under which the store knows a body of this session (or their folder), when one of the paths is such a one. */
function ownBody(paths: readonly string[], context: PathContext): string | undefined {
  const folder = join(context.sessionFolder, 'offloaded');
  const real = realTarget(folder);
  for (const path of paths) {
    for (const root of [folder, real]) if (isWithin(path, root)) return join(folder, relative(root, path));
  }
  return paths.find((path) => isWithin(path, context.home) && context.readBody(path) !== undefined);
}
