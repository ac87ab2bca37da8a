import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from '../../../../src/domain/value/redact.ts';
import { createStreamRedactor } from '../../../../src/domain/value/redact-stream.ts';

const stream = (pieces: readonly string[]): string => {
  const redactor = createStreamRedactor();
  return pieces.map(redactor.push).join('') + redactor.end();
};
const cut = (text: string, sizes: readonly number[]): readonly string[] => {
  const pieces: string[] = [];
  for (let at = 0, n = 0; at < text.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
};

const secrets = [
  `ghp_${'a1B2'.repeat(9)}`,
  'sk-ant-api03-abcdefghijkl123',
  'password = "hunter22!"',
  'Bearer\n abcdefgh12345678ijkl',
  'Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==',
  'postgres://app:hunter2@db.example/app',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc\n-----END RSA PRIVATE KEY-----',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  `eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIi'.repeat(20)}.c2lnbmF0dXJl`,
  'plain words',
  '普通的文字',
  '\n',
  '\r\n\r\n',
  ' ',
  'Token',
  '-----BEGIN ',
  '-----END ',
];

describe('a text that comes in pieces', () => {
  test('is redacted as the whole is, wherever it is cut [S-31]', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...secrets), fc.string({ maxLength: 12 })), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        (parts, sizes) => {
          const text = parts.join('');
          expect(stream(cut(text, sizes))).toBe(redact(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('has no half of a token that a backslash breaks over lines', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    for (const lineEnd of ['\n', '\r\n']) {
      const text = `one ${token.slice(0, 14)}\\${lineEnd}${token.slice(14, 30)}\\${lineEnd}${token.slice(30)} two\n`;
      for (const both of [text, `${token}\\${lineEnd}${token}`])
        for (let size = 1; size < both.length; size++) expect(stream(cut(both, [size]))).toBe(redact(both));
      expect(redact(text)).toContain('[redacted GitHub token]');
    }
  });

  test('has no half of a key at a cut, in a line of any length', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    for (const gap of ['', ' ', ',']) {
      const text = `${`x${gap}`.repeat(300_000)} ${key} ${`y${gap}`.repeat(300_000)}`;
      const out = stream(cut(text, [65_536]));
      expect(out).toContain('[redacted GitHub token]');
      expect(out).not.toContain('a1B2a1B2');
    }
  });

  test('holds back little: a key without an end does not fill the memory, and nothing of it comes out', () => {
    const redactor = createStreamRedactor();
    expect(redactor.push('a\n-----BEGIN PRIVATE KEY-----\n')).toBe('a\n');
    expect(redactor.push('MIIEpAIBAAKCAQEA\n')).toBe('[redacted private key]');
    for (let n = 0; n < 200; n++) expect(redactor.push('MIIEpAIBAAKCAQEA\n'.repeat(1_000))).toBe('');
    expect(redactor.push('-----END PRIV')).toBe('');
    expect(redactor.push('ATE KEY-----\nb\n')).toBe('\nb\n');
    expect(redactor.end()).toBe('');
  });
});
