import { expect, test } from 'vitest';
import { emptyTally } from '../../../../bench/replay/measure/fidelity.ts';
import { meansOfKinds } from '../../../../bench/replay/measure/summarise-runs.ts';

const none = { file: emptyTally, error: emptyTally, constraint: emptyTally, decision: emptyTally, identifier: emptyTally };

test('each kind counts alike in the mean, however many facts it has', () => {
  const kinds = { ...none, identifier: { inContext: 900, oneLookUp: 90, lost: 10 }, decision: { inContext: 1, oneLookUp: 1, lost: 2 } };
  expect(meansOfKinds(kinds)).toEqual({ known: (0.9 + 0.25) / 2, reachable: (0.99 + 0.5) / 2 });
});

test('a kind without facts counts for nothing, and without any there is no mean', () => {
  expect(meansOfKinds({ ...none, file: { inContext: 3, oneLookUp: 0, lost: 1 } })).toEqual({ known: 0.75, reachable: 0.75 });
  expect(meansOfKinds(none)).toBeUndefined();
});
