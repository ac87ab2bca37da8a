import { expect, test } from 'vitest';
import type { Sleep } from '../../../../src/agent/ports/effects.ts';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { watchIdle } from '../../../../src/model/http/guard-answer.ts';

/** A clock that moves when told to. */
const handClock = () => {
  const waiting: { readonly at: number; readonly resolve: () => void }[] = [];
  let now = 0;
  const sleep: Sleep = (ms, signal) =>
    new Promise((wake, reject) => {
      const stop = (): void => reject(new AbortedError());
      const resolve = (): void => {
        signal.removeEventListener('abort', stop);
        wake();
      };
      waiting.push({ at: now + ms, resolve });
      signal.addEventListener('abort', stop, { once: true });
    });
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const { at, resolve } of waiting) if (at <= now) resolve();
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return { sleep, pass };
};

const watched = (idleMs = 400) => {
  const clock = handClock();
  const fired = { times: 0 };
  const watch = watchIdle(idleMs, clock.sleep, () => {
    fired.times += 1;
  });
  return { ...clock, watch, fired };
};

test('silence for the whole time is found, once', async () => {
  const { pass, fired } = watched();
  for (let i = 0; i < 3; i++) await pass(100);
  expect(fired.times).toBe(0);
  for (let i = 0; i < 9; i++) await pass(100);
  expect(fired.times).toBe(1);
});

test('a sign of life now and then keeps it quiet for ever', async () => {
  const { pass, watch, fired } = watched();
  for (let i = 0; i < 40; i++) {
    if (i % 3 === 0) watch.touch();
    await pass(100);
  }
  expect(fired.times).toBe(0);
});

test('nothing is said after the end', async () => {
  const { pass, watch, fired } = watched();
  watch.stop();
  for (let i = 0; i < 9; i++) await pass(100);
  expect(fired.times).toBe(0);
});

test('zero is no limit', async () => {
  const { pass, fired } = watched(0);
  for (let i = 0; i < 9; i++) await pass(1_000_000);
  expect(fired.times).toBe(0);
});
