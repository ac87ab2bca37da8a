import { describe, expect, test } from 'vitest';
import { playTurns, thoughtful } from '../../../support/billed-turns.ts';

describe('how long the provider is asked to keep what it caches', () => {
  test('five minutes at first, an hour once there is much to keep', async () => {
    const { ttls } = await playTurns({ pauses: thoughtful });
    expect(ttls[0]).toBe('5m');
    expect(ttls).toContain('1h');
  });

  test.each([
    ['in a script', { interactive: false }],
    ['where the provider sells no hour', { hourCache: false }],
    ['where the setting says so', { cacheTtl: '5m' }],
  ] as const)('always five minutes %s', async (_, more) => {
    expect(new Set((await playTurns({ pauses: thoughtful, ...more })).ttls)).toEqual(new Set(['5m']));
  });

  test('always an hour where the setting says so, in a script too', async () => {
    expect(new Set((await playTurns({ pauses: [0, 0], cacheTtl: '1h', interactive: false })).ttls)).toEqual(new Set(['1h']));
  });
});
