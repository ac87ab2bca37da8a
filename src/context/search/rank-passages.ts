import { lazily } from '../../domain/value/word-list.ts';
import { matchScores, type Passage, type RankOptions, type TimeHint } from './match-passages.ts';
import { hasAnswer, onlyAsks, speakerOf } from './query-terms.ts';
import { scanTerms } from './search-terms.ts';
import { stemOf } from './stem.ts';

/** Measured on names used again in recorded sessions. A call says more than talk about it; what is new is asked for more often. */
const WEIGHTS = { tool: 1.3, recency: 0.3 };
/** So much less counts a result for each one that was taken before it, and so what was said: common words are in many results. */
const SPREAD = { sameness: 0.6, alike: 0.15 };
const MOST_ALIKE = 4;
const TIME_WEIGHTS = { newest: 1, oldest: 1, within: 1.5 };
/** Of questions. Measured on the conversations of `bench/`. */
const QUESTION_WEIGHTS = { hasAnswer: 1.4, saidBy: 1.4, speaker: 1.3, onlyAsks: 0.8, everyWord: 1.1, size: 0.1 };
const QUESTION_SPREAD = { sameness: 0.2, alike: 0 };
/** A remark of a word or two says little; beyond so many characters, longer is not better. */
const FULL_SIZE = 200;
const SMALL_SIZE = 60;

/** The best first. Passages that repeat each other are spread, so that few hits show much, and equal ones are merged. */
export function rankPassages<P extends Passage>(passages: readonly P[], options: RankOptions) {
  const { question, limit } = options;
  const matched = matchScores(passages, options);
  const scores = timely(passages, answering(passages, matched, options), options.time);
  const best = Math.max(...scores, Number.MIN_VALUE);
  const tierOf = ({ tier }: P): Tier => (question !== undefined || tier === 'beside' ? 'some' : tier);
  const distinct = mergeCopies(
    passages.map((passage, i) => ({
      ...{ passage, tier: tierOf(passage), terms: lazyTerms(passage.text) },
      value: (scores[i] ?? 0) / best,
    })),
  );
  return spread(distinct, limit, question === undefined ? SPREAD : QUESTION_SPREAD)
    .map(({ passage, tier, value, copies }) => ({ passage, copies, score: BASE[tier] + SPAN[tier] * value }))
    .sort((a, b) => b.score - a.score || (a.passage.at < b.passage.at ? 1 : a.passage.at > b.passage.at ? -1 : 0));
}

/** A long reply has every word of most questions: there it is only one sign among others. */
type Tier = 'all' | 'about' | 'some';

/** The lowest score of a tier, and how far above it the best one is. */
const BASE = { all: 0.75, about: 0.5, some: 0 };
const SPAN = { all: 0.25, about: 0.25, some: 0.5 };

type Terms = () => ReadonlySet<string>;

const lazyTerms = (text: string): Terms =>
  lazily(() => {
    const found = new Set<string>();
    scanTerms(text, (word) => found.add(stemOf(word)));
    found.delete('');
    return found;
  });

/** A question is answered by who is asked about, and by what has in it what is asked for. */
function answering(passages: readonly Passage[], scores: readonly number[], { question, words }: RankOptions): readonly number[] {
  const asked = new Set(words.flatMap(({ any }) => any.flat().map(({ text }) => text)));
  const factor = (is: boolean, weight: number): number => (is ? weight : 1);
  return passages.map(({ kind, text, tier }, i) => {
    const score = (scores[i] ?? 0) * factor(kind === 'tool', WEIGHTS.tool);
    if (question === undefined) return score;
    const speaker = speakerOf(text);
    const isFull = 1 + QUESTION_WEIGHTS.size * Math.log2(1 + Math.min(text.length, FULL_SIZE) / SMALL_SIZE);
    return (
      score *
      isFull *
      factor(tier === 'all', QUESTION_WEIGHTS.everyWord) *
      factor(question.saidBy === kind, QUESTION_WEIGHTS.saidBy) *
      factor(hasAnswer(question, text), QUESTION_WEIGHTS.hasAnswer) *
      factor(onlyAsks(text), QUESTION_WEIGHTS.onlyAsks) *
      factor(speaker !== undefined && asked.has(stemOf(speaker)), QUESTION_WEIGHTS.speaker)
    );
  });
}

