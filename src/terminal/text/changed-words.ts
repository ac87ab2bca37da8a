export type DiffLine = {
  /** A blank is a line that stays; undefined is no line of the file. */
  readonly sign: '+' | '-' | ' ' | undefined;
  readonly number: number | undefined;
  readonly code: string;
};
export type Range = { readonly start: number; readonly end: number };

/** Of lines that stand in each other's place: what differs between them. Lines that have little in common are new, and nothing in them is marked. */
export function wordChanges(lines: readonly DiffLine[]): readonly (readonly Range[])[] {
  const marks: (readonly Range[])[] = lines.map(() => []);
  let at = 0;
  while (at < lines.length) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed, '+');
    // Where more went than came, or more came than went, nobody knows which line became which.
    if (removed === added)
      for (let by = 0; by < removed; by++) {
        const pair = differenceOf(lines[at + by]?.code ?? '', lines[at + removed + by]?.code ?? '');
        [marks[at + by], marks[at + removed + by]] = pair;
      }
    at += Math.max(1, removed + added);
  }
  return marks;
}

function runOf(lines: readonly DiffLine[], from: number, sign: '+' | '-'): number {
  let end = from;
  while (lines[end]?.sign === sign) end += 1;
  return end - from;
}

/** A line of which less than this part is the same is another line. */
const MIN_COMMON = 0.4;
const MAX_CHARS = 1_000;

function differenceOf(before: string, after: string): readonly [readonly Range[], readonly Range[]] {
  if (before.length > MAX_CHARS || after.length > MAX_CHARS) return [[], []];
  const [was, is] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(was.length, is.length);
  let start = 0;
  while (start < shorter && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  const head = was.slice(0, start).join('').length;
  const tail = was.slice(was.length - end).join('').length;
  if (head + tail < MIN_COMMON * Math.min(before.trimStart().length, after.trimStart().length)) return [[], []];
  const rangeOf = (text: string): readonly Range[] => (head === text.length - tail ? [] : [{ start: head, end: text.length - tail }]);
  return [rangeOf(before), rangeOf(after)];
}

const wordsOf = (line: string): readonly string[] => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
