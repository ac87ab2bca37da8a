import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lowest } from '../../../domain/lists.ts';
import type { Change, Entry } from '../../../domain/session/change.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { namesIn } from '../../files/paths.ts';
import { lookAt, standingOf, TICK_MS } from '../look/standing.ts';

/** A folder below `objects` that holds objects: git's two letters, its packs, and what git-lfs has. */
export const GROUP = /^(?:[0-9a-f]{2}|pack)$/;
export const OBJECT_FILE = /^(?:[0-9a-f]{38}|[0-9a-f]{62,64}|pack-[0-9a-f]{40,64}\.(?:pack|idx|rev|bitmap|mtimes|promisor))$/;
/** What git has not finished, and removes itself when it tidies up. */
export const TEMPORARY = /^\.?tmp[_-]/;

export type Present = { readonly stats: Stats; readonly files: ReadonlyMap<string, Stats> };

/** What stands beside the packs of a folder of objects, relative to it: which of them are to stay, and where in them an object is, which changes. */
export function besidePacks(objects: string): readonly string[] {
  const packs = lookAt(join(objects, 'pack'));
  if (packs === undefined || packs === 'unreadable' || !packs.isDirectory()) return [];
  return namesIn(join(objects, 'pack')).flatMap((name) => (OBJECT_FILE.test(name) || TEMPORARY.test(name) ? [] : [`pack/${name}`]));
}

type Folder = { readonly from: string; readonly to: string; readonly kept: ReadonlySet<string> };

const OBJECT_MODE = 0o444;
const READABLE = { file: 0o400, folder: 0o500 } as const;

/**
 * What a folder of objects had and has no more: gone, though no pack has it now, or of another length or mode. Where this process has not
 * looked before, that is what is kept and was lost `since`, or closed to its owner.
 */
export function lossesIn(
  folder: Folder,
  { before, now }: { readonly before: Present | undefined; readonly now: Present | undefined },
  since: number | undefined,
): readonly Change[] {
  if (before === undefined && since === undefined) return [];
  const former = before?.files ?? formerFiles(folder, since ?? 0);
  const closed = now === undefined ? [] : closedFolder(folder, before, now);
  const lost = [...former].filter(([name, was]) => isWorse(was, now?.files.get(name)));
  const gone = lost.filter(([name]) => now?.files.has(name) !== true).map(([name]) => name);
  const elsewhere = gone.length === 0 ? () => false : inPacks(folder, gone);
  const changes = lost.flatMap(([name, was]): readonly Change[] => {
    const stats = now?.files.get(name);
    if (stats === undefined && elsewhere(name)) return [];
    return [{ path: join(folder.from, name), before: entryOf(folder, name, was), after: stats === undefined ? null : standingOf(stats) }];
  });
  return [...closed, ...changes];
}

/** Nothing changes the length or the bits of an object that git has written. */
const isWorse = (was: Stats, is: Stats | undefined): boolean => is === undefined || is.size !== was.size || is.mode !== was.mode;

const isOpen = (stats: Stats): boolean => (stats.mode & READABLE.file) !== 0;

/** What was there before, as far as the kept names tell: those that the repository lost since, and all that are there still. */
function formerFiles({ from, to, kept }: Folder, since: number): ReadonlyMap<string, Stats> {
  // A loss takes a name of the file away, which has a time; of a copy nothing tells it.
  const device = orUndefined(() => lstatSync(rootOf(from)).dev);
  return new Map(
    [...kept].flatMap((name) => {
      const stats = orUndefined(() => lstatSync(join(to, name)));
      if (stats?.isFile() !== true) return [];
      const own = lookAt(join(from, name));
      if (own === undefined && stats.dev === device && stats.ctimeMs < since - TICK_MS) return [];
      return [[name, isOpen(stats) ? stats : Object.assign(stats, { mode: (stats.mode & ~0o777) | OBJECT_MODE })]];
    }),
  );
}

