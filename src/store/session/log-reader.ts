import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type HeaderRecord, type LogRecord, logRecordSchema, RECORD_VERSION } from '../../domain/session/record.ts';
import { inspectText } from '../../domain/text.ts';
import { isCount, isObject, isString } from '../../domain/value/json.ts';
import { printablePath } from '../files/paths.ts';
import { isWholeRecord, linesBackward, MAX_HEADER_BYTES, type ReadAt, readLine, readRecord } from '../files/record-line.ts';

const knownTypes: ReadonlySet<unknown> = new Set([
  'header',
  'message',
  'offload',
  'checkpoint',
  'model',
  'title',
  'pins',
  'file',
  'branch',
]);

/** The kind of the records that stand in a log for what was not fetched of it. */
export const ELSEWHERE = 'elsewhere';

export const notWholeError = (path: string): SanbotError =>
  new SanbotError(
    'refused',
    {
      en: `Only the end of ${printablePath(path)} is here; the rest is in a hub`,
      zh: `${printablePath(path)} 只有末尾部分在这里；其余在 hub 中`,
    },
    { en: 'Fetch it with sanbot sync.', zh: '请用 sanbot sync 取回。' },
  );

/**
 * Reads a log of `size` bytes backwards from its end, only as far as the newest checkpoint. A damaged line stays where it is and is counted
 * in a warning; so is a record of a kind that a newer version wrote. A damaged checkpoint counts as damage, and the search for one
 * continues. Throws refused where it would go on in what was not fetched.
 */
export function readLogTail(
  read: ReadAt,
  { size, headerEnd, path }: { readonly size: number; readonly headerEnd: number; readonly path: string },
) {
  const records: LogRecord[] = [];
  const damagedPositions: number[] = [];
  const unknownTypes = new Set<string>();
  let highestN = 0;
  let checkpointEnd = headerEnd;
  let lineEnd = size;
  for (const line of linesBackward(read, size)) {
    if (line.position < headerEnd) break;
    const parsed = parseLogLine(line.bytes ?? readLine(read, line));
    if (parsed.kind === 'record') records.push(parsed.record);
    if (parsed.kind === 'unknown' && parsed.type === ELSEWHERE) throw notWholeError(path);
    if (parsed.kind === 'unknown') unknownTypes.add(parsed.type);
    if (parsed.damaged) damagedPositions.push(line.position);
    if (parsed.kind !== 'blank') highestN = Math.max(highestN, parsed.n);
    if (parsed.kind === 'record' && parsed.record.type === 'checkpoint') {
      checkpointEnd = lineEnd;
      break;
    }
    lineEnd = line.position;
  }
  return {
    /** The newest readable checkpoint, if any, and all that follows; oldest first; exactly as written, unknown fields included. */
    records: records.reverse(),
    /** The number of the next record. */
    nextN: highestN + damagedPositions.length + 1,
    /** Where the line of the newest checkpoint ends, or the header's when there is no checkpoint. */
    checkpointEnd,
    /** True when a line was skipped, which may have been a newer checkpoint. */
    isDamaged: damagedPositions.length > 0,
    warnings: [...damageWarnings(damagedPositions, path), ...unknownWarnings(unknownTypes, path)],
  };
}

export type ParsedLine =
  | { readonly kind: 'record'; readonly record: LogRecord; readonly n: number; readonly damaged: boolean }
  | { readonly kind: 'unknown'; readonly type: string; readonly n: number; readonly damaged: false }
  | { readonly kind: 'damaged'; readonly n: 0; readonly damaged: true }
  | { readonly kind: 'blank'; readonly damaged: false };

/** Parses one line of a log after its header; undefined stands for a damaged one that is too long to be held. */
export function parseLogLine(line: Buffer | undefined): ParsedLine {
  if (line === undefined) return { kind: 'damaged', n: 0, damaged: true };
  if (line.length === 0) return { kind: 'blank', damaged: false };
  const bytes = trimNuls(line);
  const value = readRecord(bytes);
  // A record beside a run of NULs, which a power cut leaves, is intact; the NULs are damage all the same.
  if (isLogRecord(value) && value.type !== 'header')
    return { kind: 'record', record: value, n: value.n, damaged: bytes.length !== line.length };
  if (isObject(value) && isString(value.type) && !knownTypes.has(value.type) && isCount(value.n))
    return { kind: 'unknown', type: value.type, n: value.n, damaged: false };
  return { kind: 'damaged', n: 0, damaged: true };
}

