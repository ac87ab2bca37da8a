import { NONE, type Searched, type Secret } from './secret.ts';

/** Letters of base64 in either form, and of those the hexadecimal ones. */
const LETTER = 1;
const HEX = 2;
const letters = new Uint8Array(256);
for (let code = 0; code < 128; code++) {
  const sign = String.fromCharCode(code);
  if (/[\w+/-]/.test(sign)) letters[code] = /[\da-f]/i.test(sign) ? LETTER | HEX : LETTER;
}

/** A shorter one holds no token. */
const LEAST_CHARS = 32;
/** What is longer is searched piece by piece. A multiple of 4, since four letters are three bytes. */
const PIECE_CHARS = 8 * 1024;
const NEWLINE = 10;
const RETURN = 13;

/**
 * Runs of base64 and of hexadecimal digits, on one line or wrapped, that hold a secret: masked whole. What has no such run is looked at once in
 * as many characters as the shortest has.
 */
export function encodedSecrets({ text, codes }: Searched, search: (text: string) => readonly Secret[]): readonly Secret[] {
  const secrets: Secret[] = [];
  let after = 0;
  for (let at = LEAST_CHARS - 1; at < codes.length; at += LEAST_CHARS) {
    if (!isLetter(codes, at)) continue;
    let from = at;
    while (from > after && isLetter(codes, from - 1)) from--;
    after = lineEnd(codes, at);
    if (after - from >= LEAST_CHARS) {
      const { to, kind } = runAt({ text, codes }, { from, lineTo: after }, search);
      if (kind !== undefined) secrets.push({ start: from, end: to, kind });
      after = to;
    }
    at = after - 1;
  }
  return secrets.length === 0 ? NONE : secrets;
}

const isLetter = (codes: Uint8Array, at: number): boolean => (letters[codes[at] ?? 0] ?? 0) !== 0;

function lineEnd(codes: Uint8Array, from: number): number {
  let at = from;
  while (at < codes.length && isLetter(codes, at)) at++;
  return at;
}

type Run = { readonly from: number; readonly lineTo: number };

/** Where a run ends that begins with a long line, and what it holds. */
function runAt(
  { text, codes }: Pick<Searched, 'text' | 'codes'>,
  { from, lineTo }: Run,
  search: (text: string) => readonly Secret[],
): { readonly to: number; readonly kind: string | undefined } {
  const to = wrappedEnd(codes, { from, lineTo });
  if (!saysSomething(decoded(text.slice(from, Math.min(lineTo, from + LEAST_CHARS))))) return { to: lineTo, kind: undefined };
  const written = text.slice(from, to).replace(/\r?\n/g, '');
  for (let at = 0; at < written.length; at += PIECE_CHARS) {
    const [found] = search(decoded(written.slice(at, at + PIECE_CHARS)));
    if (found !== undefined) return { to, kind: found.kind };
  }
  return { to, kind: undefined };
}

/** How wide tools wrap. */
const WIDTHS: readonly number[] = [60, 64, 72, 76];

/** The end of the last line that goes on with a run. All but the last are as long as the first. */
function wrappedEnd(codes: Uint8Array, { from, lineTo }: Run): number {
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

const decoded = (written: string): string =>
  /^(?:[\da-f]{2})+$/i.test(written) ? Buffer.from(written, 'hex').toString('latin1') : Buffer.from(written, 'base64').toString('latin1');

/** Text has no control characters but line ends and tabs, and is ASCII for the most part. */
const saysSomething = (text: string): boolean =>
  !/[\0-\x08\x0e-\x1f\x7f]/.test(text) && text.replace(/[\x80-\xff]/g, '').length * 2 > text.length;

/** True for a line that is such a run from its beginning to its end, which the next line may go on with. */
export const isEncodedLine = (line: string): boolean => line.length >= LEAST_CHARS && line.length < PIECE_CHARS && /^[\w+/-]+$/.test(line);
