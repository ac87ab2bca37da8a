import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLayouter } from '../../../../src/terminal/editor/layout.ts';

const labelOf = (character: string): string | undefined => (character === '\u{f0000}' ? '[text 1: 40 lines]' : undefined);
const piece = fc.constantFrom(
  'word ',
  'a',
  '你好',
  '。',
  '🎉',
  '👍🏽',
  'e\u0301',
  '🇩🇪',
  '\t',
  '\n',
  ' ',
  '\u{f0000}',
  '\u001b',
  'x'.repeat(30),
);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

test('what a text looks like does not depend on what was laid out before it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.nat(), fc.nat()), { minLength: 1 }), fc.integer({ min: 2, max: 40 }), (changes, columns) => {
      const layout = createLayouter(labelOf);
      let current = '';
      for (const [inserted, from, to] of changes) {
        const [start, end] = [from % (current.length + 1), to % (current.length + 1)].toSorted((a, b) => a - b);
        current = (current.slice(0, start) + inserted + current.slice(end ?? start)).toWellFormed();
        const state = { text: current, cursor: current.length };
        expect(layout(state, columns)).toEqual(createLayouter(labelOf)(state, columns));
      }
    }),
  );
});

test('a label as wide as the terminal stands alone, also after the beginning of a word that moved down', () => {
  const line = 'word word a\u{f0000}';
  const { rows } = createLayouter(labelOf)({ text: line, cursor: 0 }, 11);
  expect(rows.map(({ text: shown }) => shown)).toEqual(['word word', 'a', '[text 1: 4…']);
});

test('a key at the end of a long line measures that end alone', () => {
  let asked = 0;
  const layout = createLayouter((character) => {
    asked += 1;
    return labelOf(character);
  });
  const long = Array.from({ length: 20_000 }, (_, i) => String.fromCodePoint(0x4e00 + (i % 5_000))).join('');
  layout({ text: long, cursor: long.length }, 77);
  asked = 0;
  layout({ text: `${long}好`, cursor: long.length + 1 }, 77);
  expect(asked).toBeLessThan(400);
});
