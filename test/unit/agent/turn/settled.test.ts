import { expect, test } from 'vitest';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { AbortedError, SanbotError } from '../../../../src/domain/errors.ts';
import { callsTools, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';

function turnThat(settled: (signal: AbortSignal, world: ReturnType<typeof createAgentWorld>) => Promise<void>) {
  const done: string[] = [];
  const look = tool('look', () => {
    done.push('tool');
    return 'seen';
  });
  const world = createAgentWorld({
    tools: [look],
    ask: (_, n) => {
      done.push(`request ${n}`);
      return n === 1 ? callsTools({ id: 'c1', name: 'look' }) : replies('done');
    },
  });
  world.session.settled = async (signal) => {
    await settled(signal, world);
    done.push(`settled at ${world.session.context.messages.length}`);
  };
  const stop = new AbortController();
  const run = () => runTurn('go', world.session, world.deps, { maxSteps: 5, signal: stop.signal, tools: world.tools });
  return { ...world, done, stop, run };
}

test('what was written is settled before each request, before a call runs, and before the turn ends', async () => {
  const { run, done } = turnThat(async () => undefined);
  expect(await run()).toMatchObject({ stopReason: 'end_turn' });
  expect(done).toEqual(['settled at 1', 'request 1', 'settled at 2', 'tool', 'settled at 3', 'request 2', 'settled at 4']);
});

test('where it cannot be settled nothing follows, and the history is valid', async () => {
  const lost = new SanbotError('refused', { en: 'the hub is gone', zh: 'hub 已失联' });
  const { run, done, session } = turnThat(async (_, { requests }) => {
    if (requests.length === 1) throw lost;
  });
  await expect(run()).rejects.toBe(lost);
  expect(done).toEqual(['settled at 1', 'request 1']);
  session.closeOpenCalls();
  expect(session.context.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('who waits for it can stop the turn', async () => {
  const { run, done, stop } = turnThat(async (signal) => {
    stop.abort();
    if (signal.aborted) throw new AbortedError();
  });
  expect(await run()).toMatchObject({ stopReason: 'interrupted' });
  expect(done).toEqual([]);
});
