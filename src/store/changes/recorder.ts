import { fstatSync, lstatSync, readlinkSync } from 'node:fs';
import { type Change, type Entry, isContent, isSameThing, looksSame, type Standing } from '../../domain/session/change.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { openToRead, readAt, useAndClose } from '../files/disk.ts';
import { blobOid, type CleanFiles, NO_CLEAN_FILES } from './clean-files.ts';
import { type Contents, sha256Hex } from './contents.ts';
import { standingOf, type Walk } from './walk.ts';

export type Caps = {
  /** A larger file is not kept. */
  readonly fileBytes: number;
  /** All that a session keeps. */
  readonly sessionBytes: number;
};

/** Written so shortly before it was looked at that another write could leave the same times: file systems have ticks of some milliseconds. */
const FRESH_MS = 50;

/** So many files are read sooner than the index of a repository. */
const FEW = 100;

/** What a look found, and which folders and files it was a look at, with all below them. */
export type State = { readonly manifest: Map<string, Entry>; readonly uncovered: Walk['uncovered']; readonly scope: readonly string[] };

export type Look = {
  readonly walk: Walk;
  readonly scope: State['scope'];
  /** Milliseconds, when the walk began. */
  readonly at: number;
  /** `keep` reads and keeps all that could be lost; `compare` only what it takes to tell whether it changed. */
  readonly purpose: 'keep' | 'compare';
};

/** Whether so many bytes more can be kept. */
export type Fits = (bytes: number) => boolean;

type Means = {
  readonly contents: Contents;
  readonly clean: () => CleanFiles;
  readonly caps: Pick<Caps, 'fileBytes'>;
  readonly fits: Fits;
};

/**
 * What is there now, and how it differs from a former look; `seen` is what the former did not look at. Folders that were not looked at count
 * as they were.
 */
export function compareWith(
  state: State,
  { walk, scope, at, purpose }: Look,
  { contents, clean: cleanFiles, caps, fits }: Means,
): State & { readonly changes: readonly Change[]; readonly seen: ReadonlyMap<string, Entry> } {
  const { manifest: former } = state;
  const manifest = new Map<string, Entry>();
  const seen = new Map<string, Entry>();
  const changes: Change[] = [];
  const now = { scope, uncovered: walk.uncovered };
  const isFresh = ({ mtime, ctime }: Standing): boolean => Math.max(mtime, ctime) > at - FRESH_MS;
  // Small files first: where not all can be kept, most can.
  const toRead: [path: string, standing: Standing, before: Entry | undefined][] = [];
  for (const [path, standing] of walk.standing) {
    const before = former.get(path);
    const isKnown = before !== undefined && before.isFresh !== true && looksSame(before, standing);
    const isKept = purpose === 'compare' || before === undefined || !hasRoomNow(before, { caps, fits });
    if (isKnown && isKept && (before.holds !== undefined || before.kind !== 'file' || purpose === 'compare')) manifest.set(path, before);
    else if (standing.kind === 'file') toRead.push([path, standing, before]);
    else note(path, before, holdingLink(path, standing));
  }
  // What is too large to be kept may be git's.
  const mayBeOfGit = toRead.length > FEW || toRead.some(([, { size }]) => size > caps.fileBytes);
  const clean = mayBeOfGit ? cleanFiles() : NO_CLEAN_FILES;
  for (const [path, standing, before] of toRead.sort(([, a], [, b]) => a.size - b.size)) note(path, before, read(path, standing, before));
  for (const [path, before] of former) {
    if (manifest.has(path)) continue;
    if (isCovered(path, now)) changes.push({ path, before, after: null });
    else manifest.set(path, before);
  }
  return { manifest, uncovered: walk.uncovered, scope, changes, seen };

  function note(path: string, before: Entry | undefined, entry: Entry): void {
    const after = isFresh(entry) ? { ...entry, isFresh: true } : entry;
    manifest.set(path, after);
    // What was not looked at before has not changed for all that anybody knows.
    if (before === undefined && !isCovered(path, state)) seen.set(path, after);
    else if (!isSameThing(before ?? null, after)) changes.push({ path, before: before ?? null, after });
  }

  function read(path: string, standing: Standing, before: Entry | undefined): Entry {
    if (purpose === 'compare' && (before === undefined || before.size !== standing.size || !isContent(before.holds))) return standing;
    const known = clean.find(path, standing);
    const held = before?.holds?.startsWith('sha256:') === true ? before.holds.slice('sha256:'.length) : undefined;
    if (known?.isSure === true && held === undefined) return { ...standing, holds: `blob:${known.oid}` };
    if (standing.size > caps.fileBytes) return { ...standing, holds: 'large' };
    const bytes = orUndefined(() => useAndClose(openToRead(path), (file) => readAt(file, 0, fstatSync(file).size)));
    if (bytes === undefined) return { ...standing, holds: 'unreadable' };
    const found = orUndefined(() => standingOf(lstatSync(path))) ?? standing;
    // One content keeps its name, although git has it as well by now.
    if (held !== undefined && contents.has(held) && sha256Hex(bytes) === held) return { ...found, holds: `sha256:${held}` };
    const oid = known?.oid ?? (before?.holds?.startsWith('blob:') === true ? before.holds.slice('blob:'.length) : undefined);
    if (oid !== undefined && oid === blobOid(bytes, oid.length)) return { ...found, holds: `blob:${oid}` };
    const sha256 = sha256Hex(bytes);
    if (purpose === 'keep' && !contents.has(sha256) && !fits(bytes.length)) return { ...found, holds: 'full' };
    return { ...found, holds: `sha256:${contents.add(bytes, sha256)}` };
  }
}

/** It was not kept, and could be by now. */
const hasRoomNow = ({ holds, size }: Entry, { caps, fits }: Pick<Means, 'caps' | 'fits'>): boolean =>
  (holds === 'full' || holds === 'large') && size <= caps.fileBytes && fits(size);

const holdingLink = (path: string, standing: Standing): Entry => {
  const target = standing.kind === 'link' ? orUndefined(() => readlinkSync(path)) : undefined;
  return target === undefined ? standing : { ...standing, holds: `link:${target}` };
};

/** False outside of what was looked at, and below a folder that was not. */
export function isCovered(path: string, { scope, uncovered }: Pick<State, 'scope' | 'uncovered'>): boolean {
  if (!scope.some((top) => path === top || path.startsWith(`${top}/`))) return false;
  if (uncovered.size === 0) return true;
  if (uncovered.has(path)) return false;
  for (let at = path.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : path.lastIndexOf('/', at - 1))
    if (uncovered.has(path.slice(0, at) || '/')) return false;
  return true;
}
