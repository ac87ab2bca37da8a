import { lazily } from '../word-list.ts';
import { isEncodedLine } from './encoded.ts';
import { BACKSPACE, ESCAPE, isUnseen, narrowMarks, readMark, sequenceEnd, wideMarks } from './escapes.ts';
import type { Secret } from './secret.ts';

/** A part of a text as it is read, and where its characters stand in the text as it is written. */
export type Decoded = {
  readonly text: string;
  /** True where something that is not in `text` stood right before. */
  readonly follows: (at: number) => boolean;
  /** The same stretches of the text as it is written. */
  readonly written: (secrets: readonly Secret[]) => readonly Secret[];
};

const NEWLINE = 10;
/** How many lines around one that is read otherwise belong to the same part: a login of .netrc has four, all else that has several fewer. */
const LINES_AROUND = 3;

/**
 * Reads a text without control sequences, and what escapes stand for: those of JSON, of shells and of languages, also where one is escaped
 * again; percent-encoding; HTML entities. What is struck over and the end of a line that goes on in the next are left out. Gives the parts that
 * are read otherwise than they are written, with the lines around them, or the whole text if there is one.
 */
export function decode(text: string, isWhole: boolean): readonly Decoded[] {
  const isNarrow = !/[^\0-\xff]/.test(text);
  const units = isNarrow ? Buffer.from(text, 'latin1') : wideUnits(text);
  const parts: Decoded[] = [];
  let signs: Units | undefined;
  let from = 0;
  for (let mark = nextRead(text, units, 0); mark < units.length; mark = nextRead(text, units, from)) {
    signs ??= isNarrow ? new Uint8Array(units.length) : new Uint16Array(units.length);
    const part = readPart({ text, units, isWhole, start: isWhole ? 0 : linesBefore(text, mark), mark }, signs);
    parts.push(part.decoded);
    from = part.end;
    signs = part.signs;
  }
  return parts;
}

type Units = Uint8Array | Uint16Array;

const marksOf = (units: Units): Uint8Array => (units instanceof Uint16Array ? wideMarks : narrowMarks);

function wideUnits(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

function nextRead(text: string, units: Units, from: number): number {
  const marks = marksOf(units);
  for (let at = from; at < units.length; at++) if (marks[(units[at] ?? 0) & 255] === 1 && readMark(text, at) !== undefined) return at;
  return units.length;
}

/** Where the part begins in which `mark` stands. */
function linesBefore(text: string, mark: number): number {
  let start = lineStart(text, mark);
  for (let lines = 0; start > 0; lines++) {
    const before = lineStart(text, start - 1);
    if (lines >= LINES_AROUND && !isEncodedLine(text.slice(before, start).trimEnd())) break;
    start = before;
  }
  return start;
}

const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

type Part = { readonly text: string; readonly units: Units; readonly isWhole: boolean; readonly start: number; readonly mark: number };

/** Where in the text as it is written each unit begins and ends of what is read. */
type Places = { readonly starts: Int32Array; readonly ends: Int32Array };

/** `signs` has room for what is read; it is used again for the next part. Where it is written is asked seldom, so it is found by reading again. */
function readPart(part: Part, signs: Units): { readonly decoded: Decoded; readonly end: number; readonly signs: Units } {
  const { out, length, end } = readUnits(part, signs, undefined);
  const places = lazily(() => {
    const found = { starts: new Int32Array(length), ends: new Int32Array(length) };
    readUnits(part, new Uint16Array(length + 2), found);
    return found;
  });
  return {
    end,
    signs: out,
    decoded: {
      text: textOf(out, length),
      follows: (at) => places().starts[at] !== (at === 0 ? part.start : places().ends[at - 1]),
      written: (secrets) =>
        secrets.map((secret) => ({ ...secret, start: places().starts[secret.start] ?? 0, end: places().ends[secret.end - 1] ?? 0 })),
    },
  };
}

/** What was read, up to `end` of what is written. */
type Taken = { readonly out: Units; readonly length: number; readonly end: number };

function readUnits({ text, units, isWhole, start, mark }: Part, signs: Units, places: Places | undefined): Taken {
  const marks = marksOf(units);
  let out = signs;
  let length = 0;
  let struck = -1;
  let copied = start;
  let lines = 0;
  let at = start;
  while (at < units.length) {
    const unit = units[at] ?? 0;
    const read = marks[unit & 255] === 1 ? readMark(text, at) : undefined;
    if (read === undefined) {
      if (places !== undefined) place(places, length, struck === -1 ? at : struck, at + 1);
      struck = -1;
      out[length++] = unit;
      at += 1;
      if (unit === NEWLINE && !isWhole && at > mark && ++lines > LINES_AROUND && !endsEncodedLine(text, at)) break;
      continue;
    }
    const code = read.code ?? 0;
    const end = code === ESCAPE ? sequenceEnd(text, read.end) : read.end;
    // What is struck over is not seen: it belongs to the next character.
    if (code === BACKSPACE && at > copied) {
      struck = at - 1;
      length -= 1;
    }
    if (!isUnseen(code)) {
      if (code > 0xff) out = widened(out);
      const size = put(out, length, code);
      for (const last = length + size; length < last; length++)
        if (places !== undefined) place(places, length, struck === -1 ? at : struck, end);
      struck = -1;
    }
    at = end;
    copied = end;
    lines = 0;
  }
  return { out, length, end: at };
}

/** Returns how many units a character has. */
function put(out: Units, at: number, code: number): number {
  out[at] = code > 0xffff ? 0xd800 + ((code - 0x10000) >> 10) : code;
  if (code <= 0xffff) return 1;
  out[at + 1] = 0xdc00 + (code & 1023);
  return 2;
}

function place({ starts, ends }: Places, at: number, from: number, to: number): void {
  starts[at] = from;
  ends[at] = to;
}

const endsEncodedLine = (text: string, end: number): boolean => isEncodedLine(text.slice(lineStart(text, end - 1), end).trimEnd());

const widened = (signs: Units): Units => (signs instanceof Uint16Array ? signs : new Uint16Array(signs));

const textOf = (signs: Units, length: number): string =>
  Buffer.from(signs.buffer, 0, length * signs.BYTES_PER_ELEMENT).toString(signs instanceof Uint16Array ? 'utf16le' : 'latin1');
