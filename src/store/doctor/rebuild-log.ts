import type { SessionContext } from '../../domain/session/context.ts';
import { type HeaderRecord, type LogRecord, logRecordSchema, RECORD_VERSION } from '../../domain/session/record.ts';
import { encodeLine, parseJson } from '../files/json-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';
import { parseLogLine } from '../session/log-reader.ts';
import { numberedRecord } from '../session/session-log.ts';
import type { SnapshotStore } from '../snapshot/snapshots.ts';

/** What the snapshots of a session still say of it. */
export type SessionFromSnapshot = { readonly group: string; readonly model: string; readonly at: string; readonly context: SessionContext };

/** The newest intact snapshot of a session. */
export function newestIntactSnapshot(snapshots: SnapshotStore, sessionId: string): SessionFromSnapshot | undefined {
  for (const { id } of snapshots.list(sessionId).toReversed()) {
    const read = snapshots.read(id);
    if (read.kind === 'found') return { group: read.meta.group, model: read.meta.model, at: read.meta.at, context: read.context };
  }
  return undefined;
}

/** The readable lines of a log, with a header: its own, or `header` in the place of one that cannot be read. */
export function* readableLines(path: string, header: (HeaderRecord & { readonly at: string }) | undefined): Generator<Uint8Array> {
  if (header !== undefined) yield encodeLine(numberedRecord(header, { n: 0, at: header.at }));
  for (const { position, bytes } of completeLines(path)) {
    if (position === 0 && header === undefined) {
      yield Buffer.concat([bytes, LINE_END]);
      continue;
    }
    const parsed = parseLogLine({ position, bytes });
    // Beside NULs, as a power cut leaves them, a record may be whole.
    if (parsed.kind === 'record' && parsed.damaged) yield encodeLine(parsed.record);
    else if (parsed.kind === 'record' || parsed.kind === 'unknown') yield Buffer.concat([bytes, LINE_END]);
  }
}

const LINE_END = Buffer.from('\n');

/**
 * A header for a log whose own cannot be read: its own when it is whole among stray bytes or behind stray lines, the header of another
 * session when the folder is a copy of it, else the system prompt and tools of a checkpoint, else those of a snapshot; of a log in which nothing can be read, the snapshot's messages too. Undefined when
 * nothing says what they were. The working folder is not known then.
 */
export function rebuiltHeader(
  path: string,
  sessionId: string,
  snapshot: SessionFromSnapshot | undefined,
): (HeaderRecord & { readonly at: string }) | undefined {
  let context: SessionContext | undefined;
  let at: string | undefined;
  let model: string | undefined;
  for (const { position, bytes } of completeLines(path)) {
    const header = headerWithin(bytes);
    // A folder that is a copy has the header of another session in its first line.
    if (header !== undefined && (position === 0 || header.sessionId === sessionId)) return { ...header, sessionId };
    const parsed = parseLogLine({ position, bytes });
    if (parsed.kind !== 'record') continue;
    at ??= parsed.record.at;
    model ??= modelIn(parsed.record);
    if (parsed.record.type === 'checkpoint') context ??= parsed.record.context;
    if (context !== undefined && model !== undefined) break;
  }
  const isEmpty = at === undefined;
  context ??= snapshot?.context;
  if (context === undefined) return undefined;
  const base = isEmpty ? context : { ...context, shortTermSummary: '', messages: [], anchorFloor: 0 };
  const fields = { group: snapshot?.group ?? 'main', model: model ?? snapshot?.model ?? 'unknown', at: at ?? snapshot?.at ?? '' };
  return { type: 'header', v: RECORD_VERSION, sessionId, cwd: '', ...fields, context: base };
}

function headerWithin(bytes: Buffer): (HeaderRecord & { readonly at: string }) | undefined {
  const start = bytes.indexOf('{"type":"header"');
  if (start < 0) return undefined;
  const parsed = logRecordSchema.safeParse(parseJson(bytes.subarray(start, bytes.lastIndexOf('}') + 1)));
  return parsed.success && parsed.data.type === 'header' ? parsed.data : undefined;
}

function modelIn(record: LogRecord): string | undefined {
  if (record.type === 'message') return record.message.model;
  return record.type === 'model' ? record.model : undefined;
}
