import { join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithin } from '../../../../src/domain/value/is-within.ts';

test('a path is within a folder exactly when the folder is one of its ancestors', () => {
  const part = fc.constantFrom('a', 'b', '..', '..a', 'ab', '.');
  const path = fc.array(part, { maxLength: 5 }).map((parts) => join('/', ...parts));
  const ancestors = (whole: string): string[] => (whole === '/' ? ['/'] : [whole, ...ancestors(join(whole, '..'))]);
  fc.assert(fc.property(path, path, (inner, outer) => isWithin(inner, outer) === ancestors(inner).includes(outer)));
});

test('paths count as the system takes them, whatever dots and slashes they have', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'a-b', '..', '.', '', '..a', '\\'), { maxLength: 6 })
    .map((parts) => `/${parts.join('/')}`);
  fc.assert(
    fc.property(path, path, (inner, outer) => {
      expect([inner, outer, isWithin(inner, outer)]).toEqual([inner, outer, !/^\.\.(?:\/|$)/.test(relative(outer, inner))]);
    }),
  );
});
