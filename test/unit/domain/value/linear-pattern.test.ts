import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearPattern } from '../../../../src/domain/value/linear-pattern.ts';
import { bestMs } from '../../../support/linear.ts';

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '\\w',
  '\\d',
  '\\W',
  '\\.',
  '[ab]',
  '[^a_]',
  '\\x61',
  '\\u0062',
  '\\b',
  '\\B',
  '^',
  '$',
  '{',
  '}',
  ']',
  '-',
);
const count = fc.constantFrom('', '*', '+', '?', '*?', '+?', '{2}', '{0,2}', '{1,}', '{0}');
const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string }>((tie) => ({
  item: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(atom, count).map(([text, times]) => (/^(?:\\[bB]|[\^$])$/.test(text) ? text : text + times)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<name>'), tie('pattern'), count)
        .map(([open, inner, times]) => `${open}${inner})${/[=!]$/.test(open) ? '' : times}`),
    },
  ),
  sequence: fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join('')),
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
}));
const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '_', '-', '.', '{', '}', ']', ' ', '\n'), maxLength: 8 });

const regExp = (source: string): RegExp | undefined => {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
};

describe('a regular expression that others wrote', () => {
  test('means what JavaScript means by it', () => {
    let compared = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { maxLength: 5 }), (source, texts) => {
        const [own, other] = [linearPattern(source), regExp(source)];
        if (other === undefined) expect(own).toBe(undefined);
        if (other === undefined || own === undefined) return;
        compared += 1;
        for (const each of texts) expect([source, each, own(each)]).toEqual([source, each, other.test(each)]);
      }),
      { numRuns: 2_000 },
    );
    expect(compared).toBeGreaterThan(1_500);
  });

  test.each(['(', '[', '*', '(a)\\1', '(?<n>a)\\k<n>', '(?<=a)b', '(?<!a)b', 'a{1001}', '((a{100}){100}){100}', '(?=a)'.repeat(5)])(
    '%s is none',
    (source) => {
      expect(linearPattern(source)).toBe(undefined);
    },
  );

  // Each of them backtracks for longer than a life in JavaScript's own engine.
  test.each([
    '(a+)+$',
    '(a|a)*$',
    '(a|aa)+$',
    '(.*)*x',
    `${'.*'.repeat(100)}x`,
    '(?:(?:a*)*)*$',
    '(?=(a+)+$)x',
    '(?=(?:a?){400}$)'.repeat(4),
  ])('%s is matched before anybody notices', async (source) => {
    const match = linearPattern(source);
    expect(match).toBeDefined();
    expect(await bestMs(() => match?.(`${'a'.repeat(64)}!`), 1_000)).toBeLessThan(1_000);
  });
});
