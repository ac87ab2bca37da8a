/** Room for text in units: an ASCII character takes one, any other three, as it weighs about three times the tokens. */
export type ExcerptRoom = { readonly headUnits: number; readonly tailUnits: number };

export type Excerpt = {
  readonly head: string;
  readonly tail: string;
  /** Characters between head and tail. */
  readonly cutChars: number;
};

/**
 * The first and the last characters of a text that have room, cut at the end of a line where one is near, never inside a
 * character. Head, the `cutChars` characters after it, and tail are the whole text.
 */
export function excerptOf(text: string, { headUnits, tailUnits }: ExcerptRoom): Excerpt {
  const headEnd = headLength(text, headUnits);
  const tailStart = Math.max(headEnd, text.length - tailLength(text, tailUnits));
  const head = text.slice(0, headEnd);
  const tail = text.slice(tailStart);
  return { head, tail, cutChars: tailStart - headEnd };
}

const WIDE_UNITS = 3;
const unitsAt = (text: string, index: number): number => (text.charCodeAt(index) < 0x80 ? 1 : WIDE_UNITS);

export function unitsOf(text: string): number {
  let units = 0;
  for (let i = 0; i < text.length; i++) units += unitsAt(text, i);
  return units;
}

function headLength(text: string, units: number): number {
  let left = units;
  let end = 0;
  while (end < text.length && left >= unitsAt(text, end)) left -= unitsAt(text, end++);
  if (end === text.length) return end;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  if (line > end / 2) return line;
  return splitsPair(text, end) ? end - 1 : end;
}

function tailLength(text: string, units: number): number {
  let left = units;
  let start = text.length;
  while (start > 0 && left >= unitsAt(text, start - 1)) left -= unitsAt(text, --start);
  if (start === 0) return text.length;
  const line = text.indexOf('\n', start) + 1;
  const whole = line > 0 && line < start + (text.length - start) / 2 ? line : splitsPair(text, start) ? start + 1 : start;
  return text.length - whole;
}

/** Whether a cut before `index` would part the two halves of one character. */
const splitsPair = (text: string, index: number): boolean =>
  index > 0 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(index) & 0xfc00) === 0xdc00;
