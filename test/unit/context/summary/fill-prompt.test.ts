import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { narrativeSections } from '../../../../src/context/summary/summary-check.ts';
import { fillParts, fillPrompt } from '../../../../src/context/summary/summary-request.ts';

test('a prompt takes its values as they are, each place once', () => {
  expect(fillPrompt('{{a}} and {{b}} and {{a}}', { a: '$& {{b}}', b: '2' })).toBe('$& {{b}} and 2 and $& {{b}}');
});

test('a prompt that names what is not given, or does not use what is, fails loudly', () => {
  expect(() => fillPrompt('{{a}} {{toString}}', { a: '1' })).toThrow('{{toString}}, which is not given');
  expect(() => fillPrompt('{{a}}', { a: '1', b: '2', c: '3' })).toThrow('does not use what is given: b, c');
  expect(fillParts(['x {{a}}', '{{b}}'], { a: '1', b: '2' })).toEqual(['x 1', '2']);
});

test('each prompt for a summary names the headings that the model writes in their order', () => {
  for (const name of ['compact-summary', 'compact-update', 'compact-merge']) {
    const text = readFileSync(new URL(`../../../../prompts/${name}.md`, import.meta.url), 'utf8');
    const at = narrativeSections.map((section) => text.indexOf(`## ${section}`));
    expect(at.every((place, index) => place > (at[index - 1] ?? -1))).toBe(true);
  }
});
