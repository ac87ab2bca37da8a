import { expect, test } from 'vitest';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { pairingProblems, toWire } from '../../../../src/context/history/pairing.ts';
import { extractMemories } from '../../../../src/context/memory/extract-memories.ts';
import { AbortedError, SanbotError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { isToolResult, type Message, resultText } from '../../../../src/domain/session/message.ts';
import { type AgentWish, callsTools, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';
import { calls, says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const signal = new AbortController().signal;
const say = (wish: AgentWish, text = 'hello', maxSteps = 50) => {
  const world = createAgentWorld(wish);
  return { ...world, end: runTurn(text, world.session, world.deps, { signal, maxSteps, tools: world.tools }) };
};
const rolesOf = (messages: readonly Message[]) => messages.map(({ origin }) => origin);
const validWithNext = (messages: readonly Message[]) => pairingProblems(toWire([...messages, user('next')]));

test('the user message is on disk before the request that carries it, the reply before its tools run, each result before the next request [P19, N3]', async () => {
  const seen: string[] = [];
  const world = createAgentWorld({
    ask: (_request, n) => {
      seen.push(
        world.store.records
          .filter((record) => record.type === 'message')
          .map((record) => record.message.origin)
          .join(' '),
      );
      return n === 1 ? callsTools({ id: 'a', name: 'look' }, { id: 'b', name: 'look' }) : replies('done');
    },
    tools: [
      tool('look', () => {
        seen.push(
          world.store.records
            .filter((record) => record.type === 'message')
            .map((record) => record.message.origin)
            .join(' '),
        );
        return 'seen';
      }),
    ],
  });
  await runTurn('go', world.session, world.deps, { signal, maxSteps: 5, tools: world.tools });
  expect(seen).toEqual(['user', 'user model', 'user model', 'user model tools tools']);
});

test('a failing tool is a result, not a crash', async () => {
  const { end, session } = say({
    ask: (_request, n) => (n === 1 ? callsTools({ id: 'a', name: 'breaks' }) : replies('I see')),
    tools: [tool('breaks', () => Promise.reject(new Error('it broke')))],
  });
  expect((await end).text).toBe('I see');
  const results = session.context.messages.flatMap((message) => message.content.filter(isToolResult));
  expect(results.map((result) => [result.is_error, resultText(result)])).toEqual([[true, 'The tool failed: it broke']]);
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'nothing'])(
  'a call of %s is answered that there is no such tool [B-09]',
  async (name) => {
    const { end, session } = say({
      ask: (_request, n) => (n === 1 ? callsTools({ id: 'a', name }) : replies('ok')),
      tools: [tool('look', () => 'x')],
    });
    await end;
    expect(resultText(session.context.messages[2]?.content.find(isToolResult) ?? { type: 'tool_result', tool_use_id: '' })).toContain(
      'There is no tool named',
    );
  },
);

test.each([
  ['edit_file: a.txt: old_string is not in the file', 'edit_file a.txt', 'old_string is not in the file', []],
  [`edit_file: a.txt: ${'no '.repeat(40)}`, 'edit_file a.txt', 'invalid call', [`edit_file: a.txt: ${'no '.repeat(40)}`]],
  ['edit_file: give old_string and new_string', 'edit_file a.txt', 'give old_string and new_string', []],
])('the row of a call that cannot be made names its file and why: %s', async (message, title, note, below) => {
  const edit: ReturnType<typeof tool> = {
    ...tool('edit_file', () => ''),
    plan: async () => ({ kind: 'invalid', message, shown: sameInBoth(message) }),
  };
  const { end, events, session } = say({
    ask: (_request, n) => (n === 1 ? callsTools({ id: 'a', name: 'edit_file', input: { path: 'a.txt' } }) : replies('ok')),
    tools: [edit],
  });
  await end;
  expect(events.flatMap((event) => (event.type === 'tool_started' ? [event.title] : []))).toEqual([title]);
  expect(events.flatMap((event) => (event.type === 'tool_ended' ? [event.note.en] : []))).toEqual([note]);
  expect(events.flatMap((event) => (event.type === 'tool_output' ? event.lines : []))).toEqual(below.map(sameInBoth));
  expect(session.context.messages[2]?.content.filter(isToolResult).map(resultText)).toEqual([message]);
});

test('a call in a reply that was cut off is never run, and the model is told [P16, B-11, C27]', async () => {
  const ran: unknown[] = [];
  const { end, session } = say({
    ask: (_request, n) =>
      n === 1
        ? ({ ...callsTools({ id: 'a', name: 'run', input: { command: 'rm' } }), stopReason: 'max_tokens' } as ReturnType<typeof callsTools>)
        : replies('ok'),
    tools: [tool('run', (input) => String(ran.push(input)))],
  });
  await end;
  expect(ran).toEqual([]);
  expect(rolesOf(session.context.messages)).toEqual(['user', 'model', 'interrupted', 'model']);
});

test.each(['end_turn', 'stop', 'tool_calls', 'pause_turn', 'stop_sequence', 'of_2031', ''])(
  'a complete call runs once beside the stop reason "%s", and the turn goes on with its result',
  async (stopReason) => {
    const ran: unknown[] = [];
    const { end, session } = say({
      ask: (_request, n) => {
        const call = { id: 'a', name: 'run', input: { command: 'ls' } };
        return n === 1 ? ({ ...callsTools(call, call), stopReason } as ReturnType<typeof callsTools>) : replies('ok');
      },
      tools: [tool('run', (input) => String(ran.push(input)))],
    });
    expect(await end).toMatchObject({ stopReason: 'end_turn', text: 'ok' });
    expect(ran).toEqual([{ command: 'ls' }]);
    expect(rolesOf(session.context.messages)).toEqual(['user', 'model', 'tools', 'model']);
  },
);

test.each(['max_tokens', 'length', 'refusal', 'content_filter', 'model_length'])(
  'no call runs of a reply that ended with %s',
  async (stopReason) => {
    const ran: unknown[] = [];
    const { end } = say({
      ask: (_request, n) =>
        n === 1 ? ({ ...callsTools({ id: 'a', name: 'run' }), stopReason } as ReturnType<typeof callsTools>) : replies('ok'),
      tools: [tool('run', (input) => String(ran.push(input)))],
    });
    await end;
    expect(ran).toEqual([]);
  },
);

test('a reply that is cut off in a call again and again ends the turn', async () => {
  const { end, requests } = say({
    ask: (_request, n) => ({ ...callsTools({ id: `c${n}`, name: 'run' }), stopReason: 'max_tokens' }) as ReturnType<typeof callsTools>,
    tools: [tool('run', () => 'x')],
  });
  expect((await end).stopReason).toBe('max_tokens');
  expect(requests.length).toBe(4);
});

test('a model that names its calls alike in each reply has each paired with its own result [F7]', async () => {
  const { end, session } = say({
    ask: (_request, n) => (n < 3 ? callsTools({ id: 'call_0', name: 'look' }) : replies('ok')),
    tools: [tool('look', () => 'x')],
  });
  await end;
  expect(validWithNext(session.context.messages)).toEqual([]);
});

test('interrupting a stream keeps what was seen of the reply, and leaves a valid history [O20, B6]', async () => {
  const stop = new AbortController();
  const world = createAgentWorld({});
  const deps = {
    ...world.deps,
    model: {
      ...world.deps.model,
      ask: async (_request: unknown, stream: { onText: (text: string) => void }) => {
        stream.onText('The answer is ');
        stop.abort();
        throw new AbortedError();
      },
    },
  };
  const end = await runTurn('go', world.session, deps, { signal: stop.signal, maxSteps: 5, tools: world.tools });
  expect(end.stopReason).toBe('interrupted');
  expect(world.session.context.messages.map((message) => message.content)).toEqual([
    [{ type: 'text', text: 'go' }],
    [{ type: 'text', text: 'The answer is' }],
  ]);
  expect(validWithNext(world.session.context.messages)).toEqual([]);
});

test('interrupting tools gives every call a result, runs none after it, and sends no further request', async () => {
  const stop = new AbortController();
  const ran: string[] = [];
  const world = createAgentWorld({
    ask: () => callsTools({ id: 'a', name: 'run' }, { id: 'b', name: 'run' }),
    tools: [
      tool(
        'run',
        () => {
          ran.push('run');
          stop.abort();
          throw new AbortedError();
        },
        { access: 'run' },
      ),
    ],
  });
  const end = await runTurn('go', world.session, world.deps, { signal: stop.signal, maxSteps: 5, tools: world.tools });
  expect([end.stopReason, ran.length, world.requests.length]).toEqual(['interrupted', 1, 1]);
  expect(validWithNext(world.session.context.messages)).toEqual([]);
});

test('when the disk refuses a result the turn stops before the next request, and the next message stores it first [C97]', async () => {
  const world = createAgentWorld({
    ask: (_request, n) => (n === 1 ? callsTools({ id: 'a', name: 'fill' }, { id: 'b', name: 'fill' }) : replies('fine')),
    tools: [
      tool('fill', () => {
        world.store.fails = true;
        return 'was run';
      }),
    ],
  });
  await expect(runTurn('go', world.session, world.deps, { signal, maxSteps: 5, tools: world.tools })).rejects.toThrow(SanbotError);
  expect(world.requests.length).toBe(1);
  world.store.fails = false;
  await runTurn('again', world.session, world.deps, { signal, maxSteps: 5, tools: world.tools });
  expect(rolesOf(world.reopened().context.messages)).toEqual(['user', 'model', 'tools', 'tools', 'user', 'model']);
  expect(validWithNext(world.reopened().context.messages)).toEqual([]);
});

test('a message that the disk refuses is as if it had never been sent', async () => {
  const world = createAgentWorld();
  world.store.fails = true;
  await expect(runTurn('lost', world.session, world.deps, { signal, maxSteps: 5, tools: world.tools })).rejects.toThrow('The disk is full');
  world.store.fails = false;
  await runTurn('kept', world.session, world.deps, { signal, maxSteps: 5, tools: world.tools });
  expect(world.session.context.messages.map((message) => message.content[0])).toEqual([
    { type: 'text', text: 'kept' },
    { type: 'text', text: 'ok' },
  ]);
});

test('a session that ended between a call and its result goes on [D-43, C63]', async () => {
  const { end, session } = say({ messages: [user('do'), calls({ id: 'x' })] });
  await end;
  expect(rolesOf(session.context.messages)).toEqual(['user', 'model', 'interrupted', 'user', 'model']);
});

test('a turn stops at its bound of steps', async () => {
  const { end, requests } = say(
    { ask: (_request, n) => callsTools({ id: `c${n}`, name: 'look' }), tools: [tool('look', () => 'x')] },
    'go',
    3,
  );
  await expect(end).rejects.toThrow('stopped after 3 steps');
  expect(requests.length).toBe(3);
});

test('a denied call is a result that says so, and the turn goes on', async () => {
  const { end, session, events } = say({
    ask: (_request, n) => (n === 1 ? callsTools({ id: 'a', name: 'run' }) : replies('understood')),
    tools: [tool('run', () => 'ran', { access: 'run' })],
    mode: 'ask',
  });
  expect((await end).text).toBe('understood');
  expect(JSON.stringify(session.context.messages[2])).toContain('Not allowed');
  expect(events.filter((event) => event.type === 'tool_ended').map((event) => event.denied)).toEqual([true]);
});

test('a command that the user stops at the question has not failed: no ledger and no memory keeps it', async () => {
  const stop = new AbortController();
  const world = createAgentWorld({
    ask: () => callsTools({ id: 'a', name: 'run_command', input: { command: 'false' } }),
    tools: [tool('run_command', () => 'ran', { access: 'run' })],
    mode: 'ask',
    deps: {
      person: {
        askPermission: async () => {
          stop.abort();
          throw new AbortedError();
        },
      },
    },
  });
  const end = await runTurn('run false', world.session, world.deps, { signal: stop.signal, maxSteps: 3, tools: world.tools });
  expect(end.stopReason).toBe('interrupted');
  const { messages } = world.session.context;
  expect(JSON.stringify(messages[2])).toContain('This call was not run');
  expect(gatherLedger(messages, { bodyOf: () => undefined, bodyPath: () => '' })).toMatchObject({ failedCommands: [], done: [] });
  expect(extractMemories(messages, { sessionId: 's' })).toEqual([]);
});

test('reads run side by side, everything else one at a time', async () => {
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return 'x';
  };
  const peak = async (access: 'read' | 'run') => {
    most = 0;
    const ids = ['a', 'b', 'c'];
    await say({
      ask: (_request, n) => (n === 1 ? callsTools(...ids.map((id) => ({ id, name: 'work' }))) : replies('ok')),
      tools: [tool('work', work, { access })],
    }).end;
    return most;
  };
  expect([await peak('read'), await peak('run')]).toEqual([3, 1]);
});

test('a large result is offloaded before it is first sent, and its body is on disk before its stub appears [C48]', async () => {
  const body = Array.from({ length: 3_000 }, (_, i) => `line ${i}`).join('\n');
  const world = createAgentWorld({
    ask: (_request, n) => (n === 1 ? callsTools({ id: 'a', name: 'look' }) : replies('ok')),
    tools: [tool('look', () => body)],
  });
  await runTurn('go', world.session, world.deps, { signal, maxSteps: 5, tools: world.tools });
  const [sent] = world.requests[1]?.messages.at(-1)?.content.filter(isToolResult) ?? [];
  expect(resultText(sent ?? { type: 'tool_result', tool_use_id: '' })).toMatch(/^Tool result is at: /);
  expect([...world.store.bodies.files.values()]).toEqual([body]);
});

test('an earlier reply said to be the end is an end: nothing is asked for after it [C4]', async () => {
  const { end, requests } = say({ messages: [user('a'), says('b')] });
  await end;
  expect(requests.length).toBe(1);
});
