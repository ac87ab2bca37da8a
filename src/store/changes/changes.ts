/**
 * What commands changed in a folder, so that it can be brought back. Before a command everything that it could destroy is kept; after it,
 * what it changed is written down. A manifest of our own is the truth; git's index and objects only make it cheap.
 *
 * A folder and who is about to act come in; the paths that differ go out, each with what stood there before and stands there now. A line is
 * on disk when its call returns, and what it names was on disk before. What could not be kept is told, never claimed.
 *
 * Nothing is written below the folder, nothing of it is run, and no link is followed.
 */

import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FolderChanges } from '../../agent/ports/disk.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Actor, ChangeSet, Entry, PutBack, PutBackProblem } from '../../domain/session/change.ts';
import { isString } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import type { Disk } from '../files/disk.ts';
import { type Acts, createActs } from './acts/acts.ts';
import { type ChangeLog, createChangeLog } from './acts/change-log.ts';
import { keptAhead } from './acts/kept-ahead.ts';
import { createLooks, type NoteChanges } from './acts/looks.ts';
import { createPlaces, nameOf, type Places } from './acts/places.ts';
import { type Contents, createContents } from './contents.ts';
import { changesOfEdit, noteChanges } from './file-edit.ts';
import { type Kept, keeperOf, keptReader } from './git/blobs.ts';
import { objectsBack } from './git/objects-back.ts';
import { bytesNow, entryNow, isNow, unseenChanges } from './is-now.ts';
import { createLeftOut, type LaterFinder, type LeftOutActs, laterWith, type Restore } from './left-out.ts';
import type { MayRunLater } from './look/passed-over.ts';
import type { Caps } from './look/recorder.ts';
import { putBack } from './put-back.ts';
import type { HomeRoom } from './room/home-room.ts';
import { withoutLost } from './room/prune.ts';
import { createRoom } from './room/room.ts';
import { blocked, closedFolders, insideClosed, liesInside, whileReached } from './touched-folders.ts';

export type ChangesOptions = {
  readonly folder: string;
  readonly caps: Caps;
  /** Of acts nothing is kept: it is only looked which files there are. Edits are kept all the same. */
  readonly looksOnly?: boolean | undefined;
  /** The part of the home's room that this session has; left out where there is no home around it. */
  readonly home?: HomeRoom | undefined;
  readonly gitConfigs: readonly string[];
  /** Where programs are looked for, as PATH: git reads what we keep of a repository. */
  readonly searchPath: string;
  /**
   * Folders that are never taken for a work tree because one below them is the working folder: the user's home. In these, and above them,
   * only what acts name is looked at, and what was changed before.
   */
  readonly notBeyond: readonly string[];
  /** Whether what goes on in the background under this id still runs. */
  readonly isRunning?: ((id: string) => boolean) | undefined;
  /** How long a look at the folder may take, in milliseconds. */
  readonly lookMs: number;
  /** Which changes of acts in the sandbox leave what runs later; where it is left out, none do. */
  readonly findLater?: LaterFinder | undefined;
  /** Which paths it is to be asked about of what is not looked at. */
  readonly mayRunLater?: MayRunLater | undefined;
  /** Reads a content that a former version kept elsewhere, by its sha256. */
  readonly former?: ((sha256: string) => Buffer | undefined) | undefined;
};

/** A look at a folder takes a second at most. */
export const LOOK_MS = 1_000;

export type Changes = FolderChanges &
  Acts &
  LeftOutActs & {
    readonly sets: () => readonly ChangeSet[];
    /** The bytes of files that can be brought back, in the order asked; undefined where they are not kept. */
    readonly read: (entries: readonly (Entry | null)[]) => readonly (Buffer | undefined)[];
    /** Whether the bytes of each can be brought back, without reading them all: what is damaged is found out when it is read. */
    readonly areKept: (entries: readonly (Entry | null)[]) => readonly boolean[];
    readonly current: (path: string) => Buffer | undefined;
    /** Whether a path is what it was: its kind, permission bits, and bytes. */
    readonly isNow: (path: string, entry: Entry | null) => boolean;
    /** What stands at a path, the bytes of a file known by their hash unless it is too large to be kept; null for nothing. */
    readonly now: (path: string) => Entry | null;
    /**
     * Tells of files, one after the other, whether the bytes of each are kept as it stands there, or will be before the next act with those
     * that were asked about earlier; false as well where nobody knows.
     */
    readonly keeps: () => (path: string) => boolean;
    /** Why nothing can be written at a path: a link on the way to it leads elsewhere, but for folders that are `made` before. */
    readonly blocked: typeof blocked;
    /**
     * Brings paths back to what they were, as an act that can be undone in its turn; the objects of a repository come with anything of its
     * folder. Resolves to what could not be, and why, once it is on disk. Rejects with store_failed before anything is touched.
     */
    readonly restore: (all: readonly PutBack[], cwd: string, by: Actor) => Promise<readonly PutBackProblem[]>;
    /** To be called when the session is left, with the number of the last record of its log. Throws store_failed. */
    readonly close: (record?: number) => void;
  };

