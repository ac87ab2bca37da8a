import { fstatSync, fsyncSync, ftruncateSync } from 'node:fs';
import { basename, join } from 'node:path';
import { groupBy } from '../../domain/lists.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { unlinkIfExists } from '../files/atomic-write.ts';
import { createCloner } from '../files/clone-file.ts';
import {
  type Disk,
  ensureFolder,
  faultPoint,
  fileSize,
  fsyncFolder,
  openForAppend,
  readAt,
  useAndClose,
  withOwnFile,
  writeAll,
} from '../files/disk.ts';
import { orStoreFailure } from '../files/failure.ts';
import { namesIn } from '../files/paths.ts';
import { rewriteLines } from '../files/rewrite-lines.ts';
import { sha256Of } from '../session/bodies/body-text.ts';

/**
 * Contents of files, each once, under their sha256 in hexadecimal. They stand one behind the other in a few files, so that a thousand of
 * them cost one sync: a line with hash and length, the bytes, a newline. What a crash cut off at an end is not found, and goes with the
 * next write. A large one is a file of its own where that shares its bytes with the one that it was read from (copy on write), and takes no
 * room. One writer: the holder of the session's lock.
 */
export type Contents = {
  readonly has: (sha256: string) => boolean;
  /**
   * Takes a content; it is on disk once `commit` has returned. Returns its sha256, which need not be worked out again where it is given.
   * `from`: the file that it was read from.
   */
  readonly add: (content: Uint8Array, sha256?: string, from?: string) => string;
  readonly commit: () => void;
  /** Undefined when it is not here or not what its name says. */
  readonly read: (sha256: string) => Buffer | undefined;
  readonly bytes: () => number;
  readonly places: () => ReadonlyMap<string, Place>;
  /**
   * Drops all contents but the needed ones, and those that were added since the last commit. Throws store_failed with each file as it was,
   * or without what is not needed.
   */
  readonly retain: (isNeeded: (sha256: string) => boolean) => void;
};

type Place = { readonly file: string; readonly at: number; readonly bytes: number };
type ContentFile = { readonly name: string; end: number };

const FILE_NAME = /^contents-(\d{1,9})$/;
/** A file that has grown beyond this is left, and another one begun: what is dropped later is rewritten in parts. */
const FILE_BYTES = 64 * 1024 * 1024;
/** Smaller ones cost less where the others are. */
export const CLONE_BYTES = 1024 * 1024;
const CLONE_NAME = /^clone-([0-9a-f]{64})$/;
const HEADER = /^([0-9a-f]{64}) (\d{1,15})\n$/;
const HEADER_BYTES = 64 + 1 + 15 + 1;
const NEWLINE = Buffer.from('\n');
const POINT = 'contents';

export function createContents(disk: Disk, folder: string): Contents {
  let files: ContentFile[] | undefined;
  const places = new Map<string, Place>();
  let total = 0;
  let pending = new Map<string, Uint8Array>();
  /** Added since the last commit, those that were here already too. */
  let added = new Set<string>();
  const readFrom = new Map<string, string>();
  const clone = createCloner(disk, (sha256) => ({ to: join(folder, cloneName(sha256)), isMeant: (bytes) => sha256Of(bytes) === sha256 }));
  const load = (): ContentFile[] => {
    if (files !== undefined) return files;
    places.clear();
    files = readPlaces(folder, places);
    total = sumOf([...pending.values()].map(({ length }) => length)) + sumOf([...places.values()].map(({ bytes }) => bytes));
    return files;
  };
  return {
    has: (sha256) => load() && (pending.has(sha256) || places.has(sha256)),
    add: (content, sha256 = sha256Of(content), from) => {
      load();
      added.add(sha256);
      if (places.has(sha256) || pending.has(sha256)) return sha256;
      total += content.length;
      pending.set(sha256, content);
      if (from !== undefined && content.length >= CLONE_BYTES) readFrom.set(sha256, from);
      return sha256;
    },
    commit: () => {
      added = new Set();
      if (pending.size === 0) return;
      const batch = pending;
      pending = new Map();
      try {
        ensureFolder(disk, folder);
        const grown = load();
        for (const sha256 of clone(readFrom)) takeOut(batch, sha256, places);
        readFrom.clear();
        if (batch.size > 0) for (const placed of append(disk, folder, fileToGrow(grown), batch)) places.set(...placed);
      } catch (error) {
        total -= sumOf([...batch.values()].map(({ length }) => length));
        throw error;
      }
    },
    read: (sha256) => {
      load();
      const content = pending.get(sha256) ?? contentAt(folder, places.get(sha256));
      return content !== undefined && sha256Of(content) === sha256 ? Buffer.from(content) : undefined;
    },
    bytes: () => load() && total,
    places: () => (load().length === 0 && places.size === 0 ? new Map() : places),
    retain: (isNeeded) => {
      load();
      for (const each of byFile(places)) retainIn(disk, folder, each, (sha256) => isNeeded(sha256) || added.has(sha256));
      files = undefined;
    },
  };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

export const contentFiles = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => FILE_NAME.test(name) || CLONE_NAME.test(name))
    .sort((a, b) => numberOf(a) - numberOf(b));

