import { lstatSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ChangeSet, type Entry, isContent, type Manifest } from '../../../domain/session/change.ts';
import type { Fields } from '../../../domain/value/json.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import type { Disk } from '../../files/disk.ts';
import { orStoreFailure } from '../../files/failure.ts';
import { CHANGES_LOG, namesIn } from '../../files/paths.ts';
import { rewriteLines } from '../../files/rewrite-lines.ts';
import { basePathOf } from '../acts/places.ts';
import { actorOf, baseText, isBaseName, lastNumber, linesIn, setOf } from '../change-lines.ts';
import type { Contents } from '../contents.ts';
import { keptFolders } from '../git/object-links.ts';

const KEPT_COMMANDS = 10;

export type Recorded = {
  readonly lines: readonly Fields[];
  readonly sets: readonly ChangeSet[];
  /** When the last of the acts began that have not been seen to end; undefined where there are none. */
  readonly unfinished: string | undefined;
};

export function readRecorded(folder: string): Recorded {
  const lines = linesIn(join(folder, CHANGES_LOG));
  const ended = new Set(lines.flatMap(({ ends }): readonly unknown[] => (Array.isArray(ends) ? ends : [])));
  const open = lines.filter(({ begins }) => begins !== undefined && !ended.has(actorOf(begins)?.id));
  const times = open.flatMap(({ at }) => (typeof at === 'string' ? [at] : []));
  return { lines, sets: lines.flatMap(setOf), unfinished: times.sort().at(-1) };
}

/** True for what was found in a folder, and so of commands; the edit of one file lives as long as the session. */
const isOfCommand = ({ root }: ChangeSet): boolean => root !== undefined;

/** All sets up to a number could go, and that would free so many bytes. */
export type PruneStep = { readonly n: number; readonly at: string; readonly bytes: number };

type StepOptions = Pick<StillNeeded, 'contents'> & {
  readonly standpoints: ReadonlyMap<string, Pick<Standpoint, 'manifest'>>;
  readonly keptFrom: number;
};

/**
 * What could be dropped, the oldest first. Contents that nothing needs come before all sets, with number 0. `keptFrom` is the number of the
 * first set that must stay; what stands in folders is needed by the next command.
 */
export function stepsOf(sets: readonly ChangeSet[], { contents, standpoints, keptFrom }: StepOptions): readonly PruneStep[] {
  const lastUse = new Map<string, number>();
  const use = (entry: Entry | null, n: number): void => {
    const sha256 = contentOf(entry);
    if (sha256 !== undefined) lastUse.set(sha256, Math.max(n, lastUse.get(sha256) ?? 0));
  };
  const dropped = new Map<number, { readonly at: string; bytes: number }>([[0, { at: '', bytes: 0 }]]);
  for (const set of sets) {
    const stays = set.n >= keptFrom || !isOfCommand(set);
    if (!stays) dropped.set(set.n, { at: set.at, bytes: 0 });
    for (const { before, after } of set.changes) for (const entry of [before, after]) use(entry, stays ? Number.POSITIVE_INFINITY : set.n);
  }
  for (const { manifest } of standpoints.values()) for (const entry of manifest.values()) use(entry, Number.POSITIVE_INFINITY);
  for (const [sha256, { bytes }] of contents.places()) {
    const step = dropped.get(lastUse.get(sha256) ?? 0);
    if (step !== undefined) step.bytes += bytes;
  }
  return [...dropped].sort(([a], [b]) => a - b).map(([n, step]) => ({ n, ...step }));
}

/** The first of the steps that free so many bytes; all where they do not suffice. Returns none where nothing need go. */
export function stepsToFree(steps: readonly PruneStep[], bytes: number): readonly PruneStep[] {
  let freed = 0;
  const end = steps.findIndex((step) => {
    freed += step.bytes;
    return freed >= bytes;
  });
  return bytes <= 0 ? [] : end < 0 ? steps : steps.slice(0, end + 1);
}

/** The number of the first set that an open session keeps, whatever is over: its last commands need it. */
export function keptFromOf(sets: readonly ChangeSet[]): number {
  const commands = sets.filter((set) => set.by !== undefined && isOfCommand(set));
  return commands.length < KEPT_COMMANDS ? 0 : (commands.at(-KEPT_COMMANDS)?.n ?? 0);
}

/** What stands in a folder, which the next command needs; `mark` is in the line of the log from which on it has to be followed. */
export type Standpoint = { readonly manifest: Manifest; readonly mark: string };

type StillNeeded = {
  readonly contents: Contents;
  /** By folder. Of other folders nothing is known afterwards. */
  readonly standpoints: ReadonlyMap<string, Standpoint>;
};

/**
 * Drops sets of commands, and the contents that only they needed. First what stands in the folders is written as it is now, so that it does
 * not follow from the sets any more; then the log without them; and the contents last. Cut off anywhere, nothing is named that is not there.
 * Returns what went.
 */
