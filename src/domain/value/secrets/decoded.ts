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

/** A text, its characters, each cut to a byte, and where one stands that may be read otherwise than it is written. */
export type Written = {
  readonly text: string;
  readonly codes: Uint8Array;
  /** True where no character is cut. */
  readonly isNarrow: boolean;
  readonly marks: readonly number[];
};

const NEWLINE = 10;
/** How many lines around one that is read otherwise belong to the same part: a login of .netrc has four, all else that has several fewer. */
const LINES_AROUND = 3;

/**
 * Reads a text without control sequences, and what escapes, percent-encoding and HTML entities stand for, also escaped again; what is
 * struck over is left out. Gives the parts that read otherwise, with the lines around them, or the whole text if one is.
 */
export function decode(written: Written, isWhole: boolean): readonly Decoded[] {
  const { text, codes, isNarrow } = written;
  const units = lazily(() => (isNarrow ? codes : wideUnits(text)));
  const parts: Decoded[] = [];
  let room: Room | undefined;
  let from = 0;
  for (const mark of written.marks) {
    if (mark < from || readMark(text, mark) === undefined) continue;
    room ??= isNarrow ? { narrow: Buffer.allocUnsafe(codes.length), wide: undefined } : wideRoom(codes.length);
    const part = { text, codes, units: units(), stops: isNarrow ? NARROW_STOPS : WIDE_STOPS, isWhole, mark };
    const read = readPart({ ...part, start: isWhole ? 0 : linesBefore(text, mark) }, room);
    parts.push(read.decoded);
    ({ end: from, room } = read);
  }
  return parts;
}

type Units = Uint8Array | Uint16Array;

function wideUnits(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

/** What a stretch without marks and line ends ends at. */
const stopsOf = (marks: Uint8Array): Uint8Array => marks.map((mark, code) => (code === NEWLINE ? 1 : mark));
const NARROW_STOPS = stopsOf(narrowMarks);
const WIDE_STOPS = stopsOf(wideMarks);

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

type Part = Pick<Written, 'text' | 'codes'> & {
  readonly units: Units;
  readonly stops: Uint8Array;
  readonly isWhole: boolean;
  readonly start: number;
  readonly mark: number;
};

/** Room for what is read, used again for the next part; in `wide` once there is a character of more than a byte. */
type Room = { readonly narrow: Buffer; readonly wide: Uint16Array | undefined };

const wideRoom = (length: number): Room => ({ narrow: Buffer.alloc(0), wide: new Uint16Array(length) });

/** Where in the text as it is written each unit begins and ends of what is read. */
type Places = { readonly starts: Int32Array; readonly ends: Int32Array };

/** Where it is written is asked seldom, so it is found by reading again. */
function readPart(part: Part, into: Room): { readonly decoded: Decoded; readonly end: number; readonly room: Room } {
  const { room, length, gaps, end } = readUnits(part, into, undefined);
  const behindGaps = lazily(() => new Set(gaps));
  const places = lazily(() => {
    const found = { starts: new Int32Array(length), ends: new Int32Array(length) };
    readUnits(part, wideRoom(length + 2), found);
    return found;
  });
  return {
    ...{ end, room },
    decoded: {
      text: textOf(room, length),
      follows: (at) => behindGaps().has(at),
      written: (secrets) =>
        secrets.map((secret) => ({ ...secret, start: places().starts[secret.start] ?? 0, end: places().ends[secret.end - 1] ?? 0 })),
    },
  };
}

type Reading = {
  room: Room;
  length: number;
  /** Where what was struck over stands: it is not seen, and belongs to the next character. -1 where nothing was. */
  struck: number;
  /** The last unit that stands over such. */
  over: number;
  isBehindGap: boolean;
  /** The units before which something was left out. */
  readonly gaps: number[];
  readonly places: Places | undefined;
};

function readUnits(part: Part, room: Room, places: Places | undefined): Reading & { readonly end: number } {
  const { text, codes, stops, isWhole, start, mark } = part;
  const size = text.length;
  const reading: Reading = { room, length: 0, struck: -1, over: -1, isBehindGap: false, gaps: [], places };
  let copied = start;
  let lines = 0;
  let at = start;
  while (at < size) {
    const from = at;
    while (at < size && stops[codes[at] ?? 0] === 0) at++;
    const read = at === size ? undefined : readMark(text, at);
    if (read === undefined) {
      at = Math.min(at + 1, size);
      copy(part, reading, from, at);
      if (text.charCodeAt(at - 1) === NEWLINE && !isWhole && at > mark && ++lines > LINES_AROUND && !endsEncodedLine(text, at)) break;
      continue;
    }
    if (from < at) copy(part, reading, from, at);
    const code = read.code ?? 0;
    const end = code === ESCAPE ? sequenceEnd(text, read.end) : read.end;
    if (code === BACKSPACE && at > copied) {
      reading.struck = at - 1;
      reading.length -= 1;
      if (reading.length === reading.over) reading.gaps.push(reading.length);
    }
    if (!isUnseen(code)) put(reading, code, at, end);
    else if (reading.struck === -1) reading.isBehindGap = true;
    at = end;
    copied = end;
    lines = 0;
  }
  return { ...reading, end: at };
}

/** What is read as it is written. */
function copy({ codes, units }: Part, reading: Reading, from: number, to: number): void {
  const { places, length } = reading;
  const { narrow, wide } = reading.room;
  if (places !== undefined) for (let at = from + 1; at < to; at++) place(places, length + at - from, at, at + 1);
  const by = length - from;
  if (wide === undefined) for (let at = from; at < to; at++) narrow[by + at] = codes[at] ?? 0;
  else for (let at = from; at < to; at++) wide[by + at] = units[at] ?? 0;
  took(reading, to - from, from, from + 1);
}

function put(reading: Reading, code: number, from: number, to: number): void {
  const { room, length } = reading;
  if (code > 0xff && room.wide === undefined) reading.room = { narrow: room.narrow, wide: new Uint16Array(room.narrow) };
  const { narrow, wide } = reading.room;
  const isPair = code > 0xffff;
  if (wide === undefined) narrow[length] = code;
  else wide[length] = isPair ? 0xd800 + ((code - 0x10000) >> 10) : code;
  if (isPair && wide !== undefined) wide[length + 1] = 0xdc00 + (code & 1023);
  if (isPair && reading.places !== undefined) place(reading.places, length + 1, from, to);
  took(reading, isPair ? 2 : 1, from, to);
}

/** Goes on behind units of which the first is written between `from` and `to`. */
function took(reading: Reading, count: number, from: number, to: number): void {
  if (reading.places !== undefined) place(reading.places, reading.length, reading.struck === -1 ? from : reading.struck, to);
  if (reading.struck !== -1) reading.over = reading.length;
  if (reading.isBehindGap) reading.gaps.push(reading.length);
  reading.length += count;
  reading.struck = -1;
  reading.isBehindGap = false;
}

function place({ starts, ends }: Places, at: number, from: number, to: number): void {
  starts[at] = from;
  ends[at] = to;
}

const endsEncodedLine = (text: string, end: number): boolean => isEncodedLine(text.slice(lineStart(text, end - 1), end).trimEnd());

const textOf = ({ narrow, wide }: Room, length: number): string =>
  wide === undefined ? narrow.toString('latin1', 0, length) : Buffer.from(wide.buffer, 0, length * 2).toString('utf16le');
