import { describe, expect, test } from 'vitest';
import { isQuestion } from '../../../../src/context/sentence/asks.ts';
import { isBinding, isGeneral, isOrder, judge, mayState, statesChoice } from '../../../../src/context/sentence/judge.ts';
import { isAnnouncement } from '../../../../src/context/sentence/work.ts';

describe('a sentence of the user', () => {
  test.each([
    'Never push to main.',
    "please don't rename the tests",
    'Make sure the tests pass.',
    'No new dependencies.',
    'It must always be UTC.',
    "We don't want another config file.",
    'Nobody edits the generated files by hand.',
    'Pull requests need two approvals.',
    '必须使用 TypeScript',
    '不要修改 package.json',
    '千万别删数据库',
    '提交前务必跑测试',
    '只能用标准库',
    '请勿外传',
  ])('orders beyond its exchange: %s', (text) => expect(isOrder(judge(text))).toBe(true));

  test.each([
    ['Limit lines to 100 characters.', 'rule'],
    ['Keep the bundle under 200 KB.', 'rule'],
    ['Even in examples, use the fake company name Acme.', 'rule'],
    ['Nothing gets merged without a review.', 'rule'],
    ['记得每次同步更新文档', 'rule'],
    ['我希望你先写测试', 'rule'],
    ['每次先写测试再写代码', 'rule'],
    ['合并之后必须删掉分支', 'rule'],
    ['导出功能放到第二期', 'decision'],
    ['那就这么定了，用 Redis', 'decision'],
    ['Staging uses three replicas', 'fact'],
    ['We use tabs.', 'fact'],
    ['The database is Postgres 15.', 'fact'],
    ['In our jargon a "berth" is a slot in the calendar.', 'fact'],
    ['小王负责数据库', 'fact'],
    ['QPS 指的是每秒请求数', 'fact'],
    ['能发版的只有小王一个人', 'fact'],
    ['后端是用 Go 写的', 'fact'],
  ])('is what people mean by it, beyond the labels: %s', (text, kind) => expect(judge(text).kind).toBe(kind));

  test.each(['Never push to main.', 'From now on answer in German.', '以后都用中文回答'])('says that it holds for good: %s', (text) =>
    expect(isGeneral(judge(text))).toBe(true),
  );

  test.each([
    'Can you make sure that nothing is deleted?',
    'Ask me before you push.',
    'At most 200 lines a file.',
    'File names should be lower case.',
    'Only the first page, please.',
    'I prefer tabs.',
    'Use snake_case in SQL.',
    'Write it without using regular expressions.',
    '应该先写测试',
    '记得更新文档',
    '尽量少用第三方库',
  ])('binds at least its task: %s', (text) => expect(isBinding(judge(text))).toBe(true));

  test.each([
    "I don't know why.",
    'Should we add a test?',
    'why does it never load?',
    'This only happens in Chrome.',
    '为什么不能运行？',
    'Looks good.',
    'Read src/a.ts.',
    'How far are we?',
    '看看首页。',
    '分别打开这两个文件',
  ])('binds nothing: %s', (text) => expect(isBinding(judge(text))).toBe(false));
});

describe('a sentence states a decision', () => {
  for (const sentence of [
    'We decided to use SQLite.',
    "Let's go with option 2.",
    'I think the second is the right approach.',
    '我们决定采用 WAL。',
    '就用 pnpm 吧',
  ]) {
    test(sentence, () => expect(statesChoice(sentence)).toBe(true));
  }
  for (const sentence of ['Which one should we choose?', 'You could go with either.', '你可以选择其中一个。']) {
    test(`but not: ${sentence}`, () => expect(statesChoice(sentence)).toBe(false));
  }
});

test('questions and announcements are told from other sentences', () => {
  expect(['Is it done?', '完成了吗', '(really?)', '好了吗？'].filter((sentence) => !isQuestion(sentence))).toEqual([]);
  expect(['It is done.', 'what a mess'].filter(isQuestion)).toEqual([]);
  expect(
    ['Let me read the file.', "Good. Now I'll check the tests.", '让我先看看代码'].filter((sentence) => !isAnnouncement(sentence)),
  ).toEqual([]);
  expect(['The file was read.', 'Fixed the test.'].filter(isAnnouncement)).toEqual([]);
});

test('a text without any word by which something is settled states no choice', () => {
  expect(['it rains', '下雨', 'an undecided box'].filter(mayState)).toEqual([]);
  expect(['So WE DECIDED it.', '我们决定用它', 'they picked Redis'].filter((text) => !mayState(text))).toEqual([]);
  const choices = [
    'Decision: dates are stored in UTC.',
    'OK, Postgres it is.',
    'Option A please, it is the simplest.',
    '第一版不做多租户。',
  ];
  expect(choices.filter((text) => !mayState(text) || !statesChoice(text))).toEqual([]);
});
