import { type SnapshotMeta, snapshotReasons } from '../../domain/session/snapshot.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { createFile } from '../files/atomic-write.ts';
import { type Disk, entryExists, readOwnFile } from '../files/disk.ts';
import { parseSnapshotId, parseTimestamp, type StorePaths } from '../files/paths.ts';
import { encodePage, lineSpans, readRecord } from '../files/record-line.ts';
import { decodeSnapshot, metaOf } from './snapshot-file.ts';
import { type SnapshotLocation, snapshotsIn } from './snapshots.ts';

/** A conservative figure for the bytes of JSON per token. Only a figure in a list depends on it. */
const BYTES_PER_TOKEN = 4;

/** Rebuilds the meta of a snapshot from itself, with tokens by its size; undefined when the snapshot is missing or damaged. */
export function rebuiltMeta(paths: StorePaths, { group, id, sessionId }: SnapshotLocation): SnapshotMeta | undefined {
  const bytes = readOwnFile(paths.snapshot(group, id));
  if (bytes === undefined) return undefined;
  const decoded = decodeSnapshot(bytes, { id, sessionId });
  if (decoded.kind === 'damaged') return undefined;
  const [first] = lineSpans((at, length) => bytes.subarray(at, at + length), 0, 0);
  const head = readRecord(bytes.subarray(0, first?.length ?? 0));
  if (!isObject(head) || !isString(head.model)) return undefined;
  const reason = snapshotReasons.find((each) => each === head.reason) ?? 'compaction';
  const snapshot = { ...decoded, sessionId, group, reason, model: head.model, tokens: Math.ceil(bytes.length / BYTES_PER_TOKEN) };
  const at = parseTimestamp(parseSnapshotId(id)?.timestamp ?? '') ?? new Date(0);
  return { ...metaOf(id, at, { snapshot, bytes }), rebuilt: true };
}

/**
 * Writes the meta of each whole snapshot of a session that has none: a process was killed between the two. Call with the session's lock held.
 * What is damaged otherwise stays as it is, for the doctor.
 */
export function listUnlisted(disk: Disk, paths: StorePaths, sessionId: string): void {
  for (const location of snapshotsIn(paths)) {
    const { group, id } = location;
    if (location.sessionId !== sessionId || entryExists(paths.snapshotMeta(group, id))) continue;
    const meta = rebuiltMeta(paths, location);
    if (meta !== undefined) createFile(disk, paths.snapshotMeta(group, id), encodePage(meta), 'meta');
  }
}
