import { expect, test } from 'vitest';
import { answerOf } from '../../../../src/terminal/input/input-text.ts';

test('a line answers with the keys of every question: y or 1 is yes, n, 3 or nothing is no, all else neither', () => {
  expect(['y', '1', ' YES ', '是'].map(answerOf)).toEqual(['yes', 'yes', 'yes', 'yes']);
  expect(['n', '3', '', '否'].map(answerOf)).toEqual(['no', 'no', 'no', 'no']);
  expect(['2', '4', '13', 'yep', '1bad key'].map(answerOf)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});
