/**
 * What this machine has of its sessions beside their logs, for other machines: a journal for each session, with its lines of the audit log
 * and with what its snapshots are. The contents of snapshots are objects.
 *
 * It only grows. What is killed at it is found again, for a line that is there is not written twice. A snapshot comes to another machine
 * before the line that tells of it, and one that retention took away here is said to be dropped.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isBilingual } from '../../domain/language.ts';
import { type SnapshotMeta, snapshotMetaSchema } from '../../domain/session/snapshot.ts';
import { isObject, isString, parseJson } from '../../domain/value/json.ts';
import { createEvents } from '../events.ts';
import { createFile, unlinkIfExists, writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, readOwnFile } from '../files/disk.ts';
import { orStoreFailure } from '../files/failure.ts';
import { openLineFile } from '../files/line-file.ts';
import { auditedSession, isGroupName, isId, isVersionsLog, namesIn, parseSnapshotId, type StorePaths } from '../files/paths.ts';
import { encodePage, encodeRecord, readRecord } from '../files/record-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import { readMeta, removeSnapshot, snapshotsIn } from '../snapshot/snapshots.ts';
import { parseImportedSnapshot } from '../snapshot/write-session.ts';
import { versionIn } from './version-lines.ts';

type Leaving = { readonly writer: string; readonly mayLeave: (sessionId: string) => boolean };

const stateSchema = z.object({
  v: z.literal(1),
  /** Where reading the audit log ended. */
  from: z.object({ file: z.number(), byte: z.number() }).optional(),
  /** By their ids; `stamp` is another one after any change of what is known of one. */
  snapshots: z.record(z.string(), z.object({ sha256: z.string(), stamp: z.string() })),
});
type State = z.infer<typeof stateSchema>;

const pathOf = ({ journals }: StorePaths, log: string): string => join(journals, `${log.slice(1)}.jsonl`);

/** Brings the journals to what the home has. Call only under the lock of an exchange. */
export function noteAudit(disk: Disk, paths: StorePaths, leaving: Leaving): void {
  const state = eachNew(disk, paths, leaving, (log, lines) => {
    ensureFolder(disk, paths.journals);
    const { file } = openLineFile(disk, pathOf(paths, log), { point: 'audit' });
    try {
      // The names make it a journal of its own, also where two homes have the same lines.
      const head = encodeRecord({ type: 'audit', session: auditedSession(log), writer: leaving.writer });
      file.append(Buffer.concat(file.size() === 0 ? [head, ...lines] : lines));
    } finally {
      file.close();
    }
  });
  const bytes = Buffer.from(`${JSON.stringify(state)}\n`);
  if (readOwnFile(paths.audited)?.equals(bytes) === true) return;
  ensureFolder(disk, join(paths.audited, '..'));
  writeFileAtomic(disk, paths.audited, bytes, { point: 'audited' });
}

/** The bytes that `noteAudit` would add, by session, with those of snapshots. Writes nothing. */
export function unnotedAudit(disk: Disk, paths: StorePaths, leaving: Leaving): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  eachNew(disk, paths, leaving, (log, lines) => {
    const session = auditedSession(log) ?? '';
    const bytes = lines.reduce((sum, line) => sum + line.length + (metaIn(line)?.bytes ?? 0), 0);
    sizes.set(session, (sizes.get(session) ?? 0) + bytes);
  });
  return sizes;
}

const MAX_HELD_BYTES = 8 * 1024 * 1024;

function eachNew(disk: Disk, paths: StorePaths, { writer, mayLeave }: Leaving, take: (log: string, lines: Buffer[]) => void): State {
  const parsed = stateSchema.safeParse(parseJson(readOwnFile(paths.audited) ?? ''));
  const state: State = parsed.success ? parsed.data : { v: 1, snapshots: {} };
  const verdicts = new Map<string, boolean>();
  const isTaken = (session: string): boolean => {
    const known = verdicts.get(session) ?? (isId(session) && entryExists(paths.log(session)) && mayLeave(session));
    verdicts.set(session, known);
    return known;
  };
  const held = new Map<string, Buffer[]>();
  let heldBytes = 0;
  const flush = (): void => {
    for (const [session, lines] of held) {
      const known = linesOf(paths, session);
      const fresh = lines.filter((line) => !known.has(line.toString('latin1')));
      if (fresh.length > 0) take(`~${session}~${writer}`, fresh);
    }
    held.clear();
    heldBytes = 0;
  };
  const hold = (session: string, record: object): void => {
    const line = encodeRecord(record);
    held.set(session, [...(held.get(session) ?? []), line]);
    heldBytes += line.length;
    if (heldBytes > MAX_HELD_BYTES) flush();
  };
  const { next } = createEvents(disk, paths).read(state.from === undefined ? {} : { from: state.from }, (record) => {
    if (isTaken(record.sessionId)) hold(record.sessionId, record);
  });
  const snapshots = eachSnapshot(paths, state, { writer, isTaken, hold });
  flush();
  return { v: 1, ...(next !== undefined && { from: next }), snapshots };
}

type Means = {
  readonly writer: string;
  readonly isTaken: (session: string) => boolean;
  readonly hold: (session: string, record: object) => void;
};

