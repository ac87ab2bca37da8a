import { expect, test } from 'vitest';
import { diffLines } from '../../../../src/terminal/text/diff-text.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

const shown = (preview: string, columns = 60): readonly string[] => diffLines(preview, { paint: createPaint(false), columns });

test('a difference says where it begins, and shows indents and empty lines as they are', () => {
  const deep = ' '.repeat(12);
  expect(shown(`Change of a.ts\n@@ -3,4 +7,5 @@\n \n  kept   \n-\told\n+${deep}new\n+\n`)).toEqual([
    'Change of a.ts',
    '… line 7',
    '',
    '  kept',
    '-→   old',
    `+${deep}new`,
    '+',
  ]);
});

test('what could deceive is shown as it is [S-14]', () => {
  expect(shown(`+end  \n-end\n+   \n+a${' '.repeat(40)}b\n+сat x\n+a\u202eb\n+${' '.repeat(200)}far`)).toEqual([
    '+end[2 spaces]',
    '-end',
    '+[3 spaces]',
    '+a[40 spaces]b',
    '+\\u0441at x',
    '+a\\u202eb',
    '+[200 spaces]far',
  ]);
});

test('a line that only looks like the head of a part is a line', () => {
  expect(shown('+@@ -1 +1 @@')).toEqual(['+@@ -1 +1 @@']);
});

test('a long line goes on in the next row', () => {
  expect(shown('+some words that do not fit', 12)).toEqual(['+some words', 'that do not', 'fit']);
});
