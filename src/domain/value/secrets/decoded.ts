import type { Secret } from './secret.ts';

/** A text as it is read, and where each of its parts stands in the text as it is written. */
export type Decoded = {
  readonly text: string;
  /** True where something that is not in `text` stood right before. */
  readonly follows: (at: number) => boolean;
  /** The same stretches of the text as it is written; they come in order. */
  readonly written: (secrets: readonly Secret[]) => readonly Secret[];
};

/** What follows an ESC beside a sequence with `[`: a text for the terminal itself, a set of characters, or one sign. */
const SEQUENCE = /\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|[()*+][0-9A-Z]|[ -~]?/y;

const ESCAPE = 27;
const BACKSPACE = 8;

/** The characters, each cut to a byte, that may be read otherwise than they are written. */
const marks = new Uint8Array(256);
for (const code of [...Array(0x2061).keys(), 0xfeff]) if (isUnseen(code)) marks[code & 255] = 1;
for (const sign of '\\%&=^') marks[sign.charCodeAt(0)] = 1;

/**
 * Reads a text without control sequences, and what escapes stand for: those of JSON, of shells and of languages, also where one is escaped
 * again; percent-encoding; HTML entities. What is struck over and the end of a line that goes on in the next are left out. Undefined when it is
 * read as it is written.
 */
export function decode(text: string): Decoded | undefined {
  const codes = Buffer.from(text, 'latin1');
  let read: Read | undefined;
  let mark = 0;
  for (; mark < codes.length && read === undefined; mark++) if (marks[codes[mark] ?? 0] === 1) read = readMark(text, mark);
  if (read === undefined) return undefined;
  const out = createOut(text.length);
  let copied = 0;
  for (mark -= 1; mark < codes.length; ) {
    read ??= marks[codes[mark] ?? 0] === 1 ? readMark(text, mark) : undefined;
    if (read === undefined) {
      mark++;
      continue;
    }
    const { code } = read;
    const end = code === ESCAPE ? sequenceEnd(text, read.end) : read.end;
    // What is struck over is not seen.
    out.copy(text, copied, code === BACKSPACE ? Math.max(copied, mark - 1) : mark);
    if (code === BACKSPACE && mark > copied) out.strike(mark - 1);
    if (code !== undefined && !isUnseen(code)) out.put(code, mark, end);
    copied = end;
    mark = end;
    read = undefined;
  }
  out.copy(text, copied, text.length);
  return out.decoded();
}

/** Takes characters with where each is written. There are never more than there were. */
function createOut(most: number) {
  const signs = new Uint16Array(most);
  const starts = new Int32Array(most);
  const ends = new Int32Array(most);
  let length = 0;
  let struck = -1;
  const add = (sign: number, from: number, to: number): void => {
    signs[length] = sign;
    starts[length] = struck === -1 ? from : struck;
    struck = -1;
    ends[length] = to;
    length += 1;
  };
  return {
    copy: (text: string, from: number, to: number): void => {
      for (let at = from; at < to; at++) add(text.charCodeAt(at), at, at + 1);
    },
    /** What stood at `from` belongs to the next character. */
    strike: (from: number): void => {
      struck = from;
    },
    put: (code: number, from: number, to: number): void => {
      if (code > 0xffff) for (const sign of [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 1023)]) add(sign, from, to);
      else add(code, from, to);
    },
    decoded: (): Decoded => ({
      text: Buffer.from(signs.buffer, 0, length * 2).toString('utf16le'),
      follows: (at) => (starts[at] ?? 0) !== (at === 0 ? 0 : ends[at - 1]),
      written: (secrets) => secrets.map((secret) => ({ ...secret, start: starts[secret.start] ?? 0, end: ends[secret.end - 1] ?? 0 })),
    }),
  };
}

type Read = { readonly end: number; readonly code: number | undefined };

function readMark(text: string, at: number): Read | undefined {
  const code = text.charCodeAt(at);
  if (code === 0x5c) return readEscape(text, at);
  if (code === 0x25) return readPercent(text, at);
  if (code === 0x26) return readEntity(text, at);
  if (code === 0x3d) return text.startsWith('3D', at + 1) ? { end: at + 3, code: 0x3d } : undefined;
  if (code === 0x5e) return readCaret(text, at);
  return code === ESCAPE || isUnseen(code) ? { end: at + 1, code: code === 0x9b ? undefined : code } : undefined;
}

/** Control characters as `cat -v` shows them. */
function readCaret(text: string, at: number): Read | undefined {
  if (text.startsWith('[[', at + 1)) return { end: at + 2, code: ESCAPE };
  return text.charAt(at + 1) === 'H' ? { end: at + 2, code: BACKSPACE } : undefined;
}

