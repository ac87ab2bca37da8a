import { expect, test } from 'vitest';
import { clearContext } from '../../../../src/agent/rollback/rollback.ts';
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
