import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countMatches, createSecretPattern, hasMatch, PURGED, replaceMatches } from '../../src/store/purge/secret-pattern.ts';
import { runs } from '../support/runs.ts';

/** Texts such as secrets are: signs that are escaped somewhere, letters, Chinese, characters of two halves. */
const shortSecret = fc
  .string({ minLength: 6, maxLength: 30, unit: fc.constantFrom(...'abcXYZ019"\\/<>&\'+=._- \n\t密码🔑é') })
  .filter((text) => !PURGED.includes(text) && text.trim().length >= 6);
/** One in ten is longer than what one pattern can hold. */
const secret = fc.oneof(
  { weight: 9, arbitrary: shortSecret },
  shortSecret.map((text) => Array.from({ length: 900 / text.length }, (_, i) => `${text}${i}`).join('')),
);
/** What is no sign of any form. */
const around = fc.string({ maxLength: 20, unit: fc.constantFrom(...'qrs,;|') });

const html = (text: string): string =>
  text.replace(/[<>&"']/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&#39;' })[sign] ?? sign);
const allEscaped = (text: string): string => text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const asciiJson = (text: string): string =>
  JSON.stringify(text)
    .replace(/[\u0080-\uffff]/g, (unit) => allEscaped(unit))
    .slice(1, -1);
const forms: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  json: (text) => JSON.stringify(text).slice(1, -1),
  'json in json': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  'json in ASCII': asciiJson,
  'all \\u': allEscaped,
  html,
  'html in json': (text) => JSON.stringify(html(text)).slice(1, -1),
  'percent-encoded': encodeURIComponent,
};

test.each(Object.entries(forms))('a secret is found and replaced in the form %s, in a string and in bytes', (_, form) => {
  fc.assert(
    fc.property(secret, around, around, (text, before, after) => {
      const { inText, inBytes } = createSecretPattern(text);
      const whole = `${before}${form(text)}${after}`;
      expect(replaceMatches(whole, inText)).toBe(`${before}${PURGED}${after}`);
      const bytes = Buffer.from(whole, 'utf8').toString('latin1');
      expect(replaceMatches(bytes, inBytes)).toBe(Buffer.from(`${before}${PURGED}${after}`, 'utf8').toString('latin1'));
    }),
    { numRuns: runs(100) },
  );
});

test('what is not the secret stays, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'qrs,;|\n"\\'), maxLength: 200 }), (text) => {
      const { inText, inBytes } = createSecretPattern('sk-abc123456789');
      expect(replaceMatches(text, inText)).toBe(text);
      expect(hasMatch(text, inBytes)).toBe(false);
    }),
    { numRuns: runs(100) },
  );
});

test('half of a secret is found where a line was cut, and nowhere else', () => {
  const { inText } = createSecretPattern('sk-abcdefghijklmn');
  expect(replaceMatches('the key is sk-abcdefghi…', inText)).toBe(`the key is ${PURGED}…`);
  expect(replaceMatches('# My key is sk-abcdefg\nnext', inText)).toBe(`# My key is ${PURGED}\nnext`);
  expect(replaceMatches('[cut]\nfghijklmn is it', inText)).toBe(`[cut]\n${PURGED} is it`);
  expect(replaceMatches('sk-abcdefghi is the documented example', inText)).toBe('sk-abcdefghi is the documented example');
});

test('a text that is made to be hard is searched without trying all ways to part it', () => {
  const { inBytes } = createSecretPattern('\\\\\\\\\\\\\\\\password\\\\');
  expect(countMatches('\\'.repeat(20_000), inBytes)).toBe(0);
});
