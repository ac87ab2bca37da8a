import { expect, test } from 'vitest';
import { clearContext, findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import { SanbotError } from '../../../../src/domain/errors.ts';
import { createAgentWorld } from '../../../support/agent-world.ts';
import { user } from '../../../support/build.ts';

test.each([
  [1, 'cleared 1 message'],
  [2, 'cleared 2 messages'],
])('a cleared context of %i has its snapshot say so', (count, line) => {
  const messages = Array.from({ length: count }, (_, i) => user(`request ${i}`));
  const { session, deps, store, clock } = createAgentWorld({ messages });
  const meta = store.snapshots.all.get(clearContext(session, deps))?.meta;
  const tokensAfter = session.estimate.count().tokens;
  expect(meta).toMatchObject({
    reason: 'clear',
    messages: count,
    outcome: { at: clock.now.toISOString(), messages: 0, tokensAfter, line },
  });
});

test('memories that cannot follow a rollback are told, and the rollback stands', () => {
  const { session, deps, events } = createAgentWorld({ messages: [user('use pnpm')] });
  const id = clearContext(session, deps);
  const rollBackMemories = (): never => {
    throw new SanbotError('store_failed', { en: 'the disk is full', zh: '磁盘已满' });
  };
  const disk = { ...deps.disk, memories: { ...deps.disk.memories, rollBack: rollBackMemories } };
  rollBack(findSnapshot(id, deps.disk.snapshots), session, { ...deps, disk });
  expect(session.context.messages).toMatchObject([{ content: [{ text: 'use pnpm' }] }]);
  expect(events.filter(({ type }) => type === 'warning')).toMatchObject([{ message: { en: expect.stringContaining('the disk is full') } }]);
});