const NAMED: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, a: 7, e: ESCAPE, E: ESCAPE };
const CODED = /(?:u\{([\da-f]{1,6})\}|[uU]([\da-f]{4})|x([\da-f]{2})|([0-3][0-7]{2})|(0)(?!\d))/iy;

const NAMED_CODES = new Int16Array(128).fill(-1);
for (const [name, code] of Object.entries(NAMED)) NAMED_CODES[name.charCodeAt(0)] = code;
for (const sign of `"'/`) NAMED_CODES[sign.charCodeAt(0)] = sign.charCodeAt(0);
/** A line that goes on in the next. */
const LINE_END = /\r?\n/y;

/** A row of backslashes is an escape that was escaped again. */
function readEscape(text: string, at: number): Read | undefined {
  let end = at + 1;
  let next = text.charCodeAt(end);
  while (next === 0x5c) next = text.charCodeAt(++end);
  const named = next < 128 ? (NAMED_CODES[next] ?? -1) : -1;
  if (named !== -1) return { end: end + 1, code: named };
  CODED.lastIndex = end;
  const coded = mayBeCoded(next) ? CODED.exec(text) : null;
  if (coded !== null) {
    const [whole, brace, four, two, octal] = coded;
    const hex = brace ?? four ?? two;
    const code = hex === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(hex, 16);
    return { end: end + whole.length, code: code > 0x10ffff ? undefined : code };
  }
  LINE_END.lastIndex = end;
  if (end === at + 1 && (next === 10 || next === 13) && LINE_END.test(text)) return { end: LINE_END.lastIndex, code: undefined };
  return end === at + 1 ? undefined : { end, code: 0x5c };
}

/** `u`, `U`, `x` and the digits of an octal number. */
const mayBeCoded = (code: number): boolean =>
  code === 0x75 || code === 0x55 || code === 0x78 || code === 0x58 || (code >= 0x30 && code <= 0x33);

const hexDigit = (code: number): number =>
  code >= 0x30 && code <= 0x39 ? code - 0x30 : (code | 32) >= 0x61 && (code | 32) <= 0x66 ? (code | 32) - 0x57 : -1;

/** A percent sign may be written as `%25`, three times over. */
function readPercent(text: string, at: number): Read | undefined {
  let next = at + 1;
  for (let times = 0; times < 3 && text.startsWith('25', next); times++) next += 2;
  const [high, low] = [hexDigit(text.charCodeAt(next)), hexDigit(text.charCodeAt(next + 1))];
  const code = high * 16 + low;
  if (high >= 0 && low >= 0 && ((high >= 2 && high <= 7) || code === 9 || code === 10 || code === 13)) return { end: next + 2, code };
  return next === at + 1 ? undefined : { end: next, code: 0x25 };
}

const ENTITIES: Readonly<Record<string, number>> = {
  ...{ quot: 0x22, apos: 0x27, lt: 0x3c, gt: 0x3e, amp: 0x26, nbsp: 0x20, equals: 0x3d, colon: 0x3a, num: 0x23, tab: 9, newline: 10 },
};

/** An ampersand may be written as `&amp;`, three times over. */
function readEntity(text: string, at: number): Read | undefined {
  let next = at + 1;
  for (let times = 0; times < 3 && text.startsWith('amp;', next); times++) next += 4;
  const last = Math.min(text.length, next + MOST_ENTITY_CHARS);
  let end = next;
  while (end < last && text.charCodeAt(end) !== 0x3b && isEntitySign(text.charCodeAt(end))) end++;
  const code = end === next || text.charCodeAt(end) !== 0x3b ? undefined : entityCode(text.slice(next, end));
  if (code !== undefined) return { end: end + 1, code };
  return next === at + 1 ? undefined : { end: next, code: 0x26 };
}

const MOST_ENTITY_CHARS = 8;
const isEntitySign = (code: number): boolean =>
  code === 0x23 || (code >= 0x30 && code <= 0x39) || ((code | 32) >= 0x61 && (code | 32) <= 0x7a);

function entityCode(name: string): number | undefined {
  if (!name.startsWith('#')) return ENTITIES[name] ?? ENTITIES[name.toLowerCase()];
  if (/^#\d{1,5}$/.test(name)) return Number(name.slice(1));
  return /^#x[\da-f]{1,5}$/i.test(name) ? Number.parseInt(name.slice(2), 16) : undefined;
}

const MOST_PARAMETER_CHARS = 44;

/** Behind an ESC, also one that is itself written as an escape, so that what follows may be too. */
function sequenceEnd(text: string, at: number): number {
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
function isUnseen(code: number): boolean {
  if (code < 32) return code < 9 || code > 13;
  if (code < 0x2000) return (code >= 0x7f && code < 0xa0) || code === 0xad;
  return (code >= 0x200b && code <= 0x200f) || code === 0x2060 || code === 0xfeff;
}
