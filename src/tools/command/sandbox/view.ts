/**
 * The read-only view: a sandbox in which a command can write nothing in the working folder, so that what only reads needs no yes and no look
 * afterwards. In comes what a command reads (`viewed-command.ts`), out what has to be covered for it, or nothing: then it is no such command
 * here.
 *
 * - git is looked at before: its configuration must be as git writes it, its repository lie in the folder without a link in it, and have no other in it, since of
 *   those git would start itself anew with what their configuration says. What is switched off by variables comes on top of that.
 * - Files that hold secrets are covered where whole folders are searched, and are binary for git.
 */

import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isBilingual } from '../../../domain/language.ts';
import type { ParsedCommand, ShellPattern, SimpleCommand, ViewedCommand } from '../../../domain/permission.ts';
import { scanIndex } from '../../../domain/session/git-index.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { isOrUnder } from '../../place/folders.ts';
import { isPlainConfig, strangersBytes, strangersFile } from '../../place/git-config.ts';
import { resolvePath } from '../../place/place.ts';
import { holdsSecrets } from '../../place/secret-files.ts';
import type { ToolContext } from '../../tool-context.ts';
import { completePattern, matchesName, plainOf } from '../lost/complete-pattern.ts';
import { isBareRepository, outerGitFolders } from './git-holds.ts';

/** More entries are not searched for files that hold secrets, nor are more of those covered. */
const MOST_ENTRIES = 200_000;
const MOST_COVERED = 200;
const MOST_GIT_ENTRIES = 50_000;
const MOST_INDEX_BYTES = 64 * 1024 * 1024;

/** What a command reads and what is covered for it, where it only reads in a read-only view; rules for paths reach no file that git shows. */
export async function commandView(parsed: ParsedCommand, context: ToolContext): Promise<View | undefined> {
  const { deny = [], ask = [], viewed: viewedBy } = context.pathRules?.() ?? {};
  const cwd = orUndefined(() => realpathSync(context.cwd));
  const known = cwd === undefined ? undefined : completed(parsed, cwd);
  const viewed = known && viewedBy?.(known);
  if (
    viewed === undefined ||
    known === undefined ||
    known.commands.some(({ words }) => isChosenByFolder(words[0], context)) ||
    cwd === undefined ||
    (await freeToRead(viewed.paths, known, context)) === undefined
  )
    return undefined;
  const isRuled = viewed.showsFiles && [...deny, ...ask].some(({ file, path }) => (file ?? path) !== undefined);
  const covered = isRuled ? undefined : coveredInView(viewed, cwd);
  return covered && { paths: viewed.paths, covered };
}

type View = { readonly paths: readonly string[]; readonly covered: readonly string[] };

