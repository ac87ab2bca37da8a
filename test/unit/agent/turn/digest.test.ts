import { expect, test } from 'vitest';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { createAgentWorld, replies } from '../../../support/agent-world.ts';

test('the daily log keeps the numbers of a list that the reply has', async () => {
  const world = createAgentWorld({
    ask: () => replies('Three things are left:\n\n1. Paint the hull.\n2. Oil the winch.\n3. Count the ropes.'),
  });
  const options = { maxSteps: 5, signal: new AbortController().signal, tools: world.tools };
  await runTurn('what is left?', world.session, world.deps, options);
  expect(JSON.stringify(world.store)).toContain('1. Paint the hull. 2. Oil the winch. 3. Count the ropes.');
});
