import { expect, test } from 'vitest';
import { identifiersIn } from '../../../../src/context/ledger/identifiers.ts';
import { cutAt, isChinese, looksLikeOutput, numberedSentencesOf, oneLine, sentencesOf } from '../../../../src/context/text/sentences.ts';

test('sentences end at their marks in English and Chinese, and not inside names, numbers or short forms', () => {
  expect(sentencesOf('Use v1.2.3 of a.b.ts, e.g. today. Really?! 好的。先看 main.py！再改；完了 (ok.) Bye')).toEqual([
    'Use v1.2.3 of a.b.ts, e.g. today.',
    'Really?!',
    '好的。',
    '先看 main.py！',
    '再改；',
    '完了 (ok.)',
    'Bye',
  ]);
});

test('marks of lists and headings are taken off; signs that belong to the sentence are not', () => {
  expect(sentencesOf('## Plan\n- [ ] one\n* two\n1) three\n（2）四\n-5 degrees\n**bold** words')).toEqual([
    'Plan',
    'one',
    'two',
    'three',
    '四',
    '-5 degrees',
    '**bold** words',
  ]);
});

test('fenced code and quoted lines are not said; a fence that is never closed runs to the end', () => {
  expect(sentencesOf('before\n```ts\nmust();\n```\n> must not\n~~~\nnever\n~~~\nafter\n```\nalways')).toEqual(['before', 'after']);
});

test('a sentence that was wrapped over lines is one sentence', () => {
  const wrapped = 'You must keep the public interface of the parser exactly as it was\nbefore the last release. Thanks.';
  expect(sentencesOf(wrapped)).toEqual([
    'You must keep the public interface of the parser exactly as it was before the last release.',
    'Thanks.',
  ]);
});

test('a line is cut between characters, with a sign that it was cut', () => {
  expect(oneLine('a\n  b\tc', 10)).toBe('a b c');
  expect(oneLine('😀😀😀', 4)).toBe('😀…');
  expect(cutAt('a😀', 2)).toBe('a');
});

test('the language is the one that weighs more', () => {
  expect(isChinese('请把 config.ts 里的端口改成 8080')).toBe(true);
  expect(isChinese('Please translate 你好 for me')).toBe(false);
  expect(isChinese('')).toBe(false);
});

test('logs, records and tables are told from what people write', () => {
  expect(looksLikeOutput('2026-02-09 09:00:08.092 INFO session-end component=hooks')).toBe(true);
  expect(looksLikeOutput('{"parentUuid":"8e52","isSidechain":false,"type":"user"}')).toBe(true);
  expect(looksLikeOutput('Never use `a.b.c(d)` or https://example.com/x/y/z in the docs of this project.')).toBe(false);
  expect(looksLikeOutput('请不要修改这个目录下的任何文件，否则会影响线上服务。')).toBe(false);
});

test('identifiers are found whole, also next to Chinese and in front of brackets', () => {
  const names = identifiersIn(
    '改src/app/main.ts的parseHeader()，版本1.4.0，端口5433，见#42和https://a.b/c?d=e。ENT-7, `npm run x`, NODE_ENV=test, 1,024 and/or 3.',
  ).map(([name]) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'src/app/main.ts',
      'parseHeader',
      '1.4.0',
      '5433',
      '#42',
      'https://a.b/c?d=e',
      'ENT-7',
      'npm run x',
      'NODE_ENV=test',
      '1,024',
    ]),
  );
  expect(names).not.toContain('and/or');
});

test('operators and code in a line end no sentence', () => {
  expect(sentencesOf('Use a ?? b for the default. Then `x ? y : z.` stays. Really?? Yes.')).toEqual([
    'Use a ?? b for the default.',
    'Then `x ? y : z.` stays.',
    'Really??',
    'Yes.',
  ]);
  expect(sentencesOf('It is `const port = env.PORT ?? 80! done` in the file.')).toHaveLength(1);
});

test('the items of a numbered list keep their numbers where that is wanted', () => {
  const list = 'Two things are left:\n1. Write the docs. Then read them.\n2. Tag it.\n- And rest.';
  expect(numberedSentencesOf(list)).toEqual(['Two things are left:', '1. Write the docs.', 'Then read them.', '2. Tag it.', 'And rest.']);
  expect(sentencesOf(list)).toEqual(['Two things are left:', 'Write the docs.', 'Then read them.', 'Tag it.', 'And rest.']);
});
