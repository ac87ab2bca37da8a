import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { RecordReach } from '../../../agent/ports/disk.ts';
import type { LostCopies, LostPaths, LostToArchive } from '../../../domain/permission.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { archiveNames } from './archive-names.ts';
import { completePattern, matchesName, type PatternBase, standingAt } from './complete-pattern.ts';
import { ignoredFiles } from './ignored-files.ts';

/** A path that nobody could bring back; of a folder that is lost as a whole, and of a device, without bytes. */
export type LostPath = { readonly path: string; readonly bytes?: number };

export type LookPlace = PatternBase & {
  readonly reach: RecordReach;
  /** Nothing outside of the working folder and the added ones can be changed. */
  readonly isConfined: boolean;
  readonly folders: readonly string[];
  /** True for what is of this process's own work alone. */
  readonly isScratch: (path: string, standing: Stats) => boolean;
  readonly budget: LookBudget;
  /** The recorded paths that came to be looked at. */
  readonly named: Set<string>;
};

type Act = LostPaths['act'];
type Filter = (path: string) => boolean;
const ALL: Filter = () => true;

/** What stands now at the paths that a command would delete or overwrite, and could not be brought back. Never throws. */
export function pathsLost(loss: LostPaths | LostCopies | LostToArchive, place: LookPlace): readonly LostPath[] {
  if (loss.folder === null) return [];
  const [cwd] = loss.folder === undefined ? [place.cwd] : completePattern(loss.folder, place);
  const base = { cwd: cwd ?? place.cwd, userHome: place.userHome };
  if (loss.kind === 'archive') return lostToArchive(loss, base, place);
  return loss.kind === 'copies' ? lostToCopies(loss, base, place) : lostThemselves(loss, base, place);
}

function lostThemselves({ patterns, act, names, only }: LostPaths, base: PatternBase, place: LookPlace): readonly LostPath[] {
  const { reach } = place;
  if (only === 'tracked') {
    const paths = patterns.flatMap((pattern) => completePattern(pattern, base));
    const isNamed: Filter = (path) =>
      patterns.length === 0 || paths.some((each) => isWithin(path, orUndefined(() => realpathSync(each)) ?? each));
    const changed = [...reach.tracked()].filter(
      (path) => --place.budget.left >= 0 && isNamed(path) && isUnkept(path, standingAt(path)?.size ?? 0, reach),
    );
    return changed.flatMap((path) =>
      reach.isClean(path) ? [] : lostAt(path, act, ALL, { ...place, reach: { ...reach, isClean: () => false } }),
    );
  }
  const ignored = only === 'unignored' ? ignoredFiles(reach.folders[0] ?? base.cwd) : undefined;
  return patterns.flatMap((pattern) =>
    completePattern(pattern, base).flatMap((root) => {
      const isNamed: Filter = (path) =>
        names === undefined ||
        relative(root, path)
          .split('/')
          .some((part) => names.some((name) => matchesName(name, part, { hidden: true })));
      const isMeant: Filter = (path) => isNamed(path) && (only === undefined || (!reach.tracked().has(path) && ignored?.(path) !== true));
      return lostAt(root, act, isMeant, place);
    }),
  );
}

/** A file whose bytes the record does not keep. */
const isUnkept = (path: string, size: number, { fileBytes, isKept }: RecordReach): boolean =>
  size > fileBytes || (size > 0 && !isKept(path));

/** What is lost of a path and all below it when it goes, or when others are written in its place. */
function lostAt(path: string, act: Act, isMeant: Filter, place: LookPlace): readonly LostPath[] {
  const { reach, isConfined, folders } = place;
  const real = orUndefined(() => (act === 'delete' ? join(realpathSync(dirname(path)), basename(path)) : realpathSync(path)));
  const standing = real === undefined ? undefined : standingAt(real);
  if (real === undefined || standing === undefined || (isConfined && !folders.some((folder) => isWithin(real, folder)))) return [];
  if (standing.isBlockDevice()) return [{ path: real }];
  const root = reach.folders.find((folder) => isWithin(real, folder));
  if (root === undefined) return lostOutside({ path: real, standing }, isMeant, place);
  place.named.add(real);
  if (standing.isDirectory()) return lostBelow(real, root, isMeant, place);
  return isLost({ path: real, standing }, root, place) && isMeant(real) ? [{ path: real, bytes: standing.size }] : [];
}

function lostBelow(folder: string, root: string, isMeant: Filter, place: LookPlace): readonly LostPath[] {
  if (isInRemade(folder, root, place)) return [];
  return [...lookBelow(folder, place.reach.isRemade, place.budget)]
    .filter((each) => isMeant(each.path) && isLost(each, root, place))
    .map(({ path, standing }) => ({ path, bytes: standing.size }));
}

/** The same of a file that git does not have either, in no folder that a tool makes again. */
const isLost = ({ path, standing }: Below, root: string, place: LookPlace): boolean =>
  standing.isFile() &&
  isUnkept(path, standing.size, place.reach) &&
  !(place.reach.fileBytes > 0 && place.reach.isClean(path)) &&
  !isInRemade(dirname(path), root, place);

