import { expect, test } from 'vitest';
import { keepQuestion, leftOutWarning } from '../../../../src/context/history/left-out-text.ts';

const INSTALLED = { en: 'it is installed code', zh: '它是已安装的代码' };
const RUN = { en: 'a build runs it', zh: '构建会运行它' };

const files = (count: number, why: typeof RUN, isBack = false) => Array.from({ length: count }, (_, i) => ({ name: `f${i}`, why, isBack }));

test('each reason is given once, with the first of its files and how many there are', () => {
  expect(keepQuestion({ files: files(2, RUN) })).toEqual({
    en: 'This command left f0, f1 (a build runs it).',
    zh: '此命令留下了 f0、f1（构建会运行它）。',
  });
  expect(keepQuestion({ files: [...files(700, INSTALLED), { name: 'Makefile', why: RUN, isBack: false }] })).toEqual({
    en: 'This command left f0, f1, f2, f3 and 696 more (it is installed code), Makefile (a build runs it).',
    zh: '此命令留下了 f0、f1、f2、f3 等 700 个文件（它是已安装的代码）、Makefile（构建会运行它）。',
  });
});

test('what was deleted, and is back, is told as that, with or without what was left', () => {
  const [left, back] = [files(1, INSTALLED), files(1, RUN, true)];
  expect(keepQuestion({ files: back })).toEqual({
    en: 'This command deleted f0 (a build runs it).',
    zh: '此命令删除了 f0（构建会运行它）。',
  });
  expect(keepQuestion({ files: [...back, ...left] }).en).toBe(
    'This command left f0 (it is installed code). This command deleted f0 (a build runs it).',
  );
  expect(leftOutWarning({ files: [...left, ...back], problems: [], restore: 'X' }).en).toBe(
    'Left out, since it runs by itself later: f0 (it is installed code). Put back after it was deleted, since it runs by itself: f0 (a build runs it). To have it: X',
  );
});

test('of many reasons the first are given, and how many files have others', () => {
  const all = Array.from({ length: 10 }, (_, i) => ({ name: `f${i}`, why: { en: `reason ${i}`, zh: `原因 ${i}` }, isBack: false }));
  expect(keepQuestion({ files: all }).en).toMatch(/^This command left f0 \(reason 0\), .*f7 \(reason 7\) and 2 more\.$/);
  expect(keepQuestion({ files: all }).zh).toContain('f7（原因 7）以及另外 2 个文件');
});
