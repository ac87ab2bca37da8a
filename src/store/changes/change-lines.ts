import { join } from 'node:path';
import {
  type Actor,
  type Change,
  type ChangeSet,
  type Entry,
  type Holding,
  type LaterFile,
  type Manifest,
  notKeptReasons,
  uncoveredReasons,
} from '../../domain/session/change.ts';
import { type Fields, isObject, isString } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { readOwnFile } from '../files/disk.ts';
import { CHANGES_LOG, type StorePaths } from '../files/paths.ts';

export const changeLine = ({ path, before, after }: Change) => [path, before && entryLine(before), after && entryLine(after)];

export const isBaseName = (name: string): boolean => /^base-[0-9a-f]{16}\.json$/.test(name);

type FolderEntries = { readonly folder: string; readonly entries: readonly (readonly [name: string, entry: Entry])[] };

export const baseLine = ({ folder, entries }: FolderEntries) => [folder, entries.map(([name, entry]) => [name, entryLine(entry)])];

export function baseLineOf(line: unknown): FolderEntries | undefined {
  const [folder, names]: unknown[] = Array.isArray(line) ? line : [];
  if (typeof folder !== 'string' || !Array.isArray(names)) return undefined;
  const entries = names.flatMap((each): readonly (readonly [string, Entry])[] => {
    const [name, entry]: unknown[] = Array.isArray(each) ? each : [];
    const found = entryOf(entry);
    return typeof name === 'string' && found !== undefined ? [[name, found]] : [];
  });
  return entries.length === names.length ? { folder, entries } : undefined;
}

/** What stood in a place when a line of the log with this mark was written; without one, when the first act there began. */
type StoredManifest = { readonly manifest: Manifest; readonly mark?: string | undefined };

/** Folder by folder, so that a path is written once for all that stands in it. */
export function baseText({ manifest, mark }: StoredManifest): string {
  const folders = new Map<string, [string, Entry][]>();
  for (const [path, entry] of manifest) {
    const cut = path.lastIndexOf('/');
    const parent = path.slice(0, cut);
    const names = folders.get(parent) ?? [];
    if (names.length === 0) folders.set(parent, names);
    names.push([path.slice(cut + 1), entry]);
  }
  const lines = [...folders].map(([folder, entries]) => `${JSON.stringify(baseLine({ folder, entries }))}\n`);
  return [...(mark === undefined ? [] : [`${JSON.stringify({ base: mark })}\n`]), ...lines].join('');
}

/** Undefined where there is none. Throws for one that is not as it was written. */
export function readBase(path: string): StoredManifest | undefined {
  const text = readOwnFile(path)?.toString('utf8');
  if (text === undefined) return undefined;
  const manifest = new Map<string, Entry>();
  let mark: string | undefined;
  for (const line of text.split('\n').slice(0, -1)) {
    const value: unknown = JSON.parse(line);
    const found = baseLineOf(value);
    if (isObject(value) && typeof value.base === 'string') mark = value.base;
    else if (found === undefined) return undefined;
    for (const [name, entry] of found?.entries ?? []) manifest.set(`${found?.folder}/${name}`, entry);
  }
  return { manifest, mark };
}

/** A line with another entry in the place of each that stood there before an act; what is of another kind as it is. */
export function setLine(line: Fields, entryFor: (entry: Entry) => Entry): Fields {
  if (!Array.isArray(line.changes) || setOf(line).length === 0) return line;
  const withOther = ({ path, before, after }: Change) => changeLine({ path, before: before && entryFor(before), after });
  return { ...line, changes: line.changes.flatMap((each: unknown) => [changeOf(each).map(withOther)[0] ?? each]) };
}

/** Paths of which a line tells what is not understood, as of a newer version: what stands there has not been made by anybody. */
export const unknownIn = ({ changes, seen }: Fields): readonly string[] => [
  ...pathsOf(changes, (each) => changeOf(each).length > 0),
  ...pathsOf(seen, (each) => seenIn([each]).length > 0),
];

const pathsOf = (list: unknown, isKnown: (each: unknown) => boolean): readonly string[] =>
  (Array.isArray(list) ? list : []).flatMap((each: unknown) =>
    Array.isArray(each) && isString(each[0]) && !isKnown(each) ? [each[0]] : [],
  );

export const seenIn = (value: unknown): readonly (readonly [path: string, entry: Entry])[] =>
  (Array.isArray(value) ? value : []).flatMap((pair: unknown) => {
    const [path, line]: unknown[] = Array.isArray(pair) ? pair : [];
    const entry = entryOf(line);
    return typeof path === 'string' && entry !== undefined ? [[path, entry] as const] : [];
  });

export const readSets = (path: string): readonly ChangeSet[] => linesIn(path).flatMap(setOf);

export const setsOfSession = (paths: StorePaths, sessionId: string): readonly ChangeSet[] =>
  readSets(join(paths.changes(sessionId), CHANGES_LOG));

export function linesIn(path: string): readonly Fields[] {
  const lines = readOwnFile(path)?.toString('utf8').split('\n') ?? [];
  return lines.map((line): unknown => orUndefined(() => JSON.parse(line))).filter(isObject);
}

