import type { HighlightRange, RecallHit, Snippet, TermGroup } from '../../domain/recall.ts';
import { scanTerms } from './search-terms.ts';

export type LocatedSnippet = { readonly snippet: Snippet /** Where in the text it begins. */; readonly start: number };

/** At most so much of a hit is shown: a look-up brings back what is within it. */
export const HIT_CHARS = 1_000;
const CONTEXT_CHARS = 160;
/** Enough to choose a place from; a text that only repeats the searched word has many more. */
const MAX_MATCHES = 5_000;

/** Returns what a look-up shows of a hit, below the line that says where it is from. */
export const shownTextOf = ({ snippet }: Pick<RecallHit, 'snippet'>): string => snippet.text;

/**
 * Returns the place in a text where most of the searched words are close together, on one line: blanks and line ends become single spaces.
 * Returns the beginning of the text when none of the words is in it.
 */
export function snippetOf(text: string, groups: readonly TermGroup[], from = 0): LocatedSnippet {
  const matches = matchesIn(text, groups);
  const start = text.length <= HIT_CHARS ? 0 : startOf(text, bestStart(matches));
  const end = endOf(text, start + HIT_CHARS);
  const inside = matches.filter((match) => match.start >= start && match.end <= end);
  const snippet = toOneLine(text, { start, end }, mergeMarks(inside));
  return { snippet, start: from + start };
}

type Match = { readonly start: number; readonly end: number; readonly term: string };

function matchesIn(text: string, groups: readonly TermGroup[]): readonly Match[] {
  const terms = groups.flatMap(({ any }) => any.flat());
  const exact = new Set(terms.filter(({ prefix }) => !prefix).map((term) => term.text));
  const prefixes = terms.filter(({ prefix }) => prefix).map((term) => term.text);
  const matches: Match[] = [];
  scanTerms(text, (term, start, end) => {
    if (matches.length >= MAX_MATCHES) return;
    const prefixText = prefixes.find((each) => term.startsWith(each));
    if (exact.has(term)) matches.push({ start, end, term });
    else if (prefixText !== undefined) matches.push({ start, end: Math.min(end, start + prefixText.length), term: prefixText });
  });
  return matches.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Returns the first of the places from which the most different terms are in reach. */
function bestStart(matches: readonly Match[]): number {
  let best = { start: 0, terms: 0 };
  const termCounts = new Map<string, number>();
  let last = 0;
  for (const { start, term } of matches) {
    for (let next = matches[last]; next !== undefined && next.end <= start + HIT_CHARS - CONTEXT_CHARS; next = matches[++last])
      termCounts.set(next.term, (termCounts.get(next.term) ?? 0) + 1);
    if (termCounts.size > best.terms) best = { start, terms: termCounts.size };
    const remaining = (termCounts.get(term) ?? 1) - 1;
    if (remaining <= 0) termCounts.delete(term);
    else termCounts.set(term, remaining);
  }
  return best.start;
}

/** Returns a position a little before the match, at the start of a word where there is one. */
function startOf(text: string, at: number): number {
  const from = Math.max(0, at - CONTEXT_CHARS);
  if (from === 0) return 0;
  const blank = text.slice(from, at).search(/\s/);
  return blank >= 0 ? from + blank + 1 : from + (isLowHalf(text, from) ? 1 : 0);
}

const endOf = (text: string, end: number): number => (end >= text.length ? text.length : end - (isLowHalf(text, end) ? 1 : 0));
const isLowHalf = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '');

function mergeMarks(matches: readonly Match[]): readonly HighlightRange[] {
  const marks: [number, number][] = [];
  for (const { start, end } of matches) {
    const last = marks.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return marks;
}

function toOneLine(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  marks: readonly HighlightRange[],
): Snippet {
  let line = start > 0 ? '…' : '';
  const lineMarks: HighlightRange[] = [];
  let at = start;
  const append = (to: number): void => {
    const chunk = text.slice(at, to).replace(/\s+/g, ' ');
    line += line === '' || line === '…' || line.endsWith(' ') ? chunk.replace(/^ /, '') : chunk;
    at = to;
  };
  for (const [from, to] of marks) {
    append(from);
    const markStart = line.length;
    append(to);
    lineMarks.push([markStart, line.length]);
  }
  append(end);
  return { text: `${line.trimEnd()}${end < text.length ? '…' : ''}`, marks: lineMarks };
}
