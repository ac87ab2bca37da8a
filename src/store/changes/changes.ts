/**
 * What commands changed in a folder, so that it can be brought back. Before a command everything that it could destroy is kept; after it,
 * what it changed is written down. A manifest of our own is the truth; git's index and objects only make it cheap.
 *
 * A folder and who is about to act come in; the paths that differ go out, each with what stood there before and stands there now. A line is
 * on disk when its call returns, and what it names was on disk before. What could not be kept is told, never claimed.
 *
 * Nothing is written below the folder, nothing of it is run, and no link is followed.
 */

import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FolderChanges } from '../../agent/ports/disk.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Actor, Change, ChangeSet, Entry, PutBack, PutBackProblem } from '../../domain/session/change.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { lazily } from '../../domain/value/word-list.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, readOwnFile } from '../files/disk.ts';
import { type LineFile, openLineFile } from '../files/line-file.ts';
import { CHANGES_LOG, namesIn } from '../files/paths.ts';
import { readBlobs } from './blobs.ts';
import { actorOf, baseText, changeLine, linesIn, linesSinceBase, readBase, readSets, setOf, uncoveredOf } from './change-lines.ts';
import { NO_CLEAN_FILES, readCleanFiles, trackedFolders } from './clean-files.ts';
import { createContents } from './contents.ts';
import { changesOfEdit, noteChanges } from './file-edit.ts';
import { bytesNow, entryNow, isNow } from './is-now.ts';
import { createObjectLinks, returnObjects } from './object-links.ts';
import { blocked, putBack } from './put-back.ts';
import { type Caps, compareWith, type Look, type State } from './recorder.ts';
import { type Roots, rootsOf } from './repository.ts';
import { unseenChanges } from './unseen-changes.ts';
import { walkFolders } from './walk.ts';

export type ChangesOptions = {
  /** Where all of it is kept. */
  readonly folder: string;
  readonly caps: Caps;
  /** The person's own configuration of git, read as texts. */
  readonly gitConfigs: readonly string[];
  /** Folders that are never taken for a work tree because one below them is the working folder: the user's home. */
  readonly notBeyond: readonly string[];
  /** How long a look at the folder may take, in milliseconds. */
  readonly lookMs: number;
  /** Reads a content that a former version kept elsewhere, by its sha256. */
  readonly former?: ((sha256: string) => Buffer | undefined) | undefined;
};

/** A larger file is not kept, nor what is beyond all that a session keeps; a look at a folder takes a second at most. */
export const changeCaps = { caps: { fileBytes: 64 * 1024 * 1024, sessionBytes: 512 * 1024 * 1024 }, lookMs: 1_000 };

export type Changes = FolderChanges & {
  /** All that was written down, in order of time. */
  readonly sets: () => readonly ChangeSet[];
  /** The bytes of files that can be brought back, in the order asked; undefined where they are not kept. */
  readonly read: (entries: readonly (Entry | null)[]) => readonly (Buffer | undefined)[];
  /** The bytes of a file as it is now; undefined where there is none that can be read. */
  readonly current: (path: string) => Buffer | undefined;
  /** Whether a path is what it was: its kind, permission bits, and bytes. */
  readonly isNow: (path: string, entry: Entry | null) => boolean;
  /** What stands at a path, the bytes of a file known by their hash unless it is too large to be kept; null for nothing. */
  readonly now: (path: string) => Entry | null;
  /** Why nothing can be read or written at a path: a link on the way to it leads elsewhere. */
  readonly blocked: (path: string) => Bilingual | undefined;
  /**
   * Brings paths back to what they were, as an act that can be undone in its turn; the objects of a repository come with anything of its
   * folder. Returns what could not be, and why. Throws store_failed before anything is touched.
   */
  readonly restore: (all: readonly PutBack[], cwd: string, by: Actor) => readonly PutBackProblem[];
  readonly close: () => void;
};

type Place = {
  state: State;
  /** Who was about to act when the process ended, and has not been seen to be done. */
  unfinished: Actor | undefined;
  readonly root: string;
  readonly roots: Roots;
  readonly basePath: string;
  uncoveredLine: string;
};

