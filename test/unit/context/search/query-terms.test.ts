import { describe, expect, test } from 'vitest';
import { hasAnswer, onlyAsks, queryTerms, questionOf, speakerOf } from '../../../../src/context/search/query-terms.ts';

const wordsOf = (query: string): readonly string[] => queryTerms(query).flatMap(({ any }) => any.flat().map(({ text }) => text));

describe('what a question says of its answer', () => {
  test.each([
    ['When did Nora open the shop?', 'time'],
    ['what date did we set for the rollout', 'time'],
    ['in how many retries did the upload end', 'number'],
    ['How long does the cache keep an entry?', 'number'],
    ['什么时候上线的？', 'time'],
    ['缓存保留多久？', 'number'],
    ['Who wrote the parser?', undefined],
  ])('%s', (query, wants) => {
    expect(questionOf(query)?.wants).toBe(wants);
  });

  test.each([
    ['Which port did I choose?', 'user'],
    ['What did the user say about tabs?', 'user'],
    ['我喜欢什么音乐？', 'user'],
    ['How did you recommend to split the file?', 'assistant'],
    ['Can you tell me which port I chose?', 'user'],
    ['Which port is free?', undefined],
  ])('%s asks for the words of %s', (query, saidBy) => {
    expect(questionOf(query)?.saidBy).toBe(saidBy);
  });

  test.each(['retry delay', 'src/store/log.ts', 'npm run build', 'TS2322', '数据库 缓存', 'whatwg url parser'])(
    '%s is no question',
    (query) => {
      expect(questionOf(query)).toBeUndefined();
    },
  );

  test('an answer to "when" has a time, one to "how many" a number, and a counter-question is none', () => {
    const [when, howMany] = ['When was it?', 'How many are there?'].map(questionOf);
    if (when === undefined || howMany === undefined) throw new Error('no question');
    for (const text of ['we met yesterday', 'it was two weeks ago', 'on the 3rd', 'last Saturday', '昨天'])
      expect(hasAnswer(when, text), text).toBe(true);
    for (const text of ['it was fun', 'may I?', 'so it goes']) expect(hasAnswer(when, text), text).toBe(false);
    expect(hasAnswer(howMany, 'three of them')).toBe(true);
    expect(hasAnswer(howMany, 'a lot of them')).toBe(false);
    expect([onlyAsks('Really? When was it?'), onlyAsks('It was fine.')]).toEqual([true, false]);
  });

  test('the speaker of a chat that was taken over stands before what is said', () => {
    expect(speakerOf('Anna: I will come')).toBe('anna');
    expect(speakerOf('error TS2322: not assignable')).toBeUndefined();
  });
});

test('the words that only make a sentence are not looked for, unless there are no others', () => {
  expect(wordsOf('When did the server of Nora restart?')).toEqual(wordsOf('server Nora restart'));
  expect(wordsOf('to be or not')).toEqual(['not']);
  expect(wordsOf('what is it')).toEqual(['what', 'is', 'it']);
  expect(wordsOf('do*').length).toBeGreaterThan(0);
});