function trimNuls(bytes: Buffer): Buffer {
  let from = 0;
  let to = bytes.length;
  while (from < to && bytes[from] === 0) from++;
  while (to > from && bytes[to - 1] === 0) to--;
  return bytes.subarray(from, to);
}

/** The value itself is kept, not the schema's copy: key order and unknown fields must be restored to the byte. */
const isLogRecord = (value: unknown): value is LogRecord => logRecordSchema.safeParse(value, { jitless: looked++ < FEW }).success;

/** The library writes and compiles a function for each kind of record, which pays for itself from some hundred records on. */
const FEW = 200;
let looked = 0;

function damageWarnings(positions: readonly number[], path: string): readonly Bilingual[] {
  if (positions.length === 0) return [];
  const inOrder = positions.toReversed();
  const where = `${inOrder.slice(0, 5).join(', ')}${inOrder.length > 5 ? ', …' : ''}`;
  const what = inOrder.length === 1 ? 'A damaged line was' : `${inOrder.length} damaged lines were`;
  return [
    {
      en: `${what} skipped in ${printablePath(path)}, at byte ${where}; the file is left as it is.`,
      zh: `跳过了 ${printablePath(path)} 中的 ${inOrder.length} 个损坏的行，位于字节 ${where}；文件保持原样。`,
    },
  ];
}

function unknownWarnings(types: ReadonlySet<string>, path: string): readonly Bilingual[] {
  if (types.size === 0) return [];
  return [
    {
      en: `${printablePath(path)} holds records of a newer SanBot (${[...types].map(inspectText).join(', ')}); they are kept and left alone.`,
      zh: `${printablePath(path)} 含有更新版本 SanBot 的记录（${[...types].map(inspectText).join('、')}）；予以保留，不做改动。`,
    },
  ];
}

export type HeaderResult =
  | { readonly kind: 'header'; readonly header: HeaderRecord & { readonly at: string }; readonly end: number }
  | { readonly kind: 'damaged'; readonly why: Bilingual };

/** Reads the first line of a log. A header without its line end is accepted; the line end is repaired before anything is appended. */
export function readHeader(read: ReadAt, sessionId: string): HeaderResult {
  const line = firstLine(read);
  if (line.length === 0) return { kind: 'damaged', why: { en: 'it is empty', zh: '它是空的' } };
  const value = readRecord(line);
  if (value === undefined && isWholeRecord(line))
    return { kind: 'damaged', why: { en: 'its first line does not match its checksum', zh: '第一行与校验和不符' } };
  if (!isLogRecord(value) || value.type !== 'header')
    return { kind: 'damaged', why: { en: 'its first line is not a header', zh: '第一行不是文件头' } };
  if (value.sessionId !== sessionId)
    return {
      kind: 'damaged',
      why: { en: `it belongs to session ${inspectText(value.sessionId)}`, zh: `它属于会话 ${inspectText(value.sessionId)}` },
    };
  return { kind: 'header', header: value, end: line.length + 1 };
}

/** Returns a warning when a newer version wrote the log. */
export const versionWarnings = (header: HeaderRecord, path: string): readonly Bilingual[] =>
  header.v > RECORD_VERSION
    ? [
        {
          en: `${printablePath(path)} was written by a newer SanBot (version ${header.v} of the log); what is unknown here is left alone.`,
          zh: `${printablePath(path)} 由更新版本的 SanBot 写入（日志版本 ${header.v}）；此处不认识的内容不做改动。`,
        },
      ]
    : [];

function firstLine(read: ReadAt): Buffer {
  const chunks: Buffer[] = [];
  for (let position = 0; position < MAX_HEADER_BYTES; ) {
    const chunk = read(position, 1 << 16);
    const end = chunk.indexOf(0x0a);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0 || chunk.length === 0) break;
    position += chunk.length;
  }
  return Buffer.concat(chunks);
}
