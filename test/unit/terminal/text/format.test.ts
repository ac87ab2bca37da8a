import { expect, test } from 'vitest';
import {
  formatCount,
  formatDollars,
  formatDuration,
  formatPercent,
  formatSize,
  formatSpan,
  pluralize,
  timeAgo,
} from '../../../../src/terminal/text/format.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [182_340, '182,340'],
  [1_234_567, '1,234,567'],
  [-1_500, '-1,500'],
])('count %d', (n, text) => {
  expect(formatCount(n)).toBe(text);
});

test('one thing is counted in the singular', () => {
  expect([
    pluralize(1, 'message'),
    pluralize(20, 'message'),
    pluralize(0, 'memory', 'memories'),
    pluralize(1, 'memory', 'memories'),
  ]).toEqual(['1 message', '20 messages', '0 memories', '1 memory']);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 KB'],
  [9_949, '9.9 KB'],
  [9_950, '10 KB'],
  [48_211, '48 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [1_200_000, '1.2 MB'],
  [3_400_000_000, '3.4 GB'],
])('size %d', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [59_949, '59.9 s'],
  [59_950, '1 min 00 s'],
  [125_000, '2 min 05 s'],
  [3_720_000, '1 h 02 min'],
])('duration %d', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('a span is never negative, also when a clock went back', () => {
  const now = new Date('2026-02-01T12:00:00.000Z');
  expect([formatSpan(-5), formatSpan(59_000), formatSpan(3_599_000), formatSpan(86_399_000), formatSpan(6 * 86_400_000)]).toEqual([
    '0 s',
    '59 s',
    '59 min',
    '23 h',
    '6 d',
  ]);
  expect([timeAgo('2026-02-01T09:00:00.000Z', now), timeAgo('2026-02-01T13:00:00.000Z', now), timeAgo('whenever', now)]).toEqual([
    '3 h ago',
    '0 s ago',
    'whenever',
  ]);
});

test.each([
  [0, '$0.00'],
  [0.0042, '$0.0042'],
  [0.31, '$0.31'],
  [12.4, '$12.40'],
])('dollars %d', (usd, text) => {
  expect(formatDollars(usd)).toBe(text);
});

test.each([
  [0, 100, '0 %'],
  [1, 1_000, '0.1 %'],
  [60, 200_000, '0.03 %'],
  [1, 1_000_000, '< 0.01 %'],
  [9, 1_000, '0.9 %'],
  [96, 10_000, '1 %'],
  [999, 1_000, '99 %'],
  [1_000, 1_000, '100 %'],
  [50, 200, '25 %'],
  [1, 0, '-'],
])('percent %d of %d', (part, whole, text) => {
  expect(formatPercent(part, whole)).toBe(text);
});
