import type { RecallKind, Term, TermGroup } from '../../domain/recall.ts';
import { anyOf, lazyTest } from '../../domain/value/word-list.ts';
import type { Question } from './query-terms.ts';
import { scanTerms } from './search-terms.ts';
import { stemOf } from './stem.ts';

export type Passage = {
  readonly text: string;
  readonly entry: number;
  /** What its entry is from: entries with neighbouring numbers follow each other only there. */
  readonly source: number;
  readonly part: number;
  readonly kind: RecallKind;
  readonly at: string;
  /** It holds every word, every word together with what it was made for, or some of the words; or it only stands beside one that does. */
  readonly tier: 'all' | 'about' | 'some' | 'beside';
  /** How well the index thinks it matches, from 0 to 1 within its tier. */
  readonly score: number;
};

export type RankOptions = {
  readonly words: readonly TermGroup[];
  /** In how many of the slices a term is, and about how many slices there are. */
  readonly places: (term: string) => number;
  readonly size: number;
  readonly time: TimeHint | undefined;
  readonly question: Question | undefined;
  readonly limit: number;
};

const SATURATION = 1.2;
const INDEX = 0.15;

// Measured on recorded sessions and the conversations of `bench/`.
const WORDS = { length: 0.3, neighbour: 0.2 };
/** What stands beside a passage counts as a part of it: a question and its answer share one subject, which the answer seldom names. */
const QUESTION = { length: 0.5, shortest: 40, before: [0.5, 0.25], after: [0.15, 0.1] };

export function matchScores(passages: readonly Passage[], options: RankOptions): readonly number[] {
  const sought = soughtTerms(options.words);
  const rarities = sought.map(({ text, prefix }) => rarity(prefix ? options.size / 20 : options.places(text), options.size));
  const total = rarities.reduce((sum, each) => sum + each, 0);
  const counted = passages.map(({ text }) => countTerms(text, sought));
  const indexScores = passages.map(({ score }) => INDEX * total * score);
  const matched = { counted, rarities, indexScores, beside: neighboursIn(passages) };
  return options.question === undefined ? scoresOfWords(matched) : scoresOfQuestion(matched);
}

type Matched = {
  readonly counted: readonly Counted[];
  readonly rarities: readonly number[];
  readonly indexScores: readonly number[];
  readonly beside: Neighbours;
};

function scoresOfWords({ counted, rarities, indexScores, beside }: Matched): readonly number[] {
  const average = averageLength(counted, 1);
  const own = counted.map(({ counts, length }, i) => {
    const lengthPart = SATURATION * (1 - WORDS.length + (WORDS.length * length) / average);
    return rarities.reduce((sum, each, at) => sum + saturated(each, counts[at] ?? 0, lengthPart), indexScores[i] ?? 0);
  });
  const ownOf = (at: number | undefined): number => (at === undefined ? 0 : (own[at] ?? 0));
  return own.map((score, i) => score + WORDS.neighbour * (ownOf(beside(i, -1)) + ownOf(beside(i, 1))));
}

function scoresOfQuestion({ counted, rarities, indexScores, beside }: Matched): readonly number[] {
  const average = averageLength(counted, QUESTION.shortest);
  return counted.map(({ counts, length }, i) => {
    // What is said in a talk is short, and none of it is better for being shorter.
    const relative = Math.max(QUESTION.shortest, length) / average;
    const lengthPart = SATURATION * (1 - QUESTION.length + QUESTION.length * relative);
    const around = [
      ...QUESTION.before.map((weight, steps) => ({ weight, counts: counted[beside(i, -1 - steps) ?? -1]?.counts })),
      ...QUESTION.after.map((weight, steps) => ({ weight, counts: counted[beside(i, 1 + steps) ?? -1]?.counts })),
    ];
    return rarities.reduce((sum, each, at) => {
      const near = around.reduce((all, one) => all + ((one.counts?.[at] ?? 0) > 0 ? one.weight : 0), 0);
      return sum + saturated(each, (counts[at] ?? 0) + near, lengthPart);
    }, indexScores[i] ?? 0);
  });
}

const saturated = (weight: number, count: number, lengthPart: number): number =>
  count === 0 ? 0 : (weight * count * (SATURATION + 1)) / (count + lengthPart);

const rarity = (places: number, size: number): number => Math.log(1 + (Math.max(0, size - places) + 0.5) / (places + 0.5));

const averageLength = (counted: readonly Counted[], least: number): number =>
  Math.max(least, counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length));

function soughtTerms(words: readonly TermGroup[]): readonly Term[] {
  const sought = words.flatMap(({ any }) => any.flat());
  return [...new Map(sought.map((term) => [`${term.text} ${term.prefix}`, term])).values()];
}

type Counted = { readonly counts: Float64Array /** In terms. */; readonly length: number };

function countTerms(text: string, sought: readonly Term[]): Counted {
  const exact = new Map(sought.flatMap(({ text: term, prefix }, i) => (prefix ? [] : [[term, i] as const])));
  const prefixes = sought.flatMap(({ text: term, prefix }, i) => (prefix ? [[term, i] as const] : []));
  const counts = new Float64Array(sought.length);
  let length = 0;
  const add = (at: number): void => {
    counts[at] = (counts[at] ?? 0) + 1;
  };
  scanTerms(text, (word) => {
    length += 1;
    const term = stemOf(word);
    const at = exact.get(term);
    if (at !== undefined) add(at);
    for (const [beginning, i] of prefixes) if (term.startsWith(beginning)) add(i);
  });
  return { counts, length };
}

type Neighbours = (at: number, steps: number) => number | undefined;

