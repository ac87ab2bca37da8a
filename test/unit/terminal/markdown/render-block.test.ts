import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { renderBlock } from '../../../../src/terminal/markdown/render-block.ts';
import { createBlockSplitter, MAX_BLOCK_LINES } from '../../../../src/terminal/markdown/split-blocks.ts';
import { createPaint, createScreenPaint, type Paint } from '../../../../src/terminal/text/paint.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';
import { createTheme } from '../../../../src/terminal/text/theme.ts';

type Look = { readonly columns?: number; readonly paint?: Paint };

function shown(text: string, { columns = 79, paint = createPaint(true) }: Look = {}): string {
  const splitter = createBlockSplitter();
  const blocks = [...text.split('\n').flatMap((line) => splitter.push(line)), ...splitter.end()];
  const drawing = { paint, columns, breaksCode: false };
  return blocks.flatMap((block) => renderBlock(block, drawing)).join('\n');
}

/** Without colours, as the eye reads it. */
const plain = (text: string, look?: Look): string => stripVTControlCharacters(shown(text, look));

describe('Markdown on a terminal', () => {
  test.each([
    ['a **bold** and *soft* word, `code`, ~~gone~~', 'a bold and soft word, code, gone'],
    ['# Title\nbody', 'Title\nbody'],
    ['see [the page](https://a.example/b) and <https://c.example>', 'see the page (https://a.example/b) and https://c.example'],
    ['[https://a.example](https://b.example)', 'https://a.example (https://b.example)'],
    ['![a picture](x.png "Title")', 'a picture (x.png "Title")'],
    ['2 * 3 * 4, snake_case_name, R&amp;D, <b>', '2 * 3 * 4, snake_case_name, R&amp;D, <b>'],
    ['[x]: https://a.example "T"', '[x]: https://a.example "T"'],
    ['one\ntwo\n\n\n\nthree', 'one\ntwo\n\nthree'],
    ['- [x] done\n- [ ] open', '- [x] done\n- [ ] open'],
    ['> said\n> - so', '│ said\n│ - so'],
    ['9. nine\n10. ten', '9. nine\n10. ten'],
    ['标题：**重点**。', '标题：重点。'],
    ['```\nnever closed', 'never closed'],
    ['above\n```sh\nnpm test\n```\nbelow', 'above\n\nnpm test\n\nbelow'],
    ['```sh\nnpm test\n```\n\n```\nls\n```', 'npm test\n\nls'],
    ['- run\n  ```sh\n  npm test\n  ```', '- run\n    npm test'],
  ])('%j reads %j', (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  test('where there are neither colours nor styles the marks say what they cannot', () => {
    const text = '# Title\n\na **bold** `word` \\* and ~~gone~~ *soft*\n\n- item';
    expect(shown(text, { paint: createPaint(false) })).toBe(text);
  });

  test('a screen without colours has bold, italic and underlined letters in the place of marks, and code in its marks', () => {
    const paint = createScreenPaint(
      false,
      createTheme('auto', {}, () => undefined),
    );
    expect(shown('# Title\n\na **bold** `word` \\* and *soft*', { paint })).toBe(
      '\u001b[1m\u001b[4mTitle\u001b[24m\u001b[22m\n\na \u001b[1mbold\u001b[22m `word` * and \u001b[3msoft\u001b[23m',
    );
    expect(shown('```ts\nconst a = 1\n```', { paint })).toBe('```ts\nconst a = 1\n```');
  });

  test('lists hang, also within each other, and keep what belongs to an item with it', () => {
    const text = '1. a first item that goes on and on\n   - one within it that goes on too\n\n     and a paragraph of it\n2. second';
    expect(plain(text, { columns: 24 })).toBe(
      [
        '1. a first item that',
        '   goes on and on',
        '   - one within it that',
        '     goes on too',
        '',
        '     and a paragraph of',
        '     it',
        '2. second',
      ].join('\n'),
    );
  });

  test('a table stands in columns, wraps in a narrow window, and is paragraphs in a very narrow one', () => {
    const text = '| Name | Size | What |\n|:--|--:|:-:|\n| a | 1,234 | a long text about it |\n| 中文 | 5 | x |';
    expect(plain(text)).toBe(
      'Name   Size          What\n────  ─────  ────────────────────\na     1,234  a long text about it\n中文      5           x',
    );
    expect(plain(text, { columns: 26 })).toBe(
      'Name   Size      What\n────  ─────  ─────────────\na     1,234   a long text\n               about it\n\n中文      5        x',
    );
    expect(plain('| Alpha | Bravo | Charlie |\n|-|-|-|\n| first words | second words | third words |', { columns: 18 })).toBe(
      'Alpha: first words\n  Bravo: second\n  words\n  Charlie: third\n  words',
    );
  });

  test('code has the colours of its language in the place of its fences, and its lines stay whole', () => {
    const long = `echo ${'a-long-word '.repeat(20).trimEnd()}`;
    expect(plain(`\`\`\`sh\n${long}\n\`\`\``, { columns: 30 })).toBe(long);
    const paint = createPaint(true);
    expect(shown('```ts\nconst a = "b" // c\n```')).toContain(
      `${paint.syntax('keyword', 'const')} a = ${paint.syntax('string', '"b"')} ${paint.syntax('comment', '// c')}`,
    );
    for (const name of ['klingon', 'sh']) expect(shown(`\`\`\`${name}\nqapla\n\`\`\``)).toBe(paint.code('qapla'));
    const named = '```ts src/cart.ts\nx\n```';
    expect(plain(named)).toBe(named);
  });

  test('Chinese breaks anywhere, but no row begins with a mark that closes or ends with one that opens', () => {
    const rows = plain('他说：「这是一句很长的话，需要换行。」然后（括号里的字）他就走了，没有回头。', { columns: 13 }).split('\n');
    expect(rows.filter((row) => /^[，。：」）、]/u.test(row) || /[「（]$/u.test(row))).toEqual([]);
    expect(rows.every((row) => textWidth(row) <= 13)).toBe(true);
  });

  test('what has no end is shown all the same, part by part', () => {
    const line = 'one of very many lines';
    const splitter = createBlockSplitter();
    const blocks = Array.from({ length: MAX_BLOCK_LINES * 3 }, () => splitter.push(line)).flat();
    expect(blocks.map(({ text }) => text.split('\n').length)).toEqual([MAX_BLOCK_LINES, MAX_BLOCK_LINES, MAX_BLOCK_LINES]);
    const code = ['```js', ...Array<string>(MAX_BLOCK_LINES * 2).fill('# no title'), '```', 'after'].join('\n');
    expect(plain(code, { paint: createPaint(false) })).toBe(code);
    expect(plain(code)).toBe(code.replace(/^```js\n/, '').replace('\n```\n', '\n\n'));
  });

  test.each([
    ['quotes within each other', '>'.repeat(20_000)],
    ['lists within each other', Array.from({ length: 190 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
    ['marks without end', '*_`['.repeat(8_000)],
    ['a line without end', 'word '.repeat(20_000)],
  ])('%s cost no more than a moment', (_, text) => {
    expect(plain(text, { columns: 40 }).length).toBeGreaterThan(0);
  });
});
