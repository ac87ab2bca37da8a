import type { Mark, Snippet, TermGroup } from '../../domain/recall.ts';
import { scanTerms } from './search-terms.ts';

export type FoundSnippet = { readonly snippet: Snippet /** Where in the text it begins. */; readonly start: number };

const SNIPPET_CHARS = 240;
const LEAD_CHARS = 40;
/** Enough to choose a place from; a text of nothing but the word that was looked for has many more. */
const MAX_MATCHES = 5_000;

/**
 * The place of a text where most of the words that were looked for stand together, in one line: blanks and line ends become single
 * spaces. The beginning of the text when none of them is in it.
 */
export function snippetOf(text: string, groups: readonly TermGroup[], from = 0): FoundSnippet {
  const matches = matchesIn(text, groups);
  const start = text.length <= SNIPPET_CHARS ? 0 : startOf(text, bestStart(matches));
  const end = endOf(text, start + SNIPPET_CHARS);
  const inside = matches.filter((match) => match.start >= start && match.end <= end);
  const snippet = inOneLine(text, { start, end }, merged(inside));
  return { snippet, start: from + start };
}

type Match = { readonly start: number; readonly end: number; readonly term: string };

function matchesIn(text: string, groups: readonly TermGroup[]): readonly Match[] {
  const terms = groups.flatMap(({ any }) => any.flat());
  const exact = new Set(terms.filter(({ prefix }) => !prefix).map((term) => term.text));
  const beginnings = terms.filter(({ prefix }) => prefix).map((term) => term.text);
  const matches: Match[] = [];
  scanTerms(text, (term, start, end) => {
    if (matches.length >= MAX_MATCHES) return;
    const beginning = beginnings.find((each) => term.startsWith(each));
    if (exact.has(term)) matches.push({ start, end, term });
    else if (beginning !== undefined) matches.push({ start, end: Math.min(end, start + beginning.length), term: beginning });
  });
  return matches.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The first of the places from which most different terms are in reach. */
function bestStart(matches: readonly Match[]): number {
  let best = { start: 0, terms: 0 };
  const inReach = new Map<string, number>();
  let last = 0;
  for (const { start, term } of matches) {
    for (let next = matches[last]; next !== undefined && next.end <= start + SNIPPET_CHARS - LEAD_CHARS; next = matches[++last])
      inReach.set(next.term, (inReach.get(next.term) ?? 0) + 1);
    if (inReach.size > best.terms) best = { start, terms: inReach.size };
    const left = (inReach.get(term) ?? 1) - 1;
    if (left <= 0) inReach.delete(term);
    else inReach.set(term, left);
  }
  return best.start;
}

/** A little before the match, at the beginning of a word where there is one. */
function startOf(text: string, at: number): number {
  const from = Math.max(0, at - LEAD_CHARS);
  if (from === 0) return 0;
  const blank = text.slice(from, at).search(/\s/);
  return blank >= 0 ? from + blank + 1 : from + (isLowHalf(text, from) ? 1 : 0);
}

const endOf = (text: string, end: number): number => (end >= text.length ? text.length : end - (isLowHalf(text, end) ? 1 : 0));
const isLowHalf = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '');

function merged(matches: readonly Match[]): readonly Mark[] {
  const marks: [number, number][] = [];
  for (const { start, end } of matches) {
    const last = marks.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return marks;
}

function inOneLine(text: string, { start, end }: { readonly start: number; readonly end: number }, marks: readonly Mark[]): Snippet {
  let line = start > 0 ? '…' : '';
  const shown: Mark[] = [];
  let at = start;
  const add = (to: number): void => {
    const piece = text.slice(at, to).replace(/\s+/g, ' ');
    line += line === '' || line === '…' || line.endsWith(' ') ? piece.replace(/^ /, '') : piece;
    at = to;
  };
  for (const [from, to] of marks) {
    add(from);
    const begins = line.length;
    add(to);
    shown.push([begins, line.length]);
  }
  add(end);
  return { text: `${line.trimEnd()}${end < text.length ? '…' : ''}`, marks: shown };
}
