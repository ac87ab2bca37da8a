import { expect, test } from 'vitest';
import type { SanbotEvent } from '../../../../src/domain/event.ts';
import { holdEvents } from '../../../../src/runtime/conversation/open-runtime.ts';

test('what happens before somebody listens is told in its order, once, and what follows at once', () => {
  const events = holdEvents();
  const [first, second, third] = ['1', '2', '3'].map((text): SanbotEvent => ({ type: 'text', text }));
  if (first === undefined || second === undefined || third === undefined) throw new Error('three events');
  const heard: SanbotEvent[] = [];
  events.show(first);
  events.show(second);
  events.release((event) => heard.push(event));
  expect(heard).toEqual([first, second]);
  events.show(third);
  expect(heard).toEqual([first, second, third]);
});
