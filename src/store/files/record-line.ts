import { constants } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { because } from '../../domain/language.ts';
import { isObject, parseJson } from '../../domain/value/json.ts';

/** A header contains a system prompt and tools; a longer first line is no header, and is not read to its end. */
export const MAX_HEADER_BYTES = 64 * 1024 * 1024;

/** Encodes a record as one line with its line end. Its last field is the CRC-32 of the bytes before it: `{…,"crc":"1a2b3c4d"}`. */
export const encodeRecord = (record: object): Buffer => seal(encodeLine(record).subarray(0, -2), LINE);

/** Closes a record of which everything but the closing bracket is there, and returns the line. */
export const sealLine = (body: Buffer): Buffer => seal(body, LINE);

/** The same for a record that has a file of its own, on several lines. */
export const encodePage = (record: object): Buffer => seal(Buffer.from(JSON.stringify(record, null, 2), 'utf8').subarray(0, -2), PAGE);

/**
 * Reads a line, with or without its line end. Returns the value without its checksum; undefined when the line is not JSON or its checksum
 * is not that of its bytes. A line of SanBot 0.1, which has no checksum, is returned as it is.
 */
export const readRecord = (bytes: Buffer | undefined): unknown =>
  bytes && read(bytes.at(-1) === NEWLINE ? bytes.subarray(0, -1) : bytes, LINE);

/** The same for the bytes of a whole file. */
export const readPage = (bytes: Buffer | undefined): unknown => bytes && read(bytes, PAGE);

/** Reads what can be read of a line, whatever its checksum says; undefined when it is not JSON. */
export const readUnchecked = (bytes: Buffer): unknown => withoutChecksum(parseJson(bytes));

/** Returns the bytes of a line; undefined for a very long one that is no intact record, so that damage does not fill the memory. */
export function readLine(read: ReadAt, { position, length }: Pick<LineSpan, 'position' | 'length'>): Buffer | undefined {
  return length <= MAX_HELD_BYTES || mayBeRecord(read, position, length) ? read(position, length) : undefined;
}

const PIECE_BYTES = 1024 * 1024;

function mayBeRecord(read: ReadAt, position: number, length: number): boolean {
  if (length > constants.MAX_STRING_LENGTH || read(position, 1)[0] !== 0x7b || read(position + length - 1, 1)[0] !== 0x7d) return false;
  const sealBytes = LINE.before.length + DIGITS + LINE.after.length;
  const end = read(position + length - sealBytes, sealBytes);
  let crc = 0;
  for (let at = 0; at < length - sealBytes; at += PIECE_BYTES)
    crc = crc32(read(position + at, Math.min(PIECE_BYTES, length - sealBytes - at)), crc);
  return checkSeal(end, LINE, () => crc) !== 'wrong';
}

/** True when a line, with or without its line end, or the bytes of a whole file end with their checksum. */
export const isSealed = (bytes: Buffer): boolean =>
  checkSeal(bytes.at(-1) === NEWLINE ? bytes.subarray(0, -1) : bytes, LINE) === 'right' || checkSeal(bytes, PAGE) === 'right';

/** True when the bytes are a whole record, damaged or not: what a torn write leaves is none. */
export const isWholeRecord = (bytes: Buffer): boolean => isObject(parseJson(bytes)) || checkSeal(bytes, LINE) !== 'none';

/** What stands before and after the eight digits. */
type Seal = { readonly before: string; readonly after: string };

const LINE: Seal = { before: ',"crc":"', after: '"}' };
const PAGE: Seal = { before: ',\n  "crc": "', after: '"\n}\n' };
const DIGITS = 8;
const NEWLINE = 0x0a;

/** `body` is the record without its closing bracket. */
function seal(body: Buffer, form: Seal): Buffer {
  const end = form === LINE ? '\n' : '';
  return Buffer.concat([body, Buffer.from(`${form.before}${digits(crc32(body))}${form.after}${end}`, 'latin1')]);
}

const digits = (crc: number): string => crc.toString(16).padStart(DIGITS, '0');

function read(bytes: Buffer, form: Seal): unknown {
  const state = checkSeal(bytes, form);
  const value = state === 'wrong' ? undefined : parseJson(bytes);
  // A checksum that does not stand where it belongs was moved there by damage.
  if (state === 'none' && isObject(value) && 'crc' in value) return undefined;
  return withoutChecksum(value);
}

/** Returns a value without its field `crc`. */
export function withoutChecksum(value: unknown): unknown {
  if (!isObject(value) || !('crc' in value)) return value;
  const { crc: _, ...rest } = value;
  return rest;
}

/** So many bytes of a checksum may be changed, its digits aside, and it is still seen to be one. */
const MAX_CHANGED = 2;

