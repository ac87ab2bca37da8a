import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLines, type Page, type PageRange, type PastEnd, pageOf } from '../../../src/tools/page.ts';

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028', '中', '😀', '\u0000'), maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const page = (found: Page | PastEnd): Page => {
  if (found.kind === 'past_end') throw new Error('past the end');
  return found;
};

/** All pages that `next` leads through. */
function pages(text: string, maxChars: number): readonly Page[] {
  const out: Page[] = [];
  for (let wanted: PageRange = {}; ; ) {
    const got = page(pageOf(text, wanted, maxChars));
    out.push(got);
    if (got.next === undefined) return out;
    wanted = got.next;
    if (out.length > 1_000) throw new Error('no end');
  }
}

test('the pages that follow each other are the text, whatever its lines [C56]', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 30 }), (text, maxChars) => {
      const all = pages(text, maxChars);
      expect(all.map((one) => one.text).join('')).toBe(text);
      for (const one of all) {
        expect(one.text.length).toBeLessThanOrEqual(maxChars);
        expect(one.text).toBe(text.slice(one.firstChar, one.endChar));
      }
    }),
  );
});

test('a page never starts or ends inside a character [B-03]', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(40),
      (text, maxChars, charOffset) => {
        for (const one of pages(text, maxChars)) expect(one.text.isWellFormed()).toBe(true);
        const from = pageOf(text, { charOffset }, maxChars);
        if (from.kind === 'page') expect(from.text.isWellFormed()).toBe(true);
      },
    ),
  );
});

test('lines are numbered as splitting at line feeds numbers them, U+2028 and lone CR being content [B-01]', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5 }), (text, offset, limit) => {
      const lines = text.split(/(?<=\n)/);
      const expected = lines.slice(offset - 1, offset - 1 + limit).join('');
      const got = pageOf(text, { offset, limit }, Number.POSITIVE_INFINITY);
      expect(countLines(text)).toBe(text === '' ? 0 : lines.length);
      if (got.kind === 'past_end') expect([expected, got.lines]).toEqual(['', text === '' ? 0 : lines.length]);
      else {
        expect([got.text, got.firstLine]).toEqual([expected, offset]);
        expect(got.lastLine).toBe(Math.max(offset, Math.min(lines.length, offset + limit - 1)));
      }
    }),
  );
});

test('a page that starts at a character knows its line', () => {
  expect(page(pageOf('ab\ncd\nef\n', { charOffset: 4 }, 3))).toMatchObject({ text: 'd\n', firstLine: 2, lastLine: 2, next: { offset: 3 } });
  expect(page(pageOf('abcdef', { charOffset: 2 }, 3))).toMatchObject({ text: 'cde', next: { charOffset: 5 } });
  expect(pageOf('abc', { charOffset: 3 }, 3)).toEqual({ kind: 'past_end', lines: 1, chars: 3 });
});

test('an empty text has one empty page', () => {
  expect(page(pageOf('', {}, 10))).toMatchObject({ text: '', next: undefined });
  expect(pageOf('', { offset: 2 }, 10)).toEqual({ kind: 'past_end', lines: 0, chars: 0 });
});
