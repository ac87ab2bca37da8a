import type { Secret } from './secret.ts';

/** A text as it is read, and where each of its parts stands in the text as it is written. */
export type Decoded = {
  readonly text: string;
  /** True where something that is not in `text` stood right before. */
  readonly follows: (at: number) => boolean;
  /** The same stretches of the text as it is written; they come in order. */
  readonly written: (secrets: readonly Secret[]) => readonly Secret[];
};

/** What follows an ESC: a sequence, a text for the terminal itself, a set of characters, or one sign. */
const SEQUENCES = [/\[[0-?]{0,40}[ -/]{0,4}[@-~]/, /\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)/, /[()*+][0-9A-Z]/, /[ -~]?/];
const SEQUENCE = new RegExp(`(?:${SEQUENCES.map(({ source }) => source).join('|')})`, 'y');

/** What may be read otherwise than it is written. */
const MARK = /[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u2060\ufeff\\%&]|=3D|\^\[(?=\[)/g;
const ESCAPE = 27;

/**
 * Reads a text without control sequences, and what escapes stand for: those of JSON, of shells and of languages, also where one is escaped
 * again; percent-encoding; HTML entities. Undefined when it is read as it is written.
 */
export function decode(text: string): Decoded | undefined {
  const parts: Part[] = [];
  let out = '';
  let copied = 0;
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    const { index } = mark;
    const read = readMark(text, index, mark[0]);
    if (read === undefined) continue;
    const end = read.code === ESCAPE ? sequenceEnd(text, read.end) : read.end;
    const sign = read.code === undefined || isUnseen(read.code) ? '' : String.fromCodePoint(read.code);
    if (index > copied) parts.push({ at: out.length, length: index - copied, from: copied, to: index });
    out += text.slice(copied, index);
    if (sign !== '') parts.push({ at: out.length, length: sign.length, from: index, to: end });
    out += sign;
    copied = end;
    MARK.lastIndex = end;
  }
  if (copied === 0 && parts.length === 0) return undefined;
  if (copied < text.length) parts.push({ at: out.length, length: text.length - copied, from: copied, to: text.length });
  out += text.slice(copied);
  return { text: out, follows: createFollows(parts), written: (secrets) => writtenAt(parts, secrets) };
}

/** A part that was copied, or a sign that stands for what is written from `from` to `to`. */
type Part = { readonly at: number; readonly length: number; readonly from: number; readonly to: number };

type Read = { readonly end: number; readonly code: number | undefined };

function readMark(text: string, at: number, mark: string): Read | undefined {
  if (mark === '\\') return readEscape(text, at);
  if (mark === '%') return readPercent(text, at);
  if (mark === '&') return readEntity(text, at);
  if (mark === '=3D') return { end: at + 3, code: 0x3d };
  if (mark === '^[') return { end: at + 2, code: ESCAPE };
  const code = text.charCodeAt(at);
  return { end: at + 1, code: code === 0x9b ? undefined : code };
}

const NAMED: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, a: 7, e: ESCAPE, E: ESCAPE };
const CODED = /(?:u\{([\da-f]{1,6})\}|[uU]([\da-f]{4})|x([\da-f]{2})|([0-3][0-7]{2})|(0)(?!\d))/iy;

/** A row of backslashes is an escape that was escaped again. */
function readEscape(text: string, at: number): Read | undefined {
  let end = at + 1;
  while (text.charCodeAt(end) === 0x5c) end++;
  const next = text.charAt(end);
  CODED.lastIndex = end;
  const coded = CODED.exec(text);
  if (coded !== null) {
    const [whole, brace, four, two, octal] = coded;
    const hex = brace ?? four ?? two;
    const code = hex === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(hex, 16);
    return { end: end + whole.length, code: code > 0x10ffff ? undefined : code };
  }
  const named = NAMED[next];
  if (named !== undefined) return { end: end + 1, code: named };
  if (next === '"' || next === "'" || next === '/') return { end: end + 1, code: next.charCodeAt(0) };
  return end === at + 1 ? undefined : { end, code: 0x5c };
}

const PERCENT = /%(?:25){0,3}([2-7][\da-f]|0[9ad])/iy;

function readPercent(text: string, at: number): Read | undefined {
  PERCENT.lastIndex = at;
  const hex = PERCENT.exec(text)?.[1];
  return hex === undefined ? undefined : { end: PERCENT.lastIndex, code: Number.parseInt(hex, 16) };
}

const ENTITY = /&(?:amp;){0,3}(?:#(\d{1,5})|#x([\da-f]{1,5})|([a-z]{2,7}));/iy;
const ENTITIES: Readonly<Record<string, number>> = {
  ...{ quot: 0x22, apos: 0x27, lt: 0x3c, gt: 0x3e, amp: 0x26, nbsp: 0x20, equals: 0x3d, colon: 0x3a, num: 0x23, tab: 9, newline: 10 },
};

function readEntity(text: string, at: number): Read | undefined {
  ENTITY.lastIndex = at;
  const [, decimal, hex, name] = ENTITY.exec(text) ?? [];
  const named = ENTITIES[name?.toLowerCase() ?? ''];
  if (named !== undefined) return { end: ENTITY.lastIndex, code: named };
  const digits = decimal ?? hex;
  return digits === undefined ? undefined : { end: ENTITY.lastIndex, code: Number.parseInt(digits, decimal === undefined ? 16 : 10) };
}

/** Behind an ESC, also one that is itself written as an escape, so that what follows may be too. */
function sequenceEnd(text: string, at: number): number {
  SEQUENCE.lastIndex = at;
  return SEQUENCE.test(text) ? SEQUENCE.lastIndex : at;
}

const isUnseen = (code: number): boolean =>
  (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12 && code !== 11) ||
  (code >= 0x7f && code < 0xa0) ||
  code === 0xad ||
  (code >= 0x200b && code <= 0x200f) ||
  code === 0x2060 ||
  code === 0xfeff;

/** Asked for places in any order. */
function createFollows(parts: readonly Part[]): (at: number) => boolean {
  const starts = new Set<number>();
  let to = 0;
  for (const part of parts) {
    if (part.from !== to) starts.add(part.at);
    ({ to } = part);
  }
  return (at) => starts.has(at);
}

function writtenAt(parts: readonly Part[], secrets: readonly Secret[]): readonly Secret[] {
  let next = 0;
  const partOf = (at: number): Part | undefined => {
    while (next + 1 < parts.length && (parts[next + 1]?.at ?? 0) <= at) next++;
    return parts[next];
  };
  return secrets.flatMap((secret) => {
    const first = partOf(secret.start);
    const start = first === undefined ? 0 : first.from + (secret.start - first.at);
    const last = partOf(secret.end - 1);
    if (first === undefined || last === undefined) return [];
    const isWhole = secret.end >= last.at + last.length;
    return [{ ...secret, start, end: isWhole ? last.to : last.from + (secret.end - last.at) }];
  });
}