function checkSeal(
  bytes: Buffer,
  { before, after }: Seal,
  crcOf: (body: Buffer) => number = (body) => crc32(body),
): 'none' | 'right' | 'wrong' {
  const length = before.length + DIGITS + after.length;
  const end = bytes.subarray(-length).toString('latin1');
  const isAt = (text: string, at: number) => [...text].filter((char, i) => end[at + i] !== char).length;
  const written = end.slice(before.length, before.length + DIGITS);
  const changed = isAt(before, 0) + isAt(after, before.length + DIGITS) + [...written].filter((digit) => !/[0-9a-f]/.test(digit)).length;
  if (end.length < length || changed > MAX_CHANGED) return 'none';
  return changed === 0 && digits(crcOf(bytes.subarray(0, -length))) === written ? 'right' : 'wrong';
}

/**
 * Encodes a record as one line of UTF-8, with its line end. U+2028 and U+2029 are escaped: JSON allows them, but some readers take them for
 * line ends. Throws store_failed for what JSON cannot hold (a value nested 100,000 deep, 512 MB of text).
 */
export function encodeLine(record: object): Buffer {
  try {
    const json = JSON.stringify(record).replace(/[\u2028\u2029]/g, (char) => (char === '\u2028' ? '\\u2028' : '\\u2029'));
    return Buffer.from(`${json}\n`, 'utf8');
  } catch (error) {
    throw new SanbotError(
      'store_failed',
      because({ en: 'A record cannot be written', zh: '无法写入一条记录' }, errorReason(error)),
      { en: 'Nothing was written. Ask for less at once.', zh: '没有写入任何内容。请减少一次要求的内容。' },
      error,
    );
  }
}

/** Reads a piece of a file: at most `length` bytes from `position` on. */
export type ReadAt = (position: number, length: number) => Buffer;

/** `bytes` are undefined for a line of more than MAX_HELD_BYTES, which is not held in memory. */
export type RawLine = { readonly position: number; readonly length: number; readonly bytes: Buffer | undefined };

/** A longer line is a record only by exception, and damage more often than not. */
export const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** Measured: larger pieces are not faster. */
const CHUNK_BYTES = 256 * 1024;

/** Yields the lines before `end`, which follows a line end, last first, without line ends. Holds one line at a time. */
export function* linesBackward(read: ReadAt, end: number): Generator<RawLine> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  const hold = (piece: Buffer): void => {
    restBytes += piece.length;
    if (restBytes > MAX_HELD_BYTES) rest = [];
    else rest.push(piece);
  };
  const finishLine = (position: number, first: Buffer): RawLine => {
    hold(first);
    const line = { position, length: restBytes, bytes: restBytes > MAX_HELD_BYTES ? undefined : Buffer.concat(rest.reverse()) };
    rest = [];
    restBytes = 0;
    return line;
  };
  // The last byte is a line end and starts no line.
  for (let position = Math.max(0, end - 1); position > 0; ) {
    const length = Math.min(CHUNK_BYTES, position);
    position -= length;
    const chunk = read(position, length);
    let to = chunk.length;
    for (let at = chunk.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)) {
      yield finishLine(position + at + 1, chunk.subarray(at + 1, to));
      to = at;
    }
    hold(chunk.subarray(0, to));
  }
  if (end > 0) yield finishLine(0, Buffer.alloc(0));
}

export type LineSpan = { readonly position: number; readonly length: number; readonly head: Buffer };

/** Yields where each whole line from `start` on is, with its first `headBytes` bytes; holds one piece of the file at a time. */
export function* lineSpans(read: ReadAt, start: number, headBytes: number): Generator<LineSpan> {
  let head = Buffer.alloc(0);
  let lineStart = start;
  for (let position = start; ; ) {
    const chunk = read(position, CHUNK_BYTES);
    if (chunk.length === 0) return;
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(NEWLINE, from);
      const to = at < 0 ? chunk.length : at;
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(from, Math.min(to, from + headBytes - head.length))]);
      if (at < 0) break;
      yield { position: lineStart, length: position + at - lineStart, head };
      head = Buffer.alloc(0);
      lineStart = position + at + 1;
      from = at + 1;
    }
    position += chunk.length;
  }
}

export type LineLocation = { readonly line: number; readonly position: number; readonly length: number };

/** The last title that these lines give their session. */
export function titleIn(lines: Buffer): string | undefined {
  const line = lines
    .toString('utf8')
    .split('\n')
    .findLast((each) => each.includes('"type":"title"'));
  const record = line === undefined ? undefined : readRecord(Buffer.from(line));
  return isObject(record) && record.type === 'title' && typeof record.title === 'string' ? record.title : undefined;
}
