import { readFileSync } from 'node:fs';
import ts from 'typescript-syntax';
import { expect, test } from 'vitest';
import { knownForms } from '../../src/context/sentence/form.ts';
import { nodesOf, parseSource, sourceFiles } from '../support/source.ts';

/** Longer ones are read by nobody: they are words that no table names yet. */
const LONG = 100;
/** To be lowered, never raised. */
const MOST_LONG = 60;
const LONGEST = 160;

/** Patterns as they are written: literals, and the text that one is built from. Of a table of forms, each form and exception by itself. */
function patternsIn(path: string): readonly string[] {
  return nodesOf(parseSource(path)).flatMap((node) => {
    if (ts.isRegularExpressionLiteral(node)) return [node.text];
    if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() !== 'String.raw') return [];
    const text = node.template.getText();
    return text.startsWith('`\n') ? [] : [text];
  });
}

test('patterns are short: what they speak of stands in tables of words', async () => {
  for (const path of sourceFiles()) if (/\b(?:readForms|saysOne)\(/.test(readFileSync(path, 'utf8'))) await import(`../../${path}`);
  const written = sourceFiles().flatMap((path) => patternsIn(path).map((text) => ({ path, length: text.length })));
  const forms = knownForms().flatMap(({ name, template, unless }) =>
    [template, ...unless].map((text) => ({ path: name, length: text.length })),
  );
  expect(written.length).toBeGreaterThan(500);
  const long = [...written, ...forms].filter(({ length }) => length >= LONG);
  expect(long.filter(({ length }) => length > LONGEST)).toEqual([]);
  expect(long.length).toBeLessThanOrEqual(MOST_LONG);
});
