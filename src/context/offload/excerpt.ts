/** How much of a text may be shown: the characters of head and tail, and their total weight in `units` of half a token. */
export type ExcerptBudget = { readonly headChars: number; readonly tailChars: number; readonly units: number };

/** The first and last characters that fit, cut at a line end where one is near. Head, `cutChars` characters and tail are the whole text. */
export function excerptOf(text: string, { headChars, tailChars, units }: ExcerptBudget) {
  const headShare = headChars + tailChars > 0 ? headChars / (headChars + tailChars) : 0;
  const headEnd = headLength(text, { chars: headChars, units: units * headShare });
  const tailStart = Math.max(headEnd, text.length - tailLength(text, { chars: tailChars, units: units * (1 - headShare) }));
  return { head: text.slice(0, headEnd), tail: text.slice(tailStart), cutChars: tailStart - headEnd };
}

export function describeExcerpt(headChars: number, tailChars: number): string {
  const parts = [...(headChars > 0 ? [`the first ${headChars}`] : []), ...(tailChars > 0 ? [`the last ${tailChars}`] : [])];
  return parts.length === 0 ? 'none' : parts.join(' and ');
}

/** For code, JSON, prose and Chinese a little above what current Claude models count; base64 takes up to 1.6 times as much. */
export const UNITS_PER_TOKEN = 2;

function unitsAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 0x80) return 3;
  const letter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return letter || code <= 0x20 ? 1 : 2;
}

export function unitsOf(text: string): number {
  let units = 0;
  for (let i = 0; i < text.length; i++) units += unitsAt(text, i);
  return units;
}

type SideBudget = { readonly chars: number; readonly units: number };

function headLength(text: string, { chars, units }: SideBudget): number {
  const maxEnd = Math.min(text.length, Math.floor(chars));
  let remainingUnits = units;
  let end = 0;
  while (end < maxEnd && remainingUnits >= unitsAt(text, end)) remainingUnits -= unitsAt(text, end++);
  if (end === text.length) return end;
  const line = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
  if (line > end / 2) return line;
  return splitsPair(text, end) ? end - 1 : end;
}

function tailLength(text: string, { chars, units }: SideBudget): number {
  const minStart = Math.max(0, text.length - Math.floor(chars));
  let remainingUnits = units;
  let start = text.length;
  while (start > minStart && remainingUnits >= unitsAt(text, start - 1)) remainingUnits -= unitsAt(text, --start);
  if (start === 0 || text[start - 1] === '\n') return text.length - start;
  const line = text.indexOf('\n', start) + 1;
  if (line > 0 && line < (start + text.length) / 2) return text.length - line;
  return text.length - (splitsPair(text, start) ? start + 1 : start);
}

const splitsPair = (text: string, index: number): boolean =>
  index > 0 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(index) & 0xfc00) === 0xdc00;
