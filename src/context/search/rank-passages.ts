import type { RecallKind, TermGroup } from '../../domain/recall.ts';
import { scanTerms } from './search-terms.ts';
import { stemOf } from './stem.ts';
import type { TimeHint } from './time-hint.ts';

/** A part of a text that was found, with what tells how well it answers. */
export type Passage = {
  /** The part, behind the beginning of its call. */
  readonly text: string;
  readonly entry: number;
  /** Its number in its text. */
  readonly part: number;
  readonly kind: RecallKind;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** It holds every word, every word together with what it was made for, or some of the words. */
  readonly tier: 'all' | 'about' | 'some';
  /** How well the index thinks it matches, from 0 to 1 within its tier. */
  readonly score: number;
};

export type RankedPassage<P extends Passage> = { readonly passage: P; readonly score: number; readonly copies: readonly P[] };

export type RankOptions = {
  readonly words: readonly TermGroup[];
  /** In how many of the slices a term is, and about how many slices there are. */
  readonly places: (term: string) => number;
  readonly size: number;
  readonly time: TimeHint | undefined;
  readonly limit: number;
};

/**
 * Measured on one half of the names used again in recorded sessions and checked on the other: each of these raises both. A call
 * says more than talk about it; what is new is asked for more often; parts beside a good one are better than they look.
 */
const WEIGHTS = { saturation: 1.2, length: 0.3, index: 0.15, neighbour: 0.2, tool: 1.3, recency: 0.3, sameness: 0.6 };
/** When the question itself names a time. */
const TIME_WEIGHTS = { newest: 1, oldest: 1, within: 1.5 };

/**
 * Returns the best passages first: those with every word before those with some. Passages that repeat each other are spread, so that few
 * hits show much, and equal ones are merged.
 */
export function rankPassages<P extends Passage>(passages: readonly P[], options: RankOptions): readonly RankedPassage<P>[] {
  const terms = passages.map(({ text }) => termCounts(text));
  const scores = timely(passages, withNeighbours(passages, matchScores(passages, terms, options)), options.time);
  const best = Math.max(...scores, Number.MIN_VALUE);
  const distinct = mergeCopies(passages.map((passage, i) => ({ passage, terms: terms[i] ?? new Map(), value: (scores[i] ?? 0) / best })));
  return spread(distinct, options.limit)
    .map(({ passage, value, copies }) => ({ passage, copies, score: BASE[passage.tier] + SPAN[passage.tier] * value }))
    .sort((a, b) => b.score - a.score || (a.passage.at < b.passage.at ? 1 : a.passage.at > b.passage.at ? -1 : 0));
}

/** The lowest score of a tier, and how far above it the best one is. */
const BASE = { all: 0.75, about: 0.5, some: 0 };
const SPAN = { all: 0.25, about: 0.25, some: 0.5 };

type TermCounts = ReadonlyMap<string, number>;

function termCounts(text: string): TermCounts {
  const counts = new Map<string, number>();
  scanTerms(text, (word) => {
    const term = stemOf(word);
    if (term !== '') counts.set(term, (counts.get(term) ?? 0) + 1);
  });
  return counts;
}

/** BM25 over the parts, by the number of times a word is in each, with a little of what the index knows beside their text. */
function matchScores(passages: readonly Passage[], terms: readonly TermCounts[], { words, places, size }: RankOptions): readonly number[] {
  const sought = words.flatMap(({ any }) => any.flat());
  const distinct = [...new Map(sought.map((term) => [`${term.text} ${term.prefix}`, term])).values()];
  const rarities = distinct.map(({ text, prefix }) => rarity(prefix ? size / 20 : places(text), size));
  const averageSize = terms.reduce((sum, { size: count }) => sum + count, 0) / Math.max(1, terms.length);
  const total = rarities.reduce((sum, each) => sum + each, 0);
  return terms.map((counts, i) => {
    const lengthPart = WEIGHTS.saturation * (1 - WEIGHTS.length + (WEIGHTS.length * counts.size) / Math.max(1, averageSize));
    const match = distinct.reduce((sum, { text, prefix }, at) => {
      const count = prefix ? countOfBeginning(counts, text) : (counts.get(text) ?? 0);
      return sum + ((rarities[at] ?? 0) * count * (WEIGHTS.saturation + 1)) / (count + lengthPart);
    }, 0);
    return match + WEIGHTS.index * total * (passages[i]?.score ?? 0);
  });
}

const rarity = (places: number, size: number): number => Math.log(1 + (Math.max(0, size - places) + 0.5) / (places + 0.5));

