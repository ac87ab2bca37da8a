import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { trimOrSlide } from '../../../../src/agent/fit/last-resort.ts';
import { pinMessage, unpinMessage } from '../../../../src/agent/memory/pins.ts';
import { clearContext, findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import type { Session } from '../../../../src/agent/session/session.ts';
import { toWire } from '../../../../src/context/history/pairing.ts';
import { todoListIn } from '../../../../src/context/history/todo-list.ts';
import { planOffload } from '../../../../src/context/offload/offload.ts';
import type { TodoItem } from '../../../../src/domain/session/ledger.ts';
import { isText, type Message } from '../../../../src/domain/session/message.ts';
import { type AgentWorld, createAgentWorld } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const bulk = (chars: number, about: string) => `${about} `.repeat(Math.ceil(chars / (about.length + 1))).slice(0, chars);

const talk = (turns: number, about: string): readonly Message[] =>
  Array.from({ length: turns }, (_, i) => [user(bulk(600, `ask ${about}${i}`)), says(bulk(600, `tell ${about}${i}`))]).flat();
const notice = (kind: string, text: string): Message => ({ ...user(text), origin: 'notice', notice: kind });

const listed = (id: string, items: readonly TodoItem[], isError = false): readonly Message[] => [
  calls({ id, name: 'todo', input: { items } }),
  answers({ id, content: 'Noted', isError }),
];

const sent = ({ context }: Session): string =>
  toWire(context.messages)
    .flatMap(({ content }) => content.filter(isText).map(({ text }) => text))
    .join('\n');

async function compactAll({ session, deps }: AgentWorld): Promise<void> {
  const limits = { ...limitsOf(session, deps), keepMessages: 3, keepTokens: 500 };
  const wish = { trigger: 'manual', reasons: [], instructions: undefined, limits, signal: new AbortController().signal } as const;
  expect(await compact(wish, session, deps)).toMatchObject({ kind: 'compacted' });
}

const append = ({ session, deps }: AgentWorld, messages: readonly Message[]): void => {
  for (const message of messages) session.append({ type: 'message', message: { ...message, id: deps.clock.newId() } });
};

const open: readonly TodoItem[] = [
  { text: 'measure the 冷启动 time', status: 'done' },
  { text: 'remove the second cache', status: 'in_progress' },
  { text: 'say so in CHANGES.md', status: 'pending' },
];

const allDone = open.map(({ text }): TodoItem => ({ text, status: 'done' }));

describe('the task list', () => {
  test('is carried through one compaction after another, open tasks word for word, until all of it is done [C73, C79, P1]', async () => {
    const world = createAgentWorld({ messages: [...talk(10, 'a'), ...listed('t1', open), ...talk(10, 'b')], window: 64_000 });
    for (const about of ['c', 'd', 'e']) {
      await compactAll(world);
      expect(sent(world.session)).toContain('- [>] remove the second cache\n- [ ] say so in CHANGES.md\n- [x] 1 done');
      expect(todoListIn(world.session.context.messages)).toEqual(open);
      expect(world.reopened().context).toEqual(world.session.context);
      append(world, talk(10, about));
    }
    append(world, [...listed('t2', allDone), ...talk(10, 'f')]);
    expect(todoListIn(world.session.context.messages)).toEqual(allDone);
    await compactAll(world);
    expect(sent(world.session)).not.toContain('say so in CHANGES.md');
  });

  test('is what the newest call that worked says, and one that failed says nothing', () => {
    expect(todoListIn([...listed('t1', open), ...listed('t2', allDone, true)])).toEqual(open);
    expect(todoListIn([...listed('t1', open), calls({ id: 't2', name: 'todo', input: { items: [] } })])).toEqual(open);
    expect(todoListIn([...listed('t1', open), ...listed('t2', [])])).toEqual([]);
    expect(todoListIn(talk(2, 'x'))).toBeUndefined();
  });

  test('of another agent is understood too', () => {
    const todos = [
      { content: 'port the tests', status: 'completed', activeForm: 'Porting' },
      { content: 'run them', status: 'in_progress' },
    ];
    expect(todoListIn([calls({ id: 'x', name: 'TodoWrite', input: { todos } }), answers({ id: 'x' })])).toEqual([
      { text: 'port the tests', status: 'done' },
      { text: 'run them', status: 'in_progress' },
    ]);
  });

  test('outlives the sliding window, and a rollback brings back the one of then', () => {
    const world = createAgentWorld({ messages: [...listed('t1', open), ...talk(30, 'a')], window: 64_000 });
    const { session, deps, store } = world;
    trimOrSlide(session, deps, { limits: limitsOf(session, deps), targetTokens: Math.floor(session.estimate.count().tokens / 2) });
    expect(session.context.messages.flatMap(({ content }) => content).some(({ type }) => type === 'tool_use')).toBe(false);
    expect(sent(session)).toContain('- [>] remove the second cache');
    expect(todoListIn(world.reopened().context.messages)).toEqual(open);
    append(world, listed('t2', allDone));
    const [snapshot = ''] = store.snapshots.all.keys();
    rollBack(findSnapshot(snapshot, deps.disk.snapshots), session, deps);
    expect(todoListIn(session.context.messages)).toEqual(open);
  });
});

describe('a notice', () => {
  const told = [notice('date', 'The date is now 2026-01-03.'), notice('folder', 'The working folder is now /a.')];
  test('is in the context after a compaction when it is the newest of its kind, and no older one is [C69]', async () => {
    const messages = [...talk(5, 'a'), ...told, ...talk(5, 'b'), notice('date', 'The date is now 2026-01-04.'), ...talk(10, 'c')];
    const world = createAgentWorld({ messages, window: 64_000 });
    for (const about of ['d', 'e']) {
      await compactAll(world);
      const notices = world.session.context.messages.filter(({ origin }) => origin === 'notice').map(({ notice }) => notice);
      expect(notices).toEqual(['folder', 'date']);
      expect(sent(world.session)).toMatch(/folder is now \/a\.[\s\S]*date is now 2026-01-04\./);
      append(world, talk(10, about));
    }
    append(world, [notice('date', 'The date is now 2026-01-05.')]);
    await compactAll(world);
    const now = world.session.context.messages.filter(({ notice }) => notice === 'date');
    expect(now.map(({ content }) => content[0]?.text)).toEqual(['The date is now 2026-01-05.']);
  });

  test('that slides out of the window is carried on [C69]', () => {
    const { session, deps } = createAgentWorld({ messages: [user('go'), says('yes'), ...told, ...talk(30, 'a')], window: 64_000 });
    trimOrSlide(session, deps, { limits: limitsOf(session, deps), targetTokens: Math.floor(session.estimate.count().tokens / 2) });
    expect(session.context.messages.slice(0, 2).map(({ notice }) => notice)).toEqual(['date', 'folder']);
    expect(session.estimate.count().tokens).toBeLessThan(30_000);
  });

  test('alone is nothing to compact', async () => {
    const { session, deps, events } = createAgentWorld({ messages: [...told, user('hello'), says(bulk(30_000, 'x'))], window: 64_000 });
    const limits = { ...limitsOf(session, deps), keepTokens: 9_000 };
    const signal = new AbortController().signal;
    expect(await compact({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, session, deps)).toEqual({
      kind: 'nothing',
    });
    expect(events.map(({ type }) => type)).toEqual(['nothing_to_compact']);
  });
});

describe('a pin', () => {
  const rule = user('Rule: 表名不许改。 Never rename a table.');
  test('of a result whose body is in a file keeps the whole body [C119]', async () => {
    const world = createAgentWorld({ messages: talk(3, 'a'), window: 200_000 });
    const { session, deps } = world;
    const body = bulk(12_000, 'line of the report');
    const saved = session.bodies.save(body);
    if (saved === undefined) throw new Error('not saved');
    append(world, [
      calls({ id: 'r1' }),
      { ...answers({ id: 'r1', content: 'Tool result is at: …' }), stubs: [{ toolUseId: 'r1', tool: 'read_file', body: saved.ref }] },
    ]);
    pinMessage(session.context.messages.length - 1, session, deps);
    expect(sent(session)).toContain(body);
    append(world, talk(10, 'b'));
    await compactAll(world);
    expect(sent(session)).toContain(`given back by a tool`);
    expect(sent(session)).toContain(body);
  });

  test('is carried once, however often the past is made shorter, and goes with the next compaction once it is taken off', async () => {
    const world = createAgentWorld({ messages: [rule, ...talk(10, 'a')], window: 64_000 });
    pinMessage(0, world.session, world.deps);
    for (const about of ['b', 'c']) {
      await compactAll(world);
      expect(sent(world.session).split('Never rename a table.\n--- end of pinned').length).toBe(2);
      append(world, talk(10, about));
    }
    unpinMessage(rule.id, world.session);
    expect(sent(world.session)).toContain('[Pinned by the user]');
    await compactAll(world);
    expect(sent(world.session)).not.toContain('[Pinned by the user]');
    expect(() => unpinMessage(rule.id, world.session)).toThrow('It is not pinned');
  });

  test('that was made after a snapshot outlives going back to it, and the messages of then are the same to the byte [C100]', async () => {
    const world = createAgentWorld({ messages: talk(10, 'a'), window: 64_000 });
    const { session, deps, store } = world;
    await compactAll(world);
    const [snapshot = ''] = store.snapshots.all.keys();
    append(world, [rule]);
    pinMessage(session.context.messages.length - 1, session, deps);
    const before = session.context;
    const done = rollBack(findSnapshot(snapshot, deps.disk.snapshots), session, deps);
    const then = store.snapshots.all.get(snapshot)?.made.context.messages;
    expect(session.context.messages.slice(0, then?.length)).toEqual(then);
    expect(sent(session)).toContain('Never rename a table.');
    rollBack(findSnapshot(done.undo, deps.disk.snapshots), session, deps);
    expect(session.context).toEqual(before);
  });

  test('leaves with /clear, and a rollback brings it back', () => {
    const world = createAgentWorld({ messages: [rule, ...talk(2, 'a')], window: 64_000 });
    const { session, deps } = world;
    pinMessage(0, session, deps);
    const snapshot = clearContext(session, deps);
    expect(session.context).toMatchObject({ messages: [], pins: [] });
    rollBack(findSnapshot(snapshot, deps.disk.snapshots), session, deps);
    expect(session.context.pins?.map(({ messageId }) => messageId)).toEqual([rule.id]);
  });

  test('keeps its result from going to a file, while others go [C49]', () => {
    const results = Array.from({ length: 8 }, (_, i) => [
      calls({ id: `t${i}` }),
      answers({ id: `t${i}`, content: bulk(4_000, `line${i}`) }),
    ]).flat();
    const { session, deps } = createAgentWorld({ messages: [user('go'), ...results, says('done'), user('next')], window: 64_000 });
    pinMessage(2, session, deps);
    session.append({
      type: 'offload',
      stubs: planned(session, deps).map((toolUseId) => ({
        ref: { toolUseId, tool: 'read_file', body: { sha256: '0'.repeat(64), bytes: 1, lines: 1 } },
        text: 'stub',
      })),
    });
    const stubs = session.context.messages.flatMap(({ stubs: each = [] }) => each.map(({ toolUseId }) => toolUseId));
    expect(stubs.length).toBeGreaterThan(3);
    expect(stubs).not.toContain('t0');
  });
});

function planned(session: Session, deps: AgentWorld['deps']): readonly string[] {
  const { measure, config } = deps;
  const plan = {
    measure,
    ratio: session.estimate.ratio,
    stubTokens: limitsOf(session, deps).smallStubTokens,
    config: config.offload,
    keepFrom: 99,
    targetTokens: 0,
  };
  return planOffload(session.context, plan).map(({ toolUseId }) => toolUseId);
}
