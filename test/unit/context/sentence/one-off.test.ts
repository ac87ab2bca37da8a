import { describe, expect, test } from 'vitest';
import { extractMemories } from '../../../../src/context/memory/extract-memories.ts';
import { isOrder, judge } from '../../../../src/context/sentence/judge.ts';
import { isOneOff } from '../../../../src/context/sentence/task.ts';
import { user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const ofTheMoment = [
  'run the tests again',
  'run the whole suite again, all of it must pass',
  'commit it with at least two lines',
  "don't run the linter this time",
  'do not open the browser this time',
  'this time use only sqlite',
  "don't use --fast in those tests",
  "but don't assume a default here",
  'avoid the loop here',
  "please don't rename it",
  'stop printing that',
  "undo that and don't do it again",
  "don't change the title, just the body",
  'keep the header as it is and change the footer',
  'leave the first lamp alone and fix the second',
  "try again, but don't delete the cache",
  'no tests for this one',
  'write at most three sentences about it',
  "should be darker, don't touch the theme, look at the footer",
  '这次不要改测试',
  '这里不要用循环',
  '别管这个警告',
  '把所有测试再跑一遍',
];

const forGood = [
  "don't touch legacy/",
  "don't push without my approval",
  'never do that again',
  'run the tests again before every commit',
  'always answer in English',
  'no new dependencies',
  'merge commits are a no-go here',
  'use spaces instead of tabs',
  'keep the public API as it is',
  '以后这里不要用循环',
  '不要改动 migrations 目录',
];

describe('an order of the moment', () => {
  test.each(ofTheMoment)('is no standing constraint and no memory: %s', (text) => {
    expect(isOneOff(text)).toBe(true);
    expect(isOrder(judge(text))).toBe(false);
    expect(gatherLedger([user(text)], { bodyOf: () => undefined, bodyPath: () => '/b' }).constraints).toEqual([]);
    const kept = extractMemories([user(text)], { sessionId: 's' });
    expect(kept.filter(({ kind }) => kind === 'preferences')).toEqual([]);
  });

  test.each(forGood)('is not taken for one that holds for good: %s', (text) => {
    expect(isOneOff(text)).toBe(false);
  });
});
