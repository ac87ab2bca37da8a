import { describe, expect, test } from 'vitest';
import { redact } from '../../../../../src/domain/value/redact.ts';
import { type Decoded, decode } from '../../../../../src/domain/value/secrets/decoded.ts';

const token = `ghp_${'q7Zt3mW9xK2vB5nR8yL4cJ6dF1hG0sPaabcd'}`;
const plain = 'a line with words\n'.repeat(20);
const encoded = `${'QUJD'.repeat(16)}\n`;

function read(text: string, isWhole: boolean): readonly Decoded[] {
  return decode(
    { text, codes: Buffer.from(text, 'latin1'), isNarrow: !/[^\0-\xff]/.test(text), marks: [...Array(text.length).keys()] },
    isWhole,
  );
}

describe('only what is read otherwise than it is written is read, with the lines around it', () => {
  test('nothing of a plain text', () => {
    expect(read(`${plain}100 % of x = y && z ^ w \`q\` C:\\d\n`, false)).toEqual([]);
  });

  test('each place by itself, wherever it stands', () => {
    const parts = read(`${plain}say \\"one\\"\n${plain}\x1b[1mtwo\x1b[0m\n${plain}`, false);
    expect(parts.map(({ text }) => text)).toEqual(
      ['say "one"\n', 'two\n'].map((line) => `${'a line with words\n'.repeat(3)}${line}${'a line with words\n'.repeat(3)}`),
    );
  });

  test('all of a text that may hold a private key', () => {
    expect(read(`${plain}\\x50RIVATE\n${plain}`, true).map(({ text }) => text)).toEqual([`${plain}PRIVATE\n${plain}`]);
  });

  test('lines of base64 around it, however many', () => {
    const [part, ...others] = read(`${plain}${encoded.repeat(40)}x\\ty\n${encoded.repeat(40)}z\n${plain}`, false);
    expect(others).toEqual([]);
    expect(part?.text).toBe(`${encoded.repeat(40)}x\ty\n${encoded.repeat(40)}z\n`);
  });

  test('characters of more than a byte and of two units', () => {
    expect(read('日本 \\u4f60', false).map(({ text }) => text)).toEqual(['日本 你']);
    expect(read('é \\u{1f600}x \\u4f60', false).map(({ text }) => text)).toEqual(['é 😀x 你']);
  });
});

test.each([
  ['a login of four lines with a coloured word in the last', 'machine a.example\nlogin me\naccount you\n\x1b[1mpass\x1b[0mword k3ySs9xq\n'],
  ['a token behind an escape behind many plain lines', `say \\"a\\"\n${plain}x\\x1b[1m${token}\n`],
  [
    'a private key of which the first line is escaped',
    `-----BEGIN RSA \\x50RIVATE KEY-----\n${encoded.repeat(9)}-----END RSA PRIVATE KEY-----\n`,
  ],
  ['a token behind a letter that stood over another and is struck out', `_\bg_\bh\b${token}\n`],
  ['a token behind wide characters', `日本\\n${token} 😀`],
])('%s is masked in a long text', (_, text) => {
  const out = redact(`${plain}${text}${plain}`);
  expect(out).toContain('[redacted');
  expect(out).not.toMatch(/k3ySs9xq|q7Zt3mW9|QUJDQUJD/);
  expect(out.startsWith(plain)).toBe(true);
  expect(out.endsWith(plain)).toBe(true);
});