function timely(passages: readonly Passage[], scores: readonly number[], time: TimeHint | undefined): readonly number[] {
  const ages = agesOf(passages);
  return scores.map((score, i) => {
    const at = Date.parse(passages[i]?.at ?? '') || 0;
    const age = ages.get(passages[i]?.at ?? '') ?? 0;
    if (time?.kind === 'oldest') return score * (1 + TIME_WEIGHTS.oldest * age);
    if (time?.kind === 'within' && at >= time.from && at < time.to) return score * TIME_WEIGHTS.within;
    return score * (1 + (time?.kind === 'newest' ? TIME_WEIGHTS.newest : WEIGHTS.recency) * (1 - age));
  });
}

/** Of each time, which part of the entries is newer; not how much: all times of an imported session are from one second. */
function agesOf(passages: readonly Passage[]): ReadonlyMap<string, number> {
  const times = [...new Map(passages.map(({ entry, at }) => [entry, at])).values()].sort().reverse();
  return new Map(times.map((at, i) => [at, i / times.length] as const).reverse());
}

type Valued<P> = { readonly passage: P; readonly tier: Tier; readonly terms: Terms; readonly value: number; readonly copies: readonly P[] };

/** Of texts that are equal but for white space, the newest stands for all, with the worth of the best. */
function mergeCopies<P extends Passage>(valued: readonly Omit<Valued<P>, 'copies'>[]): readonly Valued<P>[] {
  const byText = new Map<string, Valued<P>>();
  const order = valued.toSorted((a, b) => BASE[b.tier] - BASE[a.tier] || b.value - a.value);
  for (const each of order) {
    const key = each.passage.text.replace(/\s+/g, ' ').trim();
    const first = byText.get(key);
    if (first === undefined) byText.set(key, { ...each, copies: [] });
    else if (first.passage.entry !== each.passage.entry) {
      const [passage, copy] = each.passage.at > first.passage.at ? [each.passage, first.passage] : [first.passage, each.passage];
      byText.set(key, { ...first, passage, copies: [...first.copies, copy] });
    }
  }
  return [...byText.values()];
}

/** Several parts of a long result may be shown, but not many, and none that says what another one says. What was said in fewer. */
const MAX_OF_RESULT = 3;
const MAX_OF_MESSAGE = 2;
const SAME = 0.9;

/** Takes the best one by one; each counts the less the more it repeats one that was taken, and the more of its side were. */
function spread<P extends Passage>(valued: readonly Valued<P>[], limit: number, weights: typeof SPREAD): readonly Valued<P>[] {
  const alike = { result: 0, said: 0 };
  const sideOf = ({ passage }: Valued<P>): keyof typeof alike => (passage.kind === 'tool' ? 'result' : 'said');
  const rest = valued.map((each) => ({ each, sameness: 0 }));
  const taken: Valued<P>[] = [];
  while (taken.length < limit && rest.length > 0) {
    const worth = ({ each, sameness }: (typeof rest)[number]): number =>
      (each.tier === 'some' ? 0 : 1) + each.value - weights.sameness * sameness - weights.alike * Math.min(MOST_ALIKE, alike[sideOf(each)]);
    const next = rest.reduce((best, one) => (worth(one) > worth(best) ? one : best));
    rest.splice(rest.indexOf(next), 1);
    taken.push(next.each);
    alike[sideOf(next.each)] += 1;
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

function overlap(one: Terms, other: Terms): number {
  const [small, large] = one().size <= other().size ? [one(), other()] : [other(), one()];
  let shared = 0;
  for (const term of small) if (large.has(term)) shared += 1;
  return small.size === 0 ? 0 : shared / small.size;
}

/** Smaller values make the first places count more; this one is usual. */
const RANK_OFFSET = 60;

/** One list of several by reciprocal rank. `worth` is 1 for what is first in all of them; a key counts once in a list. */
export function fuseRanks<Key>(lists: readonly (readonly Key[])[]): readonly { readonly key: Key; readonly worth: number }[] {
  const sums = new Map<Key, number>();
  for (const list of lists)
    for (const [rank, key] of [...new Set(list)].entries())
      sums.set(key, (sums.get(key) ?? 0) + (RANK_OFFSET + 1) / (RANK_OFFSET + 1 + rank));
  return [...sums].map(([key, sum]) => ({ key, worth: sum / lists.length })).sort((a, b) => b.worth - a.worth);
}
