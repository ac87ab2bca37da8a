import { expect, test } from 'vitest';
import { ratesOf, readStatements } from '../support/labelled-statements.ts';

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
