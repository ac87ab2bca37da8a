import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMarkdownStream } from '../../../../src/terminal/markdown/markdown-stream.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

/** Styles as letters in angle brackets instead of colours. */
const named = { ...createPaint(false), strong: (text: string) => `<b>${text}</b>`, code: (text: string) => `<c>${text}</c>` };

function coloured(...chunks: readonly string[]): string {
  const stream = createMarkdownStream(named);
  const text = chunks.map((chunk) => stream.write(chunk)).join('') + stream.end();
  return text.replaceAll('</b><b>', '').replaceAll('</c><c>', '');
}

describe('Markdown that streams', () => {
  test.each([
    ['plain text', 'plain text'],
    ['# Title here\nbody', '<b># Title here</b>\nbody'],
    ['not # a title', 'not # a title'],
    ['a **bold** word', 'a <b>**bold**</b> word'],
    ['run `npm test` now', 'run <c>`npm test`</c> now'],
    ['```ts\nlet a = `x`;\n# no title\n```\nafter', '<c>```ts</c>\n<c>let a = `x`;</c>\n<c># no title</c>\n<c>```</c>\nafter'],
    ['2**3 and\nnext line', '2<b>**3 and</b>\nnext line'],
    ['a `lone tick\nnext line', 'a <c>`lone tick</c>\nnext line'],
    ['`a ** b` c', '<c>`a ** b`</c> c'],
    ['标题：**重点**', '标题：<b>**重点**</b>'],
  ])('%j becomes %j', (text, expected) => {
    expect(coloured(text)).toBe(expected);
  });

  test('looks the same wherever the chunks are cut, and is never changed but for colours', () => {
    const piece = fc.constantFrom('#', '# ', '*', '**', '`', '```', '\n', ' ', 'word', '中文');
    const text = fc.array(piece, { maxLength: 25 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (whole, cuts) => {
        const places = [...new Set(cuts.filter((cut) => cut < whole.length))].sort((a, b) => a - b);
        const chunks = [0, ...places].map((from, i) => whole.slice(from, places[i]));
        expect(coloured(...chunks)).toBe(coloured(whole));
        const stream = createMarkdownStream(createPaint(true));
        const shown = chunks.map((chunk) => stream.write(chunk)).join('') + stream.end();
        expect(stripVTControlCharacters(shown)).toBe(whole);
      }),
      { numRuns: 500 },
    );
  });
});
