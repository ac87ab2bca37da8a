import { inflateSync } from 'node:zlib';

/** A page tree of any size fits; a stream that unpacks to more is not one. */
const MAX_STREAM_BYTES = 8_000_000;
const MAX_UNPACKED_BYTES = 32_000_000;
/** Programs put a hundred objects or two into each stream. */
const MAX_STREAMS = 2_000;
const MAX_OBJECTS_IN_STREAM = 10_000;
/** Of what is packed, the objects together: in a true stream they do not overlap. */
const MAX_OBJECT_CHARS = 32_000_000;
/** The description of a stream is shorter. */
const MAX_HEAD_CHARS = 2_000;

/**
 * Counts the pages of a PDF as its page tree says, also where that stands in compressed parts. Undefined when it cannot be found. Total for
 * any bytes, in time that grows as they do, and bounded in what it unpacks.
 */
export function countPages(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1');
  let [counted, leaves] = [0, 0];
  const note = (object: string): void => {
    if (PAGES.test(object)) counted = Math.max(counted, Number(/\/Count\s{0,20}(\d{1,7})\b/.exec(object)?.[1] ?? 0));
    else if (PAGE.test(object)) leaves += 1;
  };
  for (const object of plainObjects(text)) note(object);
  for (const object of packedObjects(bytes, text)) note(object);
  if (counted > 0) return counted;
  return leaves > 0 ? leaves : undefined;
}

/** The pages of a PDF in base64. */
export const pagesOfBase64 = (base64: string): number | undefined => countPages(Buffer.from(base64, 'base64'));

const PAGES = /\/Type\s{0,20}\/Pages\b/;
const PAGE = /\/Type\s{0,20}\/Page\b/;

/** Finds the next place of a word at or behind one that only grows, and looks at no character twice; -1 where there is none. */
function forwardFinder(text: string, word: string): (from: number) => number {
  let at: number | undefined;
  return (from) => {
    if (at === undefined || (at !== -1 && at < from)) at = text.indexOf(word, from);
    return at;
  };
}

/** What stands between `obj` and the end of an object, without the content of streams. */
function* plainObjects(text: string): Generator<string> {
  const streamFrom = forwardFinder(text, 'stream');
  let from = 0;
  for (let end = text.indexOf('endobj'); end !== -1; end = text.indexOf('endobj', from)) {
    const stream = streamFrom(from);
    yield text.slice(from, stream === -1 || stream > end ? end : stream);
    from = end + 'endobj'.length;
  }
}

/** The objects in the streams that hold objects. */
function* packedObjects(bytes: Buffer, text: string): Generator<string> {
  let [unpackedBytes, chars, streams] = [0, 0, 0];
  for (const { head, start, end } of objectStreams(text)) {
    if (unpackedBytes >= MAX_UNPACKED_BYTES || ++streams > MAX_STREAMS) return;
    const { content, cost } = unpacked(bytes.subarray(start, end));
    unpackedBytes += cost;
    for (const object of objectsIn(content, Number(/\/First\s{1,20}(\d{1,9})/.exec(head)?.[1] ?? 0))) {
      chars += object.length;
      if (chars > MAX_OBJECT_CHARS) return;
      yield object;
    }
  }
}

type PackedStream = { readonly head: string; readonly start: number; readonly end: number };

function* objectStreams(text: string): Generator<PackedStream> {
  const [streamFrom, endFrom] = [forwardFinder(text, 'stream'), forwardFinder(text, 'endstream')];
  for (let at = text.indexOf('/ObjStm'); at !== -1; at = text.indexOf('/ObjStm', at + 1)) {
    const start = streamFrom(at);
    const end = start === -1 ? -1 : endFrom(start);
    if (end === -1) return;
    const before = text.slice(Math.max(0, at - MAX_HEAD_CHARS), Math.min(start, at + MAX_HEAD_CHARS));
    const head = before.slice(before.lastIndexOf('obj', Math.min(at, MAX_HEAD_CHARS)));
    yield { head, start: afterLineEnd(text, start + 'stream'.length), end };
    at = end;
  }
}

const afterLineEnd = (text: string, at: number): number => at + (text.startsWith('\r\n', at) ? 2 : 1);

/** `cost`: how many bytes it unpacked to, also where that was too much. */
function unpacked(stream: Buffer): { readonly content: string; readonly cost: number } {
  try {
    const content = inflateSync(stream, { maxOutputLength: MAX_STREAM_BYTES }).toString('latin1');
    return { content, cost: content.length };
  } catch (error) {
    const isTooMuch = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { content: '', cost: isTooMuch ? MAX_STREAM_BYTES : 0 };
  }
}

/** Before the objects stand the number of each and where it begins. */
function* objectsIn(content: string, first: number): Generator<string> {
  let start: number | undefined;
  let count = 0;
  for (const [, offset] of content.slice(0, first).matchAll(/\d{1,9}\s{1,20}(\d{1,9})/g)) {
    const next = first + Number(offset);
    if (start !== undefined) yield content.slice(start, next);
    start = next;
    if (++count >= MAX_OBJECTS_IN_STREAM) break;
  }
  if (start !== undefined) yield content.slice(start);
}
