import { inflateSync } from 'node:zlib';

/** A page tree of any size fits; a stream that unpacks to more is not one. */
const MAX_STREAM_BYTES = 8_000_000;
const MAX_UNPACKED_BYTES = 32_000_000;

/**
 * Counts the pages of a PDF as its page tree says, also where that stands in compressed parts. Undefined when it cannot be found. Total for
 * any bytes, and bounded in what it unpacks.
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

/** What stands between `obj` and the end of an object, without the content of streams. */
function* plainObjects(text: string): Generator<string> {
  let from = 0;
  for (let end = text.indexOf('endobj'); end !== -1; end = text.indexOf('endobj', from)) {
    const stream = text.indexOf('stream', from);
    yield text.slice(from, stream === -1 || stream > end ? end : stream);
    from = end + 'endobj'.length;
  }
}

/** The objects in the streams that hold objects. */
function* packedObjects(bytes: Buffer, text: string): Generator<string> {
  let unpackedBytes = 0;
  for (let at = text.indexOf('/ObjStm'); at !== -1 && unpackedBytes < MAX_UNPACKED_BYTES; at = text.indexOf('/ObjStm', at + 1)) {
    const start = text.indexOf('stream', at);
    const end = start === -1 ? -1 : text.indexOf('endstream', start);
    if (end === -1) return;
    const head = text.slice(text.lastIndexOf('obj', at), start);
    const content = unpacked(bytes.subarray(afterLineEnd(text, start + 'stream'.length), end));
    unpackedBytes += content.length;
    yield* objectsIn(content, Number(/\/First\s{1,20}(\d{1,9})/.exec(head)?.[1] ?? 0));
    at = end;
  }
}

const afterLineEnd = (text: string, at: number): number => at + (text.startsWith('\r\n', at) ? 2 : 1);

function unpacked(stream: Buffer): string {
  try {
    return inflateSync(stream, { maxOutputLength: MAX_STREAM_BYTES }).toString('latin1');
  } catch {
    return '';
  }
}

/** Before the objects stand the number of each and where it begins. */
function* objectsIn(content: string, first: number): Generator<string> {
  const offsets = [...content.slice(0, first).matchAll(/\d{1,9}\s{1,20}(\d{1,9})/g)].map(([, offset]) => first + Number(offset));
  for (const [index, start] of offsets.entries()) yield content.slice(start, offsets[index + 1] ?? content.length);
}
