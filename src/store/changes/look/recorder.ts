/**
 * What stands in a folder, and how it differs from the look before.
 *
 * `walk` finds what looks different by the system's own facts (`standing`), the folders nearest to the root first, and says where it did not
 * look. `recorder` reads what it must to tell whether it is different, keeps what a command could destroy, and makes the new manifest of it.
 *
 * A look has a second (`patience`); what it leaves out counts as it was, and is told.
 *
 * Nothing here writes below the folder that is looked at.
 */

import { fstatSync, readlinkSync } from 'node:fs';
import {
  type Change,
  type Entry,
  type Holding,
  isContent,
  isSameThing,
  looksSame,
  type Manifest,
  type Standing,
  type Uncovered,
} from '../../../domain/session/change.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { openToRead, readAt, useAndClose } from '../../files/disk.ts';
import { sha256Of } from '../../session/bodies/body-text.ts';
import type { Contents } from '../contents.ts';
import { blobOid, type CleanFiles, NO_CLEAN_FILES } from '../git/clean-files.ts';
import { indexMeaning } from '../git/git-index.ts';
import { namedTest } from './named.ts';
import { claimable, isGitIndex, isUnread, named, seenAt, standingOf, TICK_MS, unsettledWith, withEntries } from './standing.ts';
import type { Walk } from './walk.ts';

export type Caps = { readonly fileBytes: number; readonly sessionBytes: number };

/** So many files are read sooner than the index of a repository. */
const FEW = 100;
/** A folder that is read at less than this a millisecond is slow: nobody waits for all of it. */
const SLOW = { files: 1, bytes: 10_000 };
const LOOKS_A_CLOCK = 64;
/** So much is held in memory before it is written. */
const MAX_PENDING_BYTES = 32 * 1024 * 1024;

/** What a look found, and which folders and files it was a look at, with all below them. */
export type State = {
  readonly manifest: Map<string, Entry>;
  readonly uncovered: Uncovered;
  readonly scope: readonly string[];
  /** Paths that must be looked at again though they look the same, and maybe some more; undefined where nobody knows them. */
  readonly unsettled?: Set<string> | undefined;
  /** The walk of that look; undefined for what another process saw. */
  readonly walk?: Walk | undefined;
};

export type Look = {
  readonly walk: Walk;
  readonly scope: State['scope'];
  readonly at: number;
  /** `keep` reads and keeps all that could be lost; `compare` only what it takes to tell whether it changed. */
  readonly purpose: 'keep' | 'compare';
};

export type Fits = (bytes: number) => boolean;

/** Until when what is not settled is looked at, and how long files are read for: where the folder is slow, or not even all of it was looked at, until `slow`; else until `fast`. */
type Deadlines = { readonly now: () => number; readonly settle: number; readonly slow: number; readonly fast: number };

export type Tools = {
  readonly contents: Contents;
  readonly clean: (paths: readonly (readonly [path: string, standing: Standing])[]) => CleanFiles;
  readonly caps: Pick<Caps, 'fileBytes'>;
  readonly fits: Fits;
  readonly deadlines: Deadlines;
  /** What those who act name. Asked for where not all was looked at. */
  readonly named: () => readonly string[];
};

type Comparison = State & {
  /** What the former did not look at, and could not tell of. */
  readonly seen: ReadonlyMap<string, Entry>;
  readonly changes: readonly Change[];
};

type ToRead = readonly [path: string, standing: Standing, before: Entry | undefined];

