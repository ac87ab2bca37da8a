import type { Term, TermGroup } from '../../domain/recall.ts';
import { STOP_WORDS } from './question.ts';
import { type OnTerm, scanRun } from './search-terms.ts';
import { stemOf } from './stem.ts';

/** More words than this do not make a query any clearer, nor does more text: a word of many parts takes time by the square of them. */
const MAX_GROUPS = 40;
const MAX_CHARS = 4_000;

/** `word*` matches all words that start so, one Chinese character all that contain it. Stop words only where there are no others. */
export function queryTerms(text: string): readonly TermGroup[] {
  const query = text.slice(0, MAX_CHARS);
  const runs = [...runsOf(query)];
  const telling = runs.filter((run) => !isStopWord(query, run));
  const groups = new Map<string, TermGroup>();
  for (const run of telling.length === 0 ? runs : telling) {
    const group = run.pairs ? pairGroup(run.terms) : wordGroup(query, run);
    groups.set(JSON.stringify(group), group);
    if (groups.size >= MAX_GROUPS) break;
  }
  return [...groups.values()];
}

/** The longest term of a compound is the whole of it; the terms of its words alone also find it where it is spelt differently. */
function wordGroup(query: string, { start, end, terms }: QueryRun): TermGroup {
  const wholeTerm = terms.find((term) => term.start === start && term.end === end)?.text;
  if (query[end] === '*' && wholeTerm !== undefined) return { any: [[{ text: wholeTerm, prefix: true }], exactTerms([wholeTerm])] };
  const inner = terms.filter(({ text }) => text !== wholeTerm);
  // Where `log.ts` is, `log` and `ts` are: to ask for them as well only takes time.
  const parts = inner.filter((part) => !inner.some((other) => isWithin(part, other))).map(({ text }) => text);
  return { any: [...(wholeTerm === undefined ? [] : [exactTerms([wholeTerm])]), ...(parts.length === 0 ? [] : [exactTerms(parts)])] };
}

const isWithin = (part: TermMatch, other: TermMatch): boolean =>
  part !== other && other.start <= part.start && part.end <= other.end && part.end - part.start < other.end - other.start;

function pairGroup(terms: readonly TermMatch[]): TermGroup {
  const pairs = terms.slice(0, -1).map(({ text }) => text);
  return { any: [pairs.length > 0 ? exactTerms(pairs) : terms.map(({ text }) => ({ text, prefix: true }))] };
}

const isStopWord = (query: string, { start, end, terms }: QueryRun): boolean =>
  query[end] !== '*' && terms.length === 1 && STOP_WORDS.has(query.slice(start, end).toLowerCase());

type TermMatch = { readonly text: string; readonly start: number; readonly end: number };
type QueryRun = { readonly start: number; readonly end: number; readonly pairs: boolean; readonly terms: readonly TermMatch[] };

function* runsOf(query: string): Generator<QueryRun> {
  for (let start = 0; start < query.length; ) {
    const terms: TermMatch[] = [];
    const collect: OnTerm = (text, from, to) => {
      if (text !== '') terms.push({ text, start: from, end: to });
    };
    const { end, pairs } = scanRun(query, start, collect);
    if (terms.length > 0) yield { start, end, pairs, terms };
    start = end;
  }
}

/** Prefixes are asked for as they are written, everything else by its stem, as it is indexed. */
const exactTerms = (texts: readonly string[]): readonly Term[] => [...new Set(texts.map(stemOf))].map((text) => ({ text, prefix: false }));
