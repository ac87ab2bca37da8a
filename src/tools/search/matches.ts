import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { OVERLAP_CHARS, redactPart } from '../../domain/value/redact.ts';
import { decodeLoosely, formOf } from '../../domain/value/text-bytes.ts';
import { matchLines, type RipgrepLine } from './match-lines.ts';

const textSchema = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const lineSchema = z.object({
  path: textSchema,
  lines: textSchema,
  line_number: z.number().nullable(),
  absolute_offset: z.number(),
  submatches: z.array(z.object({ start: z.number(), end: z.number() })),
});

/** One line of `rg --json`, of any type, used or not. */
const recordSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), data: z.object({ path: textSchema }) }),
  z.object({ type: z.literal('match'), data: lineSchema }),
  z.object({ type: z.literal('context'), data: lineSchema }),
  z.object({ type: z.literal('end'), data: z.object({ path: textSchema, binary_offset: z.number().nullable() }) }),
  z.object({ type: z.literal('summary'), data: z.unknown() }),
]);

export type Matches = {
  readonly matches: number;
  readonly files: number;
  /** How many of the matches are in `lines`. */
  readonly shownCount: number;
  readonly lines: readonly string[];
  /** True when the search took place at all; false when a wrong pattern ended it before. */
  readonly ran: boolean;
  /** The files with matches, from the folder of the search on. */
  readonly paths: ReadonlySet<string>;
};

type MatchOptions = {
  readonly maxChars: number;
  /** Returns the name that the model sees for a file that ripgrep names. */
  readonly nameOf: (path: string) => string;
  /** The whole text that is searched, when positions are given within it. */
  readonly text?: string;
  readonly redactSecrets: boolean;
  /** True for a file of which nothing is shown or counted. */
  readonly isLeftOut?: (path: string) => boolean;
  /** The folder that the names of files begin in; without one nothing is on disk. */
  readonly root?: string;
};

const MAX_SHOWN = 250;
const MAX_COUNTED = 10_000;
const MAX_LINE_CHARS = 400;

/** Turns the output of `rg --json` into lines for the model: a heading per file, `12:` before a match, `13-` before a line around it. */
export function collectMatches(options: MatchOptions) {
  const sheet = createSheet(options.maxChars);
  const lineChars = Math.min(MAX_LINE_CHARS, Math.floor(options.maxChars / 4));
  const text = options.text === undefined ? undefined : Buffer.from(options.text);
  const counts = { matches: 0, files: 0, shownCount: 0, ran: false };
  const paths = new Set<string>();
  let path = '';
  let newFile = true;
  let isLeftOut = false;

  const count = (matches: number): void => {
    counts.matches += matches;
    counts.files += newFile ? 1 : 0;
    newFile = false;
    paths.add(path);
  };
  const shownLines = (line: RipgrepLine, mark: ':' | '-'): ReturnType<typeof matchLines> => {
    const { redactSecrets, root } = options;
    const masked = redactSecrets && root !== undefined ? maskedKeyLines(join(root, path), line) : undefined;
    if (masked === undefined) return matchLines(line, { mark, lineChars, text, redactSecrets });
    return { lines: [`${line.lineNumber}${mark} ${masked.slice(0, lineChars)}`], shownCount: line.submatches.length };
  };
  const takeLine = (match: z.infer<typeof lineSchema>, mark: ':' | '-'): void => {
    if (mark === ':') count(Math.max(1, match.submatches.length));
    if (counts.shownCount >= MAX_SHOWN) return;
    const first = match.line_number ?? 1;
    const line = { bytes: bytesIn(match.lines), lineNumber: first, offset: match.absolute_offset, submatches: match.submatches };
    const { lines, shownCount } = shownLines(line, mark);
    if (sheet.append(lines, { first, last: first + lines.length - 1 }) && mark === ':') counts.shownCount += Math.max(1, shownCount);
  };
  const handleRecord = ({ type, data }: z.infer<typeof recordSchema>): void => {
    if (type === 'begin') {
      path = bytesIn(data.path)
        .toString('utf8')
        .replace(/^\.[/\\]/, '');
      isLeftOut = options.isLeftOut?.(path) === true;
      sheet.begin(options.nameOf(path));
      newFile = true;
    } else if (isLeftOut && type !== 'summary') return;
    else if (type === 'match' || type === 'context') takeLine(data, type === 'match' ? ':' : '-');
    else if (type === 'end' && data.binary_offset !== null && !newFile) sheet.append([`(binary from byte ${data.binary_offset} on)`]);
    else if (type === 'summary') counts.ran = true;
  };

  return {
    /** Takes one line of `rg --json`; returns false when enough matches were counted. */
    push: (record: string, completeness: 'whole' | 'too_long'): boolean => {
      if (completeness === 'whole') handleRecord(recordSchema.parse(JSON.parse(record)));
      else if (!isLeftOut) {
        count(1);
        if (sheet.append(['(a line of more than 16 MB matches; it is not shown)'])) counts.shownCount++;
      }
      return counts.matches < MAX_COUNTED;
    },
    result: (): Matches => ({ ...counts, paths, lines: sheet.lines(), ran: counts.ran || counts.matches > 0 }),
  };
}

