import { NONE, type Searched, type Secret } from './secret.ts';

/** Letters of base64 in either form, and of those the hexadecimal ones, with the line ends between them. */
const LETTER = 1;
const HEX = 2;
const letters = new Uint8Array(256);
for (let code = 0; code < 128; code++) {
  const sign = String.fromCharCode(code);
  if (/[\w+/-]/.test(sign)) letters[code] = /[\da-f]/i.test(sign) ? LETTER | HEX : LETTER;
}

for (const end of [10, 13]) letters[end] = HEX;

const HEX_VALUES = valuesOf('0123456789abcdef', '0123456789ABCDEF');
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64_VALUES = valuesOf(`${BASE64}+/`, `${BASE64}-_`);

function valuesOf(...alphabets: readonly string[]): Uint8Array {
  const values = new Uint8Array(256);
  for (const alphabet of alphabets) for (let at = 0; at < alphabet.length; at++) values[alphabet.charCodeAt(at)] = at;
  return values;
}

/** A shorter one holds no token. */
const LEAST_CHARS = 32;
/** No wrapped run is longer. */
const PIECE_CHARS = 8 * 1024;
const NEWLINE = 10;
const RETURN = 13;

/** Runs of base64 and hexadecimal digits that hold a secret, masked whole. What all of them hold is searched together. */
export function encodedSecrets({ codes }: Searched, search: (bytes: Buffer) => readonly Secret[]): readonly Secret[] {
  const runs: Run[] = [];
  let out: Buffer | undefined;
  let length = 0;
  let after = 0;
  const size = codes.length;
  for (let at = LEAST_CHARS - 1; at < size; at += LEAST_CHARS) {
    if (!isLetter(codes, at)) continue;
    let from = at;
    while (from > after && isLetter(codes, from - 1)) from--;
    after = lineEnd(codes, at);
    if (after - from >= LEAST_CHARS && startsText(codes, from)) {
      after = wrappedEnd(codes, from, after);
      // Four letters are three bytes at most, so there is room for what divides two runs.
      out ??= Buffer.alloc(codes.length);
      length = divide(out, decodeRun(codes, { from, to: after }, out, length));
      runs.push({ from, to: after, bytesTo: length });
    }
    at = after - 1;
  }
  return out === undefined ? NONE : holders(runs, search(out.subarray(0, length)));
}

/** Where a run stands, and where what it holds ends among what all hold. */
type Run = { readonly from: number; readonly to: number; readonly bytesTo: number };

/** The runs that hold secrets, called as the first of them. */
function holders(runs: readonly Run[], secrets: readonly Secret[]): readonly Secret[] {
  const found: Secret[] = [];
  let next = 0;
  for (const { from, to, bytesTo } of runs) {
    const secret = secrets[next];
    if (secret === undefined) break;
    if (secret.start >= bytesTo) continue;
    found.push({ start: from, end: to, kind: secret.kind });
    while ((secrets[next]?.start ?? bytesTo) < bytesTo) next++;
  }
  return found;
}

/** Nothing goes on behind a line end with what is no text. */
function divide(out: Buffer, length: number): number {
  out[length] = NEWLINE;
  out[length + 1] = 0;
  return length + 2;
}

const isLetter = (codes: Uint8Array, at: number): boolean => ((letters[codes[at] ?? 0] ?? 0) & LETTER) !== 0;

function lineEnd(codes: Uint8Array, from: number): number {
  const size = codes.length;
  let at = from;
  while (at < size && isLetter(codes, at)) at++;
  return at;
}

const WIDTHS: readonly number[] = [60, 64, 72, 76];

/** The end of the last line that goes on with a run. All but the last are as long as the first. */
function wrappedEnd(codes: Uint8Array, from: number, lineTo: number): number {
  const width = lineTo - from;
  let to = lineTo;
  for (let length = width; length === width && to - from < PIECE_CHARS; ) {
    const next = codes[to] === RETURN && codes[to + 1] === NEWLINE ? to + 2 : codes[to] === NEWLINE ? to + 1 : codes.length;
    const end = lineEnd(codes, next);
    length = end - next;
    if (length === 0 || length > width || (length < width && !WIDTHS.includes(width))) break;
    to = end;
  }
  return to;
}

function decodeRun(codes: Uint8Array, { from, to }: Pick<Run, 'from' | 'to'>, out: Buffer, length: number): number {
  const isHex = isHexadecimal(codes, from, to);
  const values = isHex ? HEX_VALUES : BASE64_VALUES;
  const width = isHex ? 4 : 6;
  let held = 0;
  let bits = 0;
  let end = length;
  for (let at = from; at < to; at++) {
    const code = codes[at] ?? 0;
    if (code === NEWLINE || code === RETURN) continue;
    held = ((held << width) | (values[code] ?? 0)) & 0xffff;
    bits += width;
    if (bits < 8) continue;
    bits -= 8;
    out[end++] = (held >> bits) & 0xff;
  }
  return end;
}

/** Whether the first letters of a run are text: no control characters but line ends and tabs, and ASCII for the most part. */
function startsText(codes: Uint8Array, from: number): boolean {
  const isHex = isHexadecimal(codes, from, from + LEAST_CHARS);
  const values = isHex ? HEX_VALUES : BASE64_VALUES;
  const width = isHex ? 4 : 6;
  let held = 0;
  let bits = 0;
  let others = 0;
  for (let at = from; at < from + LEAST_CHARS; at++) {
    held = ((held << width) | (values[codes[at] ?? 0] ?? 0)) & 0xffff;
    bits += width;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (held >> bits) & 0xff;
    if (byte < 9 || (byte > 13 && byte < 32) || byte === 127) return false;
    if (byte > 127) others += 1;
  }
  return others * 2 * 8 < LEAST_CHARS * width;
}

function isHexadecimal(codes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (((letters[codes[at] ?? 0] ?? 0) & HEX) === 0) return false;
  return true;
}

/** True for a line that is such a run from its beginning to its end, which the next line may go on with. */
export const isEncodedLine = (line: string): boolean => line.length >= LEAST_CHARS && line.length < PIECE_CHARS && /^[\w+/-]+$/.test(line);
