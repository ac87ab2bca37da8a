import { expect, test } from 'vitest';
import { growthPerStep } from '../../../../src/context/relief/growth.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const steps = (n: number) => Array.from({ length: n }, (_, i) => [calls({ id: `t${i}` }), answers({ id: `t${i}`, content: 'x' })]).flat();

test('a step adds what the newest messages add, for each reply of the model', () => {
  const messages = [user('go'), ...steps(3)];
  expect(growthPerStep(messages, [100, 10, 500, 20, 600, 30, 700])).toBe(1_960 / 3);
  const long = [user('go'), ...steps(40)];
  const sizes = long.map((_, index) => (index < 41 ? 50 : 1_000));
  expect(growthPerStep(long, sizes)).toBe(2_000);
});

test('nothing is known before the first reply, and a summary does not count', () => {
  expect(growthPerStep([user('go')], [100])).toBeUndefined();
  const summary = { ...user('all that was'), origin: 'summary' as const };
  expect(growthPerStep([summary, user('go'), says('done')], [9_000, 100, 100])).toBe(200);
});