/** Of a clone, which nothing is added to, 0. */
const numberOf = (name: string): number => Number(FILE_NAME.exec(name)?.[1] ?? 0);
const cloneName = (sha256: string): string => `clone-${sha256}`;

function takeOut(batch: Map<string, Uint8Array>, sha256: string, places: Map<string, Place>): void {
  places.set(sha256, { file: cloneName(sha256), at: 0, bytes: batch.get(sha256)?.length ?? 0 });
  batch.delete(sha256);
}

function fileToGrow(files: ContentFile[]): ContentFile {
  const last = files.at(-1);
  if (last !== undefined && last.end < FILE_BYTES) return last;
  const file = { name: `contents-${last === undefined ? 1 : numberOf(last.name) + 1}`, end: 0 };
  files.push(file);
  return file;
}

type PlacedContent = readonly [sha256: string, place: Place];

function append(disk: Disk, folder: string, file: ContentFile, batch: ReadonlyMap<string, Uint8Array>): readonly PlacedContent[] {
  const path = join(folder, file.name);
  const start = file.end;
  return orStoreFailure('write', path, () => {
    let at = start;
    const placed: PlacedContent[] = [];
    useAndClose(openForAppend(disk, path), (handle) => {
      if (fstatSync(handle).size !== start) ftruncateSync(handle, start);
      try {
        for (const [sha256, content] of batch) {
          const header = Buffer.from(`${sha256} ${content.length}\n`);
          for (const bytes of [header, content, NEWLINE]) writeAll(disk, handle, bytes, POINT);
          placed.push([sha256, { file: file.name, at: at + header.length, bytes: content.length }]);
          at += header.length + content.length + NEWLINE.length;
        }
        faultPoint(disk, `${POINT}.sync`);
        fsyncSync(handle);
      } catch (error) {
        orUndefined(() => ftruncateSync(handle, start));
        throw error;
      }
    });
    if (start === 0) fsyncFolder(disk, folder, POINT);
    file.end = at;
    return placed;
  });
}

const readPlaces = (folder: string, places: Map<string, Place>): ContentFile[] =>
  contentFiles(folder).flatMap((name) => {
    const found = placesIn(join(folder, name), name);
    for (const [sha256, place] of found) if (!places.has(sha256)) places.set(sha256, place);
    const last = found.at(-1)?.[1];
    return CLONE_NAME.test(name) ? [] : { name, end: last === undefined ? 0 : last.at + last.bytes + NEWLINE.length };
  });

/** Returns the contents of a file up to where it is cut off or not what was written. */
export function placesIn(path: string, name: string): readonly PlacedContent[] {
  const [, cloned] = CLONE_NAME.exec(basename(path)) ?? [];
  // An empty one was purged.
  if (cloned !== undefined) return fileSize(path) === 0 ? [] : [[cloned, { file: name, at: 0, bytes: fileSize(path) }]];
  const scan = (file: number): readonly PlacedContent[] => {
    const size = fstatSync(file).size;
    const found: PlacedContent[] = [];
    for (let at = 0; at < size; ) {
      const text = readAt(file, at, Math.min(HEADER_BYTES, size - at)).toString('latin1');
      const header = text.slice(0, text.indexOf('\n') + 1);
      const [, sha256, length] = HEADER.exec(header) ?? [];
      const start = at + header.length;
      if (sha256 === undefined || start + Number(length) + NEWLINE.length > size) break;
      found.push([sha256, { file: name, at: start, bytes: Number(length) }]);
      at = start + Number(length) + NEWLINE.length;
    }
    return found;
  };
  return withOwnFile(path, scan) ?? [];
}

const contentAt = (folder: string, place: Place | undefined): Buffer | undefined =>
  place && orUndefined(() => withOwnFile(join(folder, place.file), (handle) => readAt(handle, place.at, place.bytes)));

type FileContents = { readonly name: string; readonly all: readonly PlacedContent[] };

const byFile = (places: ReadonlyMap<string, Place>): readonly FileContents[] =>
  [...groupBy([...places], ([, { file }]) => file)].map(([name, all]) => ({ name, all }));

function retainIn(disk: Disk, folder: string, { name, all }: FileContents, isNeeded: (sha256: string) => boolean): void {
  const path = join(folder, name);
  const kept = all.filter(([sha256]) => isNeeded(sha256));
  if (kept.length === all.length) return;
  orStoreFailure('write', path, () =>
    kept.length === 0 ? unlinkIfExists(path) : rewriteLines(disk, path, withHeaders(folder, kept), POINT),
  );
}

function* withHeaders(folder: string, kept: readonly PlacedContent[]): Generator<Uint8Array> {
  for (const [sha256, place] of kept) {
    const content = contentAt(folder, place);
    if (content === undefined || content.length !== place.bytes) continue;
    yield Buffer.from(`${sha256} ${content.length}\n`);
    yield content;
    yield NEWLINE;
  }
}
