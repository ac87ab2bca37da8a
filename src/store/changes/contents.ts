import { createHash } from 'node:crypto';
import { fstatSync, fsyncSync, ftruncateSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { unlinkIfExists } from '../files/atomic-write.ts';
import {
  type Disk,
  ensureFolder,
  faultPoint,
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

/**
 * Contents of files, each once, under their sha256 in hexadecimal. They stand one behind the other in a few files, so that a thousand of
 * them cost one sync: a line with hash and length, the bytes, a newline. What a crash cut off at an end is not found, and goes with the
 * next write. One writer: the holder of the session's lock.
 */
export type Contents = {
  readonly has: (sha256: string) => boolean;
  /** Takes a content; it is on disk once `commit` has returned. Returns its sha256. */
  readonly add: (content: Uint8Array) => string;
  /** Writes what was added. Throws store_failed, with nothing of it kept. */
  readonly commit: () => void;
  /** Undefined when it is not here or not what its name says. */
  readonly read: (sha256: string) => Buffer | undefined;
  /** Bytes of all contents, with those to be committed. */
  readonly bytes: () => number;
  /** Drops all contents but the needed ones. Throws store_failed with each file as it was, or without what is not needed. */
  readonly retain: (isNeeded: (sha256: string) => boolean) => void;
};

type Place = { readonly file: string; readonly at: number; readonly bytes: number };
type ContentFile = { readonly name: string; end: number };

const FILE_NAME = /^contents-(\d{1,9})$/;
/** A file that has grown beyond this is left, and another one begun: what is dropped later is rewritten in parts. */
const FILE_BYTES = 64 * 1024 * 1024;
const HEADER = /^([0-9a-f]{64}) (\d{1,15})\n$/;
const HEADER_BYTES = 64 + 1 + 15 + 1;
const NEWLINE = Buffer.from('\n');
const POINT = 'contents';

export const sha256Hex = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

export function createContents(disk: Disk, folder: string): Contents {
  let files: ContentFile[] | undefined;
  const places = new Map<string, Place>();
  let total = 0;
  let pending = new Map<string, Uint8Array>();
  const load = (): ContentFile[] => {
    if (files !== undefined) return files;
    places.clear();
    total = sumOf([...pending.values()].map(({ length }) => length));
    files = contentFiles(folder).map((name) => {
      const found = placesIn(join(folder, name), name);
      for (const [sha256, place] of found) {
        if (places.has(sha256)) continue;
        places.set(sha256, place);
        total += place.bytes;
      }
      const last = found.at(-1)?.[1];
      return { name, end: last === undefined ? 0 : last.at + last.bytes + NEWLINE.length };
    });
    return files;
  };
  return {
    has: (sha256) => {
      load();
      return pending.has(sha256) || places.has(sha256);
    },
    add: (content) => {
      load();
      const sha256 = sha256Hex(content);
      if (places.has(sha256) || pending.has(sha256)) return sha256;
      pending.set(sha256, content);
      total += content.length;
      return sha256;
    },
    commit: () => {
      if (pending.size === 0) return;
      const batch = pending;
      pending = new Map();
      try {
        ensureFolder(disk, folder);
        for (const [sha256, place] of append(disk, folder, fileToGrow(load()), batch)) places.set(sha256, place);
      } catch (error) {
        total -= sumOf([...batch.values()].map(({ length }) => length));
        throw error;
      }
    },
    read: (sha256) => {
      load();
      const place = places.get(sha256);
      const content = pending.get(sha256) ?? (place && contentAt(folder, place));
      return content !== undefined && sha256Hex(content) === sha256 ? Buffer.from(content) : undefined;
    },
    bytes: () => {
      load();
      return total;
    },
    retain: (isNeeded) => {
      for (const { name } of load()) {
        const kept = [...places].filter(([sha256, { file }]) => file === name && isNeeded(sha256));
        const all = [...places.values()].filter(({ file }) => file === name).length;
        if (kept.length < all) retainIn(disk, folder, name, kept);
      }
      files = undefined;
    },
  };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** In the order in which they were begun. */
export const contentFiles = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => FILE_NAME.test(name))
    .sort((a, b) => numberOf(a) - numberOf(b));

const numberOf = (name: string): number => Number(FILE_NAME.exec(name)?.[1]);

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

/** Returns the contents of a file up to where it is cut off or not what was written. */
function placesIn(path: string, name: string): readonly PlacedContent[] {
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

const contentAt = (folder: string, { file, at, bytes }: Place): Buffer | undefined =>
  orUndefined(() => withOwnFile(join(folder, file), (handle) => readAt(handle, at, bytes)));

function retainIn(disk: Disk, folder: string, name: string, kept: readonly PlacedContent[]): void {
  const path = join(folder, name);
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
