import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStreamedWrap } from '../../../../src/terminal/text/streamed-wrap.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';

/** The text in pieces that end at these places. */
function streamed(text: string, cuts: readonly number[], columns: number): string {
  const wrap = createStreamedWrap(() => columns);
  const characters = [...text];
  const ends = [...cuts.map((cut) => cut % (characters.length + 1)), characters.length].toSorted((a, b) => a - b);
  let from = 0;
  const shown = ends.map((end) => {
    const piece = characters.slice(from, end).join('');
    from = end;
    return wrap.write(piece);
  });
  return shown.join('') + wrap.end();
}

test.each([
  [20, 'a quote of somebody who said something long', 'a quote of somebody\nwho said something\nlong'],
  [10, '中文段落，这是一段很长的文字。end', '中文段落，\n这是一段很\n长的文字。\nend'],
  [8, 'one two  \n\n  three four', 'one two\n\n  three\nfour'],
  [8, 'a\n```sh\nnpm run build --all\n```\nafter the code', 'a\n```sh\nnpm run build --all\n```\nafter\nthe code'],
  [6, 'see https://a.example/b it', 'see\nhttps://a.example/b it'],
  [6, '见https://a.example/b中文', '见\nhttps://a.example/b中文'],
])('in %i columns %j is %j', (columns, text, rows) => {
  expect(streamed(text, [], columns)).toBe(rows);
});

const pieces = fc.array(
  fc.constantFrom('word', ' ', '  ', 'a', '字', '，', '「', 'longer-than-a-row-is', '\n', '```', '`', 'e\u0301', '👩‍👩‍👧'),
  {
    maxLength: 60,
  },
);

const hasLongWord = (row: string, columns: number): boolean => row.split(/[\s字，]/).some((word) => textWidth(word) > columns);

test('the rows are the same however the text comes, fit save where a word is longer, and hold all of it', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(), { maxLength: 20 }), fc.integer({ min: 4, max: 30 }), (parts, cuts, columns) => {
      const text = parts.join('').toWellFormed();
      const whole = streamed(text, [], columns);
      expect(streamed(text, cuts, columns)).toBe(whole);
      expect(whole.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      if (!text.includes('```'))
        expect(whole.split('\n').filter((row) => textWidth(row) > columns && !hasLongWord(row, columns))).toEqual([]);
    }),
  );
});