export function createChanges(disk: Disk, options: ChangesOptions): Changes {
  const { folder, caps, notBeyond, searchPath, former, isRunning = () => false } = options;
  const objects = { folder: join(folder, 'git'), searchPath };
  const contents = createContents(disk, folder);
  const findLater = laterWith(options.findLater, (entry) => read([entry])[0]);
  const log = createChangeLog(disk, folder, findLater);
  const own = orUndefined(() => realpathSync(disk.home)) ?? disk.home;
  const places = createPlaces({ folder, notBeyond, isRunning, lines: log.lines, now: () => disk.now().getTime() });
  const room = createRoom(disk, { folder, contents, log, places, sessionBytes: caps.sessionBytes, home: options.home });
  const ofLooks = options.looksOnly === true ? { ...caps, fileBytes: 0 } : caps;
  const look = createLooks(disk, { contents, log, fits: room.fits }, { ...options, caps: ofLooks, own });
  const note: NoteChanges = (...all) => {
    room.tidy();
    return look(...all);
  };
  const acts = createActs(places, { log, note, isRunning, now: () => disk.now().toISOString() });
  const edit: Changes['edit'] = (change, by) => {
    const { changes, why } = changesOfEdit(change, { contents, caps, fits: room.fits, known: log.heldAt(change.path) });
    contents.commit();
    log.write(changes, { root: undefined, actors: [by] });
    for (const { state, roots } of places.all()) {
      noteChanges(state.manifest, roots, changes);
      for (const { path } of changes) state.unsettled?.add(path);
    }
    return why;
  };
  const read = keptReader({ objects, contents, former });
  const restore = restorerOf(disk, { acts, places, log, contents, objects, read, fileBytes: caps.fileBytes });
  return {
    ...acts,
    edit,
    sets: () => log.sets().map((set) => withoutLost(set, (sha256) => contents.has(sha256) || former?.(sha256) !== undefined)),
    read,
    areKept: keeperOf({ objects, contents, former }),
    isNow,
    now: (path) => entryNow(path, caps.fileBytes),
    blocked,
    keeps: () => keptAhead(places.all(), { contents, room, margin: caps.fileBytes }),
    current: (path) => (blocked(path) === undefined ? bytesNow(path) : undefined),
    restore: (all, cwd, by) => {
      const closed = closedFolders(all);
      const reached = all.filter(({ path }) => !liesInside(path, closed));
      return whileReached(disk, reached, () => restore(all, cwd, by, false));
    },
    ...createLeftOut({ log, isNow, restore, reached: (all, work) => whileReached(disk, all, work) }),
    close: (record = 0) => {
      acts.lookAtJobs(record);
      log.close();
    },
  };
}

type Restoring = {
  readonly acts: Acts;
  readonly places: Places;
  readonly log: ChangeLog;
  readonly contents: Contents;
  readonly objects: Kept;
  readonly read: Changes['read'];
  readonly fileBytes: number;
};

/** Puts paths back as an act. What there is no room or time to keep stays as it is, unless it may be lost. */
const restorerOf =
  (disk: Disk, { acts, places, log, contents, objects, read, fileBytes }: Restoring): Restore =>
  async (meant, cwd, by, mayLose) => {
    const closed = closedFolders(meant);
    const beside = rootsAround(meant, log);
    const act = acts.begin(cwd, { ...by, restores: true }, () => meant.map(({ path }) => path), beside);
    const states = [cwd, ...beside].map((folder) => places.at(folder).state);
    const known = states.length === 1 && states[0] ? states[0].manifest : new Map(states.flatMap(({ manifest }) => [...manifest]));
    const all = [...meant, ...insideClosed(meant, closed, known)];
    const open = meant.filter(({ path }) => !liesInside(path, closed));
    log.write(unseenChanges(open, states, { contents, maxBytes: fileBytes }), { root: undefined, actors: [by] });
    const isLost = ({ path }: PutBack): boolean => !mayLose && wouldBeLost(known.get(path));
    const safe = all.filter((each) => !isLost(each));
    const refused = all.filter(isLost).map(({ path }) => ({ path, why: NO_ROOM }));
    const left = await putBack(disk, inOrderOfContents(safe, contents), {
      ...{ known, bytesOf: read, tag: nameOf(dirname(objects.folder)) },
      objects: objectsBack(disk, objects.folder, safe),
    });
    act.end();
    return [...refused, ...left];
  };

/** The folders around these paths in which the session has acted, the working folder or others. */
const rootsAround = (all: readonly PutBack[], log: ChangeLog): readonly string[] =>
  [...new Set(log.lines().flatMap(({ root }) => (isString(root) ? [root] : [])))].filter((root) =>
    all.some(({ path }) => path.startsWith(`${root}/`)),
  );

const NO_ROOM: Bilingual = { en: 'there is no room to keep what it holds now, which would be lost', zh: '没有空间保留现在的内容，会丢失' };

/** There was no room or time to keep it. Whether what is too large is to be lost, a person was asked. */
const wouldBeLost = (entry: Entry | undefined): boolean => entry?.holds === 'full' || entry?.holds === 'late';

/** Sorted so that the files of contents are read from their beginnings to their ends. */
function inOrderOfContents(all: readonly PutBack[], contents: Contents): readonly PutBack[] {
  const ranks = new Map([...contents.places().keys()].map((sha256, i) => [sha256, i]));
  const rankOf = ({ to }: PutBack): number => ranks.get(to?.holds?.slice('sha256:'.length) ?? '') ?? ranks.size;
  return all.toSorted((a, b) => rankOf(a) - rankOf(b));
}
