import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { buildRequest } from '../../../../src/agent/request.ts';
import { findMessage, rewind } from '../../../../src/agent/rollback/rewind.ts';
import { clearContext, findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import { pastMessages } from '../../../../src/context/history/past.ts';
import { SanbotError } from '../../../../src/domain/errors.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { type AgentWorld, createAgentWorld } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const words = (n: number, about: string) => Array.from({ length: n }, (_, i) => `${about} ${i} is told here in full.`).join(' ');

const exchange = (i: number): readonly Message[] => [
  user(`Request ${i}: 不要动 vendor/lib${i}.ts. ${words(20, `matter ${i}`)}`),
  {
    ...calls({ id: `t${i}`, name: 'edit_file', input: { path: `src/part${i}.ts` } }),
    content: [
      { type: 'thinking', thinking: `thoughts ${i}`, signature: `sig${i}` },
      { type: 'tool_use', id: `t${i}`, name: 'edit_file', input: { path: `src/part${i}.ts` } },
    ],
  },
  answers({ id: `t${i}`, content: words(40, `result ${i}`) }),
  says(`Part ${i} is changed. ${words(20, `answer ${i}`)}`),
];

const NEXT = user('what is said next');
/** What would be sent for one more message. */
const requestOf = (world: AgentWorld, session = world.session): string => {
  const facts = world.deps.model.facts('test');
  const context = { ...session.context, messages: [...session.context.messages, NEXT] };
  return JSON.stringify(
    buildRequest({ purpose: 'turn', context, model: session.model, facts, estimate: session.estimate, config: world.deps.config.model }),
  );
};

/** Says exchanges one by one and remembers the state before each; compacts after those named. */
async function talked(exchanges: number, compactAfter: readonly number[]) {
  const world = createAgentWorld();
  const before = new Map<string, { readonly context: string; readonly request: string }>();
  for (let i = 0; i < exchanges; i++) {
    const messages = exchange(i);
    before.set(messages[0]?.id ?? '', { context: JSON.stringify(world.session.context), request: requestOf(world) });
    for (const message of messages) world.session.append({ type: 'message', message });
    if (compactAfter.includes(i)) await compacted(world);
  }
  return { world, before };
}

async function compacted(world: AgentWorld): Promise<void> {
  const limits = limitsOf(world.session, world.deps);
  const wish = { trigger: 'manual', reasons: [], instructions: undefined, limits, signal: new AbortController().signal } as const;
  expect((await compact(wish, world.session, world.deps)).kind).toBe('compacted');
}

const goTo = (world: AgentWorld, wish: string) => rewind(findMessage(wish, world.session, world.deps), world.session, world.deps);

describe('going back to before a message', () => {
  test('restores what the next request was then, to the byte, thinking included, over two compactions [B10, C100, C101, O2]', async () => {
    const { world, before } = await talked(24, [11, 20]);
    for (const [id, was] of before) {
      const { undo } = goTo(world, id);
      expect(JSON.stringify(world.session.context)).toBe(was.context);
      expect(requestOf(world)).toBe(was.request);
      expect(JSON.stringify(world.reopened().context)).toBe(was.context);
      rollBack(findSnapshot(undo, world.deps.disk.snapshots), world.session, world.deps);
    }
    expect(before.size).toBe(24);
  });

  test('is undone by its own snapshot, which holds the state that was left [B11, P29]', async () => {
    const { world } = await talked(14, [11]);
    const now = JSON.stringify(world.session.context);
    const { undo, text } = goTo(world, '2');
    expect(text).toMatch(/^Request 1: 不要动/);
    expect(world.events.find(({ type }) => type === 'rewound')).toMatchObject({ undoId: undo, messages: 4 });
    rollBack(findSnapshot(undo, world.deps.disk.snapshots), world.session, world.deps);
    expect(JSON.stringify(world.session.context)).toBe(now);
  });

  test('counts what the user said and nothing of ours [C102]', async () => {
    const { world } = await talked(13, [11]);
    const notice = world.session.message({
      role: 'user',
      origin: 'notice',
      content: [{ type: 'text', text: 'The date is now 2026-01-03.' }],
    });
    world.session.append({ type: 'message', message: notice });
    expect(pastMessages(world.deps.disk.past('s1')).map(({ text }) => text.slice(0, 10))).toEqual(
      Array.from({ length: 13 }, (_, i) => `Request ${i}: `.slice(0, 10)),
    );
  });

  test('leaves out what a rollback left behind, and has it again when that is undone', async () => {
    const { world } = await talked(6, []);
    const said = () => pastMessages(world.deps.disk.past('s1')).length;
    const { undo } = goTo(world, '3');
    expect(said()).toBe(2);
    world.session.append({ type: 'message', message: user('another way') });
    expect(said()).toBe(3);
    rollBack(findSnapshot(undo, world.deps.disk.snapshots), world.session, world.deps);
    expect(said()).toBe(6);
    goTo(world, '1');
    expect([said(), world.session.context.messages.length]).toEqual([0, 0]);
  });

  test('brings offloaded bodies back that were retired since', async () => {
    const { world } = await talked(10, []);
    const body = words(4_000, 'a body');
    const { ref } = world.session.bodies.save(body) ?? {};
    if (ref === undefined) throw new Error('not saved');
    const stub = { ref: { toolUseId: 't2', tool: 'edit_file', body: ref }, text: 'Tool result is at: somewhere' };
    world.session.append({ type: 'offload', stubs: [stub] });
    const next = user('go on');
    world.session.append({ type: 'message', message: next });
    for (let i = 30; i < 42; i++) for (const message of exchange(i)) world.session.append({ type: 'message', message });
    await compacted(world);
    expect(world.store.bodies.files.has(ref.sha256)).toBe(false);
    goTo(world, next.id);
    expect(world.store.bodies.files.get(ref.sha256)).toBe(body);
  });

  test('says what there is when the message is not', async () => {
    const { world } = await talked(3, []);
    for (const wish of ['0', '4', 'm', '../../etc', '1e1', ''])
      expect(() => goTo(world, wish)).toThrow(
        expect.objectContaining<Partial<SanbotError>>({ code: 'not_found', hint: expect.stringContaining('from 1 to 3') }),
      );
    const records = world.store.records.length;
    expect(() => goTo(createAgentWorld(), '1')).toThrow(SanbotError);
    expect(world.store.records).toHaveLength(records);
  });

  test('tells the memories what was learned since, and what was known already', async () => {
    const { world, before } = await talked(24, [11, 20]);
    const ids = [...before.keys()];
    const { undo } = goTo(world, '16');
    const [change] = world.store.memories.returns;
    expect(change).toMatchObject({ sessionId: 's1', by: undo });
    expect(ids.map((id) => change?.isLater(id))).toEqual(ids.map((_, i) => i >= 15));
    expect(change?.isUndone(undo)).toBe(false);
    rollBack(findSnapshot(undo, world.deps.disk.snapshots), world.session, world.deps);
    expect(world.store.memories.returns[1]?.isUndone(undo)).toBe(true);
    expect(ids.filter((id) => world.store.memories.returns[1]?.isLater(id))).toEqual([]);
  });

  test('leaves the memories alone when a clear is undone', async () => {
    const { world, before } = await talked(4, []);
    const snapshotId = clearContext(world.session, world.deps);
    rollBack(findSnapshot(snapshotId, world.deps.disk.snapshots), world.session, world.deps);
    const [change] = world.store.memories.returns;
    expect([...before.keys()].filter((id) => change?.isLater(id))).toEqual([]);
  });
});
