import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import type { CompactionOptions } from '../../../../src/agent/compaction/types.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { clearContext, findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { pairingProblems, toWire } from '../../../../src/context/history/pairing.ts';
import { AbortedError, SanbotError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { isThinking, type Message, textOf } from '../../../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { type AgentWish, type AgentWorld, createAgentWorld, replies } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { goodSummary } from '../../../support/summary.ts';

const words = (n: number, about: string) => Array.from({ length: n }, (_, i) => `${about} ${i} is told here in full.`).join(' ');

/** Twelve exchanges with a tool call each, some 12,000 tokens by the test's count. */
const longSession = (): readonly Message[] =>
  Array.from({ length: 12 }, (_, i) => [
    user(`Request ${i}: you must never touch vendor/lib${i}.ts. ${words(20, `matter ${i}`)}`),
    calls({ id: `t${i}`, name: 'edit_file', input: { path: `src/part${i}.ts`, old_string: 'a', new_string: 'b' } }),
    answers({ id: `t${i}`, content: words(40, `result ${i}`) }),
    says(`Part ${i} is changed. ${words(20, `answer ${i}`)}`),
  ]).flat();

const manual = (world: AgentWorld, more: Partial<CompactionOptions> = {}): CompactionOptions => ({
  trigger: 'manual',
  reasons: [],
  instructions: undefined,
  limits: limitsOf(world.session, world.deps),
  signal: new AbortController().signal,
  ...more,
});

const compacted = async (wish: AgentWish, more: Partial<CompactionOptions> = {}) => {
  const world = createAgentWorld({ messages: longSession(), ...wish });
  const before = structuredClone(world.session.context);
  const outcome = await compact(manual(world, more), world.session, world.deps);
  return { ...world, before, outcome };
};

const byModel = (ask: NonNullable<AgentWish['ask']>): AgentWish => ({ canSummarise: true, ask, config: { compaction: { retryCount: 1 } } });

describe('a compaction', () => {
  test('keeps the tail byte-identical behind one summary, is smaller, and pairs stay whole', async () => {
    const { session, before, outcome } = await compacted({});
    expect(outcome.kind).toBe('compacted');
    const [summary, ...kept] = session.context.messages;
    expect(summary?.origin).toBe('summary');
    expect(textOf(summary?.content ?? [])).toMatch(/^\[Compressed History\]/);
    expect(kept.map((message) => JSON.stringify(message))).toEqual(
      before.messages.slice(-kept.length).map((message) => JSON.stringify(message)),
    );
    expect(pairingProblems(toWire([...session.context.messages, user('next')]))).toEqual([]);
    if (outcome.kind === 'compacted') expect(outcome.event.tokensAfter).toBeLessThan(outcome.event.tokensBefore);
  });

  test('is what a new process finds', async () => {
    const { session, reopened } = await compacted({});
    expect(reopened().context).toEqual(session.context);
  });

  test('writes the snapshot before the checkpoint, and the checkpoint names it', async () => {
    const { store, before } = await compacted({});
    const [saved] = [...store.snapshots.all.values()];
    const checkpoint = store.records.find((record) => record.type === 'checkpoint');
    expect(checkpoint?.type === 'checkpoint' && checkpoint.snapshotId).toBe(saved?.meta.id);
    expect(JSON.stringify(saved?.made.context)).toBe(JSON.stringify(before));
  });

  test('contains what the summary before it held [P1, B3]', async () => {
    const world = await compacted({});
    for (const message of longSession().slice(0, 40)) world.session.append({ type: 'message', message });
    await compact(manual(world), world.session, world.deps);
    const text = textOf(world.session.context.messages[0]?.content ?? []);
    for (const i of [0, 3, 6]) expect(text).toContain(`vendor/lib${i}.ts`);
  });

  test('of a history no longer than the tail has nothing to do and says so [O13, O15]', async () => {
    const { outcome, store, events } = await compacted({ messages: [user('a'), says('b')] });
    expect(outcome).toEqual({ kind: 'nothing' });
    expect(store.snapshots.all.size).toBe(0);
    expect(events.map((event) => event.type)).toEqual(['nothing_to_compact']);
  });

  test('that no summary would make smaller has nothing to do either: a person is told so, and it is no failure', async () => {
    const tiny = Array.from({ length: 12 }, () => [user('a'), says('b')]).flat();
    const { outcome, store, events } = await compacted({ messages: tiny });
    expect(outcome).toEqual({ kind: 'nothing' });
    expect(store.snapshots.all.size).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: 'nothing_to_compact', messages: 24 });
  });

  test('keeps the newest request verbatim whatever its age [C73, O17, B-27]', async () => {
    const request = user('Rename every occurrence of alpha to beta, but only in docs.');
    const work = Array.from({ length: 30 }, (_, i) => [
      calls({ id: `w${i}` }),
      answers({ id: `w${i}`, content: words(60, `page ${i}`) }),
    ]).flat();
    const { session } = await compacted({ messages: [...longSession().slice(0, 8), request, ...work] });
    expect(session.context.messages[1]).toEqual(request);
  });

  test('leaves no thinking of the past behind, since it is bound to what is gone [C66, O2]', async () => {
    const thinking = longSession().map((message) =>
      message.role === 'assistant'
        ? { ...message, content: [{ type: 'thinking', thinking: 'hm', signature: 's' }, ...message.content] }
        : message,
    );
    const { session } = await compacted({ messages: thinking });
    expect(session.context.messages.some((message) => message.content.some(isThinking))).toBe(false);
  });

  test('archives the whole conversation readably, and flushes memories before anything leaves [O4, O6, N10]', async () => {
    const { store } = await compacted({
      messages: [...longSession(), user('We decided to use SQLite for the index.'), says('Noted.'), ...longSession()],
    });
    expect(store.archive.pages[0]).toContain('result 0 39 is told here in full');
    expect(store.memories.entries.some((entry) => entry.kind === 'decisions' && entry.text.includes('SQLite'))).toBe(true);
  });

  test('goes on when the archive cannot be written, and tells it [N9]', async () => {
    const world = createAgentWorld({ messages: longSession() });
    const archive = {
      write: () => {
        throw new SanbotError('store_failed', sameInBoth('no room'));
      },
    };
    const outcome = await compact(manual(world), world.session, { ...world.deps, disk: { ...world.deps.disk, archive } });
    expect(outcome.kind).toBe('compacted');
    expect(world.events.some((event) => event.type === 'warning' && event.message.en.includes('no room'))).toBe(true);
  });

  test('that cannot take its snapshot changes nothing', async () => {
    const world = createAgentWorld({ messages: longSession() });
    const before = JSON.stringify(world.session.context);
    const snapshots = {
      ...world.deps.disk.snapshots,
      write: () => {
        throw new SanbotError('store_failed', sameInBoth('no room'));
      },
    };
    await expect(compact(manual(world), world.session, { ...world.deps, disk: { ...world.deps.disk, snapshots } })).rejects.toThrow(
      'no room',
    );
    expect(JSON.stringify(world.session.context)).toBe(before);
  });
});