/** What is there now, and how it differs from a former look. Folders that were not looked at count as they were. */
export function compareWith(state: State, { walk, scope, at, purpose }: Look, tools: Tools): Comparison {
  const { manifest } = state;
  const seen = new Map<string, Entry>();
  const entries = new Map<string, Entry | null>();
  const changes: Change[] = [];
  const isFresh = ({ mtime, ctime }: Standing): boolean => Math.max(mtime, ctime) > at - TICK_MS;
  const note = (path: string, before: Entry | undefined, entry: Entry, isOther = false): void => {
    const now = isFresh(entry) ? { ...entry, isFresh: true } : entry;
    entries.set(path, now);
    // What was not looked at before has not changed for all that anybody knows.
    if (before === undefined && !isCovered(path, state)) seen.set(path, now);
    else if (isOther || !isSameThing(before ?? null, now)) changes.push({ path, before: claimable(before, tools.contents), after: now });
  };
  const [toRead, indexes]: [ToRead[], ToRead[]] = [[], []];
  for (const [path, standing] of toLookAt(state, walk, { scope, purpose }, tools)) {
    const before = manifest.get(path);
    const isKnown = before !== undefined && before.isFresh !== true && looksSame(before, standing);
    if (isKnown && !isToRead(before, purpose, tools)) continue;
    if (standing.kind === 'file') (isGitIndex(path) ? indexes : toRead).push([path, standing, before]);
    else note(path, before, holdingLink(path, standing));
  }
  // The indexes of git first, then what is named, the rest by size: where not all can be kept, most can.
  const isLate = [...walk.uncovered.values()].includes('late');
  const isNamed = namedTest(isLate ? tools.named() : []);
  const sooner = toRead.sort(([, a], [, b]) => a.size - b.size).filter(([path]) => isNamed(path));
  const inOrder = new Set([...indexes, ...sooner, ...toRead]);
  // What is too large to be kept may be git's.
  const mayBeOfGit = inOrder.size > FEW || [...inOrder].some(([, { size }]) => size > tools.caps.fileBytes);
  const clean = mayBeOfGit ? tools.clean([...inOrder].map(([path, standing]) => [path, standing])) : NO_CLEAN_FILES;
  const read = createReader(tools, clean, purpose, (path) => isLate && !isNamed(path));
  for (const [path, standing, before] of inOrder) {
    const { entry, isOther } = read(path, standing, before);
    note(path, before, entry, isOther);
  }
  for (const path of walk.dropped) entries.set(path, null);
  for (const path of goneFrom(manifest, walk, scope)) {
    const before = manifest.get(path);
    if (before === undefined || entries.get(path)) continue;
    entries.set(path, null);
    changes.push({ path, before: claimable(before, tools.contents), after: null });
  }
  const next = withEntries(manifest, entries);
  const unsettled = unsettledWith(state.unsettled ?? unsettledWith([], manifest), entries);
  return { manifest: next, unsettled, uncovered: walk.uncovered, scope, walk, seen, changes };
}

/** It was not kept, and could be by now. */
const isToRead = (entry: Entry, purpose: Look['purpose'], { caps, fits }: Tools): boolean =>
  purpose === 'keep' &&
  isUnread(entry) &&
  ((entry.holds !== 'full' && entry.holds !== 'large') || (entry.size <= caps.fileBytes && fits(entry.size)));

/** What looks different, and what looks the same but is not known: it was written right before it was looked at, or nobody read it. */
function* toLookAt(
  { manifest, unsettled }: State,
  walk: Walk,
  { scope, purpose }: Pick<Look, 'scope' | 'purpose'>,
  tools: Tools,
): Generator<readonly [string, Standing]> {
  yield* walk.differing;
  // A walk without one before it tells of all that is there.
  if (walk.gone === undefined) return;
  // Though a link may lead to it now.
  const gone = new Set(walk.gone);
  const { now, settle } = tools.deadlines;
  let looked = 0;
  for (const path of unsettled ?? manifest.keys()) {
    const entry = manifest.get(path);
    if (entry === undefined) continue;
    if (entry.isFresh !== true && !isToRead(entry, purpose, tools)) continue;
    if (walk.differing.has(path) || gone.has(path) || !isCovered(path, { scope, uncovered: walk.uncovered })) continue;
    // What is left is not settled either at the next look.
    if (++looked % LOOKS_A_CLOCK === 0 && now() > settle) return;
    const stats = seenAt(path);
    if (stats !== undefined) yield [path, standingOf(stats)];
  }
}

function goneFrom(manifest: Manifest, { gone, differing, uncovered }: Walk, scope: State['scope']): Iterable<string> {
  return gone ?? [...manifest.keys()].filter((path) => !differing.has(path) && isCovered(path, { scope, uncovered }));
}