/** Collects lines below the name of their file, with `--` between lines that are not neighbours, up to a size. */
function createSheet(maxChars: number) {
  const output: string[] = [];
  let left = maxChars;
  let file = { name: '', headed: false, last: 0 };
  return {
    begin: (name: string): void => {
      file = { name, headed: false, last: 0 };
    },
    /** Returns false when they do not fit; from then on nothing is accepted, so that what is shown has no gaps. */
    append: (lines: readonly string[], numbers?: { readonly first: number; readonly last: number }): boolean => {
      const heading = file.headed ? [] : [file.name];
      const separator = file.headed && numbers !== undefined && numbers.first > file.last + 1 ? ['--'] : [];
      const newLines = [...heading, ...separator, ...lines];
      const size = newLines.reduce((sum, line) => sum + line.length + 1, 0);
      left = size > left ? -1 : left - size;
      if (left < 0) return false;
      output.push(...newLines);
      file = { ...file, headed: true, last: numbers?.last ?? file.last };
      return true;
    },
    lines: (): readonly string[] => output,
  };
}

const bytesIn = (text: z.infer<typeof textSchema>): Buffer => ('text' in text ? Buffer.from(text.text) : Buffer.from(text.bytes, 'base64'));

/** What every line of a private key but its last has. */
const LOOKS_LIKE_KEY = /[A-Za-z0-9+/]{16}/;

/**
 * The lines of a match as they may be shown where they lie in a private key, whose beginning and end are lines of their own; undefined where
 * they do not. Offsets are in bytes, so what is around them is read as such.
 */
function maskedKeyLines(path: string, { bytes, offset }: { readonly bytes: Buffer; readonly offset: number }): string | undefined {
  if (!LOOKS_LIKE_KEY.test(bytes.toString('latin1'))) return undefined;
  const start = Math.max(0, offset - OVERLAP_CHARS);
  const around = orUndefined(() => readPart(path, start, offset - start + bytes.length + OVERLAP_CHARS));
  if (around === undefined || !around.includes('PRIVATE KEY')) return undefined;
  const shown = redactPart(around, offset - start, offset - start + bytes.length);
  return shown.includes('[redacted private key]') ? Buffer.from(shown, 'latin1').toString('utf8').trimEnd() : undefined;
}

/** Of a text with a mark as ripgrep reads it: in UTF-8, without the mark. */
function readPart(path: string, start: number, length: number): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const read = (bytes: number, from: number): Buffer => {
      const buffer = Buffer.alloc(bytes);
      return buffer.subarray(0, readSync(file, buffer, 0, bytes, from));
    };
    if (!formOf(read(3, 0)).mark) return read(length, start).toString('latin1');
    const text = decodeLoosely(read(Math.min(fstatSync(file).size, MAX_MARKED_BYTES), 0));
    return Buffer.from(text, 'utf8').toString('latin1', start, start + length);
  } finally {
    closeSync(file);
  }
}

const MAX_MARKED_BYTES = 32 * 1024 * 1024;
