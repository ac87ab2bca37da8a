import fc from 'fast-check';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { openRankTable, writeRankTable } from '../../../../src/context/measure/byte-pairs.ts';
import { loadTokenCounter } from '../../../../src/runtime/token-counter.ts';
import { countTokens } from '../../../support/count-tokens.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a table finds each token by its bytes, wherever they lie, and nothing else', () => {
  const tokens = ['a', 'b', 'ab', 'abab', '中', ' the', ...Array.from({ length: 500 }, (_, n) => `word ${n}`)];
  const file = writeRankTable(tokens.map(bytes));
  for (const offset of [0, 1, 3]) {
    const shifted = new Uint8Array(file.length + offset);
    shifted.set(file, offset);
    const table = openRankTable(shifted.subarray(offset));
    expect(tokens.map((token) => table.rankOf(bytes(`x${token}y`), 1, 1 + bytes(token).length))).toEqual(tokens.map((_, rank) => rank));
    for (const other of ['c', 'aba', 'word 500', '丬', '']) expect(table.rankOf(bytes(other), 0, bytes(other).length)).toBe(-1);
  }
});

describe('a text of any characters', () => {
  const words = fc.constantFrom(
    ' the',
    'ab',
    'HTTPServer',
    "don't",
    '12345',
    '\r\n',
    '   ',
    '你好',
    '世界，',
    'ก็',
    'e\u0301',
    '👩‍💻',
    '=====',
    "we'LL",
    "A's",
    '((x',
    'a\tb',
    ' \n ',
    '._/\n//',
    '/a/b.ts',
    '\ud83d',
  );
  const parts = fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 40 });
  const exactly = (text: string): number => reference(text, { disallowedSpecial: new Set() });

  test('counts as the tokenizer counts it', () => {
    // Five of the longest weigh less than what is cut.
    const broken = parts.map((all) => all.map((part, i) => (i % 5 === 4 ? `${part} ` : part)).join(''));
    fc.assert(
      fc.property(broken, (text) => countTokens(text) === exactly(text)),
      { numRuns: 300 },
    );
  });

  test('is counted as a few tokens more or less for each cut through a run without a blank', () => {
    // In a run of 64 units at the least, each of which weighs as much as four of ASCII.
    const allowed = (text: string): number => 3 * Math.floor(text.length / 64);
    fc.assert(
      fc.property(parts, (all) => Math.abs(countTokens(all.join('')) - exactly(all.join(''))) <= allowed(all.join(''))),
      { numRuns: 100 },
    );
  });
});

test('a long word of any letters counts as the tokenizer counts it', () => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 40, maxLength: 250 }),
    fc.string({ unit: fc.constantFrom('a', 'b', 'aba'), minLength: 40, maxLength: 80 }),
    fc.string({ unit: fc.constantFrom('ก', 'ข', 'า', '我', '们'), minLength: 15, maxLength: 60 }),
  );
  fc.assert(
    fc.property(word, (each) => countTokens(each) === reference(each)),
    { numRuns: 200 },
  );
});

test('a text that is counted in slices is parted in each as if it ended there', () => {
  const parts = fc.array(fc.constantFrom("we'll ", "x's", '\t\t', '  ', '//', '12345', '((', 'é', 'Word', '. '), { maxLength: 6 });
  fc.assert(
    fc.property(fc.integer({ min: 1_010, max: 1_024 }), parts, (length, rest) => {
      const filler = 'ab '.repeat(400).slice(0, length);
      const [slice, next] = [(filler + rest.join('')).slice(0, 1_024), (filler + rest.join('')).slice(1_024)];
      return countTokens(slice + next) === reference(slice) + reference(next);
    }),
    { numRuns: 300 },
  );
});

test('without the vocabulary beside the program it says what to do', () => {
  expect(() => loadTokenCounter({ packageRoot: '/nowhere' })).toThrow(
    'The vocabulary for counting tokens cannot be read: /nowhere/dist/bundle/o200k.ranks',
  );
});
