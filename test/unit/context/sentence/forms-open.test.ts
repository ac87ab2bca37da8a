import { expect, test } from 'vitest';
import { defers, postpones } from '../../../../src/context/sentence/forms-open.ts';
import { isLeft, judge } from '../../../../src/context/sentence/judge.ts';

const isOpen = (sentence: string): boolean =>
  isLeft(judge(sentence, 'model')) || isLeft(judge(sentence)) || defers(sentence) || postpones(sentence);

test('what explains a program, allows something or concedes it leaves no work open', () => {
  const explained = [
    'Since the index is optional, the reader still fails gracefully by returning nothing.',
    'The cache still fails over to the disk when memory is full.',
    'Why it is not implemented',
    'Remaining rows → moved to the next page',
    'This means a handle that can be resolved later.',
    'When you are satisfied with all of it, you can send it in.',
    '虽然我没有手，无法做木工，但懂一点。',
    '想过，不过总觉得还差了些什么。',
    '为什么还没修好',
  ];
  expect(explained.filter(isOpen)).toEqual([]);
});

test('what the weather, a pandemic or a family has not done yet is no work', () => {
  const world = [
    'It has not stopped raining yet.',
    "My parents haven't arrived yet.",
    '雨还没停。',
    '爸爸还没回来。',
    '但是，现在新冠疫情还没有结束，我觉得出行和参加社交活动有些困难。',
  ];
  expect(world.filter(isOpen)).toEqual([]);
  const work = [
    'The last two pages have not been translated yet.',
    '三店的数据还没到。',
    '压测还没开始。',
    '迁移还没结束。',
    '票今天还没订。',
    '客户的邮件还没回。',
    '旧服务还没停。',
  ];
  expect(work.filter((sentence) => !isOpen(sentence))).toEqual([]);
});

test('what a program prints while it waits is no work, and a wait for the user is', () => {
  expect(['Waiting for the debugger to disconnect...', 'Waiting for lock file…'].filter(isOpen)).toEqual([]);
  const waits = ['Waiting for your approval.', 'Waiting for your decision on the schema...'];
  expect(waits.filter((sentence) => !isOpen(sentence))).toEqual([]);
});

test('what is left stays open', () => {
  const left = [
    'Remaining: the index on orders.created_at.',
    'One of the two tests still fails.',
    'The importer can be migrated later.',
    'When this is done, update the changelog.',
    '登录页还没修好',
    '还要补上回滚脚本',
  ];
  expect(left.filter((sentence) => !isOpen(sentence))).toEqual([]);
});
