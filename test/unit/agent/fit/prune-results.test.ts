import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import type { ModelFacts, ModelRequest } from '../../../../src/agent/ports/model.ts';
import { findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import type { Session } from '../../../../src/agent/session/session.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { isThinking, type Message } from '../../../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { type AgentWish, type AgentWorld, createAgentWorld, replies as plainReply, roughCount } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { fakeModel, replies } from '../../../support/fake-model.ts';

const CLEARED = '[Old tool result content cleared]';
const PAUSE_MS = 6 * 60_000;
const signal = new AbortController().signal;
const body = (i: number, chars: number) => `row ${i} of the list\n`.repeat(Math.ceil(chars / 18)).slice(0, chars);

/** Exchanges with a result each; `thinks` puts a signed block before every call. */
const work = (n: number, chars: number, thinks = false): readonly Message[] =>
  Array.from({ length: n }, (_, i) => {
    const call = calls({ id: `t${i}` });
    const thought = { type: 'thinking', thinking: `thought ${i}`, signature: `s${i}` };
    return [
      user(`look at ${i}`),
      thinks ? { ...call, content: [thought, ...call.content] } : call,
      answers({ id: `t${i}`, content: body(i, chars) }),
      says(`seen ${i}`),
    ];
  }).flat();

/** Soft limit about 14,700 tokens of a rough four characters, and nothing that goes to files by itself. */
const wish = (more: AgentWish = {}): AgentWish => ({
  window: 32_000,
  messages: work(16, 3_200),
  ...more,
  config: { offload: { enabled: false }, ...more.config },
});

const later = (world: AgentWorld, ms = PAUSE_MS) => {
  world.clock.now = new Date(world.clock.now.getTime() + ms);
};
const say = (text: string, world: AgentWorld, session: Session = world.session) =>
  runTurn(text, session, world.deps, { signal, maxSteps: 20, tools: world.tools });
const prunings = ({ events }: AgentWorld) => events.flatMap((event) => (event.type === 'pruned' ? [event] : []));
const results = (request: ModelRequest | undefined) =>
  (request?.messages ?? []).flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result').map((block) => block.content));
const isPrefix = (before: ModelRequest | undefined, after: ModelRequest | undefined) => {
  const start = before?.messages ?? [];
  expect(JSON.stringify(after?.messages.slice(0, start.length))).toBe(JSON.stringify(start));
};

describe('pruning on the wire', () => {
  test('leaves old results out when the cache is cold, the oldest first, and changes nothing on disk [C59]', async () => {
    const world = createAgentWorld(wish());
    const kept = world.session.context;
    later(world);
    await say('and now?', world);
    const [event] = prunings(world);
    expect(event).toMatchObject({ trimmed: 0 });
    const sent = results(world.requests[0]);
    expect(sent.filter((content) => content === CLEARED)).toHaveLength(event?.cleared ?? 0);
    expect(sent.lastIndexOf(CLEARED)).toBe((event?.cleared ?? 0) - 1);
    expect(sent.slice(-3)).toEqual([13, 14, 15].map((i) => body(i, 3_200)));
    expect(world.session.context.messages.slice(0, kept.messages.length)).toEqual(kept.messages);
    expect(world.store.records.map(({ type }) => type)).toEqual(['header', 'message', 'message']);
  });

  test('cuts large results to head and tail before it clears any', async () => {
    const world = createAgentWorld(wish({ config: { pruning: { maxToolResultChars: 2_000 } } }));
    later(world);
    await say('and now?', world);
    expect(prunings(world)).toMatchObject([{ cleared: 0 }]);
    const [first] = results(world.requests[0]);
    expect(first).toMatch(
      /^\[Old tool result shortened: the first \d+ and the last \d+ of 3200 characters are here\. recall finds the rest\.\]\nrow 0 /,
    );
    expect(String(first).length).toBeLessThan(1_500);
  });

  test('counts what is really sent', async () => {
    const world = createAgentWorld(wish());
    later(world);
    await say('and now?', world);
    const [event] = prunings(world);
    const request = world.requests[0];
    expect(event?.tokensAfter).toBeLessThan(event?.tokensBefore ?? 0);
    const raw = roughCount(JSON.stringify(request?.messages));
    expect(world.events.find((each) => each.type === 'request')).toMatchObject({ tokens: event?.tokensAfter });
    expect(Math.abs(world.deps.measure.raw(world.session.sent) / raw - 1)).toBeLessThan(0.3);
  });

  test('what was pruned stays so, byte for byte, in the next requests and after a restart [O22, C57]', async () => {
    const world = createAgentWorld(wish());
    later(world);
    await say('and now?', world);
    later(world, 1_000);
    await say('go on', world);
    isPrefix(world.requests[0], world.requests[1]);
    await say('after a restart', world, world.reopened());
    isPrefix(world.requests[1], world.requests[2]);
    expect(prunings(world)).toHaveLength(1);
  });

  test.each<[string, AgentWish, number]>([
    ['the cache is warm', wish(), 4 * 60_000],
    ['there is room', wish({ messages: work(8, 3_200) }), PAUSE_MS],
    ['it is switched off', wish({ config: { pruning: { mode: 'off' } } }), PAUSE_MS],
    ['the ttl is longer', wish({ config: { pruning: { ttl: '1h' } } }), PAUSE_MS],
    ['no tool may be pruned', wish({ config: { pruning: { tools: { allow: ['*'], deny: ['read_*'] } } } }), PAUSE_MS],
    ['all are among the last', wish({ config: { pruning: { keepLastAssistants: 40 } } }), PAUSE_MS],
  ])('does nothing while %s', async (_, given, ms) => {
    const world = createAgentWorld(given);
    later(world, ms);
    await say('and now?', world);
    expect(prunings(world)).toEqual([]);
    expect(results(world.requests[0])).not.toContain(CLEARED);
  });

  test('thinking that was signed for the whole past goes in the same reset; what is thought afterwards stays [C65, C66, O2]', async () => {
    const usage = { inputTokens: 18_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 10 };
    const messages = [...work(20, 3_200, true), user('well?'), says('well', { usage })];
    const { world, model } = strictWorld(wish({ messages, config: { compaction: { softThresholdTokens: 12_000 } } }), () =>
      replies('fine', { thinking: 'hm' }),
    );
    await say('first', world);
    later(world);
    await say('cold', world);
    await say('warm', world);
    await say('after a restart', world, world.reopened());
    model.done();
    expect(prunings(world)).toHaveLength(1);
    expect(model.requests.map(({ messages }) => messages.flatMap(({ content }) => content.filter(isThinking)).length)).toEqual([
      20, 0, 1, 2,
    ]);
  });

  test('a compaction ends it, and a rollback to before brings back the very array that was sent [B10]', async () => {
    const { world, model } = strictWorld(wish(), () => replies('fine', { thinking: 'hm' }));
    later(world);
    await say('cold', world);
    await say('warm', world);
    const limits = limitsOf(world.session, world.deps);
    await compact({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, world.session, world.deps);
    expect(world.session.sent).toBe(world.session.context);
    const [taken] = world.events.flatMap((event) => (event.type === 'snapshot_written' ? [event.snapshotId] : []));
    rollBack(findSnapshot(taken ?? '', world.deps.disk.snapshots), world.session, world.deps);
    await say('once more', world);
    model.done();
    isPrefix(model.requests[1], model.requests[2]);
    expect(results(model.requests[2])).toContain(CLEARED);
  });

  test('a request that failed is sent again with the same pruning', async () => {
    const answered: (() => ModelAnswer)[] = [
      () => {
        throw new Error('down');
      },
      () => plainReply('ok'),
    ];
    const world = createAgentWorld(wish({ ask: (_, n) => answered[n - 1]?.() ?? plainReply('ok') }));
    later(world);
    await expect(say('and now?', world)).rejects.toThrow('down');
    await say('again', world);
    expect(results(world.requests[1])).toEqual(results(world.requests[0]));
  });
});

function strictWorld(given: AgentWish, script: Parameters<typeof fakeModel>[0]) {
  const model = fakeModel(script, { windowTokens: 32_000, countTokens: roughCount });
  const facts: ModelFacts = { windowTokens: 32_000, assumed: false, maxOutputTokens: 4_000, costUsd: () => 0 };
  const world = createAgentWorld({ ...given, deps: { model: { ask: model.ask, facts: () => facts } } });
  return { world, model };
}
