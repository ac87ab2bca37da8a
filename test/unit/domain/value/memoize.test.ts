import { expect, test } from 'vitest';
import { memoizeRecent } from '../../../../src/domain/value/memoize.ts';

function counting() {
  const computed: string[] = [];
  const lengthOf = memoizeRecent(
    (text) => {
      computed.push(text);
      return text.length;
    },
    { minChars: 2, maxChars: 20, keptChars: 30 },
  );
  return { lengthOf, computed };
}

test('the value of a text is computed once, whichever object holds it', () => {
  const { lengthOf, computed } = counting();
  expect([lengthOf('text'), lengthOf(['te', 'xt'].join('')), lengthOf('text')]).toEqual([4, 4, 4]);
  expect(computed).toEqual(['text']);
});

test('texts that are too short or too long are not kept', () => {
  const { lengthOf, computed } = counting();
  for (const text of ['', 'x', 'x', 'y'.repeat(21), 'y'.repeat(21)]) expect(lengthOf(text)).toBe(text.length);
  expect(computed).toHaveLength(5);
});

test('what came last is kept, and what was kept goes once as much again came after it', () => {
  const { lengthOf, computed } = counting();
  const texts = Array.from({ length: 10 }, (_, i) => String(i).repeat(10));
  for (const text of texts) lengthOf(text);
  computed.length = 0;
  for (const text of texts.slice(-3)) lengthOf(text);
  expect(computed).toEqual([]);
  lengthOf(texts[0] ?? '');
  expect(computed).toEqual([texts[0]]);
});