/**
 * The lines that tell what became of a place since its base was written: behind the line with its mark, or from the beginning of the first
 * act. A line without a root is of an edit, wherever its paths are. What came from another machine (`of`) became of its folders.
 */
export function linesSinceBase(lines: readonly Fields[], root: string, mark: string | undefined): readonly Fields[] {
  const first = lines.findIndex((line) => line.root === root && (mark === undefined ? line.begins !== undefined : line.base === mark));
  const isHere = (line: Fields): boolean => line.of === undefined && (line.root === root || line.root === undefined);
  return first < 0 ? [] : lines.slice(first).filter(isHere);
}

export const lastNumber = (lines: readonly Fields[]): number =>
  lines.reduce((last, { n, dropped }) => Math.max(last, typeof n === 'number' ? n : typeof dropped === 'number' ? dropped : 0), 0);

export const actorOf = (value: unknown): Actor | undefined =>
  isObject(value) && typeof value.id === 'string' && typeof value.title === 'string' && typeof value.record === 'number'
    ? {
        ...{ id: value.id, title: value.title, record: value.record },
        ...(value.held === true && { held: true }),
        ...(value.restores === true && { restores: true }),
      }
    : undefined;

const laterOf = (value: unknown): readonly LaterFile[] =>
  isObject(value) && isString(value.path) && isObject(value.why) && isString(value.why.en) && isString(value.why.zh)
    ? [{ path: value.path, why: { en: value.why.en, zh: value.why.zh } }]
    : [];

export function setOf({ n, at, by, also, root, changes, later }: Fields): readonly ChangeSet[] {
  if (!Array.isArray(changes) || typeof n !== 'number' || typeof at !== 'string') return [];
  const others = Array.isArray(also) ? also.flatMap((each: unknown) => actorOf(each) ?? []) : [];
  const places = {
    ...(others.length > 0 && { also: others }),
    ...(typeof root === 'string' && { root }),
    ...(Array.isArray(later) && { later: later.flatMap(laterOf) }),
  };
  return [{ n, at, by: actorOf(by), ...places, changes: changes.flatMap(changeOf) }];
}

/** Whatever the reason of a newer version is, nothing is known of what stands there. */
export function uncoveredOf(pair: unknown): readonly (readonly [string, (typeof uncoveredReasons)[number]])[] {
  const [path, why]: unknown[] = Array.isArray(pair) ? pair : [];
  return isString(path) && isString(why) ? [[path, uncoveredReasons.find((reason) => reason === why) ?? 'unreadable']] : [];
}

/** None for one with an entry that is not understood, as of a newer version: taken for nothing, what stands there would be deleted. */
export function changeOf(line: unknown): readonly Change[] {
  if (!Array.isArray(line)) return [];
  const [path, ...sides]: unknown[] = line;
  const [before, after] = sides.map((side) => (side === null ? null : entryOf(side)));
  return typeof path === 'string' && before !== undefined && after !== undefined ? [{ path, before, after }] : [];
}

const LETTERS = { file: 'f', folder: 'd', link: 'l', other: 'o' } as const;
const KINDS = { f: 'file', d: 'folder', l: 'link', o: 'other' } as const;

export function entryLine({ kind, mode, size, mtime, ctime, ino, holds, isFresh, listed, links }: Entry): readonly unknown[] {
  const standing = [LETTERS[kind], mode, size, mtime, ctime, ino] as const;
  if (links !== undefined) return [...standing, holds, isFresh === true ? 1 : 0, listed, links];
  if (listed !== undefined) return [...standing, holds, isFresh === true ? 1 : 0, listed];
  if (isFresh === true) return [...standing, holds, 1];
  return holds === undefined ? standing : [...standing, holds];
}

export function entryOf(line: unknown): Entry | undefined {
  if (!Array.isArray(line)) return undefined;
  const [letter, mode, size, mtime, ctime, ino, holds, fresh, listed, links]: unknown[] = line;
  if (typeof mode !== 'number' || typeof size !== 'number' || typeof mtime !== 'number') return undefined;
  if (!isLetter(letter) || typeof ctime !== 'number' || typeof ino !== 'number') return undefined;
  // There may be hundreds of thousands: most hold something and are no more than that.
  const entry: Entry = { kind: KINDS[letter], mode, size, mtime, ctime, ino, holds: isHolding(holds) ? holds : undefined };
  if (line.length <= PLAIN_FIELDS) return entry;
  return {
    ...entry,
    ...(fresh === 1 && { isFresh: true }),
    ...(typeof listed === 'string' && { listed }),
    ...(typeof links === 'number' && { links }),
  };
}

const PLAIN_FIELDS = 7;

const isLetter = (value: unknown): value is keyof typeof KINDS => typeof value === 'string' && Object.hasOwn(KINDS, value);

const isHolding = (value: unknown): value is Holding =>
  typeof value === 'string' && (/^(?:sha256|blob|object|link):/.test(value) || notKeptReasons.some((reason) => reason === value));
