import { describe, expect, test } from 'vitest';
import {
  asksForApproval,
  constraintStrength,
  decisionStrength,
  isAnnouncement,
  isQuestion,
  statesPreference,
} from '../../../../src/context/text/cues.ts';

describe('a sentence of the user binds', () => {
  const byStrength: Readonly<Record<0 | 1 | 2 | 3, readonly string[]>> = {
    3: [
      'Never push to main.',
      'You must not touch vendor/.',
      "please don't rename the tests",
      'Make sure the tests pass.',
      'No new dependencies.',
      'At most 200 lines a file.',
      'It must always be UTC.',
      "We don't want another config file.",
      'Can you make sure that nothing is deleted?',
      'Ask me before you push.',
      '必须使用 TypeScript',
      '不要修改 package.json',
      '千万别删数据库',
      '提交前务必跑测试',
      '只能用标准库',
      '请勿外传',
    ],
    2: [
      'File names should be lower case.',
      'Only the first page, please.',
      'I prefer tabs.',
      'Use snake_case in SQL.',
      '应该先写测试',
      '记得更新文档',
      '尽量少用第三方库',
    ],
    1: ["I don't know why.", 'Should we add a test?', 'why does it never load?', 'This only happens in Chrome.', '为什么不能运行？'],
    0: ['Looks good.', 'Read src/a.ts.', 'How far are we?', '看看首页。', '分别打开这两个文件'],
  };
  for (const [strength, sentences] of Object.entries(byStrength)) {
    for (const sentence of sentences)
      test(`with strength ${strength}: ${sentence}`, () => expect(constraintStrength(sentence)).toBe(Number(strength)));
  }
});

describe('a sentence states a decision', () => {
  for (const sentence of [
    'We decided to use SQLite.',
    "Let's go with option 2.",
    'I think the second is the right approach.',
    '我们决定采用 WAL。',
    '就用 pnpm 吧',
  ]) {
    test(sentence, () => expect(decisionStrength(sentence)).toBe(2));
  }
  for (const sentence of ['Which one should we choose?', 'You could go with either.', '你可以选择其中一个。']) {
    test(`but not: ${sentence}`, () => expect(decisionStrength(sentence)).toBeLessThan(2));
  }
});

test('questions, approvals, likings and announcements are told from other sentences', () => {
  expect(['Is it done?', '完成了吗', '(really?)', '好了吗？'].filter((sentence) => !isQuestion(sentence))).toEqual([]);
  expect(['It is done.', 'what a mess'].filter(isQuestion)).toEqual([]);
  expect(
    ['Ask me before you deploy.', 'Wait for my approval.', '部署前先问我', '经我确认后再合并'].filter(
      (sentence) => !asksForApproval(sentence),
    ),
  ).toEqual([]);
  expect(['I usually squash.', "I'd rather have one file.", '我习惯用 vim'].filter((sentence) => !statesPreference(sentence))).toEqual([]);
  expect(
    ['Let me read the file.', "Good. Now I'll check the tests.", '让我先看看代码'].filter((sentence) => !isAnnouncement(sentence)),
  ).toEqual([]);
  expect(['The file was read.', 'Fixed the test.'].filter(isAnnouncement)).toEqual([]);
});
