import { lstatSync, unlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { Bodies, SavedBody, SnapshotBody } from '../../agent/ports.ts';
import { SanbotError } from '../../domain/errors.ts';
import { type Disk, ensureFolder, readOwnFile, step, syncFolder } from '../files/disk.ts';
import { lineOf, storeDamage } from '../files/failure.ts';
import { type StorePaths, shownPath } from '../files/paths.ts';
import { namesIn, replaceFile } from '../files/replace-file.ts';
import { decodeBody, encodeBody, refOf, sha256Of } from './body-text.ts';
import { type RetiredBodies, type RetiredBody, retiredBodies } from './retired-bodies.ts';

export type BodyStore = Bodies & {
  /** The text of the body that a stub's path names, retired or not; undefined for any other path, and when it is missing or damaged. */
  readonly readPath: (path: string) => string | undefined;
  /** Writes again what is missing of a snapshot's bodies, whatever the cap. Throws store_damaged when a text is not what its ref says. */
  readonly restore: (bodies: readonly SnapshotBody[]) => void;
};

export type BodyOptions = {
  readonly sessionId: string;
  /** Of the session's offloaded and retired bodies together; 0 stores none. */
  readonly maxSessionBytes: number;
};

/** The bodies of one session: files named by their content while a context refers to them, lines of bodies.jsonl afterwards. */
export function createBodies(disk: Disk, paths: StorePaths, { sessionId, maxSessionBytes }: BodyOptions): BodyStore {
  const retired = retiredBodies(disk, paths.retiredBodies(sessionId));
  const place: Place = { disk, paths, sessionId, retired, total: { bytes: undefined } };
  return {
    save: (body) => {
      const bytes = encodeBody(body);
      return storeOnce(place, bytes, { mayGrowTo: maxSessionBytes });
    },
    path: (ref) => paths.body(sessionId, ref.sha256),
    read: (ref) => read(place, ref.sha256),
    readPath: (path) => readPath(place, path),
    retire: (keep) => retire(place, keep),
    restore: (bodies) => {
      for (const { ref, text } of bodies) restoreOne(place, ref.sha256, encodeBody(text));
    },
  };
}

type Place = {
  readonly disk: Disk;
  readonly paths: StorePaths;
  readonly sessionId: string;
  readonly retired: RetiredBodies;
  /** What the bodies take on disk; undefined when it has to be summed up anew. */
  readonly total: { bytes: number | undefined };
};

function storeOnce(place: Place, bytes: Buffer, { mayGrowTo }: { readonly mayGrowTo: number }): SavedBody | undefined {
  const { disk, paths, sessionId } = place;
  const ref = refOf(bytes);
  const path = paths.body(sessionId, ref.sha256);
  const folder = paths.offloaded(sessionId);
  if (isIntact(path, ref.sha256)) {
    // Its name may have been made by a run that a power cut ended before the folder was synced.
    syncFolder(disk, folder, 'body');
    return { ref, path };
  }
  const total = place.total.bytes ?? bytesOf(place);
  if (total + bytes.length > mayGrowTo) return undefined;
  place.total.bytes = undefined;
  ensureFolder(disk, folder);
  replaceFile(disk, path, bytes, { point: 'body' });
  place.total.bytes = total + bytes.length;
  return { ref, path };
}

function restoreOne(place: Place, sha256: string, bytes: Buffer): void {
  if (sha256Of(bytes) !== sha256)
    throw new SanbotError('store_damaged', `The snapshot's body ${sha256.slice(0, 32)} is not what its hash says`);
  storeOnce(place, bytes, { mayGrowTo: Number.POSITIVE_INFINITY });
}

function isIntact(path: string, sha256: string): boolean {
  const bytes = tryRead(path);
  return bytes !== undefined && sha256Of(bytes) === sha256;
}

function tryRead(path: string): Buffer | undefined {
  try {
    return readOwnFile(path);
  } catch {
    return undefined;
  }
}

function bytesOf({ paths, sessionId }: Place): number {
  const size = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return liveBodies(paths, sessionId).reduce((sum, { path }) => sum + size(path), size(paths.retiredBodies(sessionId)));
}

const BODY_FILE = /^([0-9a-f]{32})\.txt$/;
type LiveBody = { readonly prefix: string; readonly path: string };

function liveBodies(paths: StorePaths, sessionId: string): readonly LiveBody[] {
  return namesIn(paths.offloaded(sessionId)).flatMap((name) => {
    const [, prefix] = BODY_FILE.exec(name) ?? [];
    return prefix === undefined ? [] : [{ prefix, path: paths.body(sessionId, prefix) }];
  });
}

/** Wherever it is, and only when it is what the hash says; a changed file does not hide the retired original. */
function read(place: Place, sha256: string): string | undefined {
  const bytes = tryRead(place.paths.body(place.sessionId, sha256));
  if (bytes !== undefined && sha256Of(bytes) === sha256) return decodeBody(bytes);
  return readRetired(place, sha256);
}

function readPath(place: Place, path: string): string | undefined {
  const [, prefix] = BODY_FILE.exec(basename(path)) ?? [];
  if (prefix === undefined || path !== place.paths.body(place.sessionId, prefix)) return undefined;
  const bytes = tryRead(path);
  if (bytes !== undefined && sha256Of(bytes).startsWith(prefix)) return decodeBody(bytes);
  const sha256 = hashRetired(place, prefix);
  return sha256 === undefined ? undefined : readRetired(place, sha256);
}

function hashRetired({ paths, sessionId, retired }: Place, prefix: string): string | undefined {
  try {
    return retired.hash(prefix);
  } catch (error) {
    throw storeDamage(error, paths.retiredBodies(sessionId));
  }
}

function readRetired({ paths, sessionId, retired }: Place, sha256: string): string | undefined {
  try {
    const text = retired.text(sha256);
    return text !== undefined && sha256Of(encodeBody(text)) === sha256 ? text : undefined;
  } catch (error) {
    throw storeDamage(error, paths.retiredBodies(sessionId));
  }
}

/** So much is appended to bodies.jsonl at once: few syncs, and little memory. */
const BATCH_BYTES = 8 * 1024 * 1024;

function retire(place: Place, keep: ReadonlySet<string>): { readonly retired: number; readonly failed: readonly string[] } {
  place.total.bytes = undefined;
  const kept = new Set([...keep].map((sha256) => sha256.slice(0, 32)));
  const failed: string[] = [];
  let count = 0;
  let batch: { readonly path: string; readonly body: RetiredBody }[] = [];
  let batchBytes = 0;
  const flush = () => {
    const outcome = moveBatch(place, batch);
    count += outcome.retired;
    failed.push(...outcome.failed);
    batch = [];
    batchBytes = 0;
  };
  for (const { prefix, path } of liveBodies(place.paths, place.sessionId)) {
    if (kept.has(prefix)) continue;
    const bytes = tryRead(path);
    if (bytes === undefined || !sha256Of(bytes).startsWith(prefix)) {
      failed.push(`${shownPath(path)} cannot be read, or is not what its name says; it was left where it is`);
      continue;
    }
    batch.push({ path, body: { ref: refOf(bytes), text: decodeBody(bytes) } });
    batchBytes += bytes.length;
    if (batchBytes >= BATCH_BYTES) flush();
  }
  flush();
  return { retired: count, failed };
}

type Moving = readonly { readonly path: string; readonly body: RetiredBody }[];

/** A file goes only when its line is on disk. A crash in between leaves both, and the next time only the file goes. */
function moveBatch(place: Place, batch: Moving): { readonly retired: number; readonly failed: readonly string[] } {
  if (batch.length === 0) return { retired: 0, failed: [] };
  const { disk, paths, sessionId, retired } = place;
  const failed: string[] = [];
  try {
    const missing = batch.filter(({ body }) => readRetired(place, body.ref.sha256) === undefined);
    // Also when nothing is missing: a line of an earlier run may have been written but not yet synced.
    failed.push(...retired.append(missing.map(({ body }) => body)));
  } catch (error) {
    return { retired: 0, failed: [`${batch.length} offloaded results stay where they are: ${lineOf(error)}`] };
  }
  let gone = 0;
  for (const { path } of batch) {
    try {
      step(disk, 'retire.unlink');
      unlinkSync(path);
      gone += 1;
    } catch (error) {
      failed.push(`Cannot delete ${shownPath(path)}: ${lineOf(error)}`);
    }
  }
  try {
    syncFolder(disk, paths.offloaded(sessionId), 'retire');
  } catch {
    // Then a power cut may bring a file back, which does no harm.
  }
  return { retired: gone, failed };
}
