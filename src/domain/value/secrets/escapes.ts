/** What follows an ESC beside a sequence with `[`: a text for the terminal itself, a set of characters, or one sign. */
const SEQUENCE = /\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|[()*+][0-9A-Z]|[ -~]?/y;

const COLOUR = /\x9b[\d;:]{1,20}[mK]/y;

export const ESCAPE = 27;
export const BACKSPACE = 8;

/** The characters, each cut to a byte, that may be read otherwise than they are written: in a text that has no others, and in any. */
export const narrowMarks = marksBelow(0x100);
export const wideMarks = marksBelow(0x10000);

function marksBelow(end: number): Uint8Array {
  const marks = new Uint8Array(256);
  for (const code of [...Array(0x2061).keys(), 0xfeff]) if (code < end && isUnseen(code)) marks[code & 255] = 1;
  for (const sign of '\\%&=^') marks[sign.charCodeAt(0)] = 1;
  return marks;
}

/** What may be read otherwise than it is written: where it ends, and the character that it stands for. */
export type Read = { readonly end: number; readonly code: number | undefined };

export function readMark(text: string, at: number): Read | undefined {
  const code = text.charCodeAt(at);
  if (code === 0x5c) return readEscape(text, at);
  if (code === 0x25) return readPercent(text, at);
  if (code === 0x26) return readEntity(text, at);
  if (code === 0x3d) return text.charCodeAt(at + 1) === 0x33 && text.charCodeAt(at + 2) === 0x44 ? { end: at + 3, code: 0x3d } : undefined;
  if (code === 0x5e) return readCaret(text, at);
  // In one character, what begins with ESC and a bracket elsewhere.
  COLOUR.lastIndex = at;
  if (code === 0x9b && COLOUR.test(text)) return { end: COLOUR.lastIndex, code: undefined };
  return code === ESCAPE || isUnseen(code) ? { end: at + 1, code: code === 0x9b ? undefined : code } : undefined;
}

/** Control characters as `cat -v` shows them. */
function readCaret(text: string, at: number): Read | undefined {
  const next = text.charCodeAt(at + 1);
  if (next === 0x5b && text.charCodeAt(at + 2) === 0x5b) return { end: at + 2, code: ESCAPE };
  return next === 0x48 ? { end: at + 2, code: BACKSPACE } : undefined;
}

const NAMED: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, a: 7, e: ESCAPE, E: ESCAPE };
const NAMED_CODES = new Int16Array(128).fill(-1);
for (const [name, code] of Object.entries(NAMED)) NAMED_CODES[name.charCodeAt(0)] = code;
for (const sign of `"'/`) NAMED_CODES[sign.charCodeAt(0)] = sign.charCodeAt(0);
const LINE_END = /\r?\n/y;

/** A row of backslashes is an escape that was escaped again. */
function readEscape(text: string, at: number): Read | undefined {
  let end = at + 1;
  let next = text.charCodeAt(end);
  while (next === 0x5c) next = text.charCodeAt(++end);
  const named = next < 128 ? (NAMED_CODES[next] ?? -1) : -1;
  if (named !== -1) return { end: end + 1, code: named };
  const coded = mayBeCoded(next) ? readCode(text, end, next) : undefined;
  if (coded !== undefined) return coded;
  LINE_END.lastIndex = end;
  if (end === at + 1 && (next === 10 || next === 13) && LINE_END.test(text)) return { end: LINE_END.lastIndex, code: undefined };
  return end === at + 1 ? undefined : { end, code: 0x5c };
}

/** `u`, `U`, `x` and the digits of an octal number. */
const mayBeCoded = (code: number): boolean =>
  code === 0x75 || code === 0x55 || code === 0x78 || code === 0x58 || (code >= 0x30 && code <= 0x33);

const hexDigit = (code: number): number =>
  code >= 0x30 && code <= 0x39 ? code - 0x30 : (code | 32) >= 0x61 && (code | 32) <= 0x66 ? (code | 32) - 0x57 : -1;

/** `u{7e}`, `u007e`, `x7e`, `176`, and `0` where no digit follows. */
function readCode(text: string, at: number, first: number): Read | undefined {
  if (first <= 0x33) return readOctal(text, at);
  if ((first | 32) === 0x78) return readHex(text, at + 1, at + 3);
  if (text.charCodeAt(at + 1) !== 0x7b) return readHex(text, at + 1, at + 5);
  const close = text.slice(at + 2, at + 9).indexOf('}');
  const read = close < 1 ? undefined : readHex(text, at + 2, at + 2 + close);
  return read === undefined
    ? undefined
    : { end: read.end + 1, code: read.code !== undefined && read.code > 0x10ffff ? undefined : read.code };
}

