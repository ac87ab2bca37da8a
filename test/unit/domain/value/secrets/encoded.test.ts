import { describe, expect, test } from 'vitest';
import { redact } from '../../../../../src/domain/value/redact.ts';
import { createStreamRedactor } from '../../../../../src/domain/value/redact-stream.ts';

const token = `ghp_${'q7Zt3mW9xK2vB5nR8yL4cJ6dF1hG0sPaabcd'}`;
const letter = `Dear all,\nthe token is ${token} until Friday.\nBest wishes to everybody who reads this\n`;
const base64 = Buffer.from(letter).toString('base64');
const hex = Buffer.from(letter).toString('hex');
const wrapped = (text: string, width: number): string => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');

const ENCODED = {
  'in base64': base64,
  'in base64 for addresses': Buffer.from(letter).toString('base64url'),
  'in hexadecimal digits': hex,
  'in wrapped base64': wrapped(base64, 76),
  'in wrapped hexadecimal digits': wrapped(hex, 60),
  'in base64 as a value': `data: ${base64}`,
} satisfies Readonly<Record<string, string>>;

describe('a text that holds a token is masked', () => {
  test.each(Object.entries(ENCODED))('%s', (_, text) => {
    const out = redact(`before\n${text}\nafter\n`);
    expect(out).toContain('[redacted GitHub token]');
    expect(out).toMatch(/^before\n/);
    expect(out).toMatch(/\nafter\n$/);
    expect(out).not.toContain(text.slice(60, 76));
    const redactor = createStreamRedactor();
    const pieces = `before\n${text}\nafter\n`.split(/(?<=\n)/).map((line) => redactor.push(line));
    expect([...pieces, redactor.end()].join('')).toBe(out);
  });

  test('but not one that holds none, nor an image', () => {
    const plain = Buffer.from('a letter that holds no secret at all, only words and more words\n'.repeat(9));
    const image = Buffer.from(Array.from({ length: 600 }, (_, at) => (at * 7_919 + 13) % 256));
    for (const text of [plain, image].flatMap((bytes) => [
      bytes.toString('base64'),
      bytes.toString('hex'),
      wrapped(bytes.toString('base64'), 76),
    ]))
      expect(redact(text)).toBe(text);
  });
});

const half = Math.ceil(token.length / 2);
const DISGUISED = {
  'wrapped by a backslash at the end of a line': `A="${token.slice(0, half)}\\\n${token.slice(half)}"`,
  'wrapped twice, with carriage returns': `${token.slice(0, 10)}\\\r\n${token.slice(10, 30)}\\\r\n${token.slice(30)}`,
  'struck over for bold print': token.replace(/./g, '$&\b$&'),
  'underlined by striking over': token.replace(/./g, '_\b$&'),
  'struck over, as cat -v shows it': token.replace(/./g, '$&^H$&'),
} satisfies Readonly<Record<string, string>>;

test.each(Object.entries(DISGUISED))('a token is masked that is %s', (_, text) => {
  expect(redact(`x ${text} y`)).toMatch(/^x (?:A=")?\[redacted [^\]]+\]"? y$/);
});

test.each([`hf_${'aBcDeFgHiJkLmNoPqR'.repeat(2).slice(0, 34)}`, `rpa_${'A1B2C3D4E5F6'.repeat(4).slice(0, 40)}`])('%s is masked', (text) => {
  expect(redact(`key ${text}`)).toBe('key [redacted token]');
});
