import { expect, test } from 'vitest';
import { nearest } from '../../../src/domain/text.ts';

test.each([
  ['histroy', ['history', 'rollback'], 'history'],
  ['roll', ['history', 'rollback'], 'rollback'],
  ['Compact', ['compact', 'context'], 'compact'],
  ['comapct', ['compact', 'context'], 'compact'],
  ['x', ['history'], undefined],
  ['', ['history'], undefined],
  ['banana', ['history', 'rollback'], undefined],
  ['a'.repeat(100_000), ['history'], undefined],
])('near %s of %j is %s', (word, candidates, found) => {
  expect(nearest(word, candidates)).toBe(found);
});
