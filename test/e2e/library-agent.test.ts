import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentSettings, SanbotAgent } from '../../src/library/agent-types.ts';
import { createAgent } from '../../src/library/sanbot.ts';
import { afterThisTest } from '../support/clean-up.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { createSandbox } from '../support/sanbot.ts';
import { callsTool, replies, type Script, type Step, status } from '../support/scenario.ts';

async function openWorld(steps: readonly Step[] | Script) {
  const api = await startFakeApi(steps);
  afterThisTest(api.close);
  const world = createSandbox({ ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'k' });
  const open = async (more: AgentSettings = {}): Promise<SanbotAgent> => {
    const agent = await createAgent({ env: world.env, cwd: world.cwd, ...more, store: { home: world.home, ...more.store } });
    afterThisTest(agent.close);
    return agent;
  };
  return { api, world, open };
}

async function eventsOf(turn: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

const resultOf = (events: readonly AgentEvent[]) => events.find((event) => event.type === 'result');

const nuts = {
  name: 'count_nuts',
  description: 'Counts the nuts in a bag.',
  inputSchema: { type: 'object', properties: { bag: { type: 'string' } } },
};

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('an agent of the library', () => {
  test('has the events of stream-json, and a session like any other', async () => {
    const { api, world, open } = await openWorld(() => replies('It cracks nuts.'));
    const agent = await open();
    const events = await eventsOf(agent.send('what is this?'));
    await agent.close();
    const { out } = await world.run(['-p', 'what is this?', '--output-format', 'stream-json']);
    const lines: readonly AgentEvent[] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    // Where a process ends with the turn, its session does before the result.
    const types = lines.map(({ type }) => type).filter((type) => type !== 'memory_extracted' && type !== 'session_ended');
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(Object.keys(events[0] ?? {}).sort()).toEqual(Object.keys(lines[0] ?? {}).sort());
    expect(resultOf(events)).toMatchObject({ result: 'It cracks nuts.', stopReason: 'end_turn', sessionId: agent.sessionId });
    expect(world.names('sessions')).toContain(agent.sessionId);
    expect(api.requests).toHaveLength(2);
  });

  test('plans: nothing changes, and the plan is the result', async () => {
    const plan = '1. move the cart\n2. test it';
    const { world, open } = await openWorld([
      callsTool('write_file', { path: 'early.txt', content: 'x' }),
      callsTool('write_file', { path: 'sanbot:plan', content: plan }),
    ]);
    const agent = await open({ permissions: { mode: 'plan', ask: async () => true } });
    expect(resultOf(await eventsOf(agent.send('move the cart')))).toMatchObject({ result: plan });
    expect(readdirSync(world.cwd)).toEqual([]);
  });

  test('calls a tool of its own: without a question where it only reads, else with one', async () => {
    const { api, open } = await openWorld([
      callsTool('count_nuts', { bag: 'blue' }),
      replies('Seven.'),
      callsTool('eat_nuts', { bag: 'blue' }),
      replies('They are gone.'),
      callsTool('eat_nuts', {}),
      replies('It did not work.'),
    ]);
    const asked: string[] = [];
    const agent = await open({
      tools: [
        { ...nuts, access: 'read', run: (input) => `7 nuts in ${JSON.stringify(input)}` },
        {
          ...{ ...nuts, name: 'eat_nuts' },
          run: () => {
            throw new Error('the bag is empty');
          },
        },
      ],
      permissions: { ask: async ({ title }) => asked.push(title) === 1 },
    });
    await eventsOf(agent.send('how many?'));
    expect(JSON.stringify(api.requests[1]?.request.messages)).toContain('7 nuts in {');
    expect(asked).toEqual([]);
    await eventsOf(agent.send('eat them'));
    expect(asked).toEqual(['eat_nuts {"bag":"blue"}']);
    expect(JSON.stringify(api.requests[3]?.request.messages.at(-1))).toContain('the bag is empty');
    const refused = await eventsOf(agent.send('eat more'));
    expect(resultOf(refused)).toMatchObject({ denied: [{ tool: 'eat_nuts' }] });
  });

  test('compacts after a look at it, undoes that, rewinds and recalls', async () => {
    const { api, open } = await openWorld(() => replies(`The walnut module is in order. ${'It was looked at with care. '.repeat(300)}`));
    const agent = await open();
    expect(api.requests).toEqual([]);
    for (const topic of ['walnut', 'hazel', 'pecan']) await eventsOf(agent.send(`look at ${topic}`));
    const before = agent.context();
    expect(await agent.compact({ preview: true, preserveCount: 2 })).toMatchObject({ kind: 'previewed' });
    expect(agent.context()).toEqual(before);
    const made = await agent.compact({ preserveCount: 2 });
    expect(made).toMatchObject({ kind: 'compacted' });
    expect(agent.context().messages).toBeLessThan(before.messages);
    expect(agent.undo()).toMatchObject({ messages: before.messages });
    expect(agent.rewind(2)).toMatchObject({ text: 'look at hazel', messages: 2 });
    const hits = await agent.recall('pecan');
    expect(hits[0]).toMatchObject({ sessionId: agent.sessionId, text: expect.stringContaining('pecan') });
  });

  test('goes on with an earlier session, which is open in one place at a time', async () => {
    const { api, world, open } = await openWorld(() => replies('Yes.'));
    const first = await open();
    await eventsOf(first.send('the first'));
    await expect(open({ store: { session: first.sessionId } })).rejects.toMatchObject({ code: 'session_locked' });
    await first.close();
    const second = await open({ store: { session: first.sessionId } });
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
    await eventsOf(second.send([{ type: 'text', text: 'the second' }, image]));
    await second[Symbol.asyncDispose]();
    const said = world.records(`sessions/${first.sessionId}/log.jsonl`).filter(({ type }) => type === 'message');
    expect(said[2]).toMatchObject({ message: { content: [{ type: 'text', text: 'the second' }, image] } });
    expect(JSON.stringify(api.requests[1]?.request.messages)).toContain('the first');
  });

  test('ends a turn when its events are no longer read, and does one thing at a time', async () => {
    const { open } = await openWorld(() => replies('Well. '.repeat(50)));
    const agent = await open();
    for await (const event of agent.send('talk')) {
      if (event.type !== 'turn_started') continue;
      await expect(agent.compact()).rejects.toMatchObject({ code: 'usage' });
      expect(() => agent.undo()).toThrow(expect.objectContaining({ code: 'usage' }));
      break;
    }
    expect(resultOf(await eventsOf(agent.send('again')))).toMatchObject({ stopReason: 'end_turn' });
    expect(resultOf(await eventsOf(agent.send('no', { signal: AbortSignal.abort() })))).toMatchObject({ stopReason: 'interrupted' });
  });

  test('throws what failed, after the result that says so', async () => {
    const { open } = await openWorld(() => status(401, 'authentication_error', 'no such key'));
    const agent = await open();
    const seen: string[] = [];
    const reading = async () => {
      for await (const { type } of agent.send('hello')) seen.push(type);
    };
    await expect(reading()).rejects.toMatchObject({ name: 'SanbotError', code: 'model_key' });
    expect(seen.at(-1)).toBe('result');
  });

  test.each([
    ['usage', { tools: [{ ...nuts, name: 'read_file', run: () => '' }] }],
    ['usage', { tools: [{ ...nuts, name: 'two words', run: () => '' }] }],
    ['not_found', { store: { session: '20250101-000000-aaaaaa' } }],
  ])('rejects with %s', async (code, settings) => {
    const { open } = await openWorld([]);
    await expect(open(settings)).rejects.toMatchObject({ code });
  });
});
