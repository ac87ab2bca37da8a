/** A line (or several) as ripgrep reports it. Offsets are bytes. */
export type FoundLine = {
  readonly bytes: Buffer;
  readonly lineNumber: number;
  /** Of the first byte, in all that was searched. */
  readonly offset: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
};

type Shape = {
  /** `:` after the number of a line that matches, `-` of one around it. */
  readonly mark: ':' | '-';
  /** Longer lines are cut to this length, around what matches. */
  readonly lineChars: number;
  /** The whole text that was searched, when places are to be told in it. */
  readonly text?: Buffer | undefined;
};

const MAX_SNIPPETS = 10;

/** The lines with their numbers, and how many of the matches can be seen in them. */
export function matchLines(found: FoundLine, shape: Shape): { readonly lines: readonly string[]; readonly shown: number } {
  const text = found.bytes.toString('utf8').replace(/\r?\n$/, '');
  const lines = text.split(/\r?\n/);
  const short = lines.every((line) => line.length <= shape.lineChars);
  if (short && lines.length <= MAX_SNIPPETS) {
    return { lines: lines.map((line, i) => `${found.lineNumber + i}${shape.mark} ${line}`), shown: found.submatches.length };
  }
  if (found.submatches.length === 0) {
    const more = text.length - shape.lineChars;
    return { lines: [`${found.lineNumber}${shape.mark} ${slice(text, 0, shape.lineChars)}… (${more} more characters)`], shown: 0 };
  }
  return snippets(found, shape, text);
}

/** Of a long line, the surroundings of each match, with the place where reading on can start. */
function snippets(found: FoundLine, shape: Shape, text: string): { readonly lines: readonly string[]; readonly shown: number } {
  const out: string[] = [];
  const before = shape.text === undefined ? 0 : charsIn(shape.text, found.offset);
  const where = shape.text === undefined ? 'of the line' : 'of the text';
  let shown = 0;
  let covered = -1;
  for (const { start, end } of found.submatches) {
    const from = charsIn(found.bytes, start);
    if (charsIn(found.bytes, end) <= covered) {
      shown++;
      continue;
    }
    if (out.length === MAX_SNIPPETS) break;
    const first = Math.max(0, from - Math.floor(shape.lineChars / 4));
    covered = first + shape.lineChars;
    const snippet = slice(text, first, covered).replaceAll(/\r?\n/g, '\\n');
    out.push(
      `${found.lineNumber}${shape.mark} ${first > 0 ? '…' : ''}${snippet}${covered < text.length ? '…' : ''} (character ${before + from} ${where})`,
    );
    shown++;
  }
  return { lines: out, shown };
}

const charsIn = (bytes: Buffer, end: number): number => bytes.toString('utf8', 0, end).length;

const slice = (text: string, from: number, to: number): string => text.slice(from, to).toWellFormed();
