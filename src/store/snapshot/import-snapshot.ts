import type { NewSnapshot } from '../../agent/ports/disk.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type SnapshotMeta, snapshotMetaSchema } from '../../domain/session/snapshot.ts';
import { createFile, writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { parseSnapshotId } from '../files/ids.ts';
import type { StorePaths } from '../files/paths.ts';
import { encodePage } from '../files/record-line.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot-file.ts';

export type ImportedSnapshot = {
  readonly meta: SnapshotMeta;
  readonly context: NewSnapshot['context'];
  readonly bodies: NewSnapshot['bodies'];
};

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