export function dropSets(
  disk: Disk,
  folder: string,
  isDropped: (set: ChangeSet) => boolean,
  { contents, standpoints }: StillNeeded,
): readonly ChangeSet[] {
  const { lines, sets } = readRecorded(folder);
  const isGoing = (set: ChangeSet): boolean => isOfCommand(set) && isDropped(set);
  for (const [root, standpoint] of standpoints)
    writeFileAtomic(disk, basePathOf(folder, root), Buffer.from(baseText(standpoint)), { point: 'prune' });
  const bases = new Set([...standpoints.keys()].map((root) => basePathOf(folder, root)));
  for (const path of namesIn(folder)
    .filter(isBaseName)
    .map((name) => join(folder, name)))
    if (!bases.has(path)) orStoreFailure('delete', path, () => rmSync(path, { force: true }));
  const path = join(folder, CHANGES_LOG);
  const marks = new Set([...standpoints.values()].map(({ mark }) => mark));
  const texts = keptLines(lines, marks, isGoing).map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
  orStoreFailure('write', path, () => rewriteLines(disk, path, texts, 'prune'));
  const needed = neededBy(
    sets.filter((set) => !isGoing(set)),
    standpoints,
  );
  contents.retain((sha256) => needed.has(`sha256:${sha256}`));
  return sets.filter(isGoing);
}

/** Of what was written before the marks only the sets that stay, and what has been done of them; from there on, all of it. */
function keptLines(lines: readonly Fields[], marks: ReadonlySet<unknown>, isGoing: (set: ChangeSet) => boolean): readonly Fields[] {
  const marked = lines.findIndex(({ base }) => marks.has(base));
  const start = marked < 0 ? lines.length : marked;
  const kept = lines.filter((line, at) => {
    const [set] = setOf(line);
    return set === undefined ? at >= start || line.leftOut !== undefined : !isGoing(set);
  });
  return [{ dropped: lastNumber(lines) }, ...kept];
}

/**
 * Drops the objects of repositories that no set needs any more: what a repository lost before the first of them began. Nothing that stands
 * in a folder may rely on them, so this is for a moment when it is going to be looked at anew.
 */
export function dropObjects(folder: string, going: readonly ChangeSet[], { standpoints }: Pick<StillNeeded, 'standpoints'>): void {
  const git = join(folder, 'git');
  const { sets } = readRecorded(folder);
  const needed = neededBy(sets, standpoints);
  const first = sets.find((set) => isOfCommand(set) || neededBlobs(set).length > 0);
  if (first === undefined && standpoints.size === 0) dropAllObjects(git);
  const before = going.filter(({ n }) => first === undefined || n < first.n).at(-1);
  if (before !== undefined) dropLost(git, Date.parse(before.at), new Set([...needed].map((holds) => holds.slice('blob:'.length))));
}

const neededBlobs = (set: ChangeSet): readonly string[] => [...neededBy([set], new Map())].filter((holds) => holds.startsWith('blob:'));

function neededBy(sets: readonly ChangeSet[], standpoints: StillNeeded['standpoints']): ReadonlySet<string> {
  const needed = new Set<string>();
  const use = (entry: Entry | null): void => {
    if (entry?.holds !== undefined && isContent(entry.holds)) needed.add(entry.holds);
  };
  for (const { changes } of sets) for (const { before, after } of changes) for (const entry of [before, after]) use(entry);
  for (const { manifest } of standpoints.values()) for (const entry of manifest.values()) use(entry);
  return needed;
}

const contentOf = (entry: Entry | null): string | undefined =>
  entry?.holds?.startsWith('sha256:') === true ? entry.holds.slice('sha256:'.length) : undefined;

/** Where the objects of repositories may have gone, a file that git had is looked at anew. */
export const withoutBlobs = (manifest: Manifest): Map<string, Entry> =>
  new Map(
    [...manifest].map(([path, { holds, ...standing }]) => [path, holds?.startsWith('blob:') === true ? standing : { holds, ...standing }]),
  );

/** A content that is not there any more is not said to come back. */
export function withoutLost(set: ChangeSet, has: (sha256: string) => boolean): ChangeSet {
  const checked = (entry: Entry): Entry =>
    entry.holds?.startsWith('sha256:') === true && !has(entry.holds.slice('sha256:'.length)) ? { ...entry, holds: 'lost' } : entry;
  return { ...set, changes: set.changes.map(({ path, before, after }) => ({ path, before: before && checked(before), after })) };
}

type LostObject = {
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds: the loss itself, since it took a name of the file away; later when another name was made or taken away since. */
  readonly since: number;
};

export function* lostObjects(git: string): Generator<LostObject> {
  for (const [kept, from] of keptFolders(git)) {
    const device = deviceOf(from);
    yield* lostBelow(kept, from, device);
  }
}

function* lostBelow(kept: string, from: string, device: number | undefined): Generator<LostObject> {
  const own = new Set(namesIn(from));
  for (const entry of orUndefined(() => readdirSync(kept, { withFileTypes: true })) ?? []) {
    const path = join(kept, entry.name);
    if (entry.isDirectory()) yield* lostBelow(path, join(from, entry.name), device);
    else if (!own.has(entry.name)) {
      const stats = orUndefined(() => lstatSync(path));
      if (stats !== undefined && stats.dev === device) yield { path, bytes: stats.size, since: stats.ctimeMs };
    }
  }
}

function deviceOf(folder: string): number | undefined {
  const stats = orUndefined(() => lstatSync(folder));
  return stats !== undefined || dirname(folder) === folder ? stats?.dev : deviceOf(dirname(folder));
}

/** Drops what repositories lost until then, but for objects with these ids that stand by themselves. */
function dropLost(git: string, until: number, needed: ReadonlySet<string>): void {
  for (const { path, since } of lostObjects(git)) {
    const id = `${dirname(path).slice(-2)}${path.slice(path.lastIndexOf('/') + 1)}`;
    if (since <= until && !needed.has(id)) unlinkSync(path);
  }
}

const dropAllObjects = (git: string): void => rmSync(git, { recursive: true, force: true });
