import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { table } from '../../../../src/terminal/text/table.ts';
import { besideOrBelow, clip, padEnd, padStart, textWidth, wrap } from '../../../../src/terminal/text/text-width.ts';
import { stride } from '../../../support/runs.ts';

const words = fc
  .array(fc.constantFrom('a', 'word', '中文', '한국어', '😀', '👩‍👩‍👧', 'é', ' ', '  ', 'x'.repeat(30)), { maxLength: 15 })
  .map((parts) => parts.join(''));

/** Ideographs and syllables: each of them wide, and none joins another. */
const isWide = (code: number): boolean => (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3);
const RUN = 16;

describe('the width of a text', () => {
  test('is that of the library for every character, alone and between others', () => {
    // In `npm test` a quarter of each block: the characters of a block are much alike.
    const isTried = (code: number): boolean => code < 0x300 || (code >> 4) % stride === 0;
    for (let code = 0x20; code < 0x10000; code++) {
      if (!isTried(code)) continue;
      if (code < 0xa0 && code > 0x7e) continue;
      const char = String.fromCharCode(code);
      // Nothing is wider than two columns: where a run of them is as wide as can be, each is.
      const run = Array.from({ length: RUN }, (_, at) => String.fromCharCode(code + at));
      if (code % RUN === 0 && isWide(code) && isWide(code + RUN - 1) && stringWidth(`a${run.join('')}b`) === 2 * RUN + 2) {
        expect([...run.map(textWidth), textWidth(`a${run.join('')}b`)]).toEqual([...run.map(() => 2), 2 * RUN + 2]);
        code += RUN - 1;
      } else if (textWidth(char) !== stringWidth(char) || textWidth(`a${char}b`) !== stringWidth(`a${char}b`))
        expect.fail(`U+${code.toString(16)}: ${textWidth(char)} and ${stringWidth(char)}`);
    }
  });

  test.each([
    ['', 0],
    ['abc', 3],
    ['中文', 4],
    ['カタカナ', 8],
    ['ｶﾅ', 2],
    ['한국어', 6],
    ['，。！', 6],
    ['é', 1],
    ['e\u0301', 1],
    ['😀', 2],
    ['👩‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇨🇳', 2],
    ['❤️', 2],
    ['✓ ✗ → …', 7],
    ['𠀀', 2],
    ['привет', 6],
    ['नि', 2],
    ['☰', 2],
  ])('of %s is %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  test('never grows beyond the columns when clipped, and clipping keeps the beginning', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 60 }), (text, columns) => {
        const clipped = clip(text, columns);
        expect(textWidth(clipped)).toBeLessThanOrEqual(columns);
        expect(text.startsWith(clipped.replace(/…$/, ''))).toBe(true);
        if (textWidth(text) <= columns) expect(clipped).toBe(text);
      }),
    );
  });

  test('of wrapped lines is at most the columns, and no letter is lost', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 60 }), (text, columns) => {
        const lines = wrap(text, columns);
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  test.each([
    ['Chinese', '压缩之前的快照，'],
    ['families', '👩‍👩‍👧'],
    ['flags', 'x🇨🇳'],
    ['accents', 'e\u0301'],
  ])('of a long text (%s) is that of its parts, and so are its lines', (_, part) => {
    const count = 2_000;
    expect(textWidth(part.repeat(count))).toBe(textWidth(part) * count);
    const lines = wrap(part.repeat(count), 80);
    expect(lines.join('')).toBe(part.repeat(count));
    expect(lines.slice(0, -1).every((line) => textWidth(line) >= 79)).toBe(true);
  });

  test('does not take a word of an Indian script for single characters', () => {
    expect(wrap('aa निनिनि', 8)).toEqual(['aa', 'निनिनि']);
  });

  test('keeps the name of the program with its command', () => {
    expect(wrap('For a language model run: sanbot setup. /help lists the rest', 36)).toEqual([
      'For a language model run:',
      'sanbot setup. /help lists the rest',
    ]);
  });

  test('padding reaches the column for Chinese too', () => {
    expect([padEnd('中文', 6), padStart('中文', 6), padEnd('toolong', 3)]).toEqual(['中文  ', '  中文', 'toolong']);
  });
});

describe('a table', () => {
  const head = [{ title: 'id' }, { title: 'tokens', align: 'right' }, { title: 'why', minWidth: 6 }] as const;
  const rows = [
    ['a1', '1,200', '压缩之前的快照，很长的一句话'],
    ['a2', '7', 'short'],
  ];

  test('lines its columns up', () => {
    expect(table(head, rows, 60)).toBe('id  tokens  why\na1   1,200  压缩之前的快照，很长的一句话\na2       7  short\n');
  });

  test('shortens what may be shortened', () => {
    expect(table(head, rows, 22)).toBe('id  tokens  why\na1   1,200  压缩之前…\na2       7  short\n');
  });

  test('becomes paragraphs where even that does not fit [B-25]', () => {
    expect(table(head, rows, 16)).toBe(
      'a1\n  tokens: 1,200\n  why: 压缩之前\n  的快照，很长的\n  一句话\n\na2\n  tokens: 7\n  why: short\n',
    );
  });

  test('gives each cell the room of the widest of its column, and ends no line with a blank', () => {
    const cells = fc.array(fc.tuple(words, words, fc.oneof(words, fc.constantFrom('', ' ', 'x ', '\u3000'))), { maxLength: 5 });
    fc.assert(
      fc.property(cells, fc.constantFrom(1, 3), (some, times) => {
        const rows = some.flatMap((row) => Array.from({ length: times }, () => row));
        const all = [head.map(({ title }) => title), ...rows];
        const widths = head.map((_, i) => Math.max(...all.map((row) => textWidth(row[i] ?? ''))));
        const lines = all.map(([id = '', tokens = '', why = '']) =>
          [padEnd(id, widths[0] ?? 0), padStart(tokens, widths[1] ?? 0), why].join('  ').trimEnd(),
        );
        expect(table(head, rows, 10_000)).toBe(`${lines.join('\n')}\n`);
      }),
    );
  });

  test('is never wider than the terminal', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(words, words, words), { maxLength: 5 }), fc.integer({ min: 10, max: 80 }), (cells, columns) => {
        for (const line of table(head, cells, columns).split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

test('a command to copy is not broken where it has room on a row of its own', () => {
  expect(besideOrBelow('Resume this session: ', 'sanbot --resume 20261127-005727-16d11f', 80)).not.toContain('\n');
  expect(besideOrBelow('Resume this session: ', 'sanbot --resume 20261127-005727-16d11f', 40)).toBe(
    'Resume this session:\nsanbot --resume 20261127-005727-16d11f',
  );
});