const countOfBeginning = (counts: TermCounts, beginning: string): number =>
  [...counts].reduce((sum, [term, count]) => sum + (term.startsWith(beginning) ? count : 0), 0);

/** What stands beside a passage in its session adds to it. */
function withNeighbours(passages: readonly Passage[], scores: readonly number[]): readonly number[] {
  const byPart = new Map(passages.map(({ entry, part }, i) => [`${entry} ${part}`, scores[i] ?? 0]));
  const byEntry = new Map<number, number>();
  for (const [i, { entry }] of passages.entries()) byEntry.set(entry, Math.max(byEntry.get(entry) ?? 0, scores[i] ?? 0));
  return passages.map(({ entry, part, kind }, i) => {
    const before = byPart.get(`${entry} ${part - 1}`) ?? (part === 0 ? byEntry.get(entry - 1) : undefined) ?? 0;
    const after = byPart.get(`${entry} ${part + 1}`) ?? byEntry.get(entry + 1) ?? 0;
    return ((scores[i] ?? 0) + WEIGHTS.neighbour * (before + after)) * (kind === 'tool' ? WEIGHTS.tool : 1);
  });
}

function timely(passages: readonly Passage[], scores: readonly number[], time: TimeHint | undefined): readonly number[] {
  const times = passages.map(({ at }) => Date.parse(at) || 0);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return scores.map((score, i) => {
    const at = times[i] ?? 0;
    const age = last > first ? (last - at) / (last - first) : 0;
    if (time?.kind === 'oldest') return score * (1 + TIME_WEIGHTS.oldest * age);
    if (time?.kind === 'within' && at >= time.from && at < time.to) return score * TIME_WEIGHTS.within;
    return score * (1 + (time?.kind === 'newest' ? TIME_WEIGHTS.newest : WEIGHTS.recency) * (1 - age));
  });
}

type Valued<P> = { readonly passage: P; readonly terms: TermCounts; readonly value: number; readonly copies: readonly P[] };

/** Of texts that are equal but for white space, the newest stands for all, with the worth of the best. */
function mergeCopies<P extends Passage>(valued: readonly Omit<Valued<P>, 'copies'>[]): readonly Valued<P>[] {
  const byText = new Map<string, Valued<P>>();
  const order = valued.toSorted((a, b) => BASE[b.passage.tier] - BASE[a.passage.tier] || b.value - a.value);
  for (const each of order) {
    const key = each.passage.text.replace(/\s+/g, ' ').trim();
    const first = byText.get(key);
    if (first === undefined) byText.set(key, { ...each, copies: [] });
    else if (first.passage.entry !== each.passage.entry) byText.set(key, withCopy(first, each.passage));
  }
  return [...byText.values()];
}

function withCopy<P extends Passage>(first: Valued<P>, copy: P): Valued<P> {
  const [newest, other] = copy.at > first.passage.at ? [copy, first.passage] : [first.passage, copy];
  return { ...first, passage: { ...newest, tier: first.passage.tier }, copies: [...first.copies, other] };
}

/** Several parts of a long result may be shown, but not many, and none that says what another one says. What was said in fewer. */
const MAX_OF_RESULT = 3;
const MAX_OF_MESSAGE = 2;
const SAME = 0.9;

/** Takes the best one by one; each counts the less the more it repeats one that was taken. */
function spread<P extends Passage>(valued: readonly Valued<P>[], limit: number): readonly Valued<P>[] {
  const rest = valued.map((each) => ({ each, sameness: 0 }));
  const taken: Valued<P>[] = [];
  while (taken.length < limit && rest.length > 0) {
    const worth = ({ each, sameness }: (typeof rest)[number]): number =>
      (each.passage.tier === 'some' ? 0 : 1) + each.value - WEIGHTS.sameness * sameness;
    const next = rest.reduce((best, one) => (worth(one) > worth(best) ? one : best));
    rest.splice(rest.indexOf(next), 1);
    taken.push(next.each);
    const { entry, kind } = next.each.passage;
    const isFull = taken.filter(({ passage }) => passage.entry === entry).length >= (kind === 'tool' ? MAX_OF_RESULT : MAX_OF_MESSAGE);
    for (const one of [...rest]) {
      const sameness = overlap(one.each.terms, next.each.terms);
      one.sameness = Math.max(one.sameness, sameness);
      if (one.each.passage.entry === entry && (isFull || sameness >= SAME)) rest.splice(rest.indexOf(one), 1);
    }
  }
  return taken;
}

/** Returns which part of the smaller one's terms is in the other. */
function overlap(one: TermCounts, other: TermCounts): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const term of small.keys()) if (large.has(term)) shared += 1;
  return small.size === 0 ? 0 : shared / small.size;
}
