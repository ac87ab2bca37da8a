/** Figures as a person reads them. All of them are total: a wrong number gives a wrong text, never a failure. */

import { localize } from '../../domain/language.ts';
import { groupDigits, sizeText } from '../../domain/value/size-text.ts';

export const formatCount = groupDigits;

/** "1 message", "20 messages": for English; Chinese has one form. */
export const pluralize = (n: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(n)} ${n === 1 ? singular : plural}`;

/** 512 B, 48 KB, 1.2 MB, 3.4 GB */
export const formatSize = sizeText;

/** 12 ms, 3.4 s, 2 min 05 s, 1 h 02 min */
export function formatDuration(ms: number): string {
  const { millisecond, second, minute, hour } = localize(units);
  if (ms < 1_000) return `${Math.round(ms)} ${millisecond}`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} ${second}`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} ${minute} ${pad(seconds % 60)} ${second}`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} ${hour} ${pad(minutes % 60)} ${minute}`;
}

const units = {
  en: { millisecond: 'ms', second: 's', minute: 'min', hour: 'h' },
  zh: { millisecond: '毫秒', second: '秒', minute: '分', hour: '小时' },
};

const pad = (n: number): string => n.toString().padStart(2, '0');

/** A span in its largest unit: 5 s, 12 min, 3 h, 6 d. Never negative: a clock may have gone back. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const units = localize(spanUnits);
  if (seconds < 60) return `${seconds} ${units.second}`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} ${units.minute}`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} ${units.hour}`;
  return `${Math.floor(seconds / 86_400)} ${units.day}`;
}

const spanUnits = {
  en: { second: 's', minute: 'min', hour: 'h', day: 'd' },
  zh: { second: '秒', minute: '分钟', hour: '小时', day: '天' },
};

/** How long ago an ISO time was: "3 h ago"; the text itself when it is no time. */
export function timeAgo(iso: string, now: Date): string {
  const timestamp = Date.parse(iso);
  const span = formatSpan(now.getTime() - timestamp);
  return Number.isNaN(timestamp) ? iso : localize({ en: `${span} ago`, zh: `${span}前` });
}

/** Dollars with as many digits as say something: $0.0042, $0.009, $0.07, $0.31, $12.40. */
export function formatDollars(usd: number): string {
  if (usd <= 0 || usd >= 0.1) return `$${usd.toFixed(2)}`;
  const digits = usd.toFixed(4).replace(/0+$/, '');
  return `$${digits.length < '0.00'.length ? usd.toFixed(2) : digits}`;
}

/** A limit of tokens, where its thousands are enough: 900, 80k, 1M, 1.5M. */
export function formatTokens(count: number): string {
  if (count < 1_000) return formatCount(count);
  return count < 999_500 ? `${Math.round(count / 1_000)}k` : `${Number((count / 1_000_000).toFixed(1))}M`;
}

/** A part of a whole in whole percent: 42 %; below one percent with one digit that says something, 0.03 %. Never 0 % or 100 % unless exactly so. */
export function formatPercent(part: number, whole: number): string {
  if (whole <= 0) return '-';
  const exact = (part / whole) * 100;
  const sign = localize({ en: ' %', zh: '%' });
  if (exact > 0 && exact < 0.95) return `${exact < 0.01 ? localize({ en: '< 0.01', zh: '<0.01' }) : Number(exact.toPrecision(1))}${sign}`;
  const rounded = Math.round(exact);
  return `${rounded === 100 && exact < 100 ? 99 : rounded}${sign}`;
}