function eachSnapshot(paths: StorePaths, state: State, { writer, isTaken, hold }: Means): State['snapshots'] {
  const snapshots: State['snapshots'] = {};
  const present = new Set<string>();
  for (const { id, group, sessionId } of snapshotsIn(paths)) {
    present.add(id);
    const stats = statSync(paths.snapshotMeta(group, id), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || !isTaken(sessionId)) continue;
    const stamp = `${stats.ino} ${stats.ctimeNs}`;
    const before = state.snapshots[id];
    const meta = before?.stamp === stamp ? undefined : readMeta(paths, group, id);
    if (meta === undefined && before !== undefined) snapshots[id] = before;
    if (meta === undefined || isBilingual(meta)) continue;
    hold(sessionId, { type: 'snapshot', meta });
    snapshots[id] = { sha256: meta.sha256, stamp };
  }
  for (const [id, { sha256 }] of Object.entries(state.snapshots)) {
    const session = present.has(id) ? undefined : parseSnapshotId(id)?.sessionId;
    if (session === undefined || !isTaken(session)) continue;
    // Retention takes away what came from another machine too, but that one has it still.
    if (readOwnFile(pathOf(paths, `~${session}~${writer}`))?.includes(sha256)) hold(session, { type: 'dropped', sha256 });
  }
  return snapshots;
}

/** What any machine has told of a session. */
function linesOf(paths: StorePaths, session: string): ReadonlySet<string> {
  const lines = new Set<string>();
  for (const name of namesIn(paths.journals))
    if (name.startsWith(`${session}~`) && name.endsWith('.jsonl') && !isVersionsLog(`~${name}`))
      for (const { bytes } of completeLines(join(paths.journals, name))) lines.add(`${bytes?.toString('latin1')}\n`);
  return lines;
}

/** What a line tells of a snapshot; undefined for any other line, and for what cannot be one. */
function metaIn(line: Buffer): SnapshotMeta | undefined {
  const value = line.includes('"type":"snapshot"') ? readRecord(line) : undefined;
  return isObject(value) && value.type === 'snapshot' && isMeta(value.meta) ? value.meta : undefined;
}

/** The value itself is kept, including fields of a newer version. */
const isMeta = (value: unknown): value is SnapshotMeta => {
  const { data: meta } = snapshotMetaSchema.safeParse(value);
  if (meta === undefined || parseSnapshotId(meta.id)?.sessionId !== meta.sessionId) return false;
  return isGroupName(meta.group) && /^[0-9a-f]{64}$/.test(meta.sha256);
};

/** The hashes of the objects of a line, and of those that its writer has no more. */
export function auditRefs(line: Buffer): { readonly object?: string; readonly versionBytes?: number; readonly dropped?: string } {
  const meta = metaIn(line);
  if (meta !== undefined) return { object: meta.sha256 };
  const version = versionIn(line);
  if (version !== undefined) return { object: version.sha256, versionBytes: version.bytes };
  const value = line.includes('"type":"dropped"') ? readRecord(line) : undefined;
  return isObject(value) && value.type === 'dropped' && isString(value.sha256) ? { dropped: value.sha256 } : {};
}

/** Puts the snapshots of which lines tell in their places. What is no snapshot of this session is left out. */
export function placeSnapshots(
  disk: Disk,
  paths: StorePaths,
  log: string,
  lines: Iterable<Buffer>,
  objects: ReadonlyMap<string, Buffer>,
): void {
  for (const line of lines) {
    const meta = metaIn(line);
    const bytes = meta === undefined ? undefined : objects.get(meta.sha256);
    if (meta === undefined || bytes === undefined || meta.sessionId !== auditedSession(log)) continue;
    const { group, id } = meta;
    if ('why' in parseImportedSnapshot(meta, bytes)) continue;
    ensureFolder(disk, paths.summaries(group));
    const path = paths.snapshot(group, id);
    if (!createFile(disk, path, bytes, 'snapshot') && readOwnFile(path)?.equals(bytes) !== true) continue;
    writeFileAtomic(disk, paths.snapshotMeta(group, id), encodePage(meta), { point: 'meta' });
  }
}

function* metasOf(paths: StorePaths, log: string): Generator<SnapshotMeta> {
  for (const { bytes } of completeLines(pathOf(paths, log))) {
    const meta = bytes === undefined ? undefined : metaIn(bytes);
    if (meta !== undefined) yield meta;
  }
}

/** A snapshot of which a journal tells, as it was written. */
export function snapshotObject(paths: StorePaths, log: string, sha256: string): Buffer | undefined {
  for (const meta of metasOf(paths, log)) {
    const bytes = meta.sha256 === sha256 ? readOwnFile(paths.snapshot(meta.group, meta.id)) : undefined;
    if (bytes !== undefined && sha256Of(bytes) === sha256) return bytes;
  }
  return undefined;
}

/** Removes a journal and the snapshots of which it tells; not while its session is here. */
export function removeAudit(disk: Disk, paths: StorePaths, log: string): 'removed' | 'changed' {
  const session = auditedSession(log) ?? '';
  if (!isId(session) || entryExists(paths.session(session))) return 'changed';
  const path = pathOf(paths, log);
  if (!entryExists(path)) return 'removed';
  for (const { id, sessionId } of metasOf(paths, log)) if (sessionId === session) removeSnapshot(disk, paths, id);
  orStoreFailure('delete', path, () => unlinkIfExists(path));
  return 'removed';
}
