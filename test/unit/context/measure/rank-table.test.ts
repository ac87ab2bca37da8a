import fc from 'fast-check';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { openRankTable, writeRankTable } from '../../../../src/context/measure/rank-table.ts';
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

test('a text of any characters counts as the tokenizer counts it', () => {
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
    '/a/b.ts',
    '\ud83d',
  );
  const text = fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (each) => countTokens(each) === reference(each, { disallowedSpecial: new Set() })),
    { numRuns: 400 },
  );
});

test('without the vocabulary beside the program it says what to do', () => {
  expect(() => loadTokenCounter({ packageRoot: '/nowhere' })).toThrow(
    'The vocabulary for counting tokens cannot be read: /nowhere/dist/bundle/o200k.ranks',
  );
});
