import type { SnapshotLookup } from '../../agent/ports/disk.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { mendRecord } from '../../domain/session/mend-record.ts';
import { type HeaderRecord, type LogRecord, logRecordSchema, RECORD_VERSION } from '../../domain/session/record.ts';
import { encodeRecord, readRecord, readUnchecked } from '../files/record-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';
import { parseLogLine } from '../session/log-reader.ts';
import { numberedRecord } from '../session/session-log.ts';
import type { SnapshotStore } from '../snapshot/snapshots.ts';

export type RebuiltHeader = HeaderRecord & { readonly at: string };

export type IntactSnapshot = Extract<SnapshotLookup, { kind: 'found' }>;

/** Yields the intact snapshots of a session, which still say what it was, the newest first. */
export function* intactSnapshots(snapshots: SnapshotStore, sessionId: string): Generator<IntactSnapshot> {
  for (const { id } of snapshots.list(sessionId).toReversed()) {
    const read = snapshots.read(id);
    if (read.kind === 'found') yield read;
  }
}

export const newestIntactSnapshot = (snapshots: SnapshotStore, sessionId: string): IntactSnapshot | undefined =>
  intactSnapshots(snapshots, sessionId).next().value ?? undefined;

/** Yields the readable lines of a log. The header is its own, or `header` in place of one that cannot be read. */
export function* readableLines(path: string, header: RebuiltHeader | undefined): Generator<Uint8Array> {
  if (header !== undefined) yield encodeRecord(numberedRecord(header, { n: 0, at: header.at }));
  for (const { position, bytes } of completeLines(path)) {
    if (bytes === undefined) continue;
    if (position === 0 && header === undefined) {
      yield Buffer.concat([bytes, LINE_END]);
      continue;
    }
    const parsed = parseLogLine(bytes);
    // A record beside NULs, which a power cut leaves, may be intact.
    if (parsed.kind === 'record' && parsed.damaged) yield encodeRecord(parsed.record);
    else if (parsed.kind === 'record' || parsed.kind === 'unknown') yield Buffer.concat([bytes, LINE_END]);
  }
}

/** Yields the lines of a log, those with a reply that no provider takes back mended. */
export function* mendedLines(path: string): Generator<Uint8Array> {
  for (const { bytes } of completeLines(path)) {
    if (bytes === undefined) continue;
    const parsed = parseLogLine(bytes);
    yield parsed.kind === 'record' ? encodeRecord(mendRecord(parsed.record)) : Buffer.concat([bytes, LINE_END]);
  }
}

const LINE_END = Buffer.from('\n');

/**
 * Returns a header for a log whose own cannot be read, from the first of these: its own, when intact among stray bytes or behind stray
 * lines; that of another session, when the folder is a copy; its own, when it can be read and does not match its checksum, with the system
 * prompt and tools of a checkpoint or snapshot; the system prompt and tools of a checkpoint; those of a snapshot. When nothing
 * in the log can be read, the snapshot's messages are included. Undefined when there is no such source. From a checkpoint or snapshot, the
 * working folder is unknown.
 */
export function rebuiltHeader(path: string, sessionId: string, snapshot: IntactSnapshot | undefined): RebuiltHeader | undefined {
  let context: SessionContext | undefined;
  let at: string | undefined;
  let model: string | undefined;
  let damagedHeader: RebuiltHeader | undefined;
  for (const { position, bytes } of completeLines(path)) {
    if (bytes === undefined) continue;
    const header = headerWithin(bytes, readRecord);
    if (position === 0) damagedHeader = headerWithin(bytes, readUnchecked);
    // In a copied folder, the first line is the header of another session.
    if (header !== undefined && (position === 0 || header.sessionId === sessionId)) return { ...header, sessionId };
    const parsed = parseLogLine(bytes);
    if (parsed.kind !== 'record') continue;
    at ??= parsed.record.at;
    model ??= modelIn(parsed.record);
    if (parsed.record.type === 'checkpoint') context ??= parsed.record.context;
    if (context !== undefined && model !== undefined) break;
  }
  const isEmpty = at === undefined;
  context ??= snapshot?.context;
  if (damagedHeader !== undefined) {
    const { system, tools } = context ?? damagedHeader.context;
    return { ...damagedHeader, sessionId, context: { ...damagedHeader.context, system, tools } };
  }
  if (context === undefined) return undefined;
  const base = isEmpty ? context : { ...context, shortTermSummary: '', messages: [], anchorFloor: 0 };
  const meta = snapshot?.meta;
  const fields = { group: meta?.group ?? 'main', model: model ?? meta?.model ?? 'unknown', at: at ?? meta?.at ?? '' };
  return { type: 'header', v: RECORD_VERSION, sessionId, cwd: '', ...fields, context: base };
}

function headerWithin(bytes: Buffer, read: (bytes: Buffer) => unknown): RebuiltHeader | undefined {
  const start = bytes.indexOf('{"type":"header"');
  if (start < 0) return undefined;
  const value = read(bytes.subarray(start, bytes.lastIndexOf('}') + 1));
  const parsed = logRecordSchema.safeParse(value);
  return parsed.success && parsed.data.type === 'header' ? parsed.data : undefined;
}

function modelIn(record: LogRecord): string | undefined {
  if (record.type === 'message') return record.message.model;
  return record.type === 'model' ? record.model : undefined;
}
