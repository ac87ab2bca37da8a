import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStreamedText } from '../../../../src/terminal/screen/streamed-text.ts';
import { createPaint, type Paint } from '../../../../src/terminal/text/paint.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';

const plain = createPaint(false);
/** Styles as letters in angle brackets instead of colours. */
const named = { ...plain, strong: (text: string) => `<b>${text}</b>`, code: (text: string) => `<c>${text}</c>` };

/** What stands there in the end, of a text in pieces that end at these places. */
function streamed(
  text: string,
  { cuts = [], columns, paint = plain }: { cuts?: readonly number[]; columns?: number; paint?: Paint },
): string {
  let shown = '';
  const write = (more: string): void => {
    shown += more;
  };
  const stream = createStreamedText({ write, paint, columns: columns === undefined ? undefined : () => columns });
  const characters = [...text];
  const ends = [...cuts.map((cut) => cut % (characters.length + 1)), characters.length].toSorted((a, b) => a - b);
  for (const [at, end] of ends.entries()) stream.append('text', characters.slice(ends[at - 1] ?? 0, end).join(''));
  stream.end();
  return shown.replace(/\n$/, '');
}

test.each([
  [20, 'a quote of somebody who said something long', 'a quote of somebody\nwho said something\nlong'],
  [10, '中文段落，这是一段很长的文字。end', '中文段落，\n这是一段很\n长的文字。\nend'],
  [8, 'one two  \n\n  three four', 'one two\n\n  three\nfour'],
  [8, 'a\n```sh\nnpm run build --all\n```\nafter the code', 'a\n```sh\nnpm run build --all\n```\nafter\nthe code'],
  [6, 'see https://a.example/b it', 'see\nhttps://a.example/b it'],
  [6, '见https://a.example/b中文', '见\nhttps://a.example/b中文'],
])('in %i columns %j is %j', (columns, text, rows) => {
  expect(streamed(text, { columns })).toBe(rows);
});

const pieces = fc.array(
  fc.constantFrom('word', ' ', '  ', 'a', '字', '，', '「', 'longer-than-a-row-is', '\n', '```', '`', 'e\u0301', '👩‍👩‍👧'),
  { maxLength: 60 },
);

const hasLongWord = (row: string, columns: number): boolean => row.split(/[\s字，]/).some((word) => textWidth(word) > columns);

test('the rows are the same however the text comes, fit save where a word is longer, and hold all of it', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(), { maxLength: 20 }), fc.integer({ min: 4, max: 30 }), (parts, cuts, columns) => {
      const text = parts.join('').toWellFormed();
      const whole = streamed(text, { columns });
      expect(streamed(text, { cuts, columns })).toBe(whole);
      expect(whole.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      if (!text.includes('```'))
        expect(whole.split('\n').filter((row) => textWidth(row) > columns && !hasLongWord(row, columns))).toEqual([]);
    }),
  );
});

describe('the colours of what streams', () => {
  test.each([
    ['plain text', 'plain text'],
    ['# Title here\nbody', '<b># Title here</b>\nbody'],
    ['not # a title', 'not # a title'],
    ['a **bold** word', 'a <b>**bold**</b> word'],
    ['run `npm test` now', 'run <c>`npm test`</c> now'],
    ['```ts\nlet a = `x`;\n# no title\n```\nafter', '<c>```ts</c>\n<c>let a = `x`;</c>\n<c># no title</c>\n<c>```</c>\nafter'],
    ['2**3 and\nnext line', '2**3 and\nnext line'],
    ['a `lone tick\nnext line', 'a `lone tick\nnext line'],
    ['`a ** b` c', '<c>`a ** b`</c> c'],
    ['标题：**重点**', '标题：<b>**重点**</b>'],
  ])('%j becomes %j', (text, expected) => {
    expect(streamed(text, { paint: named })).toBe(expected);
  });

  test('are the same wherever the pieces end, and all that is added', () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(60)), (parts, cuts) => {
        const text = parts.join('').toWellFormed();
        expect(streamed(text, { cuts, paint: named })).toBe(streamed(text, { paint: named }));
        expect(stripVTControlCharacters(streamed(text, { cuts, paint: createPaint(true) }))).toBe(streamed(text, {}));
      }),
    );
  });
});
