import { describe, expect, test } from 'vitest';
import { wordIndex, wordLinesOf } from '../../../../src/context/sentence/word-index.ts';
import { wordTables } from '../../../../src/context/sentence/words.ts';
import { inLowerCase, readTables, sourceOf } from '../../../../src/domain/value/word-list.ts';
import { labelled } from '../../../support/labelled-sentences.ts';
import { labelledTruth } from '../../../support/labelled-truth.ts';

const tables = readTables(`
BAN: don't, no longer, not, off-limits, 's out | 不要, 别
FIX: fix*, no exception*, reason:, c
STORE: redis, sqlite | 用redis, 库, redis*, prefer
`);
const standing = (lower: string, language: 'en' | 'zh' = 'en'): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(wordIndex(wordLinesOf(tables, language))(lower));

describe('the words of a text', () => {
  test('are whole words, whatever stands beside them', () => {
    expect(standing('is it (not) so')).toEqual({ BAN: ['not'] });
    expect(standing('notice the knot, not_yet not2')).toEqual({});
    expect(standing('a-c, b')).toEqual({ FIX: ['c'] });
    expect(standing('ünot')).toEqual({ BAN: ['not'] });
  });

  test('of several words stand one after the other', () => {
    expect(standing('we no longer use it')).toEqual({ BAN: ['no longer'] });
    expect(standing('no  longer')).toEqual({});
    expect(standing('no longers')).toEqual({});
  });

  test('may have a hyphen in them and beside them', () => {
    expect(standing('main is off-limits')).toEqual({ BAN: ['off-limits'] });
    expect(standing('off limits')).toEqual({});
    expect(standing('redis-backed')).toEqual({ STORE: ['redis'] });
  });

  test('have an apostrophe of any kind, or none but at their beginning', () => {
    for (const word of ["don't", 'don’t', 'dont']) expect(standing(`please ${word} go`)).toEqual({ BAN: ["don't"] });
    for (const word of ["she's out", 'she’s out']) expect(standing(word)).toEqual({ BAN: ["'s out"] });
    expect(standing("dont't, shes out, it's outside")).toEqual({ BAN: ["don't"] });
  });

  test('may be the beginning of one', () => {
    for (const word of ['fix', 'fixes', 'fixing']) expect(standing(`they ${word} it`)).toEqual({ FIX: ['fix*'] });
    expect(standing('a prefix')).toEqual({});
    expect(standing('no exceptions')).toEqual({ FIX: ['no exception*'] });
  });

  test('end where they say, with no edge after a sign', () => {
    expect(standing('reason:it broke')).toEqual({ FIX: ['reason:'] });
    expect(standing('reason it broke')).toEqual({});
  });

  test('of Chinese stand anywhere, Latin ones beside it at its edge', () => {
    expect(standing('这里不要用redis存库', 'zh')).toEqual({ BAN: ['不要'], STORE: ['用redis', 'redis*', '库'] });
    expect(standing('我prefer它，分别说', 'zh')).toEqual({ STORE: ['prefer'], BAN: ['别'] });
    expect(standing('我preferred它', 'zh')).toEqual({});
    expect(standing('用redisx', 'zh')).toEqual({ STORE: ['redis*'] });
  });

  test.each(['en', 'zh'] as const)('are those that the patterns of all tables find in labelled sentences: %s', (language) => {
    const index = wordIndex(wordLinesOf(wordTables(), language));
    const patterns = [...wordTables()].map(
      ([name]) => [name, new RegExp(inLowerCase(sourceOf(`{${name}}`, wordTables(), language)))] as const,
    );
    const sentences = [...labelled.map(([, text]) => text), ...labelledTruth.map(({ text }) => text)];
    for (const sentence of sentences.map((text) => text.toLowerCase())) {
      const found = patterns.filter(([, pattern]) => pattern.test(sentence)).map(([name]) => name);
      expect([...index(sentence).keys()].toSorted()).toEqual(found.toSorted());
    }
  });
});

test('the tables are in lower case, as the texts are', () => {
  const words = [...wordTables().values()].flatMap(({ en, zh }) => [...en, ...zh]);
  expect(words.filter((word) => word !== word.toLowerCase())).toEqual([]);
});
