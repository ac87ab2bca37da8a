import { anyOf, lazyTest } from '../../domain/value/word-list.ts';

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
