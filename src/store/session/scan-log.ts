import type { Bilingual } from '../../domain/language.ts';
import { mendRecord } from '../../domain/session/admit-reply.ts';
import type { BodyRef } from '../../domain/session/message.ts';
import type { HeaderRecord, LogRecord } from '../../domain/session/record.ts';
import { readerOf, withFile } from '../files/disk.ts';
import type { LineLocation } from '../files/record-line.ts';
import { visitLines } from '../files/rewrite-lines.ts';
import { refsOf } from './bodies/bodies.ts';
import { ELSEWHERE, type ParsedLine, parseLogLine, readHeader } from './log-reader.ts';

/** What a whole log contains, read from its first byte to its last, one line at a time in memory. */
export type LogScan = Readonly<Omit<ScanState, 'lastN'>> & {
  /** The header, or why there is none. */
  readonly header: HeaderRecord | { readonly why: Bilingual };
  /** What follows the last line end; `complete` when it is a record that has only lost its line end. */
  readonly tail: { readonly bytes: number; readonly complete: boolean } | undefined;
};

/** Throws the system's error when the file cannot be read. */
export const scanLog = (path: string, sessionId: string): LogScan => withFile(path, (file) => scan(file, sessionId));

type ScanState = {
  readonly damagedLines: LineLocation[];
  /** Lines of the present context with a reply that no provider takes back. */
  unsendableLines: LineLocation[];
  /** Where the numbers of the records do not increase one by one, in words. */
  readonly orderProblems: Bilingual[];
  /** Every body that the log ever referred to, by hash. */
  readonly bodies: Map<string, BodyRef>;
  /** The hashes that the newest checkpoint, or what follows it, refers to. */
  live: Set<string>;
  /** Those in the records of helpers: they stay in files until a change of the context retires what that does not refer to. */
  readonly ofHelpers: Set<string>;
  /** Every content of a file that the log says is kept, by its hash, with the path of the file. */
  readonly versions: Map<string, string>;
  /** The snapshot named by the newest checkpoint that names one. */
  snapshotId: string | undefined;
  title: string | undefined;
  lastN: number;
};

function scan(file: number, sessionId: string): LogScan {
  const header = readHeader(readerOf(file), sessionId);
  const state: ScanState = {
    damagedLines: [],
    unsendableLines: [],
    orderProblems: [],
    bodies: new Map(),
    live: new Set(),
    ofHelpers: new Set(),
    versions: new Map(),
    snapshotId: undefined,
    title: undefined,
    lastN: 0,
  };
  if (header.kind === 'header') noteRefs(state, refsOf(header.header));
  const { state: tail, ...end } = visitLines(file, ({ bytes, ...location }) => {
    if (location.position > 0 || header.kind === 'damaged') scanLine(state, location, bytes);
  });
  if (tail === 'damaged') state.damagedLines.push(end);
  const { lastN: _, ...result } = state;
  return {
    ...result,
    header: header.kind === 'header' ? header.header : { why: header.why },
    tail: end.length === 0 ? undefined : { bytes: end.length, complete: tail !== 'torn' },
  };
}

function scanLine(state: ScanState, location: LineLocation, bytes: Buffer | undefined): void {
  const parsed = parseLogLine(bytes);
  if (parsed.damaged) state.damagedLines.push(location);
  if (parsed.kind === 'blank' || parsed.kind === 'damaged') return;
  if (parsed.n <= state.lastN)
    state.orderProblems.push({
      en: `record ${parsed.n} in line ${location.line} follows record ${state.lastN}`,
      zh: `第 ${location.line} 行的记录 ${parsed.n} 排在记录 ${state.lastN} 之后`,
    });
  // Damaged lines are counted when numbers are assigned, so a gap in a damaged log means nothing.
  else if (parsed.n > state.lastN + 1 && state.damagedLines.length === 0 && !isElsewhere(parsed))
    state.orderProblems.push({
      en: `before line ${location.line}, records ${state.lastN + 1} to ${parsed.n - 1} are missing`,
      zh: `第 ${location.line} 行之前缺少记录 ${state.lastN + 1} 到 ${parsed.n - 1}`,
    });
  state.lastN = parsed.n;
  if (parsed.kind !== 'record') return;
  noteRecord(state, parsed.record);
  // What an earlier checkpoint left behind is not sent any more.
  if (parsed.record.type === 'checkpoint') state.unsendableLines = [];
  if (mendRecord(parsed.record) !== parsed.record) state.unsendableLines.push(location);
}

/** What was not fetched is missing by intent. */
const isElsewhere = (parsed: ParsedLine): boolean => parsed.kind === 'unknown' && parsed.type === ELSEWHERE;

function noteRecord(state: ScanState, record: LogRecord): void {
  if (record.type === 'title') state.title = record.title;
  if (record.type === 'file')
    for (const version of [record.before, record.after]) if (version?.kept === true) state.versions.set(version.fingerprint, record.path);
  if (record.type === 'checkpoint') {
    state.live = new Set();
    state.snapshotId = record.snapshotId ?? state.snapshotId;
  }
  if (record.type !== 'branch') noteRefs(state, refsOf(record));
  else
    for (const ref of refsOf(record)) {
      state.bodies.set(ref.sha256, ref);
      state.ofHelpers.add(ref.sha256);
    }
}

function noteRefs(state: ScanState, refs: readonly BodyRef[]): void {
  for (const ref of refs) {
    state.bodies.set(ref.sha256, ref);
    state.live.add(ref.sha256);
  }
}