function neighboursIn(passages: readonly Passage[]): Neighbours {
  const places = new Map(passages.map(({ entry, part }, i) => [`${entry} ${part}`, i]));
  const firsts = new Map<number, number>();
  const lasts = new Map<number, number>();
  for (const [i, { entry, part }] of passages.entries()) {
    if (part < (passages[firsts.get(entry) ?? -1]?.part ?? Number.POSITIVE_INFINITY)) firsts.set(entry, i);
    if (part > (passages[lasts.get(entry) ?? -1]?.part ?? -1)) lasts.set(entry, i);
  }
  const next = (at: number, step: 1 | -1): number | undefined => {
    const passage = passages[at];
    if (passage === undefined) return undefined;
    const { entry, part, source } = passage;
    const inEntry = places.get(`${entry} ${part + step}`);
    if (inEntry !== undefined) return inEntry;
    const beside = step > 0 ? firsts.get(entry + 1) : part === 0 ? lasts.get(entry - 1) : undefined;
    return beside !== undefined && passages[beside]?.source === source ? beside : undefined;
  };
  return (at, steps) => {
    let place: number | undefined = at;
    for (let i = 0; i < Math.abs(steps) && place !== undefined; i++) place = next(place, steps > 0 ? 1 : -1);
    return place;
  };
}

/** What a question says of the time of its answer. The bounds are in milliseconds, from the first to before the second. */
export type TimeHint = { readonly kind: 'newest' | 'oldest' } | { readonly kind: 'within'; readonly from: number; readonly to: number };

const DAY_MS = 86_400_000;

/** Returns what a question says of time in English or Chinese; undefined when it says nothing. A date counts more than "last". */
export function timeHintOf(query: string, now: Date): TimeHint | undefined {
  const range = dateIn(query) ?? spanIn(query, now);
  if (range !== undefined) return { kind: 'within', ...range };
  if (isOldest(query)) return { kind: 'oldest' };
  return isNewest(query) ? { kind: 'newest' } : undefined;
}

const NEWEST = {
  en: 'latest, newest, most recent, recent, recently, currently, right now, now, nowadays, these days, by now, last time, just now',
  zh: '最近、最新、刚才、刚刚、目前、如今、现在、眼下、上次、最后一次',
};
const OLDEST = {
  en: 'originally, initially, earliest, at first, first one, first time, in the beginning, at the start, at the beginning, to begin with, to start with, before anybody',
  zh: '最初、一开始、最早、第一次、起初、起先、头一次、头一个',
};
const isNewest = lazyTest(() => String.raw`\b${anyOf(NEWEST.en)}\b|${anyOf(NEWEST.zh)}`, 'i');
const isOldest = lazyTest(() => String.raw`\b${anyOf(OLDEST.en)}\b|${anyOf(OLDEST.zh)}`, 'i');

type Span = { readonly from: number; readonly to: number };

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const LONG_MONTHS = 'january, february, march, april, may, june, july, august, september, october, november, december';
const MONTH = String.raw`(${anyOf(LONG_MONTHS, 'sept', MONTHS.join(', '))})\.?`;
const DATES: readonly { readonly pattern: RegExp; readonly fields: readonly ('year' | 'month' | 'day')[] }[] = [
  { pattern: /\b(20\d\d)-(\d\d)-(\d\d)\b/, fields: ['year', 'month', 'day'] },
  { pattern: /(20\d\d)年(\d{1,2})月(\d{1,2})[日号]/, fields: ['year', 'month', 'day'] },
  { pattern: /(20\d\d)年(\d{1,2})月/, fields: ['year', 'month'] },
  { pattern: new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH},? (20\\d\\d)\\b`, 'i'), fields: ['day', 'month', 'year'] },
  { pattern: new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (20\\d\\d)\\b`, 'i'), fields: ['month', 'day', 'year'] },
  { pattern: new RegExp(`\\b${MONTH},? (20\\d\\d)\\b`, 'i'), fields: ['month', 'year'] },
];

function dateIn(query: string): Span | undefined {
  for (const { pattern, fields } of DATES) {
    const found = pattern.exec(query);
    if (found === null) continue;
    const part = (field: 'year' | 'month' | 'day'): string => found[fields.indexOf(field) + 1] ?? '';
    const month = MONTHS.indexOf(part('month').slice(0, 3).toLowerCase());
    const [year, monthIndex] = [Number(part('year')), month >= 0 ? month : Number(part('month')) - 1];
    const isDay = fields.includes('day');
    const from = new Date(Date.UTC(year, monthIndex, isDay ? Number(part('day')) : 1));
    // What runs over into another month is no date.
    if (from.getUTCMonth() !== monthIndex || from.getUTCFullYear() !== year) continue;
    return { from: from.getTime(), to: isDay ? from.getTime() + DAY_MS : Date.UTC(year, monthIndex + 1) };
  }
  return undefined;
}

const SPANS: readonly { readonly pattern: RegExp; readonly from: number; readonly to: number }[] = [
  { pattern: /\btoday\b|今天/i, from: 0, to: 1 },
  { pattern: /\byesterday\b|昨天/i, from: -1, to: 0 },
  { pattern: /\b(?:last|past) week\b|上周|上个?星期/i, from: -13, to: 1 },
  { pattern: /\bthis week\b|本周|这周/i, from: -6, to: 1 },
  { pattern: /\b(?:last|past) month\b|上个?月/i, from: -61, to: 1 },
];

/** In whole days of UTC, counted from today. */
function spanIn(query: string, now: Date): Span | undefined {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const span = SPANS.find(({ pattern }) => pattern.test(query));
  return span === undefined ? undefined : { from: today + span.from * DAY_MS, to: today + span.to * DAY_MS };
}
