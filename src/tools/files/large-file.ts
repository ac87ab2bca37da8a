import { read } from 'node:fs';
import { promisify, TextDecoder } from 'node:util';
import { AbortedError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { OVERLAP_CHARS } from '../../domain/value/redact.ts';
import { formOf } from '../../domain/value/text-bytes.ts';
import { type Page, type PageRange, type PastEnd, pageOf } from '../page.ts';
import { decodeFileText } from './encoding.ts';

/** The most characters that one read of a large file returns. */
const MAX_PAGE_CHARS = 1_000_000;
const CHUNK_BYTES = 1 << 20;
/** Nobody counts lines this far into a file; at some 500 MB/s this limits the wait to seconds. */
const MAX_SCAN_BYTES = 2 * 1024 ** 3;

/** A page with what stands around it, as far as a secret may reach; the page begins at `at`. */
export type LargePage = Page & { readonly around: { readonly text: string; readonly at: number } };

/** Reads a page of a file that is too large for memory, from its start and no further than needed. Holds only a few chunks at a time. A text says why it cannot be read. */
export async function readLargePage(file: number, range: PageRange, signal: AbortSignal): Promise<LargePage | PastEnd | Bilingual> {
  let decoder: TextDecoder | undefined;
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let position: Position = { line: 1, char: 0 };
  let text: string | undefined;
  let before = '';
  let openLine = false;
  for (let scanned = 0; ; ) {
    if (signal.aborted) throw new AbortedError('stopped');
    const { bytesRead } = await readChunk(file, chunk, 0, CHUNK_BYTES, null);
    const bytes = chunk.subarray(0, bytesRead);
    decoder ??= new TextDecoder(formOf(bytes).encoding, { fatal: true });
    const decoded = decode(decoder, bytes);
    if (typeof decoded !== 'string')
      return { en: `${decoded.en}, seen after ${scanned} bytes`, zh: `${decoded.zh}，在 ${scanned} 字节之后发现` };
    scanned += bytesRead;
    const atEof = bytesRead === 0;
    if (decoded !== '') openLine = !decoded.endsWith('\n');
    if (text !== undefined) text += decoded;
    else {
      const result = seek(decoded, position, range);
      position = result.position;
      before = `${before}${result.reached ? decoded.slice(0, result.at) : decoded}`.slice(-OVERLAP_CHARS);
      if (result.reached) text = decoded.slice(result.at);
    }
    if (text !== undefined && (atEof || isEnough(text, range))) {
      const page = pageFrom(text, { position, range, atEof });
      return page.kind === 'page' ? { ...page, around: { text: before + text, at: before.length } } : page;
    }
    if (atEof) return { kind: 'past_end', lines: openLine ? position.line : position.line - 1, chars: position.char };
    if (text === undefined && scanned > MAX_SCAN_BYTES)
      return {
        en: 'is too large to read so far in; cut the part out with run_command',
        zh: '太大，无法读到这么靠后的位置；请用 run_command 截取这一部分',
      };
  }
}

/** By the pool of threads: a whole scan takes seconds. */
const readChunk = promisify(read);

type Position = { readonly line: number; readonly char: number };

function whyNot(bytes: Buffer): Bilingual {
  const read = decodeFileText(bytes);
  return read.kind === 'text' ? BINARY : read.why;
}

const BINARY: Bilingual = { en: 'is binary', zh: '是二进制文件' };

function decode(decoder: TextDecoder, bytes: Buffer): string | Bilingual {
  const isUtf8 = decoder.encoding === 'utf-8';
  if (isUtf8 && bytes.includes(0)) return whyNot(bytes);
  try {
    const text = decoder.decode(bytes, { stream: bytes.length > 0 });
    return text.includes('\0') ? BINARY : text;
  } catch {
    return isUtf8 ? { en: 'is not UTF-8 text', zh: '不是 UTF-8 文本' } : { en: 'is not valid UTF-16', zh: '不是合法的 UTF-16' };
  }
}

/** Looks for the start of the range in this stretch of text, which begins at `position`. */
function seek(text: string, position: Position, range: PageRange) {
  const stop = range.charOffset === undefined ? text.length : Math.min(text.length, range.charOffset - position.char);
  const lastLine = range.charOffset === undefined ? (range.offset ?? 1) : Number.POSITIVE_INFINITY;
  let line = position.line;
  let at = 0;
  while (line < lastLine) {
    const feed = text.indexOf('\n', at);
    if (feed < 0 || feed >= stop) break;
    at = feed + 1;
    line++;
  }
  const reached = range.charOffset === undefined ? line === lastLine && at < text.length : stop < text.length;
  const start = range.charOffset === undefined ? at : stop;
  // A character outside the basic plane is two units; never start with the second.
  const end = !reached ? text.length : /^[\udc00-\udfff]/.test(text.slice(start, start + 1)) ? start - 1 : start;
  return { reached, at: end, position: { line, char: position.char + end } };
}

function isEnough(text: string, { limit }: PageRange): boolean {
  if (text.length > MAX_PAGE_CHARS + OVERLAP_CHARS) return true;
  if (limit === undefined) return false;
  let feeds = 0;
  for (let at = text.indexOf('\n'); at >= 0 && feeds < limit; at = text.indexOf('\n', at + 1)) feeds++;
  return feeds >= limit;
}

/** Returns the page, with its positions counted in the whole file. */
function pageFrom(text: string, from: { readonly position: Position; readonly range: PageRange; readonly atEof: boolean }): Page | PastEnd {
  const page = pageOf(text, { limit: from.range.limit }, MAX_PAGE_CHARS);
  if (page.kind === 'past_end') return page;
  const { line, char } = from.position;
  const lastLine = page.lastLine + line - 1;
  const endChar = page.endChar + char;
  const atEnd = from.atEof && page.endChar === text.length;
  const next = atEnd ? undefined : page.text.endsWith('\n') ? { offset: lastLine + 1 } : { charOffset: endChar };
  return { kind: 'page', text: page.text, firstLine: page.firstLine + line - 1, lastLine, firstChar: char, endChar, next };
}
