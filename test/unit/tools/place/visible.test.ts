import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible, visibleCommand, visibleLine } from '../../../../src/tools/place/visible.ts';

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

test('nothing that steers a terminal or hides text is left, for any text [S-14, S-23]', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '\u001b]52;c;',
        '\u009b',
        '\r',
        '\b',
        '\u202e',
        '\u200b',
        '\ud83d',
        '\u{e0041}',
        '\u2028',
        '\ufeff',
        'rm',
        '中',
        ' ',
      ),
    }),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      expect(visible(text).replace(/[\n\t]/g, '')).not.toMatch(unseen);
      expect(visibleCommand(text).replaceAll('\n', '')).not.toMatch(unseen);
      expect(visibleLine(text, 40)).not.toMatch(unseen);
      expect(visibleLine(text, 40).length).toBeLessThanOrEqual(40);
      expect(visibleLine(text, 40)).not.toContain('\n');
    }),
  );
});

test('plain text of any script stays as it is', () => {
  for (const text of ['npm test -- --grep "a b"', '写入 文件.txt，第一行\n\t缩进', 'größe Ω привет', '日本語 한국어 😀', 'a\tb\n'])
    expect(visible(text)).toBe(text);
  for (const command of ['grep -r "数据" src/ | wc -l', "cat <<'E'\n  a\n\n\n  b\nE", 'echo привет Ωμέγα'])
    expect(visibleCommand(command)).toBe(command);
});

test('a command that hides a part of itself shows it [S-14]', () => {
  expect(visibleCommand(`ls${' '.repeat(3_000)}; rm -rf ~`)).toBe('ls \\x20{2998} ; rm -rf ~');
  expect(visibleCommand(`ls\n${'\n'.repeat(500)}rm x`)).toBe('ls\n\\n{499}\nrm x');
  expect(visibleCommand('ls\trm\u00a0x\r\u001b[2Ky')).toBe('ls\\trm\\xa0x\\r\\e[2Ky');
  expect(visibleCommand('cat p\u0430ssword')).toBe('cat p\\u{430}ssword');
  expect(visibleCommand('a\u200bb\u{e0072}')).toBe('a\\u{200b}b\\u{e0072}');
});

test('a long line is cut between characters', () => {
  expect(visibleLine('abcdef', 4)).toBe('abc…');
  expect(visibleLine('ab😀cd', 4)).toBe('ab…');
});
