import { expect, test } from 'vitest';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { createSlots } from '../../../../src/runtime/helper/helper-deps.ts';

const never = new AbortController().signal;

/** Notes who is in, in their order. */
function crowd(count: number) {
  const slots = createSlots(count);
  const inside: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = (name: string, signal: AbortSignal = never) =>
    slots.enter(signal).then((leave) => {
      inside.push(name);
      leaves.set(name, leave);
    });
  return { inside, enter, leave: (name: string) => leaves.get(name)?.() };
}

test('as many are in as there are slots, and who waits comes in by turn when one leaves', async () => {
  const { inside, enter, leave } = crowd(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => enter(name));
  await Promise.all(all.slice(0, 2));
  expect(inside).toEqual(['a', 'b']);
  leave('b');
  await all[2];
  expect(inside).toEqual(['a', 'b', 'c']);
  leave('a');
  await all[3];
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
});

test('who gives up waiting takes nobody’s place, and who is aborted before does not come in', async () => {
  const { inside, enter, leave } = crowd(1);
  await enter('a');
  const stop = new AbortController();
  const [gone, waiting] = [enter('b', stop.signal), enter('c')];
  stop.abort();
  await expect(gone).rejects.toThrow(AbortedError);
  await expect(enter('d', stop.signal)).rejects.toThrow(AbortedError);
  leave('a');
  await waiting;
  leave('c');
  await enter('e');
  expect(inside).toEqual(['a', 'c', 'e']);
});
