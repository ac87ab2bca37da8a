import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderBlock } from '../../src/terminal/markdown/render-block.ts';
import { createStreamedLines } from '../../src/terminal/screen/streamed-lines.ts';
import { createPaint } from '../../src/terminal/text/paint.ts';
import { runs } from '../support/runs.ts';

/** What a text that comes in these pieces leaves on the screen; what streams is looked at meanwhile, as a terminal does. */
function screenOf(pieces: readonly string[], columns: number, colour = true): string {
  let printed = '';
  const stream = createStreamedLines({
    print: (text) => {
      printed += text;
    },
    update: () => undefined,
    paint: createPaint(colour),
    columns: () => columns,
    render: () => renderBlock,
  });
  for (const piece of pieces) {
    stream.append('text', piece);
    stream.tail();
  }
  stream.end();
  return printed;
}

const words = fc.constantFrom(
  'alpha',
  'beta',
  'gamma delta',
  '中文句子',
  '結尾。',
  'https://a.example/b',
  'x_y_z',
  '🎉',
  'é',
  'R&D',
  '1,234',
);
const inline = fc.oneof(
  { weight: 4, arbitrary: words },
  ...['**', '*', '`', '~~', '_'].map((mark) => words.map((word) => `${mark}${word}${mark}`)),
  words.map((word) => `[${word}](https://b.example/c)`),
  fc.constantFrom('**', '`', '[', '](', '<b>', '|', '\\*', '\t', '\u001b[31m', '\r'),
);
const line = fc.array(inline, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(' '));
const start = fc.constantFrom('', '', '', '# ', '- ', '1. ', '   - ', '> ', '    ', '| ', '```', '```ts ', '---', '* ', '  10) ', '|-|-|');
const markdown = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: fc.tuple(start, line).map((parts) => parts.join('')) }, { weight: 1, arbitrary: fc.constant('') }),
    {
      maxLength: 25,
    },
  )
  .map((lines) => lines.join('\n'));

const cut = (text: string, sizes: readonly number[]): readonly string[] => {
  const pieces: string[] = [];
  let from = 0;
  for (let n = 0; from < text.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    pieces.push(text.slice(from, from + size));
    from += size;
  }
  return pieces;
};

test('however a text comes in pieces, the screen is the same in the end', () => {
  fc.assert(
    fc.property(
      markdown,
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
      fc.integer({ min: 12, max: 100 }),
      (text, sizes, columns) => {
        expect(screenOf(cut(text, sizes), columns)).toBe(screenOf([text], columns));
      },
    ),
    { numRuns: runs(100) },
  );
});

test('nothing of the text is lost: its words stand on the screen, and nothing there is obeyed', () => {
  const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  fc.assert(
    fc.property(markdown, fc.integer({ min: 12, max: 100 }), fc.boolean(), (text, columns, colour) => {
      // Escape is shown as a sign, and what stood behind it as text; the numbers of a list may be those of its items.
      const screen = stripVTControlCharacters(screenOf([text], columns, colour)).replace(/[\s│]/gu, '');
      expect(screen).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
      const source = text.replace(/^[ >*-]*\d+[.)] /gmu, '').replace(/(?<![^\n]) *```[^\n]*/gu, '');
      for (const word of new Set(wordsOf(source))) {
        const times = (all: string): number => all.split(word).length;
        expect(times(screen), `${word} in ${JSON.stringify(screen)}`).toBeGreaterThanOrEqual(times(source));
      }
    }),
    { numRuns: runs(100) },
  );
});
