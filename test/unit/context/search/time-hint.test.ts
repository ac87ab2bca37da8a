import { describe, expect, test } from 'vitest';
import { type Passage, timeHintOf } from '../../../../src/context/search/match-passages.ts';
import { queryTerms } from '../../../../src/context/search/query-terms.ts';
import { rankPassages } from '../../../../src/context/search/rank-passages.ts';

const now = new Date('2026-03-18T15:00:00Z');

describe('what a question says of time', () => {
  test.each([
    ['what did we decide on 2026-02-03?', '2026-02-03', '2026-02-04'],
    ['2026年2月3日决定了什么', '2026-02-03', '2026-02-04'],
    ['2026年2月的端口', '2026-02-01', '2026-03-01'],
    ['the port of 3rd of February 2026', '2026-02-03', '2026-02-04'],
    ['the port we chose on Feb. 3, 2026', '2026-02-03', '2026-02-04'],
    ['which port in December 2025', '2025-12-01', '2026-01-01'],
    ['what failed yesterday', '2026-03-17', '2026-03-18'],
    ['昨天失败的命令', '2026-03-17', '2026-03-18'],
    ['what failed today', '2026-03-18', '2026-03-19'],
    ['the port from last week', '2026-03-05', '2026-03-19'],
  ])('%s: from %s to before %s', (query, from, to) => {
    expect(timeHintOf(query, now)).toEqual({ kind: 'within', from: Date.parse(from), to: Date.parse(to) });
  });

  test.each([
    ['newest', 'what is the latest port'],
    ['newest', '最近一次失败'],
    ['newest', 'how long are results kept these days'],
    ['newest', 'which room does she sit in now'],
    ['newest', '眼下由谁负责'],
    ['oldest', 'which port did we use originally'],
    ['oldest', '最初的端口是多少'],
    ['oldest', 'how much memory was it given to begin with'],
    ['oldest', '起先多久执行一次'],
  ])('the %s: %s', (kind, query) => {
    expect(timeHintOf(query, now)).toEqual({ kind });
  });

  test.each([
    'which port does the gate have',
    'the marker 2026 of the decoder',
    'option 2026-13-45',
    'the market 3, 2026',
    'the first argument',
    '端口是多少',
  ])('nothing: %s', (query) => {
    expect(timeHintOf(query, now)).toBeUndefined();
  });
});

test('of equal texts the one from the time that is asked for stands first, else the newest', () => {
  const words = queryTerms('gate port');
  const days = ['2026-01-05', '2026-02-03', '2026-03-10'];
  const passages = days.map(
    (day, i): Passage => ({
      ...{
        text: `the gate has port ${4_000 + i} since ${['frost', 'thaw', 'rain'][i]}`,
        kind: 'assistant',
        entry: i * 10,
        source: 1,
        part: 0,
      },
      ...{ tier: 'all', score: 1, at: `${day}T10:00:00.000Z` },
    }),
  );
  const first = (query: string) => {
    const options = { words, places: () => 10, size: 1_000, time: timeHintOf(query, now), question: undefined, limit: 3 };
    return rankPassages(passages, options)[0]?.passage.at.slice(0, 10);
  };
  expect(first('gate port')).toBe('2026-03-10');
  expect(first('gate port on 2026-02-03')).toBe('2026-02-03');
  expect(first('gate port originally')).toBe('2026-01-05');
  expect(first('latest gate port')).toBe('2026-03-10');
});
