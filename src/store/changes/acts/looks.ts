import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '../../../domain/session/change.ts';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../../files/disk.ts';
import { baseText, entryLine } from '../change-lines.ts';
import type { Contents } from '../contents.ts';
import { blobSizes, unkeptIds } from '../git/blobs.ts';
import { createIndexReader, findCleanFiles, indexOf, trackedFolders } from '../git/clean-files.ts';
import { createObjectLinks, keptFolders, keptObjects } from '../git/object-links.ts';
import { keptNow, nameContents } from '../is-now.ts';
import { createPassedOver, type MayRunLater } from '../look/passed-over.ts';
import { type Caps, compareWith, type Fits, type Look, type State } from '../look/recorder.ts';
import { claimable, seenAt, withEntries } from '../look/standing.ts';
import { type Walk, type WalkLimits, walkFolders, walkPaths } from '../look/walk.ts';
import type { ChangeLog, Writing } from './change-log.ts';
import { changesMissed } from './missed.ts';
import type { Act, Place } from './places.ts';

type LookOptions = {
  readonly folder: string;
  readonly caps: Caps;
  readonly gitConfigs: readonly string[];
  readonly searchPath: string;
  readonly lookMs: number;
  /** SanBot's own home, which is passed over. */
  readonly own: string;
  /** Which paths of what is passed over acts in the sandbox may not leave; where it is left out, all may stay. */
  readonly mayRunLater?: MayRunLater | undefined;
};

/**
 * Of the time for a look before a command: what may go by until files are looked up in an index of git and read, which takes as long again,
 * and until what is known already, and not settled, is looked at; less of a folder that was too large before.
 */
const SHARES = { usual: { walk: 0.4, settle: 0.5 }, ofLarge: { walk: 0.3, settle: 0.4 } };
/** Milliseconds for each MB of an index that is read for the first time: 44 MB list half a million files. */
const INDEX_MS = 5;
/** The same until files of a slow folder are read: what was found is written down in the rest. */
const READ_SHARE = 0.7;
/** What a command names is walked for so much longer, as far as it was not reached until then. */
const NAMED_SHARE = 0.2;
/** After a command a look takes longer where it must: all that was seen before it is to be seen again. */
const LATER_SHARE = 2;
/** Files of a folder that is not slow are read for so much longer: what is not read is not kept. */
const FAST_SHARE = 10;

/** Looks at all of a place, and writes down what has changed; where that fails, it is as if nobody had looked. Throws store_failed. */
export type NoteChanges = (
  place: Place,
  purpose: Look['purpose'],
  writing: Omit<Writing, 'root'>,
  acts?: readonly Act[],
) => readonly Change[];

export function createLooks(
  disk: Disk,
  { contents, log, fits }: { readonly contents: Contents; readonly log: ChangeLog; readonly fits: Fits },
  options: LookOptions,
): NoteChanges {
  const { folder, caps, gitConfigs, searchPath, lookMs, own, mayRunLater } = options;
  const now = (): number => disk.now().getTime();
  const links = createObjectLinks(disk, caps.sessionBytes);
  const passedOver = passedOverBy(disk, { contents, maxBytes: caps.fileBytes, mayRunLater });
  const readIndex = createIndexReader(now);
  const git = join(folder, 'git');
  const sizesOf = (oids: readonly string[]) => blobSizes({ folder: git, searchPath }, oids);
  const look = (place: Place, purpose: Look['purpose'], acts: readonly Act[]): readonly Change[] => {
    const at = now();
    const { roots, isWide, root } = place;
    const { until, walkUntil, namedUntil, ...deadlines } = timesOf(place, purpose, { at, lookMs });
    const time = timeOfLook(now, disk);
    place.readMs = 0;
    const known = new Set(keptFolders(git).map(([, from]) => from));
    const tests = { isTracked: trackedFolders(roots, readIndex), holdsObjects: (path: string) => known.has(path) };
    const named = { paths: () => acts.flatMap((act) => act.mentions()), until: namedUntil };
    const limits = { ...beforeLook(place, purpose, walkUntil), ...tests, named, at, until, now: time, own };
    const scope = isWide ? namedIn(root, acts, log) : [roots.top, ...roots.others];
    const walk = isWide ? walkPaths(scope, limits) : walkFolders(scope, limits, place.state.walk);
    const since = place.acts.length === 0 ? undefined : (place.since ?? place.begunAt);
    const keeping = { named: acts.flatMap(({ names }) => names), since };
    const lost = walk.objectFolders.flatMap((objects) => links.keep(objects, keptObjects(disk, git, objects), keeping));
    const clean = (files: Parameters<typeof findCleanFiles>[0]) =>
      findCleanFiles(files, walk, { roots, configFiles: gitConfigs, sizesOf, unkept: (oids) => unkeptIds(git, oids), readIndex });
    const tools = { contents, caps, fits, clean, named: named.paths, deadlines: { now: time, ...deadlines } };
    const { changes: found, seen, ...state } = compareWith(place.state, { walk, scope, at, purpose }, tools);
    const missing = { contents, gitConfigs, readIndex, walk, sizesOf, now: time, until: at + lookMs };
    const missed = purpose === 'compare' ? changesMissed(place, missing) : [];
    const changes = [...found, ...missed];
    const hidden = passedOver(place, walk, { until, now: time });
    contents.commit();
    if (place.isNew) {
      ensureFolder(disk, folder);
      writeFileAtomic(disk, place.basePath, Buffer.from(baseText({ manifest: state.manifest })), { point: 'changes' });
      place.isNew = false;
    } else if (seen.size > 0) log.append({ root, seen: [...seen].map(([path, entry]) => [path, entryLine(entry)]) });
    place.state = missed.length === 0 ? state : withMissed(state, missed);
    if (purpose === 'compare' || place.acts.length === 0) place.since = at;
    place.lookedAt = at;
    const lostNow = place.acts.every(({ by }) => by.restores === true) ? [] : lost;
    return [...(purpose === 'compare' ? nameContents(changes) : changes), ...hidden, ...lostNow];
  };
  return (place, purpose, writing, acts = place.acts) => {
    const former = place.state;
    try {
      const changes = look(place, purpose, acts);
      log.write(changes, { ...writing, root: place.root });
      return changes;
    } catch (error) {
      place.state = former;
      throw error;
    }
  };
}