function createReader(
  { contents, caps, fits, deadlines }: Tools,
  clean: CleanFiles,
  purpose: Look['purpose'],
  isLate: (path: string) => boolean,
) {
  const begun = deadlines.now();
  let [files, bytesRead, pending] = [0, 0, 0];
  const isOver = (path: string): boolean => {
    const now = deadlines.now();
    if (now <= deadlines.slow) return false;
    const isSlow = files < (now - begun) * SLOW.files && bytesRead < (now - begun) * SLOW.bytes;
    return isSlow || now > deadlines.fast || isLate(path);
  };
  const keep = (bytes: Buffer, sha256: string, path: string): Holding => {
    if (purpose === 'keep' && !contents.has(sha256) && !fits(bytes.length)) return 'full';
    const holds = `sha256:${contents.add(bytes, sha256, path)}` as const;
    pending += bytes.length;
    if (pending > MAX_PENDING_BYTES) {
      contents.commit();
      pending = 0;
    }
    return holds;
  };
  return (path: string, standing: Standing, before: Entry | undefined): Read => {
    const isIndex = path.endsWith('/index');
    if (purpose === 'compare' && (before === undefined || !isContent(before.holds) || (before.size !== standing.size && !isIndex)))
      return { entry: before?.holds === 'full' && looksSame(before, standing) ? { ...standing, holds: 'full' } : standing };
    const known = clean(path);
    const held = named('sha256', before);
    if (known?.isSure === true && held === undefined) return { entry: { ...standing, holds: `blob:${known.oid}` } };
    if (standing.size > caps.fileBytes) return { entry: { ...standing, holds: 'large' } };
    if (!isGitIndex(path) && isOver(path)) return { entry: purpose === 'keep' ? { ...standing, holds: 'late' } : standing };
    const now = orUndefined(() => useAndClose(openToRead(path), readWhole));
    if (now === undefined) return { entry: { ...standing, holds: 'unreadable' } };
    const { bytes, found } = now;
    files += 1;
    bytesRead += bytes.length;
    // One content keeps its name, although git has it as well by now.
    const sha256 = sha256Of(bytes);
    const heldOid = named('blob', before);
    const oid = [heldOid, known?.oid].find((each) => each !== undefined && each === blobOid(bytes, each.length));
    const isOther = heldOid !== undefined ? heldOid !== oid : held !== undefined && oid !== undefined && held !== sha256;
    const listed = isIndex ? indexMeaning(bytes) : undefined;
    const facts = { ...found, ...(listed !== undefined && { listed }) };
    if (held !== undefined && held === sha256 && contents.has(held)) return { entry: { ...facts, holds: `sha256:${held}` } };
    if (oid !== undefined) return { entry: { ...found, holds: `blob:${oid}` }, isOther };
    return { entry: { ...facts, holds: keep(bytes, sha256, path) }, isOther };
  };
}

function readWhole(file: number) {
  const bytes = readAt(file, 0, fstatSync(file).size);
  return { bytes, found: { ...standingOf(fstatSync(file)), size: bytes.length } };
}

/** What was read; `isOther` where it is not what stood there, though the two names of the contents do not tell. */
type Read = { readonly entry: Entry; readonly isOther?: boolean };

const holdingLink = (path: string, standing: Standing): Entry => {
  const target = standing.kind === 'link' ? orUndefined(() => readlinkSync(path)) : undefined;
  return target === undefined ? standing : { ...standing, holds: `link:${target}` };
};

/** The names of so few are compared sooner than each folder on the way to a path is cut off and looked up: it may be thousands of them. */
const FEW_UNCOVERED = 32;

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/' || folder === '/');

/** False outside of what was looked at, and below a folder that was not. */
export function isCovered(path: string, { scope, uncovered }: Pick<State, 'scope' | 'uncovered'>): boolean {
  if (!scope.some((top) => isBelow(path, top))) return false;
  if (uncovered.size <= FEW_UNCOVERED) {
    for (const each of uncovered.keys()) if (isBelow(path, each)) return false;
    return true;
  }
  if (uncovered.has(path)) return false;
  for (let at = path.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : path.lastIndexOf('/', at - 1))
    if (uncovered.has(path.slice(0, at) || '/')) return false;
  return true;
}
