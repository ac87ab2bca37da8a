import { expect, test } from 'vitest';
import { highlight } from '../../../../src/terminal/markdown/highlight.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

const paint = createPaint(true);

test.each([
  ['a word of 199 signs', `const ${'$.'.repeat(99)}a = 1;`, true],
  ['a word of 200 signs', `const ${'$.'.repeat(100)} = 1;`, false],
  ['a line of 999 characters', `x;\nconst a = '${'- '.repeat(493)}';`.slice(0, 1_002), true],
  ['a line of 1,000 characters', `x;\nconst a = '${'- '.repeat(494)}';`.slice(0, 1_003), false],
  ['as long a line at the beginning', `const a = '${'- '.repeat(600)}';\nx;`, false],
])('%s: code is coloured by its parts only where no line and no word is too long', (_, code, isColoured) => {
  const drawn = highlight(code, 'js', paint).join('\n');
  expect(drawn.includes(paint.syntax('keyword', 'const'))).toBe(isColoured);
});