type PassedOverDeps = Pick<LookOptions, 'mayRunLater'> & {
  readonly contents: Contents;
  readonly maxBytes: number;
};

/** What acts in the sandbox left in what a walk passed over; what is kept of it is to be committed. */
function passedOverBy(disk: Disk, { contents, maxBytes, mayRunLater }: PassedOverDeps) {
  const find = createPassedOver(disk);
  return ({ acts, lookedAt, state }: Place, { uncovered }: Walk, times: Pick<WalkLimits, 'until' | 'now'>): readonly Change[] => {
    if (mayRunLater === undefined || lookedAt === undefined || !acts.some(({ by }) => by.held === true)) return [];
    return find({ uncovered, since: lookedAt, mayRunLater, ...times }, (path) => {
      const before = claimable(state.manifest.get(path), contents);
      return { path, before, after: keptNow(path, { contents, maxBytes }) };
    });
  };
}

/** Milliseconds, for a look that begins now: until when folders are walked, and what else takes time goes on. */
function timesOf(place: Place, purpose: Look['purpose'], { at, lookMs }: { readonly at: number; readonly lookMs: number }) {
  const mayTake = lookMs - Math.min(place.readMs, lookMs / 2);
  const share = [...place.state.uncovered.values()].includes('late') ? SHARES.ofLarge : SHARES.usual;
  const indexMs = place.isNew ? ((seenAt(indexOf(place.roots).path)?.size ?? 0) / 1e6) * INDEX_MS : 0;
  // A file of any length may stand in the place of an index.
  const walkUntil = at + mayTake * share.walk - Math.min(indexMs, (mayTake * share.walk) / 2);
  const until = purpose === 'keep' ? walkUntil : at + mayTake * LATER_SHARE;
  const settle = purpose === 'keep' ? at + mayTake * share.settle : until;
  return {
    until,
    walkUntil,
    namedUntil: until + mayTake * NAMED_SHARE,
    settle,
    slow: at + mayTake * READ_SHARE,
    fast: at + mayTake * FAST_SHARE,
  };
}

function withMissed(state: State, missed: readonly Change[]): State {
  const manifest = withEntries(state.manifest, new Map(missed.map(({ path, after }) => [path, after])));
  return { ...state, manifest, unsettled: new Set([...(state.unsettled ?? []), ...missed.map(({ path }) => path)]) };
}

function beforeLook({ state, acts }: Place, purpose: Look['purpose'], until: number): Pick<WalkLimits, 'unseen' | 'trustsContents'> {
  const late = [...state.uncovered].flatMap(([path, why]) => (why === 'late' ? [path] : []));
  const isHeld = acts.some(({ by }) => by.held === true);
  return { ...(purpose === 'compare' && { unseen: { until, folders: new Set(late) } }), ...(isHeld && { trustsContents: trustIn(state) }) };
}

/** While commands of the sandbox are at work: what was passed over before, and an environment of python that was not there. */
const trustIn =
  ({ uncovered, manifest }: Place['state']) =>
  (path: string): boolean =>
    uncovered.get(path) === 'remade' || (!manifest.has(path) && existsSync(join(path, 'pyvenv.cfg')));

function namedIn(root: string, acts: readonly Act[], log: ChangeLog): readonly string[] {
  const changed = log.sets().flatMap(({ changes }) => changes.map(({ path }) => path));
  return [...new Set([...acts.flatMap(({ names }) => names), ...changed.filter((path) => isBelow(root, path))])];
}

export const isBelow = (root: string, path: string): boolean => path !== root && path.startsWith(root === '/' ? root : `${root}/`);

/** With less, files of a small folder were left out where fourteen wanted each processor. */
const MOST = 20;
const ASK_AFTER_MS = 100;

/**
 * The time of a look that begins now: by the clock, and where others want the processor by the processor's time, if that is more. That a
 * machine is busy, as with the tests that run meanwhile, says nothing of the folder: what a look waited for the processor is no time of it,
 * and it may take longer by the clock by as much as more want a processor than there are.
 */
function timeOfLook(now: () => number, { cpuMs = () => 0, waitedMs = () => 0, load = () => 1 }: Disk): () => number {
  const [at, by, used, waited] = [now(), Math.min(MOST, Math.max(1, load())), cpuMs(), waitedMs()];
  return () => {
    const passed = now() - at;
    // It is asked for only where it matters: it takes as long as to look at some files.
    const seemed = passed / by;
    const own = seemed > ASK_AFTER_MS ? Math.max(0, passed - (waitedMs() - waited)) / by : seemed;
    return at + Math.max(own, Math.min(passed, cpuMs() - used));
  };
}