/** With the words that bash puts in the place of patterns; undefined where these cannot all be told. */
function completed(parsed: ParsedCommand, cwd: string): ParsedCommand | undefined {
  if (parsed.hasOnlyPatterns !== true) return parsed;
  const commands: SimpleCommand[] = [];
  for (const { patterns, ...command } of parsed.commands) {
    const { words, folder } = command;
    if (patterns !== undefined && (folder === null || /[*?[~]/.test(folder ?? '') || mayBeProgram(words))) return undefined;
    const all = words.map((word, at) => (word === undefined ? wordsFor(patterns?.get(at), resolve(cwd, plainOf(folder ?? '.'))) : [word]));
    if (all.includes(undefined)) return undefined;
    commands.push({ ...command, words: all.flatMap((each) => each ?? []) });
  }
  return { ...parsed, commands, isPlain: true };
}

/** Where the first of several names would be the program that is run, or an object of git, and the disk says which one is first. */
const mayBeProgram = ([name, ...words]: SimpleCommand['words']): boolean =>
  name === 'git' ||
  (['awk', 'jq'].includes(name ?? '') && words.find((word, at) => word?.startsWith('-') !== true && words[at - 1] !== '-F') === undefined);

/**
 * Of patterns only those with a star, since what else stands for a name depends on the locale; no name that would be an option or a file of
 * options, no folder above. Several names stand there twice: which of them comes first, and is no path for a program, is for the shell to say.
 */
function wordsFor(patterns: readonly ShellPattern[] = [], cwd: string): readonly string[] | undefined {
  const words: string[] = [];
  let isWhole = patterns.length > 0;
  for (const pattern of patterns) {
    const bare = pattern.replace(/\\./gs, '');
    const found = bare.includes('*') ? completePattern(pattern, { cwd, userHome: undefined, cut: () => (isWhole = false) }) : [];
    isWhole &&= !/[?[]|^~/.test(bare) && found.every((path) => !/^[-@]/.test(relative(cwd, path)));
    isWhole &&= !bare.includes('*') || !pattern.split('/').some((part) => matchesName(part, '..'));
    words.push(...(found.length === 0 ? [plainOf(pattern)] : found), ...(found.length > 1 ? found : []));
  }
  // An empty word of braces is none.
  return isWhole && !words.includes('') ? words : undefined;
}

/** Where these paths lead, when all are free to read by these commands and no bare program name is the project's; else undefined. */
export async function freeToRead(
  paths: readonly string[],
  { commands }: ParsedCommand,
  context: ToolContext,
): Promise<readonly string[] | undefined> {
  const read: string[] = [];
  // Of two folders it shows every file, and those that links in them lead to.
  const isOfFiles = commands.some(({ words }) => words[0] === 'diff');
  for (const path of paths) {
    const target = resolvePath(path, context);
    if (isBilingual(target) || target.place === 'outside' || target.caution !== undefined) return undefined;
    if (leadsElsewhere(path, context.cwd) || (isOfFiles && orUndefined(() => statSync(target.path).isDirectory()) === true))
      return undefined;
    read.push(target.path, target.given);
  }
  return programsAreOutside(context) ? read : undefined;
}

/** From a folder that a link leads to, the folder above is another one for programs than by the words. */
function leadsElsewhere(path: string, cwd: string): boolean {
  if (!path.split('/').includes('..')) return false;
  const [real, named] = [isAbsolute(path) ? path : `${cwd}/${path}`, resolve(cwd, path)].map((each) =>
    orUndefined(() => realpathSync.native(each)),
  );
  return real !== named;
}

/** A folder of the project among those where programs are looked for could put another one in the place of `ls`. */
function programsAreOutside({ env, cwd, folders }: ToolContext): boolean {
  const projects = [cwd, ...(folders?.() ?? [])];
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder) || (orUndefined(() => projects.some((each) => isOrUnder(folder, each))) ?? true)) return false;
  }
  return true;
}

/** Version managers put programs into `shims` that read files of the folder, links too, to choose another one. */
const isChosenByFolder = (name = '', { env }: ToolContext): boolean =>
  (env.PATH ?? '').split(delimiter).some((folder) => basename(folder) === 'shims' && isThere(join(folder, name)));

/** What is covered in a view for this command, absolute; undefined where the command needs more than a view, or may show more. */
function coveredInView({ searched, repositories, folder, ...shows }: ViewedCommand, cwd: string): readonly string[] | undefined {
  if (folder !== undefined && orUndefined(() => statSync(resolve(cwd, folder)).isDirectory()) !== true) return undefined;
  if (!repositories.every((each) => isPlainRepository(resolve(cwd, each), { ...shows, cwd }))) return undefined;
  return secretsBelow([...new Set(searched.map((each) => resolve(cwd, each)))]);
}

function secretsBelow(places: readonly string[]): readonly string[] | undefined {
  const found = new Set<string>();
  let left = MOST_ENTRIES;
  const look = (path: string, entry: Pick<Dirent, 'isDirectory'> | undefined): void => {
    // Below a name that is not UTF-8 nothing is found.
    if (path.includes('\ufffd')) left = 0;
    if (left-- <= 0 || entry === undefined) return;
    if (holdsSecrets(path)) found.add(path);
    else if (entry.isDirectory())
      for (const each of orUndefined(() => readdirSync(path, { withFileTypes: true })) ?? []) look(join(path, each.name), each);
  };
  // What a link leads to is searched where the link is named; below a folder links are not followed.
  for (const place of places.map((each) => orUndefined(() => realpathSync(each))))
    if (place !== undefined)
      look(
        place,
        orUndefined(() => lstatSync(place)),
      );
  const files = [...found].filter((path) => orUndefined(() => lstatSync(path).isSymbolicLink()) === false);
  return left <= 0 || files.length > MOST_COVERED ? undefined : files;
}

