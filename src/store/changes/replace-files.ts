import {
  closeSync,
  fchmodSync,
  futimesSync,
  lutimesSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ReasonError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Entry, PutBack } from '../../domain/session/change.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { onDisk } from '../files/byte-path.ts';
import { type Disk, faultPoint, writeAll } from '../files/disk.ts';
import { syncAndClose } from '../files/sync-files.ts';
import { type HardLinks, hasThose, setFacts } from './hard-links.ts';
import { statsAt } from './look/standing.ts';
import type { TouchedFolders } from './touched-folders.ts';

export type BytesOf = (entries: readonly (Entry | null)[]) => readonly (Uint8Array | undefined)[];

type Means = {
  readonly nameTemporary: (folder: string) => string;
  readonly links: HardLinks;
  readonly touched: TouchedFolders;
  readonly bytesOf: BytesOf;
  readonly attempt: <T>(each: PutBack, work: () => T) => T | undefined;
  readonly fail: (path: string, error: unknown) => void;
};

export const FILES_A_BATCH = 512;
/** So much is read and written before it is flushed, unless one file alone is larger. */
const BYTES_A_BATCH = 16 * 1024 * 1024;

const NOT_KEPT: Bilingual = { en: 'what it held then was not kept', zh: '当时的内容没有保留' };

type FileToMake = PutBack & { readonly to: Entry };
/** What a path is to be, complete under a name beside it; `file` while it is open. */
type Made = { readonly each: FileToMake; readonly temporary: string; readonly now: Stats | undefined; readonly file: number | undefined };

/** Replaces files and links, many at a time: a batch is written beside them, flushed, and only then takes their names. */
export async function replaceFiles(disk: Disk, all: readonly PutBack[], means: Means): Promise<void> {
  for (const batch of batchesOf(all)) {
    const bytes = means.bytesOf(batch.map(({ to }) => (to.kind === 'file' ? to : null)));
    const made = batch.flatMap((each, i) => means.attempt(each, () => make(disk, each, bytes[i], means)) ?? []);
    const open = made.flatMap(({ temporary, file }) => (file === undefined ? [] : [{ temporary, file }]));
    const files = open.map(({ file }) => file);
    const results = await syncAndClose(disk, files, 'restore');
    const failures = new Map(open.map(({ temporary }, i) => [temporary, results[i]]));
    for (const one of made)
      try {
        name(disk, one, failures.get(one.temporary));
        means.links.add(one.each.path, one.each.to, one.now);
      } catch (error) {
        orUndefined(() => unlinkSync(onDisk(one.temporary)));
        means.fail(one.each.path, error);
      }
  }
}

function* batchesOf(all: readonly PutBack[]): Generator<readonly FileToMake[]> {
  let [batch, bytes]: [FileToMake[], number] = [[], 0];
  for (const { path, to } of all) {
    if (to?.kind !== 'file' && to?.kind !== 'link') continue;
    if (batch.length === FILES_A_BATCH || (batch.length > 0 && bytes + to.size > BYTES_A_BATCH)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push({ path, to });
    bytes += to.size;
  }
  if (batch.length > 0) yield batch;
}

/** Undefined where the file that stands there has those bytes: it has its permission bits and times again. */
function make(disk: Disk, each: FileToMake, bytes: Uint8Array | undefined, { links, touched, nameTemporary }: Means): Made | undefined {
  const { path, to } = each;
  makeParents(path, touched);
  const now = statsAt(path);
  if (now?.isFile() === true && to.kind === 'file' && hasThose(path, now, to)) {
    setFacts(path, to);
    links.add(path, to);
    return undefined;
  }
  const temporary = nameTemporary(dirname(path));
  touched.enter(dirname(path));
  if (to.kind === 'link') {
    if (to.holds?.startsWith('link:') !== true) throw new ReasonError(NOT_KEPT);
    symlinkSync(to.holds.slice('link:'.length), onDisk(temporary));
    lutimesSync(onDisk(temporary), to.mtime / 1000, to.mtime / 1000);
    return { each, temporary, now, file: undefined };
  }
  if (links.linkTo(path, to, temporary)) {
    setFacts(temporary, to);
    return { each, temporary, now, file: undefined };
  }
  if (bytes === undefined) throw new ReasonError(NOT_KEPT);
  const file = openSync(onDisk(temporary), 'wx', 0o600);
  try {
    writeAll(disk, file, bytes, 'restore');
    if (to.mode >= 0) fchmodSync(file, to.mode);
    if (to.mtime > 0) futimesSync(file, to.mtime / 1000, to.mtime / 1000);
  } catch (error) {
    closeSync(file);
    unlinkSync(onDisk(temporary));
    throw error;
  }
  links.made(to, temporary);
  return { each, temporary, now, file };
}

function name(disk: Disk, { each: { path }, temporary }: Made, failure: unknown): void {
  if (failure !== undefined) throw failure;
  if (statsAt(path)?.isDirectory() === true) rmdirSync(onDisk(path));
  faultPoint(disk, 'restore.rename');
  renameSync(onDisk(temporary), onDisk(path));
}

export function makeParents(path: string, touched: TouchedFolders): void {
  const folder = dirname(path);
  if (statsAt(folder) !== undefined) return;
  for (let missing = folder; statsAt(missing) === undefined; missing = dirname(missing)) touched.enter(dirname(missing));
  mkdirSync(onDisk(folder), { recursive: true });
}
