import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visitWords } from '../../src/context/ledger/files/shell-files.ts';
import { identifiersIn } from '../../src/context/ledger/identifiers.ts';
import { runs } from '../support/runs.ts';

/** What a word is, as a pattern. */
const WORD = /\d{1,3}(?:,\d{3}){1,4}\b|[!#$%&+\-./0-9:=?@A-Z\\^_a-z~]+/g;
const END_MARKS = /[.:!?=&,\\-]{1,8}$/;

const wordsOf = (text: string): readonly { readonly word: string; readonly plain: string | undefined }[] => {
  const words: { readonly word: string; readonly plain: string | undefined }[] = [];
  visitWords(text, (start, end, plainEnd) =>
    words.push({ word: text.slice(start, end), plain: plainEnd < 0 ? undefined : text.slice(start, plainEnd) }),
  );
  return words;
};

const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'aZ09.,:!?=&-\\/_@ (\n'), maxLength: 30 }),
  fc.constantFrom(
    '1,234,567',
    '12,34',
    '1,234,567,890,123,456',
    'Read',
    'read_file(',
    'e.g.',
    'end-',
    'end........',
    'end.........',
    'run(',
  ),
);
const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('words are found where the pattern finds them, and those of letters alone are told apart', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const words = wordsOf(text);
      expect(words.map(({ word }) => word)).toEqual([...text.matchAll(WORD)].map(([word]) => word));
      for (const { word, plain } of words) {
        const trimmed = word.replace(END_MARKS, '');
        expect(plain).toBe(/^(?:[A-Z]|[A-Z]?[a-z]+)$/.test(trimmed) ? trimmed : undefined);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('a word of letters alone is no identifier, unless something is called by it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]?[a-z]{1,20}$/), fc.stringMatching(/^[.:!?=&-]{0,8}$/), (word, marks) => {
      expect(identifiersIn(`${word}${marks} next`)).toEqual([]);
    }),
    { numRuns: runs(100) },
  );
  expect(identifiersIn('resolve(it). Return(it)')).toEqual([
    ['resolve', 1],
    ['Return', 1],
  ]);
});
