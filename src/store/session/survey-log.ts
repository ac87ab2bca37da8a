import { closeSync, fstatSync } from 'node:fs';
import type { BodyRef, Message } from '../../domain/session/message.ts';
import type { HeaderRecord, LogRecord } from '../../domain/session/record.ts';
import { openToRead, readAt } from '../files/disk.ts';
import { type LineAt, lineSpans, parseJson } from '../files/json-line.ts';
import { isObject } from '../files/shape.ts';
import { parseRecord, readHeader } from './log-reader.ts';

/** What a whole log holds, read from its first byte to its last, one line in memory at a time. */
export type LogSurvey = {
  /** Why there is no header, when there is none. */
  readonly header: HeaderRecord | { readonly why: string };
  readonly damaged: readonly LineAt[];
  /** What stands behind the last line end; `whole` when it is a record that lost only its end. */
  readonly tail: { readonly bytes: number; readonly whole: boolean } | undefined;
  /** Where the numbers of the records do not rise one by one, in words. */
  readonly disorder: readonly string[];
  /** Every body that the log ever referred to, by hash. */
  readonly bodies: ReadonlyMap<string, BodyRef>;
  /** The hashes that the newest checkpoint or what follows refers to. */
  readonly live: ReadonlySet<string>;
  /** Every content of a file that the log says is kept, by hash, with the file's path. */
  readonly versions: ReadonlyMap<string, string>;
  /** The snapshot that the newest checkpoint with one names. */
  readonly snapshotId: string | undefined;
  readonly title: string | undefined;
};

/** Throws what the system says when the file cannot be read. */
export function surveyLog(path: string, sessionId: string): LogSurvey {
  const file = openToRead(path);
  try {
    return survey(file, sessionId);
  } finally {
    closeSync(file);
  }
}

type Counting = {
  readonly damaged: LineAt[];
  readonly disorder: string[];
  readonly bodies: Map<string, BodyRef>;
  live: Set<string>;
  readonly versions: Map<string, string>;
  snapshotId: string | undefined;
  title: string | undefined;
  lastN: number;
};

function survey(file: number, sessionId: string): LogSurvey {
  const read = (position: number, length: number) => readAt(file, position, length);
  const header = readHeader(read, sessionId);
  const counting: Counting = {
    damaged: [],
    disorder: [],
    bodies: new Map(),
    live: new Set(),
    versions: new Map(),
    snapshotId: undefined,
    title: undefined,
    lastN: 0,
  };
  if (header.kind === 'header') noteRefs(counting, refsIn(header.header.context.messages));
  let end = 0;
  let line = 0;
  for (const { position, length } of lineSpans(read, 0, 0)) {
    line += 1;
    end = position + length + 1;
    if (position > 0 || header.kind === 'damaged') visit(counting, { line, position, length }, read(position, length));
  }
  const rest = read(end, Math.max(0, fstatSync(file).size - end));
  const { lastN: _, ...found } = counting;
  return {
    ...found,
    header: header.kind === 'header' ? header.header : { why: header.why },
    tail: rest.length === 0 ? undefined : { bytes: rest.length, whole: isObject(parseJson(rest)) },
  };
}

function visit(counting: Counting, at: LineAt, bytes: Buffer): void {
  const parsed = parseRecord({ position: at.position, bytes });
  if (parsed.damaged) counting.damaged.push(at);
  if (parsed.kind === 'blank' || parsed.kind === 'damaged') return;
  if (parsed.n <= counting.lastN) counting.disorder.push(`record ${parsed.n} in line ${at.line} follows record ${counting.lastN}`);
  // A reader of damaged lines leaves their numbers free, so that a gap beside damage says nothing.
  else if (parsed.n > counting.lastN + 1 && counting.damaged.length === 0)
    counting.disorder.push(`before line ${at.line}, records ${counting.lastN + 1} to ${parsed.n - 1} are missing`);
  counting.lastN = parsed.n;
  if (parsed.kind === 'record') note(counting, parsed.record);
}

function note(counting: Counting, record: LogRecord): void {
  if (record.type === 'title') counting.title = record.title;
  if (record.type === 'file')
    for (const version of [record.before, record.after])
      if (version?.kept === true) counting.versions.set(version.fingerprint, record.path);
  if (record.type === 'message') noteRefs(counting, refsIn([record.message]));
  if (record.type === 'offload')
    noteRefs(
      counting,
      record.stubs.map((stub) => stub.ref.body),
    );
  if (record.type !== 'checkpoint') return;
  counting.live = new Set();
  noteRefs(counting, refsIn(record.context.messages));
  counting.snapshotId = record.snapshotId ?? counting.snapshotId;
}

function noteRefs(counting: Counting, refs: readonly BodyRef[]): void {
  for (const ref of refs) {
    counting.bodies.set(ref.sha256, ref);
    counting.live.add(ref.sha256);
  }
}

const refsIn = (messages: readonly Message[]): readonly BodyRef[] =>
  messages.flatMap((message) => (message.stubs ?? []).map((stub) => stub.body));