function readHex(text: string, from: number, to: number): Read | undefined {
  let code = 0;
  for (let at = from; at < to; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    if (digit === -1) return undefined;
    code = code * 16 + digit;
  }
  return { end: to, code };
}

const isOctal = (code: number): boolean => code >= 0x30 && code <= 0x37;

function readOctal(text: string, at: number): Read | undefined {
  const [first, second, third] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  if (isOctal(second) && isOctal(third)) return { end: at + 3, code: ((first & 7) << 6) | ((second & 7) << 3) | (third & 7) };
  return first === 0x30 && !(second >= 0x30 && second <= 0x39) ? { end: at + 1, code: 0 } : undefined;
}

/** A percent sign may be written as `%25`, three times over. */
function readPercent(text: string, at: number): Read | undefined {
  let next = at + 1;
  for (let times = 0; times < 3 && text.charCodeAt(next) === 0x32 && text.charCodeAt(next + 1) === 0x35; times++) next += 2;
  const [high, low] = [hexDigit(text.charCodeAt(next)), hexDigit(text.charCodeAt(next + 1))];
  const code = high * 16 + low;
  if (high >= 0 && low >= 0 && ((high >= 2 && high <= 7) || code === 9 || code === 10 || code === 13)) return { end: next + 2, code };
  return next === at + 1 ? undefined : { end: next, code: 0x25 };
}

const ENTITIES: readonly (readonly [name: string, code: number])[] = [
  ...([
    ['quot;', 0x22],
    ['lt;', 0x3c],
    ['gt;', 0x3e],
    ['apos;', 0x27],
    ['amp;', 0x26],
    ['nbsp;', 0x20],
  ] as const),
  ...([
    ['equals;', 0x3d],
    ['colon;', 0x3a],
    ['num;', 0x23],
    ['tab;', 9],
    ['newline;', 10],
  ] as const),
];

/** An ampersand may be written as `&amp;`, three times over. */
function readEntity(text: string, at: number): Read | undefined {
  let next = at + 1;
  if (!mayBeNamed(text.charCodeAt(next))) return undefined;
  for (let times = 0; times < 3 && text.startsWith('amp;', next); times++) next += 4;
  const read = text.charCodeAt(next) === 0x23 ? readNumber(text, next + 1) : readName(text, next);
  if (read !== undefined) return read;
  return next === at + 1 ? undefined : { end: next, code: 0x26 };
}

const mayBeNamed = (code: number): boolean => code === 0x23 || ((code | 32) >= 0x61 && (code | 32) <= 0x7a);

function readName(text: string, at: number): Read | undefined {
  const first = text.charCodeAt(at) | 32;
  for (const [name, code] of ENTITIES) {
    if (name.charCodeAt(0) !== first) continue;
    if (text.startsWith(name, at) || text.slice(at, at + name.length).toLowerCase() === name) return { end: at + name.length, code };
  }
  return undefined;
}

const MOST_DIGITS = 5;

function readNumber(text: string, at: number): Read | undefined {
  const isHex = (text.charCodeAt(at) | 32) === 0x78;
  const from = isHex ? at + 1 : at;
  let code = 0;
  let end = from;
  for (; end - from < MOST_DIGITS; end++) {
    const digit = hexDigit(text.charCodeAt(end));
    if (digit === -1 || (digit > 9 && !isHex)) break;
    code = code * (isHex ? 16 : 10) + digit;
  }
  return end > from && text.charCodeAt(end) === 0x3b ? { end: end + 1, code } : undefined;
}

const MOST_PARAMETER_CHARS = 44;

/** Behind an ESC, also one that is itself written as an escape, so that what follows may be too. */
export function sequenceEnd(text: string, at: number): number {
  if (text.charCodeAt(at) === 0x5b) {
    const last = Math.min(text.length, at + MOST_PARAMETER_CHARS);
    let end = at + 1;
    while (end < last && text.charCodeAt(end) >= 0x20 && text.charCodeAt(end) < 0x40) end++;
    const final = text.charCodeAt(end);
    return final >= 0x40 && final < 0x7f ? end + 1 : at + 1;
  }
  SEQUENCE.lastIndex = at;
  return SEQUENCE.test(text) ? SEQUENCE.lastIndex : at;
}

/** Control characters other than blanks and line ends, and what has no width. */
export function isUnseen(code: number): boolean {
  if (code < 32) return code < 9 || code > 13;
  if (code < 0x2000) return (code >= 0x7f && code < 0xa0) || code === 0xad;
  return (code >= 0x200b && code <= 0x200f) || code === 0x2060 || code === 0xfeff;
}
