/**
 * The large results and messages of a session that stubs stand for, each named by the hash of its text.
 *
 * A text comes in, and out comes its ref and the path that the stub names. While a context refers to a body it is a file; then it becomes a
 * line of bodies.jsonl, appended before the file is deleted. Images and PDFs are texts here too, as data URIs, and only their files hold
 * the bytes that any program opens; `body-text.ts` converts between the two.
 *
 * A body is returned only when it matches its hash, from wherever it is, by any path that a stub of this or an older SanBot names.
 */

import { unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Bodies, SavedBody, SnapshotBody } from '../../../agent/ports/disk.ts';
import { SanbotError } from '../../../domain/errors.ts';
import { type Bilingual, because } from '../../../domain/language.ts';
import type { BodyRef, Message } from '../../../domain/session/message.ts';
import type { BranchEntry, HeaderRecord, LogRecord, NewRecord } from '../../../domain/session/record.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { type Disk, ensureFolder, faultPoint, fileSize, fsyncFolder } from '../../files/disk.ts';
import { failureReason, orStoreDamage, storeFailure } from '../../files/failure.ts';
import { printablePath, type StorePaths } from '../../files/paths.ts';
import {
  bodyExtensions,
  bodyFiles,
  bodyRefOf,
  createRetiredBodies,
  decodeBody,
  encodeBody,
  encodeBodyFile,
  prefixInName,
  type RetiredBodies,
  readBodyFile,
  sha256Of,
} from './body-text.ts';

export type BodyStore = Readonly<ReturnType<typeof createBodies>>;

/** `maxSessionBytes`: for the session's offloaded and retired bodies together; 0 stores none. */
type BodyOptions = { readonly sessionId: string; readonly maxSessionBytes: number };

/** The bodies of one session: files named by their content while a context refers to them, then lines of bodies.jsonl. */
export function createBodies(disk: Disk, paths: StorePaths, { sessionId, maxSessionBytes }: BodyOptions) {
  const retiredBodies = createRetiredBodies(disk, paths.retiredBodies(sessionId));
  const state: BodyState = { disk, paths, sessionId, retiredBodies, totalBytes: undefined };
  return {
    save: (body) => storeOnce(state, encodeBody(body), maxSessionBytes),
    refOf: (body) => bodyRefOf(encodeBody(body)),
    path: (ref) => paths.body(sessionId, ref),
    read: (ref) => read(state, ref.sha256),
    /** Returns the text of the body that a stub's path names, retired or not; undefined for another path, or a missing or damaged body. */
    readPath: (path: string) => readPath(state, path),
    retire: (keep) => retire(state, keep),
    restore: (bodies) => {
      for (const { ref, text } of bodies) restoreOne(state, ref.sha256, encodeBody(text));
    },
  } satisfies Bodies & Readonly<Record<string, unknown>>;
}

type BodyState = {
  readonly disk: Disk;
  readonly paths: StorePaths;
  readonly sessionId: string;
  readonly retiredBodies: RetiredBodies;
  /** What the bodies take on disk; undefined when it has to be summed up again. */
  totalBytes: number | undefined;
};

function storeOnce(state: BodyState, bytes: Buffer, maxBytes: number): SavedBody | undefined {
  const { disk, paths, sessionId } = state;
  const ref = bodyRefOf(bytes);
  const path = paths.body(sessionId, ref);
  const folder = paths.offloaded(sessionId);
  const stored = readOrUndefined(path);
  if (stored !== undefined && sha256Of(stored) === ref.sha256) {
    // A run that lost power may have made the name without syncing the folder.
    fsyncFolder(disk, folder, 'body');
    return { ref, path };
  }
  const total = state.totalBytes ?? totalSize(state);
  const content = encodeBodyFile(bytes, ref);
  if (total + content.length > maxBytes) return undefined;
  state.totalBytes = undefined;
  ensureFolder(disk, folder);
  writeFileAtomic(disk, path, content, { point: 'body' });
  state.totalBytes = total + content.length;
  return { ref, path };
}

function restoreOne(state: BodyState, sha256: string, bytes: Buffer): void {
  if (sha256Of(bytes) !== sha256)
    throw new SanbotError('store_damaged', {
      en: `The snapshot's body ${sha256.slice(0, 32)} is not what its hash says`,
      zh: `快照中的正文 ${sha256.slice(0, 32)} 与哈希不符`,
    });
  storeOnce(state, bytes, Number.POSITIVE_INFINITY);
}

const readOrUndefined = (path: string): Buffer | undefined => orUndefined(() => readBodyFile(path));

function totalSize({ paths, sessionId }: BodyState): number {
  return bodyFiles(paths, sessionId).reduce((sum, { path }) => sum + fileSize(path), fileSize(paths.retiredBodies(sessionId)));
}

/** Returns a body from wherever it is, but only when it matches its hash; a changed file does not hide the retired original. */
const read = (state: BodyState, sha256: string): string | undefined => readLive(state, sha256) ?? readRetired(state, sha256);

/** From a file of any name that such a body may have. */
function readLive({ paths, sessionId }: BodyState, sha256: string): string | undefined {
  for (const extension of bodyExtensions) {
    const bytes = readOrUndefined(paths.body(sessionId, { sha256, extension }));
    if (bytes !== undefined && sha256Of(bytes).startsWith(sha256)) return decodeBody(bytes);
  }
  return undefined;
}

/** As a stub names it that was written in another home: the log is the same here, to the byte, and the body is this session's own. */
const OFFLOADED = /[\\/]sessions[\\/][a-z0-9][a-z0-9_-]{0,63}[\\/]offloaded$/;