export function createChanges(disk: Disk, { folder, caps, gitConfigs, notBeyond, lookMs, former }: ChangesOptions): Changes {
  const contents = createContents(disk, folder);
  const links = createObjectLinks(caps.sessionBytes);
  const git = join(folder, 'git');
  const ownHome = orUndefined(() => realpathSync(disk.home)) ?? disk.home;
  const logPath = join(folder, CHANGES_LOG);
  const places = new Map<string, Place>();
  let log: LineFile | undefined;
  let last: number | undefined;
  const now = (): number => disk.now().getTime();

  const append = (line: object): void => {
    ensureFolder(disk, folder);
    log ??= openLineFile(disk, logPath, { point: 'changes' }).file;
    log.append(Buffer.from(`${JSON.stringify(line)}\n`));
  };
  const nextNumber = (): number => {
    last = (last ?? readSets(logPath).at(-1)?.n ?? 0) + 1;
    return last;
  };
  /** What the paths of all sets held after the last of them. */
  const lastHeld = lazily(
    () => new Map(readSets(logPath).flatMap(({ changes }) => changes.map(({ path, after }) => [path, after?.holds] as const))),
  );
  /** An edit has no root: it counts wherever its paths are. */
  const write = (root: string | undefined, changes: readonly Change[], by: Actor | undefined): ChangeSet | undefined => {
    if (changes.length === 0) return undefined;
    const set = { n: nextNumber(), at: disk.now().toISOString(), ...(by && { by }), ...(root !== undefined && { root }), changes };
    append({ ...set, changes: changes.map(changeLine) });
    for (const { path, after } of changes) lastHeld().set(path, after?.holds);
    return set;
  };
  const look = (place: Place, purpose: Look['purpose']): readonly Change[] => {
    const at = now();
    const { roots } = place;
    const walk = walkFolders([roots.top, ...roots.others], { until: at + lookMs, now, own: ownHome, isTracked: trackedFolders(roots) });
    const lost = walk.objectFolders.reduce((sum, objects) => sum + links.keep(objects, keptObjects(disk, git, objects)), 0);
    const clean = () => (lost > 0 ? NO_CLEAN_FILES : readCleanFiles(walk, roots, gitConfigs));
    const { changes, ...state } = compareWith(place.state, { walk, at, purpose }, { contents, clean, caps });
    contents.commit();
    place.state = state;
    return changes;
  };
  const placeOf = (root: string): Place => {
    const roots = rootsOf(root, notBeyond);
    const place = { ...(places.get(roots.top) ?? readPlace(roots)), roots };
    places.set(roots.top, place);
    return place;
  };
  const readPlace = (roots: Roots): Place => {
    const root = roots.top;
    const basePath = join(folder, `base-${nameOf(root)}.json`);
    const base = orUndefined(() => readBase(basePath));
    if (base === undefined)
      return {
        root,
        roots,
        basePath,
        unfinished: undefined,
        state: { manifest: new Map(), uncovered: new Map([['/', 'late']]) },
        uncoveredLine: '',
      };
    const manifest = new Map(base);
    const all = linesIn(logPath);
    const lines = all.filter((line) => line.root === root);
    for (const { changes } of linesSinceBase(all, root).flatMap(setOf)) noteChanges(manifest, roots, changes);
    const uncovered = new Map(lines.flatMap(({ uncovered }) => (Array.isArray(uncovered) ? [uncovered.flatMap(uncoveredOf)] : [])).at(-1));
    const unfinished = actorOf(
      lines.findLast((line) => line.begins !== undefined || line.by !== undefined || line.ends !== undefined)?.begins,
    );
    return { root, roots, basePath, unfinished, state: { manifest, uncovered }, uncoveredLine: JSON.stringify([...uncovered]) };
  };
  const read: Changes['read'] = (entries) => {
    const oids = entries.flatMap((entry) => (entry?.holds?.startsWith('blob:') === true ? [entry.holds.slice('blob:'.length)] : []));
    const blobs = oids.length === 0 ? new Map<string, Buffer>() : readBlobs(git, oids);
    return entries.map((entry) => {
      const { holds = '' } = entry ?? {};
      if (!holds.startsWith('sha256:')) return blobs.get(holds.slice('blob:'.length));
      const sha256 = holds.slice('sha256:'.length);
      return contents.read(sha256) ?? former?.(sha256);
    });
  };
  const begin: Changes['begin'] = (cwd, by) => {
    const place = placeOf(cwd);
    const { root } = place;
    const isFirst = place.state.manifest.size === 0;
    const others = look(place, 'keep');
    if (isFirst) {
      ensureFolder(disk, folder);
      writeFileAtomic(disk, place.basePath, Buffer.from(baseText(place.state.manifest)), { point: 'changes' });
    } else write(root, others, place.unfinished);
    place.unfinished = undefined;
    const uncovered = [...place.state.uncovered];
    const isSame = place.uncoveredLine === JSON.stringify(uncovered);
    append({ begins: by, root, at: disk.now().toISOString(), ...(!isSame && { uncovered }) });
    place.uncoveredLine = JSON.stringify(uncovered);
    return {
      end: () => {
        const set = write(root, look(place, 'compare'), by);
        if (set === undefined) append({ ends: by, root });
        return { set, uncovered: place.state.uncovered };
      },
    };
  };
  const edit: Changes['edit'] = (change, by) => {
    const { changes, why } = changesOfEdit(change, { contents, caps, known: lastHeld().get(change.path) });
    contents.commit();
    write(undefined, changes, by);
    for (const { state, roots } of places.values()) noteChanges(state.manifest, roots, changes);
    return why;
  };
  return {
    begin,
    edit,
    sets: () => readSets(logPath),
    read,
    isNow,
    now: (path) => entryNow(path, caps.fileBytes),
    blocked,
    current: bytesNow,
    restore: (all, cwd, by) => {
      const act = begin(cwd, by);
      const place = places.get(rootsOf(cwd, notBeyond).top);
      write(undefined, unseenChanges(all, place, { contents, maxBytes: caps.fileBytes }), by);
      for (const [kept, objects] of keptFolders(git))
        if (all.some(({ path }) => path === dirname(objects) || path.startsWith(`${dirname(objects)}/`))) returnObjects(kept, objects);
      const problems = putBack(all, disk.newId);
      act.end();
      return problems;
    },
    close: () => {
      log?.close();
      log = undefined;
    },
  };
}

/** Where the objects of a repository are kept; the folder beside them says whose they are. */
function keptObjects(disk: Disk, git: string, objects: string): string {
  const folder = join(git, nameOf(objects));
  if (!existsSync(join(folder, 'from'))) {
    ensureFolder(disk, folder);
    writeFileAtomic(disk, join(folder, 'from'), Buffer.from(objects), { point: 'changes' });
  }
  return join(folder, 'objects');
}

const keptFolders = (git: string): readonly (readonly [kept: string, from: string])[] =>
  namesIn(git).flatMap((name) => {
    const from = orUndefined(() => readOwnFile(join(git, name, 'from'))?.toString());
    return from === undefined ? [] : [[join(git, name, 'objects'), from]];
  });

const nameOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);