function isInRemade(folder: string, root: string, { reach }: LookPlace): boolean {
  for (let each = folder; each !== root && isWithin(each, root); each = dirname(each))
    if (reach.isRemade(each, namesIn(dirname(each)), namesIn(each))) return true;
  return false;
}

const namesIn = (folder: string): readonly string[] => orUndefined(() => readdirSync(folder)) ?? [];

/** Of what lies outside nothing is recorded: a folder is lost as one. */
function lostOutside({ path, standing }: Below, isMeant: Filter, place: LookPlace): readonly LostPath[] {
  if (standing.isFile())
    return standing.size > 0 && isMeant(path) && !place.isScratch(path, standing) ? [{ path, bytes: standing.size }] : [];
  if (!standing.isDirectory()) return [];
  for (const below of lookBelow(path, () => false, place.budget)) {
    if (below.standing.isFile() && isMeant(below.path) && !place.isScratch(below.path, below.standing)) return [{ path }];
  }
  // What nobody has looked at may be anything.
  return place.budget.left < 0 ? [{ path }] : [];
}

function lostToCopies(loss: LostCopies, base: PatternBase, place: LookPlace): readonly LostPath[] {
  const [destination] = completePattern(loss.destination, base);
  if (destination === undefined) return [];
  return loss.sources.flatMap((pattern) =>
    completePattern(pattern, base).flatMap((source) => {
      const isContents = pattern.endsWith('/.') || (loss.syncs !== undefined && pattern.endsWith('/'));
      const isInto = loss.isWhole !== true && !isContents && isFolder(destination);
      return lostToCopy(source, isInto ? join(destination, basename(source)) : destination, loss, place);
    }),
  );
}

/** A link in the place of one that comes out is replaced itself. */
function lostToArchive({ archive, destination, members, strip }: LostToArchive, base: PatternBase, place: LookPlace): readonly LostPath[] {
  const [file] = completePattern(archive, base);
  const [folder] = completePattern(destination, base);
  if (file === undefined || folder === undefined) return [];
  const wanted = members.map((name) => name.replace(/^(?:\.?\/)+|\/$/g, ''));
  return archiveNames(file).flatMap((listed) => {
    const parts = listed.split('/').filter((part) => part !== '' && part !== '.');
    const name = parts.join('/');
    const isWanted = wanted.some((each) => `${name}/`.startsWith(`${each}/`) || matchesName(each, name, { hidden: true }));
    if (wanted.length > 0 && !isWanted) return [];
    const target = join(folder, ...parts.slice(strip));
    return parts.length <= strip || parts.includes('..') || isFolder(target) ? [] : lostAt(target, 'delete', ALL, place);
  });
}

const isFolder = (path: string): boolean => orUndefined(() => statSync(path).isDirectory()) === true;

function lostToCopy(source: string, target: string, { links, syncs }: LostCopies, place: LookPlace): readonly LostPath[] {
  if (links === true) return isFolder(target) ? [] : lostAt(target, 'delete', ALL, place);
  const standing = orUndefined(() => statSync(source));
  if (standing === undefined) return [];
  if (!standing.isDirectory()) {
    const isSame = orUndefined(() => realpathSync(source) === realpathSync(target)) === true;
    return isSame || isFolder(target) ? [] : lostAt(target, 'overwrite', ALL, place);
  }
  if (!isFolder(target)) return [];
  const replaced = [...lookBelow(source, () => false, place.budget)].flatMap((each) => {
    const other = join(target, relative(source, each.path));
    const there = standingAt(other);
    const isKept = syncs !== undefined && there?.size === each.standing.size && Math.abs(there.mtimeMs - each.standing.mtimeMs) < 1_000;
    return there === undefined || isKept ? [] : lostAt(other, 'overwrite', ALL, place);
  });
  if (syncs !== 'adds and deletes') return replaced;
  const isAlone: Filter = (path) => standingAt(join(source, relative(target, path))) === undefined;
  return [...replaced, ...lostAt(target, 'delete', isAlone, place)];
}

/** So many entries are looked at for one command: some 100 ms. What comes after them is not told. */
export const MAX_LOOKED = 20_000;
export type LookBudget = { left: number };

export type Below = { readonly path: string; readonly standing: Stats };

/** What stands below a folder, without following a link, the folders passed over that `passes` says. Never throws. */
export function* lookBelow(
  folder: string,
  passes: (folder: string, siblings: readonly string[], names: readonly string[]) => boolean,
  budget: LookBudget,
): Generator<Below> {
  const waiting: { readonly path: string; readonly siblings: readonly string[] }[] = [{ path: folder, siblings: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, siblings } = next;
    const names = orUndefined(() => readdirSync(path)) ?? [];
    if (path !== folder && passes(path, siblings, names)) continue;
    for (const name of names) {
      if (--budget.left < 0) return;
      const standing = standingAt(join(path, name));
      if (standing === undefined) continue;
      if (standing.isDirectory()) waiting.push({ path: join(path, name), siblings: names });
      else yield { path: join(path, name), standing };
    }
  }
}
