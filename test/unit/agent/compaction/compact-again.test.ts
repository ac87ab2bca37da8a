import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import type { CompactionOptions } from '../../../../src/agent/compaction/types.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { pairingProblems, toWire } from '../../../../src/context/history/pairing.ts';
import { AbortedError, SanbotError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { type AgentWish, type AgentWorld, callsTools, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { goodSummary } from '../../../support/summary.ts';

const words = (n: number, about: string) => Array.from({ length: n }, (_, i) => `${about} ${i} is told here in full.`).join(' ');

const exchanges = (n: number, about: string): readonly Message[] =>
  Array.from({ length: n }, (_, i) => [
    user(`Request ${about}${i}: ${words(20, `matter ${i}`)}`),
    calls({ id: `${about}${i}`, name: 'look', input: { path: `src/${about}${i}.ts` } }),
    answers({ id: `${about}${i}`, content: words(40, `result ${i}`) }),
    says(`Part ${about}${i} is seen. ${words(20, `answer ${i}`)}`),
  ]).flat();

const compactNow = (world: AgentWorld, more: Partial<CompactionOptions> = {}) =>
  compact(
    {
      trigger: 'manual',
      reasons: [],
      instructions: undefined,
      limits: limitsOf(world.session, world.deps),
      signal: new AbortController().signal,
      ...more,
    },
    world.session,
    world.deps,
  );
const say = (world: AgentWorld, text = 'go on') =>
  runTurn(text, world.session, world.deps, { signal: new AbortController().signal, maxSteps: 20, tools: world.tools });
const add = (world: AgentWorld, messages: readonly Message[]) => {
  for (const message of messages) world.session.append({ type: 'message', message });
};

const types = (world: AgentWorld) => world.events.map((event) => event.type);
const look = tool('look', () => 'x');

describe('a second compaction', () => {
  test('flushes memories as the first did, and any later one does [O5]', async () => {
    const world = createAgentWorld({ messages: exchanges(12, 'a') });
    for (const about of ['b', 'c', 'd']) {
      await compactNow(world);
      add(world, exchanges(8, about));
    }
    expect(types(world).filter((type) => type === 'memory_extracted')).toHaveLength(3);
  });

  test('has only what is new summarised, beside the summary there is [C21, F12]', async () => {
    const world = createAgentWorld({ messages: exchanges(12, 'a'), canSummarise: true, ask: () => replies(goodSummary) });
    await compactNow(world);
    const first = world.requests.length;
    add(world, exchanges(12, 'b'));
    await compactNow(world);
    const second = JSON.stringify(world.requests.slice(first));
    expect(second).toContain('Request b0');
    expect(second).not.toContain('Request a0');
    expect(second).toContain('The model notes what matters about key decisions.');
  });

  test('leaves whole pairs and the newest messages, however often it comes [C62, O14]', async () => {
    const world = createAgentWorld({ messages: exchanges(12, 'a') });
    for (const about of ['b', 'c', 'd', 'e']) {
      const newest = exchanges(6, about);
      add(world, newest);
      await compactNow(world);
      const { messages } = world.session.context;
      expect(pairingProblems(toWire([...messages, user('next')]))).toEqual([]);
      expect(messages.at(-1)?.id).toBe(newest.at(-1)?.id);
      expect(messages.filter((message) => message.origin === 'summary')).toHaveLength(1);
      const limits = limitsOf(world.session, world.deps);
      expect(messages.length).toBeLessThanOrEqual(limits.keepMessages + 2);
    }
  });
});

describe('after a compaction', () => {
  test('of a finished turn the next one goes on as if nothing had been [P10]', async () => {
    const world = createAgentWorld({ messages: exchanges(12, 'a') });
    await say(world);
    expect((await compactNow(world)).kind).toBe('compacted');
    expect((await say(world)).stopReason).toBe('end_turn');
  });

  test('no second one follows while there is room [C13]', async () => {
    const usage = { inputTokens: 9_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 7_000 };
    const ask = (): ModelAnswer => ({
      kind: 'reply',
      content: [{ type: 'text', text: 'ok' }],
      stopReason: 'end_turn',
      model: 'test',
      usage,
    });
    const world = createAgentWorld({ messages: exchanges(12, 'a'), window: 24_000, ask });
    await compactNow(world);
    for (const text of ['one', 'two', 'three']) await say(world, text);
    expect(types(world).filter((type) => type === 'compaction_started')).toHaveLength(1);
  });

  test('the tools are told to the model as before [C77]', async () => {
    const world = createAgentWorld({ messages: exchanges(12, 'a'), tools: [look] });
    await say(world);
    await compactNow(world);
    await say(world);
    expect(world.requests.map((request) => request.tools)).toEqual([[look.spec], [look.spec]]);
  });

  test('what the person allowed for the session stays allowed [C78]', async () => {
    const asked: string[] = [];
    const world = createAgentWorld({
      messages: exchanges(12, 'a'),
      mode: 'ask',
      tools: [tool('make', () => 'made', { access: 'run' })],
      ask: (_request, n) => (n % 2 === 1 ? callsTools({ id: `c${n}`, name: 'make' }) : replies('done')),
      deps: {
        person: {
          askPermission: async (question) => {
            asked.push(question.tool);
            return 'session';
          },
        },
      },
    });
    await say(world);
    await compactNow(world);
    await say(world);
    expect(asked).toEqual(['make']);
    expect(world.events.filter((event) => event.type === 'tool_ended' && event.ok)).toHaveLength(2);
  });

  test('the summary stands in plain text where a person can read it [C88, X11]', async () => {
    const world = createAgentWorld({ messages: exchanges(12, 'a') });
    await compactNow(world);
    const shown = textOf(world.session.context.messages[0]?.content ?? []);
    expect([...world.store.memories.summaries.values()].join('\n')).toContain(shown);
  });
});

test('two sessions of one process, compacted at once, share nothing: neither text nor limits [C41, O29]', async () => {
  const made = (window: number, about: string) =>
    createAgentWorld({ messages: exchanges(12, about), window, canSummarise: true, ask: () => replies(goodSummary) });
  const [small, large] = [made(16_000, 'ocean'), made(200_000, 'desert')];
  await Promise.all([compactNow(small), compactNow(large)]);
  const alone = [made(16_000, 'ocean'), made(200_000, 'desert')];
  for (const world of alone) await compactNow(world);
  const limits = [small, large].map((world) => limitsOf(world.session, world.deps));
  expect(limits).toEqual(alone.map((world) => limitsOf(world.session, world.deps)));
  expect(limits.map(({ modelWindowTokens }) => modelWindowTokens)).toEqual([16_000, 200_000]);
  expect(JSON.stringify([small.session.context, small.requests, small.store.records])).not.toContain('desert');
  expect(JSON.stringify([large.session.context, large.requests, large.store.records])).not.toContain('ocean');
});

describe('however a compaction ends, it was announced and its end is told, once [O31, O32, C18, C121]', () => {
  const down = () => Promise.reject(new SanbotError('model_failed', sameInBoth('overloaded')));
  const endings: readonly (readonly [string, AgentWish, string])[] = [
    ['well', {}, 'compacted'],
    ['without a model, where rules are refused', { ask: down, config: { compaction: { llmFallbackToRules: false } } }, 'compaction_failed'],
    ['by a cancel', { ask: () => Promise.reject(new AbortedError()) }, 'compaction_cancelled'],
  ];
  test.each(endings)('%s', async (_name, wish, last) => {
    const world = createAgentWorld({ messages: exchanges(12, 'a'), canSummarise: true, ask: () => replies(goodSummary), ...wish });
    const stop = new AbortController();
    if (last === 'compaction_cancelled') stop.abort();
    const end = await compactNow(world, { signal: stop.signal }).then(
      (outcome) => outcome.kind,
      () => 'threw',
    );
    const told = types(world).filter((type) => /^compaction_(started|failed|cancelled)$|^compacted$/.test(type));
    expect(told).toEqual(['compaction_started', last]);
    expect(end === 'compacted').toBe(last === 'compacted');
    expect(world.store.records.some((record) => record.type === 'checkpoint')).toBe(last === 'compacted');
  });

  test('with nothing to do, in a word and without an announcement', async () => {
    const world = createAgentWorld({ messages: [user('a'), says('b')] });
    expect(await compactNow(world)).toEqual({ kind: 'nothing' });
    expect(types(world)).toEqual(['nothing_to_compact']);
  });
});

test('the recoveries that one turn has used up are there again in the next [P24]', async () => {
  let overflows = 0;
  const world = createAgentWorld({
    messages: exchanges(12, 'a'),
    ask: () => (overflows++ % 3 < 2 ? { kind: 'overflow', limitTokens: undefined, sentTokens: undefined } : replies('ok')),
  });
  const ends = [];
  for (const about of ['b', 'c']) {
    ends.push((await say(world)).stopReason);
    add(world, exchanges(12, about));
  }
  expect(ends).toEqual(['end_turn', 'end_turn']);
  expect(types(world).filter((type) => type === 'overflow')).toHaveLength(4);
});

test('the summariser is told its rules in a system prompt, and the standing instructions never leave the session’s own [C70, C69]', async () => {
  const world = createAgentWorld({ messages: exchanges(12, 'a'), canSummarise: true, ask: () => replies(goodSummary) });
  const { system } = world.session.context;
  await compactNow(world);
  expect(world.requests.map((request) => request.system.join('').length > 200)).toEqual([true]);
  expect(world.session.context.system).toBe(system);
});

test('of two compactions at once one is made and the other is void, and nothing is twice in the context [P12, C-14]', async () => {
  const world = createAgentWorld({ messages: exchanges(12, 'a'), canSummarise: true, ask: () => replies(goodSummary) });
  const outcomes = await Promise.all([compactNow(world), compactNow(world)]);
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['compacted', 'failed']);
  const ids = world.session.context.messages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(world.store.records.filter((record) => record.type === 'checkpoint')).toHaveLength(1);
});

test('a summariser with a small window is asked in more parts, and moves no limit of the session [C9, C23]', async () => {
  const world = createAgentWorld({
    messages: exchanges(12, 'a'),
    canSummarise: true,
    ask: () => replies(goodSummary),
    config: { compaction: { model: 'small' } },
  });
  const { facts } = world.deps.model;
  const model = {
    ...world.deps.model,
    facts: (name: string) => ({ ...facts(name), ...(name === 'small' ? { windowTokens: 8_000 } : {}) }),
  };
  const before = limitsOf(world.session, world.deps);
  const narrow = { ...world, deps: { ...world.deps, model } };
  expect((await compactNow(narrow)).kind).toBe('compacted');
  expect(limitsOf(narrow.session, narrow.deps)).toEqual(before);
  expect(world.requests.length).toBeGreaterThan(1);
  expect(world.requests.every((request) => request.model === 'small' && JSON.stringify(request).length / 4 < 8_000)).toBe(true);
});
