import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSafeStream, exactText, safeLine, safeText } from '../../../../src/terminal/text/safe-text.ts';

/** The oracle: what a terminal may obey or hide, by the Unicode properties and not by our table. Newline and tab are wanted. */
const obeyed = /(?![\n\t])[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\u200b\u2060\ufeff]/u;

const nasty = fc.constantFrom(
  '\u001b[2J',
  '\u001b]52;c;aGk=\u0007',
  '\u001b]8;;file:///etc/passwd\u001b\\x\u001b]8;;\u001b\\',
  '\u001b]0;title',
  '\u001bP1$r\u001b\\',
  '\u001b_apc\u001b\\',
  '\u001b^pm\u001b\\',
  '\u001bc',
  '\u001b[?1000h',
  '\u001b[?2004l',
  '\u009b31m',
  '\u009d0;x\u009c',
  '\r',
  '\b\b\b',
  '\u0000',
  '\u007f',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u{e0041}',
  '\ufeff',
  '\u2028',
  '\u0085',
  '\ud83d',
  '\ude00',
  '中文',
  'a',
  '\n',
  '\t',
  ' ',
);
const text = fc.oneof(
  fc.array(nasty, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

describe('text on its way to the screen', () => {
  test('holds nothing that a terminal obeys, whatever it was and however it is cut into chunks [S-23, S-24]', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (whole, cuts) => {
        const places = [...new Set(cuts.filter((cut) => cut < whole.length))].sort((a, b) => a - b);
        const stream = createSafeStream();
        const chunks = [0, ...places].map((from, i) => whole.slice(from, places[i]));
        const shown = chunks.map((chunk) => stream.write(chunk)).join('') + stream.end();
        expect(shown).not.toMatch(obeyed);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).toBe(safeText(whole));
      }),
      { numRuns: 1_000 },
    );
  });

  test('loses nothing: every visible character is still there, in order', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const visible = [...whole.replace(/[^\p{L}\p{N}\p{P}\p{S}]/gu, '')].filter(
          (char) => !/[\u115f\u1160\u3164\uffa0\p{Cf}]/u.test(char),
        );
        const shown = [...safeText(whole)];
        let at = 0;
        for (const char of visible) {
          at = shown.indexOf(char, at);
          expect(at).toBeGreaterThanOrEqual(0);
          at += 1;
        }
      }),
    );
  });

  test.each([
    ['plain English, 中文, 한국어, العربية, русский\n\tindented', undefined],
    ['👩‍👩‍👧 ❤️ 👍🏽 🇨🇳', undefined],
    ['می‌خواهم', undefined],
    ['a\r\nb', 'a\nb'],
    ['progress 1%\rprogress 2%', 'progress 1%␍progress 2%'],
    ['rm\b\bls', 'rm␈␈ls'],
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['\u001b]52;c;aGk=', '␛]52;c;aGk='],
    ['\u009b2J', '\\x9b2J'],
    ['ab\u202ecd', 'ab\\u202ecd'],
    ['a\u200db', 'a\\u200db'],
    ['x\u{e0041}y', 'x\\u{e0041}y'],
    ['half \ud83d', 'half \ufffd'],
  ])('%j is shown as %j', (given, shown) => {
    expect(safeText(given)).toBe(shown ?? given);
  });

  test('in one line stays in one line', () => {
    expect(safeLine('a\nb\tc\r\nd')).toBe('a↵b c↵d');
  });
});

describe('a command that a person is asked to allow', () => {
  test.each([
    ['npm test', 'npm test'],
    ['git commit -m "修复：编码"', 'git commit -m "修复：编码"'],
    [`ls${' '.repeat(3_000)}; rm -rf /`, 'ls[3000 spaces]; rm -rf /'],
    ['ls\t\t; rm', 'ls\\t\\t; rm'],
    ['ls \nrm', 'ls[1 space]\nrm'],
    ['сat /etc/passwd', '\\u0441at /etc/passwd'],
    ['cｕrl', 'c\\uff55rl'],
    ['привет', 'привет'],
    ['a\u00a0b\u3000c', 'a\\xa0b\\u3000c'],
    ['e\u200dcho', 'e\\u200dcho'],
    ['\u001b[2Kls\rrm', '␛[2Kls␍rm'],
    ['x\u{e0072}\u{e006d}', 'x\\u{e0072}\\u{e006d}'],
  ])('%j is shown as %j [S-14]', (command, shown) => {
    expect(exactText(command)).toBe(shown);
  });

  test('shows different commands differently, as far as a terminal can tell them apart [S-14]', () => {
    const invisible = fc.constantFrom(
      '\u200b',
      '\u200c',
      '\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u202e',
      '\ufe00',
      '\u{e0020}',
      '\u2800',
      '\u00a0',
      '\t',
      '\u0007',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.nat(20), invisible, (command, at, hidden) => {
        const altered = command.slice(0, at) + hidden + command.slice(at);
        const shown = exactText(altered);
        expect(shown).not.toBe(exactText(command));
        expect(shown).not.toContain(hidden);
      }),
    );
  });
});
