import { expect, test } from 'vitest';
import { createSessionHooks } from '../../../../src/runtime/conversation/hooks/hook-transcript.ts';

/** A conversation of which only what the hooks are told is looked at; a minute passes when the test says so. */
function hooksOf(interactive: boolean) {
  const told: unknown[] = [];
  const waits: { readonly ms: number; readonly pass: () => void; readonly isOver: () => boolean }[] = [];
  const person = {
    interactive,
    runHooks: async (event: string, payload: Readonly<Record<string, unknown>>) => {
      told.push([event, payload.notification_type]);
      return {};
    },
  };
  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((pass, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      waits.push({ ms, pass, isOver: () => signal.aborted });
    });
  const conversation = { session: {}, deps: { person } } as unknown as Parameters<typeof createSessionHooks>[0];
  const hooks = createSessionHooks(conversation, { source: 'startup', sleep });
  return { hooks, told, waits };
}

test('a prompt that has waited for a minute after a turn is a notification, and one that is used again is none', async () => {
  const { hooks, told, waits } = hooksOf(true);
  expect(await hooks.turn(Promise.resolve('done'))).toBe('done');
  expect([told, waits.map(({ ms }) => ms)]).toEqual([[], [60_000]]);
  waits[0]?.pass();
  await expect.poll(() => told).toEqual([['Notification', 'idle_prompt']]);
  await expect(hooks.turn(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await hooks.end('other');
  expect(waits[1]?.isOver()).toBe(true);
  expect(told).toHaveLength(1);
});

test('where nobody is there, nobody is waited for', async () => {
  const { hooks, waits } = hooksOf(false);
  await hooks.turn(Promise.resolve());
  expect(waits).toEqual([]);
});