function readPath(state: BodyState, path: string): string | undefined {
  const prefix = prefixInName(basename(path));
  if (prefix === undefined || !(dirname(path) === state.paths.offloaded(state.sessionId) || OFFLOADED.test(dirname(path))))
    return undefined;
  const live = readLive(state, prefix);
  if (live !== undefined) return live;
  const sha256 = orStoreDamage(state.paths.retiredBodies(state.sessionId), () => state.retiredBodies.hash(prefix));
  return sha256 === undefined ? undefined : readRetired(state, sha256);
}

const readRetired = ({ paths, sessionId, retiredBodies }: BodyState, sha256: string): string | undefined =>
  orStoreDamage(paths.retiredBodies(sessionId), () => retiredBodies.text(sha256));

/** How much is appended to bodies.jsonl at once: few syncs, and little memory. */
const BATCH_BYTES = 8 * 1024 * 1024;

type RetireItem = { readonly path: string; readonly body: SnapshotBody };

function retire(state: BodyState, keep: ReadonlySet<string>): { readonly retired: number; readonly failed: readonly Bilingual[] } {
  state.totalBytes = undefined;
  const keptPrefixes = new Set([...keep].map((sha256) => sha256.slice(0, 32)));
  const failed: Bilingual[] = [];
  let count = 0;
  let batch: RetireItem[] = [];
  let batchBytes = 0;
  const flush = () => {
    const outcome = retireBatch(state, batch);
    count += outcome.retired;
    failed.push(...outcome.failed);
    batch = [];
    batchBytes = 0;
  };
  for (const { prefix, path } of bodyFiles(state.paths, state.sessionId)) {
    if (keptPrefixes.has(prefix)) continue;
    const bytes = readOrUndefined(path);
    if (bytes === undefined || !sha256Of(bytes).startsWith(prefix)) {
      failed.push({
        en: `${printablePath(path)} cannot be read, or does not match its name; it was left where it is`,
        zh: `${printablePath(path)} 无法读取或与其名称不符；留在原处`,
      });
      continue;
    }
    batch.push({ path, body: { ref: bodyRefOf(bytes), text: decodeBody(bytes) } });
    batchBytes += bytes.length;
    if (batchBytes >= BATCH_BYTES) flush();
  }
  flush();
  return { retired: count, failed };
}

/** Deletes a file only when its line is on disk. A crash in between leaves both, and the next call deletes just the file. */
function retireBatch(state: BodyState, batch: readonly RetireItem[]): { readonly retired: number; readonly failed: readonly Bilingual[] } {
  if (batch.length === 0) return { retired: 0, failed: [] };
  const { disk, paths, sessionId, retiredBodies } = state;
  const failed: Bilingual[] = [];
  try {
    const bodies = new Map(batch.map(({ body }) => [body.ref.sha256, body]));
    const missing = [...bodies.values()].filter(({ ref }) => readRetired(state, ref.sha256) === undefined);
    // Called even when nothing is missing: a line of an earlier run may have been written but not yet synced.
    failed.push(...retiredBodies.append(missing));
  } catch (error) {
    return {
      retired: 0,
      failed: [
        because(
          { en: `${batch.length} offloaded results stay where they are`, zh: `${batch.length} 个转存的结果留在原处` },
          failureReason(error, paths.offloaded(sessionId)),
        ),
      ],
    };
  }
  let removed = 0;
  for (const { path } of batch) {
    try {
      faultPoint(disk, 'retire.unlink');
      unlinkSync(path);
      removed += 1;
    } catch (error) {
      failed.push(storeFailure(error, 'delete', path).shown.message);
    }
  }
  // Without it, a power cut may bring a file back, which does no harm.
  orUndefined(() => fsyncFolder(disk, paths.offloaded(sessionId), 'retire'));
  return { retired: removed, failed };
}

/** `records`: the newest readable checkpoint, if any, and what follows it. */
type LiveRecords = { readonly header: HeaderRecord; readonly records: readonly LogRecord[] };

/**
 * Writes again the files that stubs of the context name and that were retired since. Damage to a checkpoint brings back the context from
 * before it, and with it stubs whose bodies that checkpoint had given up. Never throws: a body that cannot be written is still found in
 * bodies.jsonl.
 */
export function restoreLive(bodies: BodyStore, live: LiveRecords): void {
  for (const ref of liveRefs(live).values()) {
    orUndefined(() => {
      const text = bodies.read(ref);
      if (text !== undefined) bodies.restore([{ ref, text }]);
    });
  }
}

/** What a session refers to since its last checkpoint, by hash. */
export function liveRefs({ header, records }: LiveRecords): ReadonlyMap<string, BodyRef> {
  const start = records[0]?.type === 'checkpoint' ? [] : refsIn(header.context.messages);
  return new Map([...start, ...records.flatMap(refsOf)].map((each) => [each.sha256, each]));
}

/** Every body that a record refers to. */
export function refsOf(record: NewRecord | BranchEntry): readonly BodyRef[] {
  if (record.type === 'message') return refsIn([record.message]);
  if (record.type === 'offload') return record.stubs.map((stub) => stub.ref.body);
  if (record.type === 'branch') return refsOf(record.entry);
  return record.type === 'header' || record.type === 'start' || record.type === 'checkpoint' ? refsIn(record.context.messages) : [];
}

const refsIn = (messages: readonly Message[]): readonly BodyRef[] =>
  messages.flatMap((message) => (message.stubs ?? []).map((stub) => stub.body));
