import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NewSnapshot, SnapshotBody } from '../../agent/ports/disk.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type SnapshotMeta, snapshotMetaSchema } from '../../domain/session/snapshot.ts';
import { createFile, GOING, temporaryFor, writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, faultPoint, fsyncFolder } from '../files/disk.ts';
import { storeFailure } from '../files/failure.ts';
import { bodyFileName, parseSnapshotId, type StorePaths } from '../files/paths.ts';
import { encodePage } from '../files/record-line.ts';
import { rewriteLines } from '../files/rewrite-lines.ts';
import { bodyRefOf, encodeBody, encodeBodyFile, retiredLine, sha256Of } from '../session/bodies/body-text.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot-file.ts';

export type NewSession = {
  readonly sessionId: string;
  /** The lines of its log, each with its line end; the header first. */
  readonly log: Iterable<Uint8Array>;
  /** Stored as files, for the stubs of its context. */
  readonly bodies: Iterable<SnapshotBody>;
  /** Stored in bodies.jsonl. */
  readonly retired: Iterable<SnapshotBody>;
  readonly title: string | undefined;
  /** Adds to its folder what else belongs to it, durable when it returns. */
  readonly fill?: ((folder: string) => void) | undefined;
};

/**
 * Creates a whole session at once: it is built beside the others and gets its name when all of it is on disk, so that a crash leaves
 * neither half a session nor a stub without its body. Throws store_failed, or store_damaged for a body that does not match its hash;
 * nothing is created then.
 */
export function writeSession(disk: Disk, paths: StorePaths, session: NewSession): void {
  const { sessionId } = session;
  const folder = paths.session(sessionId);
  ensureFolder(disk, paths.sessions);
  // Named like an interrupted deletion, so that the next opening removes what a crash leaves.
  const temporaryFolder = temporaryFor(disk, folder, GOING);
  try {
    faultPoint(disk, 'place.folder');
    mkdirSync(temporaryFolder, { mode: 0o700 });
    mkdirSync(join(temporaryFolder, 'offloaded'), { mode: 0o700 });
    writeFiles(disk, temporaryFolder, session);
    session.fill?.(temporaryFolder);
    fsyncFolder(disk, temporaryFolder, 'place');
    if (entryExists(folder))
      throw new SanbotError('store_failed', { en: `Session ${sessionId} already exists`, zh: `会话 ${sessionId} 已存在` });
    faultPoint(disk, 'place.rename');
    renameSync(temporaryFolder, folder);
    fsyncFolder(disk, paths.sessions, 'place');
  } catch (error) {
    rmSync(temporaryFolder, { recursive: true, force: true });
    throw storeFailure(error, 'write', folder);
  }
}

function writeFiles(disk: Disk, temporaryFolder: string, { log, bodies, retired, title }: NewSession): void {
  for (const { ref, text } of bodies) {
    const body = verifiedBytes(ref.sha256, text);
    const file = bodyRefOf(body);
    rewriteLines(disk, join(temporaryFolder, 'offloaded', bodyFileName(file)), [encodeBodyFile(body, file)]);
  }
  const lines = retiredBodyLines(retired);
  const first = lines.next();
  if (first.done !== true) rewriteLines(disk, join(temporaryFolder, 'bodies.jsonl'), prepend(first.value, lines));
  if (title !== undefined) rewriteLines(disk, join(temporaryFolder, 'title'), [Buffer.from(title, 'utf8')]);
  rewriteLines(disk, join(temporaryFolder, 'log.jsonl'), log);
}

function* prepend(first: Uint8Array, rest: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield first;
  yield* rest;
}

function* retiredBodyLines(bodies: Iterable<SnapshotBody>): Generator<Uint8Array, undefined> {
  for (const { ref, text } of bodies) {
    verifiedBytes(ref.sha256, text);
    yield retiredLine({ ref, text });
  }
  return undefined;
}

/** Returns the bytes of a body. Throws store_damaged when they do not match its hash. */
function verifiedBytes(sha256: string, text: string): Buffer {
  const bytes = encodeBody(text);
  if (bodyRefOf(bytes).sha256 === sha256) return bytes;
  throw new SanbotError('store_damaged', {
    en: `The result ${sha256.slice(0, 32)} is not what its hash says`,
    zh: `结果 ${sha256.slice(0, 32)} 与哈希不符`,
  });
}

export type ImportedSnapshot = Pick<NewSnapshot, 'context' | 'bodies'> & { readonly meta: SnapshotMeta };

/** Verifies a snapshot from another home. Returns it, or why it is invalid. */
export function parseImportedSnapshot(meta: unknown, bytes: Buffer): ImportedSnapshot | { readonly why: Bilingual } {
  const parsed = snapshotMetaSchema.safeParse(meta);
  if (!parsed.success || parseSnapshotId(parsed.data.id) === undefined) return { why: { en: 'its meta is damaged', zh: '其元数据已损坏' } };
  const { id, sessionId, sha256 } = parsed.data;
  if (sha256Of(bytes) !== sha256) return { why: { en: 'sha256 differs', zh: 'sha256 不一致' } };
  const decoded = decodeSnapshot(bytes, { id, sessionId });
  return decoded.kind === 'damaged' ? { why: decoded.why } : { meta: parsed.data, context: decoded.context, bodies: decoded.bodies };
}

/** Writes a snapshot under its own id, its meta last. Returns false when a snapshot with that id exists. Throws store_failed. */
export function writeImportedSnapshot(disk: Disk, paths: StorePaths, { meta, context, bodies }: ImportedSnapshot): boolean {
  const { id, sessionId, group, reason, model, tokens } = meta;
  ensureFolder(disk, paths.summaries(group));
  const bytes = encodeSnapshot(id, { sessionId, group, reason, model, tokens, context, bodies });
  if (!createFile(disk, paths.snapshot(group, id), bytes, 'snapshot')) return false;
  const newMeta: SnapshotMeta = { ...meta, bytes: bytes.length, sha256: sha256Of(bytes) };
  writeFileAtomic(disk, paths.snapshotMeta(group, id), encodePage(newMeta), { point: 'meta' });
  return true;
}