describe('a summary by model', () => {
  test('is asked for without tools, and its text becomes the summary [P25, C81, S-29, F15, C116]', async () => {
    const { requests, session } = await compacted(byModel(() => replies(goodSummary)));
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.every((request) => request.purpose === 'summary' && request.tools.length === 0)).toBe(true);
    expect(textOf(session.context.messages[0]?.content ?? [])).toContain('The model notes what matters about key decisions.');
  });

  test('names memories behind its sections: the words of the user are kept before the checkpoint, without a request more', async () => {
    const named = `${goodSummary}\n\n## Memories\n- facts: the lab closes at nine for us\n- decisions: we keep Kafka`;
    const messages = [user('Go on, the lab closes at nine for us.'), ...longSession()];
    const wish = byModel(() => replies(named));
    const { requests, session, store, events } = await compacted({ ...wish, messages });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.system.join('\n')).toContain('## Memories');
    const kept = { kind: 'facts', text: 'Go on, the lab closes at nine for us.', messageId: messages[0]?.id, by: 'user' };
    expect(store.memories.entries).toContainEqual(expect.objectContaining(kept));
    expect(JSON.stringify(store.memories.entries)).not.toContain('Kafka');
    expect(textOf(session.context.messages[0]?.content ?? [])).not.toMatch(/Memories|- facts|Kafka/);
    expect(events.map(({ type }) => type).filter((type) => /^(?:memory_extracted|compacted)$/.test(type))).toEqual([
      'memory_extracted',
      'compacted',
    ]);
    const off = await compacted({ ...wish, messages, config: { memory: { enabled: false } } });
    expect(off.store.memories.entries).toEqual([]);
  });

  const bad: readonly (readonly [string, ModelAnswer])[] = [
    ['is empty [X7, B-26]', replies('')],
    ['is a refusal [P22]', replies("I'm sorry, but I can't help with that.")],
    ['is cut off before its first section [C27]', replies('The work so far', 'max_tokens')],
    [
      'is a tool call [C82]',
      {
        kind: 'reply',
        content: [{ type: 'tool_use', id: 'x', name: 'run_command', input: {} }],
        stopReason: 'tool_use',
        model: 'test',
        usage: undefined,
      },
    ],
    ['is larger than its source [C20]', replies(goodSummary + words(4_000, 'noise'))],
    ['lacks its sections [C83]', replies('All went well.')],
  ];
  test.each(bad)('that %s gets one corrective try, then the rules make it, marked as degraded [O33]', async (_name, answer) => {
    const { requests, outcome, events } = await compacted(byModel(() => answer));
    expect(requests.length).toBe(2);
    expect(JSON.stringify(requests[1])).not.toBe(JSON.stringify(requests[0]));
    expect(outcome.kind === 'compacted' && outcome.event.method).toBe('rules_degraded');
    expect(events.some((event) => event.type === 'warning' && event.message.en.startsWith('No summary from a model ('))).toBe(true);
  });

  test('that its room cut is taken with what it has, and rules write what is missing', async () => {
    const cut = goodSummary.slice(0, goodSummary.indexOf('## Code Changes') + 40);
    const { requests, outcome, session } = await compacted(byModel(() => replies(cut, 'max_tokens')));
    expect(requests).toHaveLength(1);
    expect(outcome.kind === 'compacted' && outcome.event.method).toBe('model');
    const text = textOf(session.context.messages[0]?.content ?? []);
    expect(text).toContain('The model notes what matters about project overview.');
    for (const name of ['Code Changes', 'Debugging & Issues', 'Current Status']) expect(text.split(`## ${name}\n`)).toHaveLength(2);
  });

  test('that is good at the second try is taken', async () => {
    const { outcome } = await compacted(byModel((_request, n) => replies(n === 1 ? '' : goodSummary)));
    expect(outcome.kind === 'compacted' && outcome.event.method).toBe('model');
  });

  test('of a model that is down leaves the history as it was where rules are not wanted [F1, O10, P8, C85]', async () => {
    const down = () => Promise.reject(new SanbotError('model_failed', sameInBoth('overloaded')));
    const { outcome, session, before, requests } = await compacted({
      canSummarise: true,
      ask: down,
      config: { compaction: { retryCount: 2, llmFallbackToRules: false } },
    });
    expect(outcome.kind).toBe('failed');
    expect(JSON.stringify(session.context)).toBe(JSON.stringify(before));
    expect(requests.map((request) => request.retryCount)).toEqual([2]);
  });

  test('falls back to other models in order, at last to the session’s own [C26, C28, B19]', async () => {
    const { requests, outcome } = await compacted({
      canSummarise: true,
      ask: (request) =>
        request.model === 'test' ? replies(goodSummary) : Promise.reject(new SanbotError('model_key', sameInBoth('unknown model'))),
      config: { compaction: { model: 'small', fallbackModels: ['other'] } },
    });
    expect(requests.map((request) => request.model)).toEqual(['small', 'other', 'test']);
    expect(outcome.kind === 'compacted' && outcome.event.method).toBe('model');
  });

  test('that overflows is asked for again in more and smaller parts [P3, C17, O17]', async () => {
    const { requests, outcome } = await compacted(
      byModel((request) =>
        JSON.stringify(request.messages).length > 20_000
          ? { kind: 'overflow', limitTokens: 9_000, sentTokens: undefined }
          : replies(goodSummary),
      ),
    );
    expect(outcome.kind === 'compacted' && outcome.event.method).toBe('model');
    expect(requests.length).toBeGreaterThan(2);
  });

  test('has the user’s wish in every part [P15]', async () => {
    const { requests } = await compacted(
      { ...byModel(() => replies(goodSummary)), window: 9_000 },
      { instructions: 'Keep the port numbers.' },
    );
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.every((request) => JSON.stringify(request).includes('Keep the port numbers.'))).toBe(true);
  });

  test('has the user’s wish also when rules make it, alone or in place of a model [P15]', async () => {
    const instructions = 'keep the word ZEBRA-77';
    for (const wish of [{}, byModel(() => replies('no'))]) {
      const { session, outcome } = await compacted(wish, { instructions });
      expect(outcome.kind === 'compacted' && outcome.event.method).toMatch(/^rules/);
      expect(textOf(session.context.messages[0]?.content ?? [])).toContain('The user asked to keep: "keep the word ZEBRA-77"');
    }
  });

  test('by rule calls the latest request done when its reply stays behind the cut [C1, C73]', async () => {
    const messages = [
      ...longSession(),
      user('Read the last part.'),
      calls({ id: 'last' }),
      answers({ id: 'last', content: words(400, 'line') }),
      says('It is read.'),
    ];
    const { session } = await compacted({ messages, config: { compaction: { keepRecentMessages: 1 } } });
    const text = textOf(session.context.messages[0]?.content ?? []);
    expect(session.context.messages.at(-1)).toEqual(messages.at(-1));
    expect(text).toContain('Latest request: "Read the last part." (Done)');
  });

  test('that takes too long is given up, and the rules make it [C113, O18]', async () => {
    const late = new AbortController();
    const world = createAgentWorld({ messages: longSession(), canSummarise: true, deps: { clock: { deadline: () => late.signal } } });
    const model = {
      ...world.deps.model,
      ask: async () => {
        late.abort();
        throw new AbortedError();
      },
    };
    const outcome = await compact(manual(world), world.session, { ...world.deps, model });
    expect(outcome.kind === 'compacted' && outcome.event.method).toBe('rules_degraded');
  });

  test('that the user cancels leaves every byte as it was, and says so [P13, C112]', async () => {
    const stop = new AbortController();
    const world = createAgentWorld({
      messages: longSession(),
      canSummarise: true,
      ask: () => {
        stop.abort();
        throw new AbortedError();
      },
    });
    const before = JSON.stringify(world.session.context);
    await expect(compact(manual(world, { signal: stop.signal }), world.session, world.deps)).rejects.toThrow(AbortedError);
    expect(JSON.stringify(world.reopened().context)).toBe(before);
    expect(world.events.at(-1)?.type).toBe('compaction_cancelled');
  });
});

