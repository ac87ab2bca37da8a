import { describe, expect, test } from 'vitest';
import { playTurns, thoughtful, turns } from '../../support/billed-turns.ts';

/** One task after the other. */
const steady = turns(15, () => 0);
/** Always back after two hours. */
const absent = turns(15, () => 120);

const costs = async (pauses: readonly number[]) => ({
  auto: (await playTurns({ pauses })).usd,
  five: (await playTurns({ pauses, cacheTtl: '5m' })).usd,
  hour: (await playTurns({ pauses, cacheTtl: '1h' })).usd,
});

describe('how long the provider is asked to keep what it caches', () => {
  test('with pauses an hour pays, and is chosen: a tenth and more is saved', async () => {
    const { auto, five, hour } = await costs(thoughtful);
    expect(auto).toBeLessThan(0.9 * five);
    expect(auto).toBeLessThan(1.1 * hour);
  });

  test.each([
    ['nobody pauses', steady],
    ['nobody is ever back within an hour', absent],
  ])('where %s it costs little more than five minutes', async (_, pauses) => {
    const { auto, five, hour } = await costs(pauses);
    expect(hour).toBeGreaterThan(five);
    expect(auto).toBeLessThan(1.02 * five);
  });
});
