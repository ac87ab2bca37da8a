import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryTerms } from '../../src/context/search/query-terms.ts';
import { HIT_CHARS, snippetOf } from '../../src/context/search/search-snippet.ts';
import { indexTerms, scanTerms } from '../../src/context/search/search-terms.ts';
import { finds } from '../support/finds.ts';
import { runs } from '../support/runs.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const han = fc.string({ unit: fc.constantFrom(...'决定数据库缓存的了用户请求错误𠮷野'), minLength: 2, maxLength: 30 });
const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,12}$/);
const identifier = fc.oneof(
  word,
  fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join('_')),
  fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join('-')),
  fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join('.')),
  fc.array(word, { minLength: 2, maxLength: 5 }).map((words) => `/${words.join('/')}.ts`),
);

test('every text can be taken in, and its terms are short, of one word each, and each once', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const terms = indexTerms(text).join('').split(' ');
      expect(new Set(terms).size).toBe(terms.length);
      for (const term of terms) {
        expect(term).not.toMatch(/[\s"\p{Cc}]/u);
        // A single character of some scripts stands for up to eighteen.
        expect(term.length).toBeLessThanOrEqual(120 * 18);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('whatever stands in a text is found as it stands there, in any case', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(identifier, han), { minLength: 1, maxLength: 12 }), fc.nat(), (words, pick) => {
      const text = words.join(' ');
      const sought = words[pick % words.length] ?? '';
      expect(finds(indexTerms(text), sought)).toBe(true);
      expect(finds(indexTerms(text), sought.toUpperCase()) || /[a-z][A-Z]/.test(sought)).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});

test('every two neighbouring Chinese characters of a text are found, and two that never stand together are not', () => {
  fc.assert(
    fc.property(han, fc.nat(), (text, at) => {
      const chars = [...text];
      const from = at % (chars.length - 1);
      expect(finds(indexTerms(text), chars.slice(from, from + 2).join(''))).toBe(true);
      const other = `${chars.at(-1)}${chars[0]}`;
      expect(finds(indexTerms(text), other)).toBe(text.includes(other));
    }),
    { numRuns: runs(100) },
  );
});

test('each part of an identifier finds it', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 2, maxLength: 4 }), (words) => {
      const camel = words.map((part, i) => (i === 0 ? part : part[0]?.toUpperCase() + part.slice(1))).join('');
      for (const written of [camel, words.join('_'), words.join('-'), words.join('.'), words.join('/')])
        for (const part of words) expect(finds(indexTerms(written), part)).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});

test('a term stands where it is said to stand', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(identifier, han), { maxLength: 8 }), (words) => {
      const text = words.join(', ');
      scanTerms(text, (term, start, end) => {
        expect(text.slice(start, end).toLowerCase()).toBe(term);
      });
    }),
    { numRuns: runs(100) },
  );
});

test('a snippet is a bounded piece of the text without empty lines, and its marks are words that were looked for', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(identifier, han, anyText), { maxLength: 60 }), identifier, (words, sought) => {
      const text = [...words.slice(0, 30), sought, ...words.slice(30)].join('\n');
      const { snippet, start } = snippetOf({ text }, queryTerms(sought));
      expect(snippet.text).not.toMatch(/\s\n|\n\n/);
      expect(snippet.text.length).toBeLessThanOrEqual(HIT_CHARS);
      expect(start).toBeLessThanOrEqual(text.length);
      expect(snippet.marks.length).toBeGreaterThan(0);
      for (const [from, to] of snippet.marks) expect(from).toBeLessThan(to);
      const plain = text.replace(/\s+/g, ' ');
      expect(plain).toContain(snippet.text.replace(/^…|…$/g, '').replace(/\s+/g, ' ').trim());
    }),
    { numRuns: runs(100) },
  );
});
