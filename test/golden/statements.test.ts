import { expect, test } from 'vitest';
import { keptOf, ratesOf, readStatements } from '../support/labelled-statements.ts';

/** `npm run bench:sentences` prints these figures, also by section. */
test.each(['tuned', 'held out'] as const)(
  'of what a person would keep at least 90 %% is kept, of the rest at most 5 %%: %s [B14]',
  (part) => {
    const { kept, toKeep, keptWrongly, toDrop } = ratesOf(readStatements().filter((each) => each.part === part));
    expect(toKeep).toBeGreaterThan(150);
    expect(toDrop).toBeGreaterThan(100);
    expect(kept / toKeep).toBeGreaterThanOrEqual(0.9);
    expect(keptWrongly / toDrop).toBeLessThanOrEqual(0.05);
  },
);

test('what is kept is of the kind that it is labelled with, in at least 95 %', () => {
  const labelled = readStatements().filter((each) => each.kind !== undefined && keptOf(each).length > 0);
  const right = labelled.filter((each) => keptOf(each).some((entry) => entry.startsWith(`${each.kind}: `)));
  expect(labelled.length).toBeGreaterThan(150);
  expect(right.length / labelled.length).toBeGreaterThanOrEqual(0.95);
});
