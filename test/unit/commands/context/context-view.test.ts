import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitTo } from '../../../../src/commands/context/context-view.ts';

test('the parts of a context add up to the whole that the model reported, each with its share', () => {
  const sizes = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(sizes, fc.nat(1_000_000), (tokens, total) => {
      fc.pre(tokens.some((size) => size > 0));
      const sum = tokens.reduce((a, b) => a + b, 0);
      const fitted = fitTo(
        total,
        tokens.map((size, index) => ({ name: `${index}`, tokens: size })),
      );
      expect(fitted.reduce((a, part) => a + part.tokens, 0)).toBe(total);
      for (const [index, part] of fitted.entries()) expect(Math.abs(part.tokens - ((tokens[index] ?? 0) / sum) * total)).toBeLessThan(1);
    }),
  );
});
