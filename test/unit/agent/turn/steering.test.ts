import { expect, test } from 'vitest';
import { rewind } from '../../../../src/agent/rollback/rewind.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { pairingProblems, toWire } from '../../../../src/context/history/pairing.ts';
import { pastMessages, stateBefore } from '../../../../src/context/history/past.ts';
import { isText, isToolResult, type Message } from '../../../../src/domain/session/message.ts';
import { type AgentWish, callsTools, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';
import { user } from '../../../support/build.ts';

const signal = new AbortController().signal;

/** One turn, in which what stands in `queue` waits from its first call on. */
async function steer(wish: AgentWish, queue: string[], maxSteps = 50) {
  const world = createAgentWorld(wish);
  const nextSteering = async () => {
    const text = queue.shift();
    return text === undefined ? undefined : { text, attachments: [] };
  };
  const end = await runTurn('go', world.session, world.deps, { signal, maxSteps, tools: world.tools, nextSteering });
  return { ...world, end };
}

const looking: AgentWish = {
  ask: (_request, n) => (n === 1 ? callsTools({ id: 'a', name: 'look' }) : replies('done')),
  tools: [tool('look', () => 'seen')],
};

test('what is said during a turn goes with the results into its next request, in order, and is in the log', async () => {
  const { requests, session, reopened, end } = await steer(looking, ['use tabs', 'and hurry']);
  expect(end.stopReason).toBe('end_turn');
  const last = requests[1]?.messages.at(-1);
  expect(last?.content.filter(isToolResult)).toHaveLength(1);
  expect(last?.content.filter(isText).map(({ text }) => text)).toEqual(['use tabs', 'and hurry']);
  expect(session.context.messages.map(({ origin }) => origin)).toEqual(['user', 'model', 'tools', 'user', 'user', 'model']);
  expect(reopened().context.messages).toEqual(session.context.messages);
  expect(pairingProblems(toWire([...session.context.messages, user('next')]))).toEqual([]);
});

test('it is a message to go back to: right before it, with its pairs whole', async () => {
  const { store, session, deps } = await steer(looking, ['use tabs']);
  const past = pastMessages(store.records);
  expect(past.map(({ text }) => text)).toEqual(['go', 'use tabs']);
  const state = stateBefore(store.records, past[1]?.id ?? '');
  if (state === undefined) throw new Error('not found');
  expect(rewind(state, session, deps).text).toBe('use tabs');
  const origins = (messages: readonly Message[]) => messages.map(({ origin }) => origin);
  expect(origins(session.context.messages)).toEqual(['user', 'model', 'tools']);
  expect(pairingProblems(toWire([...session.context.messages, user('use blanks')]))).toEqual([]);
});

test('a turn that has ended, or reached a limit, takes nothing more: it waits for the next one', async () => {
  const waiting = ['later'];
  await steer({ ask: () => replies('done') }, waiting);
  expect(waiting).toEqual(['later']);
  await expect(steer(looking, waiting, 1)).rejects.toMatchObject({ code: 'steps_exhausted' });
  expect(waiting).toEqual(['later']);
});

test('a model that repeats itself is stopped as before; a word of the person begins the count anew', async () => {
  const repeating: AgentWish = {
    ask: (_request, n) => callsTools({ id: `c${n}`, name: 'look' }),
    tools: [tool('look', () => 'the same')],
  };
  const unsteered = createAgentWorld(repeating);
  const options = { signal, maxSteps: 50, tools: unsteered.tools };
  await expect(runTurn('go', unsteered.session, unsteered.deps, options)).rejects.toMatchObject({ code: 'loop_detected' });
  const steered = createAgentWorld(repeating);
  let asked = 0;
  const nextSteering = async () => {
    asked += 1;
    return asked === 5 ? { text: 'look elsewhere', attachments: [] } : undefined;
  };
  await expect(runTurn('go', steered.session, steered.deps, { ...options, tools: steered.tools, nextSteering })).rejects.toMatchObject({
    code: 'loop_detected',
  });
  expect(steered.requests.length - unsteered.requests.length).toBeGreaterThan(2);
  expect(steered.requests.length - unsteered.requests.length).toBeLessThan(8);
});

test('the daily log says what was asked for on the way', async () => {
  const { store } = await steer(looking, ['use tabs']);
  expect(JSON.stringify(store)).toContain('use tabs');
});
