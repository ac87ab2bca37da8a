import { redactPart } from '../../domain/value/redact.ts';

/** A line (or several) as reported by ripgrep. Offsets are in bytes. */
export type RipgrepLine = {
  readonly bytes: Buffer;
  readonly lineNumber: number;
  /** The offset of the first byte in everything that was searched. */
  readonly offset: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
};

type LineFormat = {
  /** `:` after the number of a matching line, `-` after that of a line around one. */
  readonly mark: ':' | '-';
  /** Longer lines are cut to this length, around the matches. */
  readonly lineChars: number;
  /** The whole text that was searched, when positions are given within it. */
  readonly text?: Buffer | undefined;
  /** Whether secrets are masked, before a line is cut. */
  readonly redactSecrets: boolean;
};

const MAX_SNIPPETS = 10;

type Shown = { readonly lines: readonly string[]; readonly shownCount: number };

/** Returns the lines with their numbers, and how many of the matches are visible in them. */
export function matchLines(match: RipgrepLine, format: LineFormat): Shown {
  const text = match.bytes.toString('utf8').replace(/\r?\n$/, '');
  const lines = text.split(/\r?\n/);
  const short = lines.every((line) => line.length <= format.lineChars);
  if (short && lines.length <= MAX_SNIPPETS) {
    return { lines: lines.map((line, i) => `${match.lineNumber + i}${format.mark} ${line}`), shownCount: match.submatches.length };
  }
  if (match.submatches.length === 0) {
    const more = text.length - format.lineChars;
    const line = `${match.lineNumber}${format.mark} ${slice(text, [0, format.lineChars], format)}… (${more} more characters)`;
    return { lines: [line], shownCount: 0 };
  }
  return snippets(match, format, text);
}

/** Returns the surroundings of each match in a long line, with the position from which to read on. */
function snippets(match: RipgrepLine, format: LineFormat, text: string): Shown {
  const out: string[] = [];
  const before = format.text === undefined ? 0 : charsIn(format.text, match.offset);
  const where = format.text === undefined ? 'of the line' : 'of the text';
  let shownCount = 0;
  let covered = -1;
  for (const { start, end } of match.submatches) {
    const from = charsIn(match.bytes, start);
    if (charsIn(match.bytes, end) <= covered) {
      shownCount++;
      continue;
    }
    if (out.length === MAX_SNIPPETS) break;
    const first = Math.max(0, from - Math.floor(format.lineChars / 4));
    covered = first + format.lineChars;
    const snippet = slice(text, [first, covered], format).replaceAll(/\r?\n/g, '\\n');
    out.push(
      `${match.lineNumber}${format.mark} ${first > 0 ? '…' : ''}${snippet}${covered < text.length ? '…' : ''} (character ${before + from} ${where})`,
    );
    shownCount++;
  }
  return { lines: out, shownCount };
}

const charsIn = (bytes: Buffer, end: number): number => bytes.toString('utf8', 0, end).length;

const slice = (text: string, [from, to]: readonly [number, number], { redactSecrets }: LineFormat): string =>
  (redactSecrets ? redactPart(text, from, Math.min(to, text.length)) : text.slice(from, to)).toWellFormed();