/** True where git that looks, begun in this folder, runs nothing but itself and shows nothing from outside of the working folder. */
function isPlainRepository(
  folder: string,
  { cwd, showsFiles, showsObjects }: Pick<ViewedCommand, 'showsFiles' | 'showsObjects'> & { readonly cwd: string },
): boolean {
  const top = topOf(folder, cwd);
  if (top === undefined) return false;
  const git = join(top, '.git');
  const isFolder = orUndefined(() => lstatSync(git).isDirectory()) === true;
  // A linked worktree has its git folder elsewhere, and shares another.
  const folders = isFolder ? [git] : top === cwd ? outerGitFolders(cwd) : [];
  const own = folders.at(-1);
  if (own === undefined || (isFolder && existsSync(join(git, 'commondir')))) return false;
  if (!/^(?:ref: refs\/|[0-9a-f]{40})/.test(strangersFile(join(own, 'HEAD')) ?? '')) return false;
  const configs = folders.flatMap((each) => [join(each, 'config'), join(each, 'config.worktree')]).filter((path) => isThere(path));
  const texts = configs.map((path) => strangersFile(path));
  if (!texts.every((text) => text !== undefined && isPlainConfig(text))) return false;
  if (!folders.every(isOwnFolder)) return false;
  const oidBytes = texts.some((text) => /objectformat\s*=\s*sha256/i.test(text ?? '')) ? 32 : 20;
  const isHidden = (path: string): boolean =>
    !showsObjects &&
    (!showsFiles || (showsNoMore(join(own, 'info', 'attributes')) && attributesAbove(join(top, path), top).every(showsNoMore)));
  return isPlainIndex(join(own, 'index'), { oidBytes, isHidden });
}

/** Nothing in it is a link, of which git would show what it leads to, where it understands that or not, and no other store is joined to it. */
function isOwnFolder(folder: string): boolean {
  let left = MOST_GIT_ENTRIES;
  const isOwn = (path: string): boolean =>
    readdirSync(path, { withFileTypes: true }).every(
      (each) => left-- > 0 && !each.isSymbolicLink() && (!each.isDirectory() || each.name === 'hooks' || isOwn(join(path, each.name))),
    );
  return !isThere(join(folder, 'objects', 'info', 'alternates')) && orUndefined(() => isOwn(folder)) === true;
}

const attributesAbove = (path: string, top: string): readonly string[] =>
  isWithin(dirname(path), top) ? [join(dirname(path), '.gitattributes'), ...attributesAbove(dirname(path), top)] : [];

/** Attributes of the folder come before those that let git show no lines of files that hold secrets. */
const showsNoMore = (path: string): boolean => !isThere(path) || !/(?<!-)\bdiff\b|\bbinary\b|\[attr\]/.test(strangersFile(path) ?? 'diff');

/** What cannot be looked at may be there. */
const isThere = (path: string): boolean => orUndefined(() => lstatSync(path, { throwIfNoEntry: false }) === undefined) !== true;

/** Where git finds its repository from a folder of the working folder; undefined where that is not in it, or not as one would think. */
function topOf(folder: string, cwd: string): string | undefined {
  const from = orUndefined(() => realpathSync(folder));
  if (from === undefined || !isWithin(from, cwd) || isBareRepository(from)) return undefined;
  if (isThere(join(from, '.git'))) return from;
  return from === cwd ? undefined : topOf(dirname(from), cwd);
}

const GITLINK = 0o160000;
const MODE_AT = 24;

/** True for an index that is understood, in which no other repository stands. */
function isPlainIndex(
  path: string,
  { oidBytes, isHidden }: { readonly oidBytes: number; readonly isHidden: (path: string) => boolean },
): boolean {
  if (!isThere(path)) return true;
  const bytes = strangersBytes(path, MOST_INDEX_BYTES);
  let isPlain = true;
  const entry = (start: number, _: number, text: Buffer, from: number, to: number): void => {
    const path = text.toString('utf8', from, to);
    isPlain &&= bytes?.readUInt32BE(start + MODE_AT) !== GITLINK && (!holdsSecrets(path) || isHidden(path));
  };
  return bytes !== undefined && orUndefined(() => scanIndex(bytes, oidBytes, { entry })) !== undefined && isPlain;
}
