import { expect, test } from 'vitest';
import { needsOf } from '../../../../src/context/sentence/word-index.ts';

const has = (template: string, lower: string, ...tables: readonly string[]): boolean =>
  needsOf(template)(lower, new Map(tables.map((table) => [table, ['word']])));

test.each([
  ['{BAN} x', 'a x b', ['BAN']],
  ['{BAN|STOP}', '', ['STOP']],
  ['stop|{BAN}', 'to stop', []],
  ['^(?:stop|halt)\\b', 'halt', []],
  ['(?:{BAN})?go', 'go', []],
  ['{BAN}* {STOP}{0,3}go', 'go', []],
  ['(?!{BAN})(?<!{STOP})go', 'go', []],
  ['(?=.*{BAN})go', 'go', ['BAN']],
  ['[{}()|]colou?r\\.\\w+', '{color.a', []],
  ['ab+c', 'abbc', []],
  ['\\p{Script=Han}{2}库', '数据库', []],
  ['stop| ?', '', []],
])('a clause that has what is needed may fit %s', (template, lower, tables) => {
  expect(has(template, lower, ...tables)).toBe(true);
});

test.each([
  ['{BAN} x', 'a x b', []],
  ['{BAN} x', 'a y b', ['BAN']],
  ['{BAN|STOP}', '', ['GO']],
  ['stop|{BAN}', 'sto p', []],
  ['^(?:stop|halt)\\b', 'go', []],
  ['(?:{BAN}){1,2}go', 'go', []],
  ['{BAN}+', 'go', []],
  ['(?=.*{BAN})go', 'go', []],
  ['a\\.b', 'a-b', []],
  ['(?:x|(?:y|{BAN})z)', 'y', []],
])('one that lacks it fits %s never', (template, lower, tables) => {
  expect(has(template, lower, ...tables)).toBe(false);
});
