import { expect, test } from 'vitest';
import { codeParts } from '../../../../src/terminal/markdown/highlight.ts';
import { diffLines, moreOfDiff, shortDiff } from '../../../../src/terminal/text/diff-text.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

const plain = createPaint(false);
const shown = (preview: string, columns = 60): readonly string[] => diffLines(preview, { paint: plain, columns });

test('a difference has its line numbers, and shows indents and empty lines as they are', () => {
  const deep = ' '.repeat(12);
  expect(shown(`Change of a.ts\n@@ -3,3 +7,4 @@\n \n  kept   \n-\told\n+${deep}new\n+\n@@ -90,1 +95,1 @@\n x\n`)).toEqual([
    'Change of a.ts',
    ' 7',
    ' 8    kept',
    ' 5 - →   old',
    ` 9 + ${deep}new`,
    '10 +',
    '…',
    '95   x',
  ]);
});

test('what could deceive is shown as it is [S-14]', () => {
  expect(shown(`+end  \n-end\n+   \n+a${' '.repeat(40)}b\n+сat x\n+a\u202eb\n+${' '.repeat(200)}far`)).toEqual([
    '+ end[2 spaces]',
    '- end',
    '+ [3 spaces]',
    '+ a[40 spaces]b',
    '+ \\u0441at x',
    '+ a\\u202eb',
    '+ [200 spaces]far',
  ]);
});

test('a line that only looks like the head of a part is a line', () => {
  expect(shown('+@@ -1 +1 @@')).toEqual(['+ @@ -1 +1 @@']);
});

test('a long line goes on in the next row, below its code', () => {
  expect(shown('@@ -1,0 +1,1 @@\n+some words that do not fit', 16)).toEqual(['1 + some words', '    that do not', '    fit']);
});

const colour = createPaint(true);
const change = '@@ -1,2 +1,2 @@\n const a = 1;\n-sum(a, b);\n+sum(a, 0, b);\n';

test("of two lines in each other's place the words that differ are marked, and the rest has the colours of its language", () => {
  const [kept = '', before = '', after = ''] = diffLines(change, { paint: colour, columns: 60, codeParts, name: 'src/cart.js' });
  expect(kept).toContain(colour.syntax('keyword', 'const'));
  expect(before).not.toContain('\u001b[7m');
  expect(after).toContain('\u001b[7m');
  expect(after).toContain('0');
});

test('without colours the words that changed are still marked where the terminal has styles', () => {
  const [, , , after = ''] = ['', ...diffLines(change, { paint: { ...plain, changed: (text) => `[${text}]` }, columns: 60 })];
  expect(after).toBe('2 + sum(a, [0, ]b);');
});

test('beside its call a difference has at most 12 rows, the lines around each change, and says how many more there are', () => {
  const lines = Array.from({ length: 42 }, (_, at) => `+line ${at}`).join('\n');
  const rows = shortDiff(`@@ -1,3 +1,45 @@\n a\n b\n c\n${lines}`, { paint: plain, columns: 60, indent: '    ', more: moreOfDiff(true) });
  expect(rows).toHaveLength(13);
  expect(rows[0]).toBe('     3   c');
  expect(rows.at(-1)).toBe('    … 31 more (Ctrl-O)');
});
