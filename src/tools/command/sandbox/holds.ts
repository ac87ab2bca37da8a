import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Bilingual } from '../../../domain/language.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { isHeldName } from '../../place/held-names.ts';
import { visibleLine } from '../../place/visible.ts';

/** More entries of folders that are held are not looked at one by one: then a person is asked. */
const MOST_ENTRIES = 4_000;

/**
 * What of a working folder can be read and not changed while a command runs. A file or a folder is mounted over itself, which also keeps it
 * from being moved away, and so is each folder above it. A mount says nothing of the other ways to the same thing: a link cannot be mounted
 * over, and a file with two names is written through the other one. A link to something in the folder leaves that held and itself for a look
 * after the command; every other such thing is a problem, with which no command runs there.
 */
export type Holds = {
  readonly cwd: string;
  /** Folders that are kept from being moved away. */
  readonly pinned: Set<string>;
  readonly held: Set<string>;
  readonly problems: Bilingual[];
  /** How many entries were looked at. */
  entries: number;
};

export const createHolds = (cwd: string): Holds => ({
  ...{ cwd, pinned: new Set<string>(), held: new Set<string>(), problems: [], entries: 0 },
});

/** Arguments that follow those which make the working folder writable. */
export const holdArgs = (holds: Holds): readonly string[] => [
  ...[...holds.pinned].filter((path) => !isHeld(holds, path)).flatMap((path) => ['--bind', path, path]),
  ...[...holds.held].filter((path) => !isHeld(holds, dirname(path))).flatMap((path) => ['--ro-bind', path, path]),
];

export function addProblem({ cwd, problems }: Holds, path: string, { en, zh }: Bilingual): void {
  const name = visibleLine(relative(cwd, path) || '.', 200);
  problems.push({ en: `${name} ${en}`, zh: `${name} ${zh}` });
}

export const isHeld = (holds: Holds, path: string): boolean =>
  path !== holds.cwd && (holds.held.has(path) || (path !== dirname(path) && isHeld(holds, dirname(path))));

export function pin(holds: Holds, folder: string): void {
  if (folder === holds.cwd || !isWithin(folder, holds.cwd) || holds.pinned.has(folder)) return;
  pin(holds, dirname(folder));
  holds.pinned.add(folder);
}

/** Nothing happens for what is not there, and for what lies elsewhere. */
export function hold(holds: Holds, path: string): void {
  const parent = orUndefined(() => realpathSync.native(dirname(path)));
  const stats = parent === undefined ? undefined : statsOf(path);
  if (parent === undefined || stats === undefined) return;
  if (parent !== dirname(path)) hold(holds, join(parent, basename(path)));
  else if (path === holds.cwd || !isWithin(path, holds.cwd) || isHeld(holds, path)) return;
  else if (stats.isSymbolicLink()) holdTarget(holds, path, true);
  else if (isOrdinary(holds, path, stats)) {
    pin(holds, parent);
    holds.held.add(path);
    if (stats.isDirectory()) lookInto(holds, path);
  }
}

/** `inTheOpen`: the link itself could be replaced. */
function holdTarget(holds: Holds, path: string, inTheOpen: boolean): void {
  const { cwd } = holds;
  const target = orUndefined(() => realpathSync.native(path));
  if (target === undefined) {
    if (inTheOpen || isWithin(resolve(dirname(path), orUndefined(() => readlinkSync(path)) ?? '.'), cwd))
      addProblem(holds, path, LINK_TO_NOTHING);
  } else if (isWithin(cwd, target)) addProblem(holds, path, LINK_ABOVE);
  else if (isWithin(target, cwd)) {
    if (leadsByLink(holds, path)) addProblem(holds, path, LINK_TO_LINK);
    hold(holds, target);
  } else if (inTheOpen) addProblem(holds, path, LINK_OUT);
}

/** True where another link is on the way to what this one leads to, of which a look after the command would not know that it matters. */
function leadsByLink(holds: Holds, path: string): boolean {
  let way = dirname(path);
  for (const part of (orUndefined(() => readlinkSync(path)) ?? '').split('/')) {
    way = part === '' && way === dirname(path) ? '/' : join(way, part);
    if (!isWithin(way, holds.cwd) || way === holds.cwd || statsOf(way)?.isSymbolicLink() !== true) continue;
    const name = relative(holds.cwd, way);
    if (!isHeld(holds, way) && !isHeldName(name, 'file') && !isHeldName(name, 'folder')) return true;
  }
  return false;
}

function isOrdinary(holds: Holds, path: string, stats: Stats): boolean {
  if (stats.isDirectory()) return true;
  const isFine = stats.isFile() && stats.nlink === 1;
  if (!isFine) addProblem(holds, path, stats.isFile() ? TWO_NAMES : NO_FILE);
  return isFine;
}

/** What a folder holds cannot be replaced, but links in it may lead to what can be, and files in it may have another name. */
function lookInto(holds: Holds, folder: string): void {
  const inside = orUndefined(() => readdirSync(folder, { withFileTypes: true }));
  holds.entries += inside?.length ?? 0;
  if (inside === undefined) addProblem(holds, folder, CLOSED_FOLDER);
  else if (holds.entries > MOST_ENTRIES) addProblem(holds, folder, TOO_MUCH);
  else
    for (const entry of inside) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) lookInto(holds, path);
      else if (entry.isSymbolicLink()) holdTarget(holds, path, false);
      else if (entry.isFile() && !hasOneName(path)) addProblem(holds, path, TWO_NAMES);
    }
}

/** A name that is no text leads nowhere, and so nobody knows of another one. */
const hasOneName = (path: string): boolean => statsOf(path)?.nlink === 1;

/** What is not there is no exception: most names that are looked for are not. */
export const statsOf = (path: string): Stats | undefined => orUndefined(() => lstatSync(path, { throwIfNoEntry: false }));

const LINK_TO_NOTHING: Bilingual = { en: 'is a link that leads nowhere', zh: '是不指向任何内容的链接' };
const LINK_ABOVE: Bilingual = { en: 'is a link to the working folder or to one above it', zh: '是指向当前文件夹或其上级的链接' };
const LINK_TO_LINK: Bilingual = {
  en: 'is a link that leads on by another link, which can be replaced',
  zh: '是经由另一个可被替换的链接指向目标的链接',
};
const LINK_OUT: Bilingual = { en: 'is a link that leads out of the working folder', zh: '是指向当前文件夹之外的链接' };
const NO_FILE: Bilingual = { en: 'is neither a file nor a folder', zh: '既不是文件也不是文件夹' };
const TWO_NAMES: Bilingual = {
  en: 'has a second name (a hard link), through which it can be changed',
  zh: '还有另一个名称（硬链接），可经由它更改',
};
export const CLOSED_FOLDER: Bilingual = { en: 'cannot be looked into', zh: '无法查看其内容' };
const TOO_MUCH: Bilingual = { en: 'holds too much to look through', zh: '内容太多，无法逐一检查' };
