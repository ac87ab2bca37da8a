import { errorReason, SanbotError } from '../../domain/errors.ts';
import { because } from '../../domain/language.ts';

/**
 * Encodes a record as one line of UTF-8, with its line end. U+2028 and U+2029 are escaped: JSON allows them, but some readers take them for
 * line ends. Throws store_failed for what JSON cannot hold (a value nested 100,000 deep, 512 MB of text).
 */
export function encodeLine(record: object): Buffer {
  try {
    const json = JSON.stringify(record).replace(/[\u2028\u2029]/g, (char) => (char === '\u2028' ? '\\u2028' : '\\u2029'));
    return Buffer.from(`${json}\n`, 'utf8');
  } catch (error) {
    throw new SanbotError('store_failed', because({ en: 'A record cannot be written', zh: '无法写入一条记录' }, errorReason(error)), {
      cause: error,
      hint: { en: 'Nothing was written. Ask for less at once.', zh: '没有写入任何内容。请减少一次要求的内容。' },
    });
  }
}

/** Reads a piece of a file: at most `length` bytes from `position` on. */
export type ReadAt = (position: number, length: number) => Buffer;

/** `bytes` are undefined for a line of more than MAX_HELD_BYTES, which is not held in memory. */
export type RawLine = { readonly position: number; readonly length: number; readonly bytes: Buffer | undefined };

/** A longer line is a record only by exception, and damage more often than not. */
export const MAX_HELD_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;
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

/**
 * Yields where each whole line from `start` on is, in order, with its first bytes (at most `headBytes`); `length` excludes the line end. A
 * last line without its line end is left out. Holds one piece of the file at a time.
 */
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
