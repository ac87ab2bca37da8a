import { expect, test } from 'vitest';
import { createIdleTime } from '../../../src/runtime/runtime.ts';

test('what is waited for counts until now, once where it overlaps, and also where it fails', async () => {
  let now = 1_000;
  const idle = createIdleTime(() => new Date(now));
  const ends: (() => void)[] = [];
  const wait = () => idle.during(() => new Promise<void>((resolve) => void ends.push(resolve)));
  const first = wait();
  now = 2_000;
  const second = wait();
  now = 4_000;
  expect(idle.ms()).toBe(3_000);
  ends[0]?.();
  await first;
  now = 5_000;
  ends[1]?.();
  await second;
  now = 9_000;
  expect(idle.ms()).toBe(4_000);
  await expect(idle.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(idle.ms()).toBe(4_000);
});
