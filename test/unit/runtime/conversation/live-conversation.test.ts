import { expect, test } from 'vitest';
import { AbortedError, SanbotError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { steerBy } from '../../../../src/runtime/conversation/live-conversation.ts';
import { createAgentWorld } from '../../../support/agent-world.ts';

const { signal } = new AbortController();

function world(submit: (text: string) => Promise<void>, queue: string[]) {
  const conversation = createAgentWorld();
  const runtime = { environment: { cwd: () => '/project' } } as Parameters<typeof steerBy>[1]['runtime'];
  return { ...conversation, next: steerBy(() => queue.shift(), { submit, conversation, runtime }) };
}

test('what a hook blocks is told and left out, and what follows it is given out', async () => {
  const { next, events } = world(
    async (text) => {
      if (text === 'secret') throw new SanbotError('refused', sameInBoth('A hook blocked what you said: no secrets'));
    },
    ['secret', 'use tabs'],
  );
  expect(await next(signal)).toEqual({ text: 'use tabs', attachments: [] });
  expect(await next(signal)).toBeUndefined();
  expect(events).toMatchObject([{ type: 'warning', message: { en: 'A hook blocked what you said: no secrets' } }]);
});

test('a turn that is stopped while a hook looks ends as a stopped one', async () => {
  const { next } = world(() => Promise.reject(new AbortedError()), ['use tabs']);
  await expect(next(signal)).rejects.toBeInstanceOf(AbortedError);
});
