import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ends, statementOf } from '../../../../src/domain/memory/ends.ts';
import { hashSense, parseHashedSense, sameSense, senseOf } from '../../../../src/domain/memory/memory-sense.ts';

describe('two statements mean the same', () => {
  test.each([
    ['I prefer short commit messages', 'I like short commit messages, please'],
    ['We decided to use SQLite for the index', 'We chose SQLite for the index.'],
    ['我喜欢两格缩进', '我更喜欢两格缩进。'],
    ['我们决定采用 WAL 模式', '采用WAL模式'],
    ['Ｕｓｅ ＷＡＬ mode', 'use wal mode!'],
  ])('%s = %s [O9]', (a, b) => {
    expect(sameSense(senseOf(a), senseOf(b))).toBe(true);
    const hashed = [a, b].map((text) => parseHashedSense(hashSense(senseOf(text))) ?? senseOf(''));
    expect(sameSense(hashed[0] ?? senseOf(''), hashed[1] ?? senseOf('x'))).toBe(true);
  });

  test.each([
    ['The port is 8080', 'The port is 9090'],
    ['Enable the cache of the index', 'Disable the cache of the index'],
    ['I prefer tabs over spaces', 'I prefer spaces over tabs'],
    ['Use tabs in the sources', 'Never use tabs in the sources'],
    ['用 tab 缩进', '不要用 tab 缩进'],
    ['The config is in src/a.ts', 'The config is in src/b.ts'],
    ['Graz', 'Graz has good coffee'],
  ])('and these do not: %s / %s', (a, b) => expect(sameSense(senseOf(a), senseOf(b))).toBe(false));
});

describe('a newer statement takes the place of an older one', () => {
  const takes = (newer: string, older: string) => ends(statementOf(newer), statementOf(older));
  test.each([
    ['The server port is 9090', 'The server port is 8080.'],
    ['数据库端口是 5434', '数据库端口是 5433。'],
    ['I prefer spaces over tabs', 'I prefer tabs over spaces'],
    ['Never use tabs', 'Always use tabs'],
    ['不要用 tab 缩进', '用 tab 缩进'],
    ['We decided to use PostgreSQL for the index', 'We decided to use SQLite for the index.'],
    ['We switched from MySQL to PostgreSQL', 'We decided to use MySQL.'],
    ["Let's use Vitest instead of Jest", 'We use Jest for tests'],
    ['我们把 MySQL 换成 PostgreSQL', '我们决定使用 MySQL'],
    ['数据库改用 PostgreSQL', '数据库使用 MySQL'],
    ['The project Harbor lives in /srv/h2', 'The project Harbor lives in /srv/harbor'],
  ])('%s > %s [C124]', (newer, older) => expect(takes(newer, older)).toBe(true));

  test.each([
    ['The project uses Vitest', 'The project uses TypeScript'],
    ['项目使用 Vitest', '项目使用 TypeScript'],
    ['I prefer short commit messages', 'I prefer tabs'],
    ['我喜欢红色', '我喜欢两格缩进'],
    ['We decided to use SQLite for the cache', 'We decided to use SQLite for the index'],
    ['The server is fast', 'The server is written in Go'],
    ['The project Quay lives in /srv/quay', 'The project Harbor lives in /srv/harbor'],
    ['Test 12 failed', 'Test 11 failed'],
  ])('but both of these stand: %s / %s', (newer, older) => expect(takes(newer, older)).toBe(false));
});

test('any text has a sense that is its own, and supersedes itself never', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(sameSense(senseOf(text), senseOf(text))).toBe(true);
      expect(ends(statementOf(text), statementOf(text))).toBe(false);
    }),
    { numRuns: 60 },
  );
});
