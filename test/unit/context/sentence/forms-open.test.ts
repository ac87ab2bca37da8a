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
