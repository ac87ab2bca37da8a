/**
 * One /tmp and one /var/tmp for a session: what a command in the sandbox leaves there is there for the next one and for the file tools.
 *
 * They are folders of the session, bound at those names. The user's own files in the real ones are bound over them, read-only, a bounded
 * number of them: an overlay would show all at no cost, but this bubblewrap has none, and through an overlay a socket can be reached, which
 * a bind of single entries leaves out. A bind needs a name to stand on, an empty file or folder that bubblewrap makes. These names are written
 * down before a command runs, count for nothing to the file tools, and go before the next command that does not need them: so neither a kill
 * nor a deleted file leaves a name that means nothing. To take all away after each command costs more than the binds.
 *
 * What a session has goes before what the user has under the same name. Commands outside of the sandbox, and hooks, have the real folders.
 */

import { type Dirent, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { isWithin } from '../../../../domain/value/is-within.ts';
import { parseJson } from '../../../../domain/value/json.ts';
import { orUndefined } from '../../../../domain/value/or-undefined.ts';
import { type TemporaryFolder, type TemporaryMounts, temporaryPlaces } from '../../../place/temporary.ts';
import { folderBytes } from '../../processes/limits.ts';
import { withTimeout } from '../../shell.ts';
import { findSockets } from '../sockets.ts';

/** What the temporary folder of a session may take on the disk. */
const MAX_BYTES = 2 ** 30;

/** One that is too full already may be emptied: only a command that adds to it is ended. */
export const roomIn = async ({ folder, bytes }: SessionTemporary) => ({ folder, maxBytes: Math.max(MAX_BYTES, await bytes()) });

/** Whether it is too full now, where that is found out at once. */
export const isFull = async (temporary: SessionTemporary | undefined): Promise<boolean> =>
  temporary?.isUsed() === true && ((await withTimeout(LOOK_MS, temporary.bytes(true))) ?? 0) > MAX_BYTES;

const LOOK_MS = 20;

export type SessionTemporary = TemporaryFolder & {
  /** To be called when it is known whether commands run in a sandbox. */
  readonly use: (isUsed: boolean) => void;
  /** What is in it, in bytes on the disk, as it was when the last command ended; `anew`: as it is now. Never rejects. */
  readonly bytes: (anew?: boolean) => Promise<number>;
  /** To be called before a command runs; `done` when it has ended, or runs on in the background. */
  readonly prepare: (
    command: string,
    paths: readonly string[],
  ) => { readonly mounts: TemporaryMounts; readonly done: (runsOn?: boolean) => void };
};

const namesSchema = z.array(z.string());

/** `isNeeded`: whether a command in the background runs, which may have the names under it. */
export function createSessionTemporary(folder: string, isNeeded: () => boolean): SessionTemporary {
  const listFile = join(folder, 'names.json');
  let used = false;
  let running = 0;
  let measured: Promise<number> | undefined;
  const written = (): readonly string[] =>
    namesSchema.safeParse(parseJson(orUndefined(() => readFileSync(listFile, 'utf8')) ?? '')).data ?? [];
  const standing = (): readonly string[] => written().filter((path) => isWithin(path, folder) && isEmpty(path));
  const write = (paths: readonly string[]): void => {
    if (written().join('\0') !== paths.join('\0')) writeFileSync(listFile, `${JSON.stringify(paths)}\n`, { mode: 0o600 });
  };
  const done = (runsOn = false): void => {
    running--;
    if (runsOn || isNeeded()) measured = undefined;
  };
  return {
    folder,
    isUsed: () => used,
    use: (isUsed) => {
      used = isUsed;
    },
    placeholders: () => new Set(standing()),
    free: (path) => {
      if (!standing().includes(path)) return;
      removeEmpty(path);
      orUndefined(() => write(written().filter((each) => each !== path)));
    },
    bytes: (anew = false) => {
      measured = anew ? folderBytes(folder) : (measured ?? folderBytes(folder));
      return measured;
    },
    prepare: (command, paths) => {
      const places = temporaryPlaces(folder);
      for (const { own } of places) mkdirSync(own, { recursive: true, mode: 0o700 });
      const old = standing();
      const isInUse = running > 0 || isNeeded();
      const shown = shownEntries(folder, command, { paths, kept: isInUse ? old : [] });
      const mine = new Set(old);
      const free = shown.filter(({ own }) => mine.has(own) || !isThere(own));
      const needed = new Map(free.map(({ path, own }) => [own, path]));
      for (const path of old) {
        const real = needed.get(path);
        if (real === undefined || isFolder(real) !== isFolder(path)) removeEmpty(path);
      }
      // Whatever of it is shown, the working folder is bound at its own name, which bubblewrap makes.
      const above = places.flatMap(({ at, own }) => paths.flatMap((path) => topOf(path, at)).map((name) => join(own, name)));
      write([...new Set([...needed.keys(), ...above.filter((path) => mine.has(path) || !isThere(path))])]);
      running++;
      const folders = places.map(({ at, own }) => ({ from: own, at }));
      return { mounts: { folders, readable: free.map(({ path }) => path) }, done };
    },
  };
}

type Wish = {
  readonly paths: readonly string[];
  /** Placeholders of what runs in the background. */
  readonly kept: readonly string[];
};

/** What of the user's own is shown for a command, each with the name in the session's folder that it stands on. */
function shownEntries(folder: string, command: string, { paths, kept }: Wish): readonly { readonly path: string; readonly own: string }[] {
  const { uid } = statSync(folder);
  const sockets = findSockets().paths;
  return temporaryPlaces(folder).flatMap(({ at, own }) => {
    if (paths.some((path) => isWithin(at, path))) return [];
    const inUse = kept.filter((path) => isWithin(path, own)).map((path) => basename(path));
    const named = new Set([...namedIn(command, at), ...paths.flatMap((path) => topOf(path, at)), ...inUse]);
    return realEntries(at, { named, uid, sockets }).map((path) => ({ path, own: join(own, basename(path)) }));
  });
}

const isFolder = (path: string): boolean | undefined => orUndefined(() => lstatSync(path).isDirectory());

const isThere = (path: string): boolean => orUndefined(() => lstatSync(path)) !== undefined;

/** The first name of a path below a folder. */
const topOf = (path: string, folder: string): readonly string[] =>
  path !== folder && isWithin(path, folder) ? relative(folder, path).split(sep).slice(0, 1) : [];

/** An empty file, or folders with nothing in them but such: what a working folder further down stands on. */
function isEmpty(path: string): boolean {
  const stats = orUndefined(() => lstatSync(path));
  if (stats?.isDirectory() !== true) return stats?.isFile() === true && stats.size === 0;
  const names = orUndefined(() => readdirSync(path));
  return names?.every((name) => isFolder(join(path, name)) === true && isEmpty(join(path, name))) === true;
}

/** A folder that something stands in is not removed, whatever was thought of it. */
function removeEmpty(path: string): void {
  if (isFolder(path) !== true) {
    orUndefined(() => unlinkSync(path));
    return;
  }
  for (const name of orUndefined(() => readdirSync(path)) ?? []) if (isFolder(join(path, name)) === true) removeEmpty(join(path, name));
  orUndefined(() => rmdirSync(path));
}

/** Each is a mount, of which one takes bubblewrap 0.1 to 0.3 ms of the processor. */
const MAX_SHOWN = 12;
const MAX_NAMED = 20;
/** Where there are more, not all are looked at: a look takes 7 µs. */
const MAX_DATED = 200;
/** Of a folder so much is looked at for sockets: those of agents and screens stand in small ones. */
const MAX_LOOKED = 100;
const DEPTH = 2;

type LeftWish = {
  /** Names that are shown before others, where they may be at all. */
  readonly named: ReadonlySet<string>;
  /** The user who runs this. */
  readonly uid: number;
  /** Sockets at which programs of the machine listen. */
  readonly sockets: readonly string[];
};

/**
 * What of a folder for temporary files is the user's own to read, also in the sandbox: what is named, then the newest. Not sockets and what
 * holds one (of agents, screens and terminals), not what others keep to themselves, and no links, by which others could show what is hidden.
 */
export function realEntries(at: string, { named, uid, sockets }: LeftWish): readonly string[] {
  const entries = (orUndefined(() => readdirSync(at, { withFileTypes: true })) ?? []).filter(
    (entry) => (entry.isFile() || entry.isDirectory()) && !OTHERS.test(entry.name),
  );
  const dated = [...entries.filter(({ name }) => named.has(name)), ...entries.filter(({ name }) => !named.has(name))]
    .slice(0, MAX_DATED)
    .flatMap((entry) => {
      const stats = orUndefined(() => lstatSync(join(at, entry.name)));
      if (stats === undefined) return [];
      const isOpen = stats.uid === uid || (stats.mode & (entry.isDirectory() ? 0o005 : 0o004)) === (entry.isDirectory() ? 0o005 : 0o004);
      return isOpen ? [{ entry, time: stats.mtimeMs, isNamed: named.has(entry.name) }] : [];
    });
  const sorted = dated.sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.time - a.time);
  const count = MAX_SHOWN + Math.min(MAX_NAMED, dated.filter(({ isNamed }) => isNamed).length);
  return sorted
    .slice(0, count)
    .map(({ entry }) => ({ entry, path: join(at, entry.name) }))
    .filter(({ path, entry }) => !sockets.some((socket) => isWithin(socket, path)) && !holdsSocket(entry, path))
    .map(({ path }) => path);
}

/** Folders of services and of screens, whoever they belong to. */
const OTHERS = /^(?:systemd-private-|snap-private-tmp|snap\.)|^\.(?:X11|ICE|XIM|font|Test)-unix$/;

function holdsSocket(entry: Dirent, path: string): boolean {
  let left = MAX_LOOKED;
  const look = (folder: string, depth: number): boolean =>
    (orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? []).some((each) => {
      if (--left < 0) return false;
      return each.isSocket() || (each.isDirectory() && depth > 1 && look(join(folder, each.name), depth - 1));
    });
  return entry.isDirectory() && look(path, DEPTH);
}

const NAMES = /(?<![^\s"'`=:;|&<>({])(\/tmp|\/var\/tmp)\/([^\s"'`;|&<>(){}$*?[\]\\/]+)/g;

/** The names below a folder for temporary files that a command speaks of. */
export const namedIn = (command: string, at: string): readonly string[] =>
  [...command.matchAll(NAMES)].flatMap(([, folder, name]) => (folder === at && name !== undefined ? [name] : []));
