import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { looksSame, type Standing, type Uncovered } from '../../../domain/session/change.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { namesIn } from '../../files/paths.ts';
import { besidePacks, GROUP } from '../git/object-losses.ts';
import { type FolderListing, formerStandings, listAgain, REMADE } from './listing.ts';
import { limitsOfNamed, type Named, namedTest } from './named.ts';
import { isRemade, isRemadeInside } from './remade.ts';
import { lookAt, looksLike, standingOf } from './standing.ts';

export type Walk = {
  /** By absolute path, the roots among them: what is new or looks different since the walk before. All, where there was none. */
  readonly differing: ReadonlyMap<string, Standing>;
  /** What stood there at the walk before and does not any more. Undefined where there was none. */
  readonly gone: readonly string[] | undefined;
  /** What was looked at before and is passed over from now on. */
  readonly dropped: readonly string[];
  readonly uncovered: Uncovered;
  /** Folders with the objects of a git repository: its files never change, and are not listed. */
  readonly objectFolders: readonly string[];
  readonly withAttributes: readonly string[];
  readonly listings: ReadonlyMap<string, FolderListing>;
  readonly roots: ReadonlyMap<string, Standing>;
};

export type WalkLimits = {
  readonly at: number;
  readonly until: number;
  /** Where the walk before did not come to, this one does not either after so many milliseconds; left out where that counts as all else. */
  readonly unseen?: { readonly until: number; readonly folders: ReadonlySet<string> };
  readonly now: () => number;
  /** What those who act name: the folders on the way to it and in it are looked at until later. Asked for where that matters. */
  readonly named?: Named;
  /** A folder that is passed over, as if it were not there: SanBot's own home. */
  readonly own: string;
  /** A folder that a tool makes again counts all the same when this says so, as one that git tracks does. */
  readonly isTracked: (folder: string) => boolean;
  /** Where there is one, what a folder contains makes it one that a tool makes again only when this says so: an act could hide it by that. */
  readonly trustsContents?: (folder: string) => boolean;
  /** True for a folder that was found to hold the objects of a repository: it does also where that is broken. */
  readonly holdsObjects: (folder: string) => boolean;
};

const NAMES_A_CLOCK = 16;

/**
 * Looks at all below these folders without following a link. Folders nearer to the root come first, what git keeps of its own before all.
 * A folder whose own times are as they were has the names that it had, and is not listed again. Never throws; what cannot be looked at is
 * told.
 */
export function walkFolders(roots: readonly string[], limits: WalkLimits, former?: Pick<Walk, 'listings' | 'roots'>): Walk {
  const found = newFound(former);
  const queue = createQueue(roots);
  for (const root of roots) visitRoot(root, found, queue);
  let late: ((path: string) => WalkLimits | undefined) | undefined;
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    if (late === undefined && limits.now() > limits.until) late = limitsOfNamed(limits);
    const allowed = late === undefined ? limits : late(next.path);
    if (allowed === undefined || isLeft(next, found, allowed)) found.uncovered.set(next.path, 'late');
    else visit(next, found, allowed, queue);
  }
  return { ...found, gone: former && found.gone };
}

const newFound = (former: Pick<Walk, 'listings' | 'roots'> | undefined) => ({
  differing: new Map<string, Standing>(),
  gone: [] as string[],
  dropped: [] as string[],
  uncovered: new Map<string, 'remade' | 'unreadable' | 'late' | 'name'>(),
  objectFolders: [] as string[],
  withAttributes: [] as string[],
  listings: new Map(former?.listings),
  roots: new Map(former?.roots),
});

type Found = ReturnType<typeof newFound>;

const isLeft = ({ path }: Waiting, { listings }: Found, { now, unseen }: WalkLimits): boolean =>
  unseen?.folders.has(path) === true && !listings.has(path) && now() > unseen.until;

function visitRoot(path: string, found: Found, queue: Queue): void {
  const stats = lookAt(path);
  const was = found.roots.get(path);
  if (stats === 'unreadable') found.uncovered.set(path, stats);
  else if (stats === undefined) {
    found.roots.delete(path);
    if (was !== undefined) leave(path, found, found.gone);
  } else {
    const standing = standingOf(stats);
    found.roots.set(path, standing);
    if (was === undefined || !looksSame(was, standing)) found.differing.set(path, standing);
    if (was?.kind === 'folder' && standing.kind !== 'folder') leaveInside(path, found, found.gone);
    if (standing.kind === 'folder') queue.add(path, standing);
  }
}

function visit({ path: folder, stamp }: Waiting, found: Found, limits: WalkLimits, queue: Queue): void {
  const former = found.listings.get(folder);
  const listing = listAgain(folder, stamp, former, limits.at);
  if (listing === undefined) {
    if (lookAt(folder) !== undefined) found.uncovered.set(folder, 'unreadable');
    return;
  }
  const { names } = listing;
  const isRemadeHere = isRemadeInside(nameOf(folder), names, folder) && !limits.isTracked(folder);
  if (!queue.isRoot(folder) && isRemadeHere && limits.trustsContents?.(folder) !== false) {
    found.differing.delete(folder);
    found.uncovered.set(folder, 'remade');
    leave(folder, found, found.dropped);
    found.listings.set(folder, REMADE);
    return;
  }
  // It counts from now on: nothing is known of it.
  if (former?.isRemade === true && stamp !== undefined) found.differing.set(folder, stamp);
  if (names.includes('.gitattributes')) found.withAttributes.push(folder);
  const standings = standingsIn(folder, listing, former, found, limits, queue);
  found.listings.set(folder, { ...listing, standings });
  if (former?.names !== names) leaveMissing(folder, former, names, found);
}

