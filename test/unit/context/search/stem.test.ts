import { expect, test } from 'vitest';
import { stemOf } from '../../../../src/context/search/stem.ts';

const families: readonly (readonly string[])[] = [
  ['cache', 'caches', 'cached', 'caching'],
  ['retry', 'retries', 'retried', 'retrying'],
  ['stop', 'stops', 'stopped', 'stopping'],
  ['configure', 'configured', 'configuration', 'configurations'],
  ['migrate', 'migrates', 'migrated', 'migration'],
  ['compact', 'compacted', 'compaction', 'compactions'],
  ['write', 'writes', 'writing', 'wrote', 'written'],
  ['choose', 'chooses', 'choosing', 'chose', 'chosen'],
  ['take', 'takes', 'taking', 'took'],
  ['recent', 'recently'],
  ['pass', 'passes', 'passed', 'passing'],
  ['run', 'runs', 'running', 'ran'],
  ['use', 'uses', 'used', 'using'],
];

test.each(families)('%s and its forms are one', (...forms) => {
  expect(new Set(forms.map(stemOf)).size, forms.map(stemOf).join(' ')).toBe(1);
});

test('other words stay apart, and what is no English word stays as it is', () => {
  for (const [one, other] of [
    ['class', 'clash'],
    ['string', 'stress'],
    ['status', 'state'],
    ['format', 'form'],
    ['bus', 'bed'],
  ])
    expect(stemOf(one ?? ''), one).not.toBe(stemOf(other ?? ''));
  for (const text of ['src/files.ts', 'retry_counts', 'v2.1s', '数据', '', 'a'.repeat(60)]) expect(stemOf(text)).toBe(text);
});
