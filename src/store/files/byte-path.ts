/**
 * Paths with names that are no text. A system's name is bytes; those that are no UTF-8 stand in a path as lone surrogates from U+DC80 on, one
 * for each, which no name that is text has. Only what asks for such a name gets it: whatever else looks at the path finds nothing there.
 */

const ODD = /[\udc80-\udcff]/u;
const ODD_PARTS = /([\udc80-\udcff]+)/u;

export const hasOddBytes = (path: string): boolean => ODD.test(path);

/** A path as the system takes it. */
export const onDisk = (path: string): string | Buffer => (hasOddBytes(path) ? bytesOf(path) : path);

const bytesOf = (path: string): Buffer =>
  Buffer.concat(
    path
      .split(ODD_PARTS)
      .map((part) => (ODD.test(part) ? Buffer.from([...part].map((char) => char.charCodeAt(0) - 0xdc00)) : Buffer.from(part))),
  );

/** The name of these bytes. */
export function nameOfBytes(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes('\ufffd') || Buffer.from(text).equals(bytes)) return text;
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const char = [1, 2, 3, 4].map((length) => bytes.subarray(at, at + length)).find(isOneCharacter);
    name += char?.toString() ?? String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += char?.length ?? 1;
  }
  return name;
}

const isOneCharacter = (bytes: Buffer): boolean => {
  const text = bytes.toString();
  return [...text].length === 1 && Buffer.from(text).equals(bytes);
};