describe('a rollback', () => {
  test('restores the messages to the byte, the next request too, and can itself be rolled back [B10, B11, P29, F6, X12]', async () => {
    const { session, before, deps, outcome, requests, reopened } = await compacted({});
    if (outcome.kind !== 'compacted') throw new Error('not compacted');
    const after = JSON.stringify(session.context);
    const done = rollBack(findSnapshot(outcome.event.snapshotId, deps.disk.snapshots), session, deps);
    expect(JSON.stringify(session.context)).toBe(JSON.stringify(before));
    expect(JSON.stringify(reopened().context)).toBe(JSON.stringify(before));
    rollBack(findSnapshot(done.undo, deps.disk.snapshots), session, deps);
    expect(JSON.stringify(session.context)).toBe(after);
    await runTurn('go on', session, deps, { signal: new AbortController().signal, maxSteps: 3, tools: [] });
    expect(requests.length).toBe(1);
  });

  test('brings offloaded bodies back that were retired meanwhile', async () => {
    const world = createAgentWorld({ messages: longSession(), window: 16_000 });
    const body = words(2_000, 'bulk');
    const saved = world.session.bodies.save(body);
    const ref = { toolUseId: 'big', tool: 'look', body: saved?.ref ?? { sha256: '', bytes: 0, lines: 0 } };
    const early = [
      user('look'),
      calls({ id: 'big' }),
      { ...answers({ id: 'big', content: `Tool result is at: ${saved?.path}` }), stubs: [ref] },
    ];
    const context = { ...world.session.context, messages: [...early, ...longSession()] };
    world.session.append({ type: 'checkpoint', reason: 'repeat', context });
    const outcome = await compact(manual(world), world.session, world.deps);
    expect(world.store.bodies.files.size).toBe(0);
    if (outcome.kind !== 'compacted') throw new Error('not compacted');
    rollBack(findSnapshot(outcome.event.snapshotId, world.deps.disk.snapshots), world.session, world.deps);
    expect([...world.store.bodies.files.values()]).toEqual([body]);
  });

  test('to a snapshot of another session is refused', () => {
    const one = createAgentWorld({ messages: longSession() });
    const id = clearContext(one.session, one.deps);
    const found = findSnapshot(id, one.deps.disk.snapshots);
    expect(() => rollBack({ ...found, meta: { ...found.meta, sessionId: 'other' } }, one.session, one.deps)).toThrow(
      'belongs to session other',
    );
  });

  test('undoes /clear', () => {
    const world = createAgentWorld({ messages: longSession() });
    const before = JSON.stringify(world.session.context);
    const id = clearContext(world.session, world.deps);
    expect(world.session.context.messages).toEqual([]);
    rollBack(findSnapshot(id, world.deps.disk.snapshots), world.session, world.deps);
    expect(JSON.stringify(world.session.context)).toBe(before);
  });
});
