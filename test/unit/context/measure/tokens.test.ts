import { describe, expect, test } from 'vitest';
import { countTokens } from '../../../support/count-tokens.ts';

const noise = (length: number, alphabet: (n: number) => string): string => {
  let seed = 42;
  return Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet(seed >>> 8);
  }).join('');
};
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

describe('counting tokens', () => {
  test('counts short texts as the tokenizer does', () => {
    expect(['', 'hello world', '你好，世界', '😀'].map(countTokens)).toEqual([0, 2, 3, 1]);
  });

  test('takes special tokens and halves of characters as text [C34, B-03]', () => {
    expect(countTokens('<|endoftext|>')).toBe(7);
    expect(countTokens('\ud83d')).toBeGreaterThan(0);
    expect(countTokens('a\ude00b')).toBeGreaterThan(2);
  });

  test('never parts a character where it slices, however the slices fall', () => {
    for (const start of [0, 1, 2, 3]) {
      const text = 'x'.repeat(start) + '😀'.repeat(5_000);
      expect(Math.abs(countTokens(text) - 5_000)).toBeLessThan(10);
    }
  });

  test('ends on unbroken runs that take the tokenizer alone minutes, and prices them like short ones [O25, C43, B-17]', () => {
    const runs = ['a', '中', ' ', '\n', '=', 'é', 'ก', '😀', 'aé', '中a'];
    for (const unit of runs) {
      const perUnit = countTokens(unit.repeat(64)) / 64;
      for (const times of [64_000, 1_000_000]) {
        const tokens = countTokens(unit.repeat(times)) / times;
        expect(tokens, JSON.stringify(unit)).toBeGreaterThan(perUnit * 0.1);
        expect(tokens, JSON.stringify(unit)).toBeLessThan(perUnit * 1.1 + 0.01);
      }
    }
  });

  test('counts a megabyte of base64, of Chinese and of anything at all, soberly', () => {
    expect(countTokens(noise(1_000_000, (n) => base64[n % 64] ?? '')) / 1_000_000).toBeCloseTo(0.68, 1);
    expect(countTokens(noise(1_000_000, (n) => String.fromCharCode(0x4e00 + (n % 3_000)))) / 1_000_000).toBeGreaterThan(1.5);
    expect(countTokens(noise(1_000_000, (n) => String.fromCharCode(n % 65_536))) / 1_000_000).toBeLessThanOrEqual(3);
  });

  test('is off by little on a long text that changes its kind half way', () => {
    const prose = 'The ladder is climbed one rung at a time. ';
    const log = '2026-01-02T03:04:05Z ERROR 0x7fffe3a4 at /srv/app/index.js:120:17\n';
    const exact = countTokens(prose.repeat(1_000)) + countTokens(log.repeat(1_000));
    const sampled = countTokens(prose.repeat(1_000) + log.repeat(1_000));
    expect(prose.length * 1_000 + log.length * 1_000).toBeGreaterThan(100_000);
    expect(Math.abs(sampled / exact - 1)).toBeLessThan(0.05);
  });
});
