import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf, failureText } from '../tool.ts';
import { isOrUnder, statOf } from './folders.ts';
import { opensGates } from './gates.ts';
import { unclearPath } from './unclear-path.ts';
import { visibleLine } from './visible.ts';

export type Ground = {
  readonly cwd: string;
  readonly home: string;
  readonly sessionFolder: string;
  readonly platform: string;
  readonly readBody: (path: string) => string | undefined;
};

export type Placed = {
  readonly kind: 'placed';
  /** Absolute, every link resolved, also when the file does not exist yet. Of an own body: the path the store knows. */
  readonly path: string;
  readonly place: 'inside' | 'outside' | 'own_body';
  /** The working folder, links resolved. */
  readonly cwd: string;
  /** For people and the model: relative to the working folder inside of it; names the target when links led elsewhere. One line. */
  readonly shown: string;
};
export type Refused = { readonly kind: 'refused'; readonly message: string };

/**
 * Where a path that the model gave leads. Links are followed before anything is judged, and what is judged is what is
 * touched. Everything in SanBot's home is refused, this session's offloaded bodies apart. Never rejects.
 */
export async function placePath(given: string, ground: Ground): Promise<Placed | Refused> {
  const unclear = unclearPath(given, ground.platform);
  const name = visibleLine(given, 200);
  if (unclear !== undefined) return refused(`${name}: ${unclear}`);
  const cwd = await realOrUndefined(ground.cwd);
  if (cwd === undefined) return refused(`the working folder ${visibleLine(ground.cwd, 200)} no longer exists`);
  try {
    const asked = resolve(ground.cwd, given);
    const real = await realTarget(asked);
    const body = await ownBody([asked, real], ground);
    if (body !== undefined) return { kind: 'placed', path: body, place: 'own_body', cwd, shown: visibleLine(body, 400) };
    if (isWithin(asked, ground.home) || isWithin(real, await realTarget(ground.home)) || (await isOrUnder(real, ground.home))) {
      return refused(`${name}: lies in SanBot's own folder, which tools do not read or change`);
    }
    const place = isWithin(real, cwd) ? 'inside' : 'outside';
    const lexical = isWithin(asked, ground.cwd) ? resolve(cwd, relative(ground.cwd, asked)) : asked;
    return { kind: 'placed', path: real, place, cwd, shown: shownPath(real, { cwd, asked: lexical }) };
  } catch (error) {
    return refused(failureText(error, name));
  }
}

/**
 * As `placePath`, for something that will be changed. `outside` also stands for files in the working folder that make other
 * programs run by themselves, so that trust in the folder does not cover them. Bodies of this session are refused.
 */
export async function placeTarget(given: string, ground: Ground): Promise<Placed | Refused> {
  if (/[/\\]$/.test(given)) return refused(`${visibleLine(given, 200)}: names a folder; give the path of a file`);
  const placed = await placePath(given, ground);
  if (placed.kind === 'refused') return placed;
  if (placed.place === 'own_body') return refused(`${placed.shown}: offloaded results are never changed`);
  return placed.place === 'inside' && opensGates(placed.path) ? { ...placed, place: 'outside' } : placed;
}

/** Whether the path that was planned with still leads to the same place. */
export async function leadsThere(given: string, placed: Placed, ground: Ground): Promise<boolean> {
  const now = await placePath(given, ground);
  return now.kind === 'placed' && now.path === placed.path;
}

/** Whether `path` is `folder` or below it, by whole components: /ws/project-b is not in /ws/project. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** How a path below `cwd` is called, and any other by its whole path. */
export function nameFrom(cwd: string, path: string): string {
  return isWithin(path, cwd) ? relative(cwd, path) || '.' : path;
}

/** A body as results name it: its path is long, and the one who reads it has just given it. */
export const bodyName = (path: string): string => visibleLine(`…/${basename(dirname(path))}/${basename(path)}`, 150);

const refused = (message: string): Refused => ({ kind: 'refused', message });

const MAX_LINKS = 40;

/** Follows links as far as the path exists, a link that leads nowhere too, and appends the rest. Throws for circles and forbidden folders. */
async function realTarget(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const entry = await statOf(path, lstat);
  if (entry?.isSymbolicLink() === true) {
    if (links >= MAX_LINKS) throw new Error('its symbolic links go on and on');
    return realTarget(resolve(await realTarget(dirname(path), links + 1), await readlink(path)), links + 1);
  }
  const parent = dirname(path);
  return parent === path ? path : join(await realTarget(parent, links), basename(path));
}

/** The path under which the store knows a body of this session, if any of the paths is one (or their folder). */
async function ownBody(paths: readonly string[], ground: Ground): Promise<string | undefined> {
  const folder = join(ground.sessionFolder, 'offloaded');
  const real = await realTarget(folder);
  for (const path of paths) {
    for (const root of [folder, real]) if (isWithin(path, root)) return join(folder, relative(root, path));
  }
  const known = paths.find((path) => isWithin(path, ground.home) && ground.readBody(path) !== undefined);
  return known;
}

function shownPath(real: string, from: { readonly cwd: string; readonly asked: string }): string {
  const target = nameFrom(from.cwd, real);
  return visibleLine(from.asked === real ? target : `${nameFrom(from.cwd, from.asked)} -> ${target}`, 400);
}

async function realOrUndefined(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}