function closedFolder({ from, to }: Folder, before: Present | undefined, now: Present): readonly Change[] {
  const isClosed = ({ mode }: Stats): boolean => (mode & READABLE.folder) !== READABLE.folder;
  if (!isClosed(now.stats) || basename(to) === 'objects' || (before !== undefined && isClosed(before.stats))) return [];
  const after = standingOf(now.stats);
  const above = lookAt(dirname(from));
  const usual = above === undefined || above === 'unreadable' || isClosed(above) ? 0o755 : above.mode & 0o7777;
  return [{ path: from, before: { ...after, mode: before === undefined ? usual : before.stats.mode & 0o7777 }, after }];
}

/** What we have of it: where somebody wrote into the file itself, our name for it has that as well. */
function entryOf({ to }: Folder, name: string, was: Stats): Entry {
  const standing = standingOf(was);
  const kept = orUndefined(() => lstatSync(join(to, name)));
  return { ...standing, holds: kept?.size === was.size ? `object:${join(keptName(to), name)}` : 'lost' };
}

const keptName = (to: string): string => /[0-9a-f]{16}\/objects(?:\/(?:[0-9a-f]{2}|pack))*$/.exec(to)?.[0] ?? '';

/** Tells of objects that are gone whether a pack of the repository has them now, or they stand by themselves. */
function inPacks({ from, to }: Folder, gone: readonly string[]): (name: string) => boolean {
  const objects = rootOf(from);
  const ids = gone.map((name) => idOf(from, name)).filter((id) => id !== undefined);
  const idBytes = /pack-[0-9a-f]{64}\./.test(gone.join()) || ids.some(({ length }) => length === 64) ? 32 : 20;
  const packs = namesIn(join(objects, 'pack')).filter((name) => name.endsWith('.pack'));
  const tables = packs.flatMap((name) => packedIds(join(objects, 'pack', name.replace(/pack$/, 'idx')), idBytes) ?? []);
  const beyond = new Set(idsBeyond(Buffer.from(ids.toSorted().join(''), 'hex'), tables, idBytes));
  const isLoose = (id: string): boolean => lookAt(join(objects, id.slice(0, 2), id.slice(2))) !== undefined;
  const stems = new Map<string, boolean>();
  const isPackElsewhere = (stem: string): boolean => {
    const own = packedIds(join(to, `${stem}.idx`), idBytes);
    if (own === undefined) return false;
    for (const id of idsBeyond(own, tables, idBytes)) if (!isLoose(id)) return false;
    return true;
  };
  return (name) => {
    const id = idOf(from, name);
    if (id !== undefined) return !beyond.has(id);
    const [stem = '', kind] = name.split('.');
    if (packs.includes(`${stem}.pack`)) return kind !== 'idx';
    const known = stems.get(stem) ?? isPackElsewhere(stem);
    stems.set(stem, known);
    return known;
  };
}

const rootOf = (from: string): string => (basename(from) === 'objects' ? from : rootOf(dirname(from)));

const idOf = (from: string, name: string): string | undefined =>
  name.startsWith('pack-') ? undefined : name.length >= 64 ? name : `${basename(from)}${name}`;

const MAGIC = 0xff744f63;
const FANOUT_AT = 8;
const IDS_AT = FANOUT_AT + 256 * 4;

/** The ids of the objects in a pack, sorted, one behind the other, by its index of version 2; undefined where that cannot be read. */
export function packedIds(path: string, idBytes: number): Buffer | undefined {
  return orUndefined(() => {
    const bytes = readFileSync(path);
    if (bytes.readUInt32BE(0) !== MAGIC || bytes.readUInt32BE(4) !== 2) return undefined;
    const end = IDS_AT + bytes.readUInt32BE(IDS_AT - 4) * idBytes;
    return end > bytes.length ? undefined : bytes.subarray(IDS_AT, end);
  });
}

export function* idsBeyond(ids: Buffer, tables: readonly Buffer[], idBytes: number): Generator<string> {
  const places = tables.map(() => 0);
  const isIn = (table: Buffer, t: number, id: number): boolean => {
    const compare = (n: number): number => table.compare(ids, id, id + idBytes, n * idBytes, (n + 1) * idBytes);
    const low = lowest(places[t] ?? 0, table.length / idBytes, (n) => compare(n) >= 0);
    places[t] = low;
    return low * idBytes < table.length && compare(low) === 0;
  };
  for (let id = 0; id < ids.length; id += idBytes)
    if (!tables.some((table, t) => isIn(table, t, id))) yield ids.toString('hex', id, id + idBytes);
}
