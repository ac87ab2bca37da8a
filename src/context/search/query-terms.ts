import type { RecallKind, Term, TermGroup } from '../../domain/recall.ts';
import { anyOf, lazyTest } from '../../domain/value/word-list.ts';
import { type OnTerm, scanRun } from './search-terms.ts';
import { stemOf } from './stem.ts';

export type Question = {
  readonly wants: 'time' | 'number' | undefined;
  readonly saidBy: Extract<RecallKind, 'user' | 'assistant'> | undefined;
};

const OPENERS = 'and, so, but, then, in, on, at, for, to, from, with, by, about, during, after, before';
const AUXILIARIES = 'did, does, do, is, are, was, were, has, have, had, can, could, would, will, should';
const ASKING = {
  en: 'what, when, where, who, whom, whose, which, why, how',
  zh: '什么、怎么、怎样、哪、谁、多少、多久、何时、为何、吗',
};
const asks = lazyTest(
  () => String.raw`^\W*(?:${anyOf(OPENERS)} )?${anyOf(ASKING.en, AUXILIARIES)}\b.* |[?？]\s*$|${anyOf(ASKING.zh)}`,
  'i',
);
const TIMES = 'date, day, month, year, time, deadline';
const asksWhen = lazyTest(
  () => String.raw`\b(?:when|how long ago|(?:what|which) ${anyOf(TIMES)})\b|${anyOf('什么时候、何时、哪天、几号、几月、哪年')}`,
  'i',
);
const HOW_MANY = /\bhow (?:many|much|long|old|far|high|big|large|often|tall|cold|hot|fast|slow)\b|多少|几个|多久|多长/i;
const OF_ASSISTANT = /\byou(?:r|'ve|'d)?\b(?! (?:tell|remind|help|explain|summari[sz]e|walk|list))|你(?!能|可以)/i;
const OF_USER = /\b(?:I|I've|I'm|I'd|my|me|mine|we|our|us)\b|the user|我/;

export function questionOf(query: string): Question | undefined {
  if (!asks(query)) return undefined;
  return {
    wants: asksWhen(query) ? 'time' : HOW_MANY.test(query) ? 'number' : undefined,
    saidBy: OF_ASSISTANT.test(query) ? 'assistant' : OF_USER.test(query) ? 'user' : undefined,
  };
}

const DAYS = 'yesterday, today, tonight, tomorrow, last, next, ago, weekend';
const MONTHS = `jan, january, feb, february, march, april, in may, of may, june, july, aug, august, sept, september, oct, october, nov, november,
  dec, december`;
const COUNTS = 'a, two, three, few, couple of, this';
const SPANS = 'day, days, week, weeks, month, months, year, years, morning, afternoon, evening';
const FIGURES = String.raw`may \d|\d{1,2}(?:st|nd|rd|th)|(?:19|20)\d\d|\d{1,2}:\d\d`;
const WEEKDAYS = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const saysTime = lazyTest(() => {
  const english = `${anyOf(DAYS, MONTHS)}|${WEEKDAYS}|${anyOf(COUNTS)} ${anyOf(SPANS)}|${FIGURES}`;
  return String.raw`\b(?:${english})\b|[昨今明前]天|\d[日号月年]|${anyOf('上周、下周、星期、去年')}`;
}, 'i');
const NUMBERS = `two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, dozen, twenty, thirty, forty, fifty, hundred, hundreds,
  thousand, thousands, half`;
const saysNumber = lazyTest(() => String.raw`\d|\b${anyOf(NUMBERS)}\b|[一二两三四五六七八九十百千万][个次年月天周小分公块元]`, 'i');

export function hasAnswer({ wants }: Question, text: string): boolean {
  return wants !== undefined && (wants === 'time' ? saysTime : saysNumber)(text);
}

/** True for what ends by asking: it has the words of the question and not the answer. */
export const onlyAsks = (text: string): boolean => /[?？]\s*$/.test(text);

/** Returns the name before a text that comes from a chat ("Anna: I will come"), in small letters. */
export const speakerOf = (text: string): string | undefined => /^\s*(\p{L}[\p{L}'-]{1,30}):\s/u.exec(text)?.[1]?.toLowerCase();

export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the of to in on at for with by from about into onto as and or if than then so too also just very that this these those there here
  it its he him his she her hers they them their theirs we us our ours i me my mine you your yours s t d ll ve re m
  am is are was were be been being do does did doing done has have had having will would could should can may might must shall
  what when where who whom whose which why how ever yet still please some any`.split(/\s+/),
);

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
