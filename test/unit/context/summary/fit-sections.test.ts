import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FitSection, fitSections } from '../../../../src/context/summary/fit-sections.ts';
import { quarter } from '../../../property/work-session.ts';

const line = (text: string, worth: number) => ({ text, worth });
const sections: readonly FitSection[] = [
  { heading: '## A', share: 0.5, lines: [line('first of a', 1), line('second of a', 9)], cut: (n) => `(${n} more)` },
  { heading: '## B', share: 0.2, lines: [line('first of b', 5), line('second of b', 4)], separator: ', ' },
  { heading: '## C', share: 0.1, lines: [], none: 'None.' },
  { heading: '## D', share: 0.1, lines: [] },
];

test('all that fits is shown in its own order; empty sections are named or left out', () => {
  expect(fitSections(sections, { tokens: 200, count: quarter })).toBe(
    '## A\n\nfirst of a\nsecond of a\n\n## B\n\nfirst of b, second of b\n\n## C\n\nNone.',
  );
});

test('where not all fits, each section has its share by worth, and says what is missing', () => {
  const text = fitSections(sections, { tokens: 30, count: quarter });
  expect(text).toContain('second of a');
  expect(text).not.toContain('first of a');
  expect(text).toContain('(1 more)');
});

test('a line that stands alone goes in without what belongs to it, another one not', () => {
  const reply = line('  and what was said to it, in a sentence that is long', 1);
  const head = line('what was asked', 5);
  const shown = (standsAlone: boolean) =>
    fitSections([{ heading: '## A', share: 1, lines: [{ ...head, standsAlone }, reply, line('more of the same', 4)] }], {
      tokens: 8,
      count: quarter,
    });
  expect(shown(true)).toBe('## A\n\nwhat was asked');
  expect(shown(false)).toBe('## A\n\nmore of the same');
});

test('what has no room for its headings is nothing', () => expect(fitSections(sections, { tokens: 4, count: quarter })).toBe(''));

test('the text is never above its tokens, also when parts count for less than the whole', () => {
  const worse = (text: string) => Math.ceil(text.length / 4) + text.split('\n').length * 2 + Math.floor(text.length ** 1.05 / 50);
  const anySections = fc.array(
    fc.record({
      heading: fc.constantFrom('## A', '## B'),
      share: fc.double({ min: 0, max: 0.3, noNaN: true }),
      lines: fc.array(fc.record({ text: fc.string({ maxLength: 60 }), worth: fc.nat(9) }), { maxLength: 12 }),
    }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(anySections, fc.nat(300), fc.constantFrom(quarter, worse), (any, tokens, count) => {
      expect(count(fitSections(any, { tokens, count })) <= Math.max(tokens, count(''))).toBe(true);
    }),
  );
});