function standingsIn(
  folder: string,
  { names, paths }: FolderListing,
  former: FolderListing | undefined,
  found: Found,
  limits: WalkLimits,
  queue: Queue,
) {
  const standings: (Standing | undefined)[] = [];
  const isRepository = isGitFolder(names);
  const formerly = formerStandings(names, former);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    const path = paths[i] ?? '';
    const was = formerly(i);
    standings.push(was);
    if (i % NAMES_A_CLOCK === NAMES_A_CLOCK - 1 && limits.now() > limits.until) {
      found.uncovered.set(folder, 'late');
      while (standings.length < names.length) standings.push(formerly(standings.length));
      break;
    }
    const stats = path === limits.own ? undefined : lookAt(path);
    if (stats === 'unreadable' || name.includes('\uFFFD')) {
      found.uncovered.set(path, stats === 'unreadable' ? stats : 'name');
      continue;
    }
    if (stats === undefined) {
      standings[i] = undefined;
      if (was !== undefined) leave(path, found, found.gone);
      continue;
    }
    if (stats.isDirectory() && isRemade(name, names) && !limits.isTracked(path)) {
      standings[i] = undefined;
      found.uncovered.set(path, 'remade');
      if (was !== undefined) leave(path, found, found.dropped);
      continue;
    }
    const isSame = was !== undefined && looksLike(was, stats);
    const standing = isSame ? was : standingOf(stats);
    standings[i] = standing;
    if (!isSame) found.differing.set(path, standing);
    if (was?.kind === 'folder' && standing.kind !== 'folder') leaveInside(path, found, found.gone);
    if (standing.kind === 'folder') enter(path, standing, isRepository || limits.holdsObjects(path), found, queue);
  }
  return standings;
}

function enter(path: string, standing: Standing, mayHoldObjects: boolean, found: Found, queue: Queue): void {
  const isOfObjects = path.endsWith('/objects') && (mayHoldObjects || /\/\.git\/(?:.*\/)?lfs\/objects$/s.test(path));
  if (!isOfObjects) {
    queue.add(path, standing);
    return;
  }
  found.objectFolders.push(path);
  listOthers(path, found, queue);
}

/** What stands beside the objects and packs may change, as where other objects are, or which packs are to stay: all of it is looked at. */
function listOthers(path: string, found: Found, queue: Queue): void {
  const former = found.listings.get(path);
  const names = [...namesIn(path).filter((name) => !GROUP.test(name)), ...besidePacks(path)];
  const paths = names.map((name) => `${path}/${name}`);
  const formerly = formerStandings(names, former);
  const standings = paths.map((each, i) => {
    const was = formerly(i);
    const stats = lookAt(each);
    if (stats === undefined || stats === 'unreadable') return undefined;
    const now = was !== undefined && looksLike(was, stats) ? was : standingOf(stats);
    if (now !== was) found.differing.set(each, now);
    if (was?.kind === 'folder' && now.kind !== 'folder') leaveInside(each, found, found.gone);
    if (now.kind === 'folder') queue.add(each, now);
    return now;
  });
  found.listings.set(path, { stamp: undefined, names, paths, standings });
  const there = names.filter((_, i) => standings[i] !== undefined);
  leaveMissing(path, former, there, found);
}

function leaveMissing(folder: string, former: FolderListing | undefined, names: readonly string[], found: Found): void {
  const are = new Set(former && names);
  former?.names.forEach((name, i) => {
    if (former.standings[i] !== undefined && !are.has(name)) leave(`${folder}/${name}`, found, found.gone);
  });
}

function leave(path: string, found: Found, to: string[]): void {
  to.push(path);
  leaveInside(path, found, to);
}

function leaveInside(path: string, found: Found, to: string[]): void {
  const listing = found.listings.get(path);
  found.listings.delete(path);
  listing?.names.forEach((name, i) => {
    if (listing.standings[i] !== undefined) leave(`${path}/${name}`, found, to);
  });
}

/** A repository, whatever it is called: git takes a folder for one that has these three. */
const isGitFolder = (names: readonly string[]): boolean => ['HEAD', 'objects', 'refs'].every((name) => names.includes(name));

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The same of these paths, each with what is below it; of one with a link on the way to it nothing. */
export function walkPaths(paths: readonly string[], limits: WalkLimits): Walk {
  const isOwn = (path: string): boolean => path === limits.own || path.startsWith(`${limits.own}/`);
  const named = paths.filter((path) => !isOwn(path) && orUndefined(() => realpathSync(dirname(path))) === dirname(path));
  const isNamed = namedTest(named);
  return walkFolders(
    named.filter((path) => !isNamed(dirname(path))),
    limits,
  );
}

export type Waiting = { readonly path: string; readonly stamp: Standing | undefined };
type Queue = ReturnType<typeof createQueue>;

/** The folders that wait: what git keeps of its own first, else in the order in which they came. */
function createQueue(roots: readonly string[]) {
  const [ofGit, others]: [Waiting[], Waiting[]] = [[], []];
  let [gitAt, at] = [0, 0];
  return {
    isRoot: (path: string): boolean => roots.includes(path),
    add: (path: string, stamp: Standing | undefined): void => {
      (/\/\.git(?:\/|$)/.test(path) ? ofGit : others).push({ path, stamp });
    },
    next: (): Waiting | undefined => (gitAt < ofGit.length ? ofGit[gitAt++] : others[at++]),
  };
}
