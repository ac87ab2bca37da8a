import { describe, expect, test } from 'vitest';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { isThinking } from '../../../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { type AgentWish, callsTools, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const bulk = (chars: number, about = 'x') => `${about} `.repeat(Math.ceil(chars / (about.length + 1))).slice(0, chars);
const turn = async (wish: AgentWish, text = 'go') => {
  const world = createAgentWorld(wish);
  const end = await runTurn(text, world.session, world.deps, {
    signal: new AbortController().signal,
    maxSteps: 60,
    tools: world.tools,
  }).then(
    (value) => ({ kind: 'ended' as const, value }),
    (error: unknown) => ({ kind: 'failed' as const, error: error instanceof Error ? error.message : '' }),
  );
  return { ...world, end };
};
const types = (events: readonly { readonly type: string }[]) => events.map((event) => event.type);
const exchanges = (n: number, resultChars: number) =>
  Array.from({ length: n }, (_, i) => [
    user(`look at ${i}`),
    calls({ id: `t${i}` }),
    answers({ id: `t${i}`, content: bulk(resultChars, `line${i}`) }),
    says('seen'),
  ]).flat();

describe('the ladder', () => {
  test('does nothing at all while there is room', async () => {
    const { store } = await turn({ messages: exchanges(3, 400) });
    expect(store.records.map((record) => record.type)).toEqual(['header', 'message', 'message']);
  });

  test('offloads in one batch before it compacts [B1, S9, C58]', async () => {
    const { events, session } = await turn({ messages: exchanges(24, 3_800), window: 32_000 });
    expect(types(events).filter((type) => type === 'offloaded' || type === 'compacted')).toEqual(['offloaded']);
    expect(session.estimate.count().tokens).toBeLessThan(24_000);
  });

  test('of a long turn moves results to files again and again, and summarises once they no longer make room', async () => {
    const { events, session, reopened } = await turn({
      window: 32_000,
      ask: (_request, n) =>
        n < 50 ? callsTools({ id: `c${n}`, name: 'look', input: { n, why: bulk(1_600, `part${n}`) } }) : replies('ok'),
      tools: [tool('look', (input) => bulk(6_000, JSON.stringify(input)))],
    });
    const relief = events.flatMap((event) =>
      event.type === 'compacted' || (event.type === 'offloaded' && event.when === 'pressure') ? [event.type] : [],
    );
    expect(relief.slice(0, 2)).toEqual(['offloaded', 'offloaded']);
    expect(relief.filter((type) => type === 'offloaded').length).toBeGreaterThan(2 * relief.filter((type) => type === 'compacted').length);
    expect(relief).toContain('compacted');
    expect(reopened().context).toEqual(session.context);
  });

  test('compacts when offloading frees too little', async () => {
    const talk = Array.from({ length: 30 }, (_, i) => [user(bulk(1_500, `ask${i}`)), says(bulk(1_500, `tell${i}`))]).flat();
    const { events } = await turn({ messages: talk, window: 32_000 });
    expect(types(events)).toContain('compacted');
  });

  test('compacts a few huge messages too, since it is the tokens that count [F3]', async () => {
    const { events, end } = await turn({
      messages: [user(bulk(60_000, 'word')), says('ok'), user(bulk(20_000, 'more')), says('ok')],
      window: 32_000,
    });
    expect(end.kind).toBe('ended');
    expect(types(events).some((type) => type === 'compacted' || type === 'trimmed')).toBe(true);
  });

  test('tells once a turn that the context is filling up, and suggests nothing else', async () => {
    const { events } = await turn({
      messages: [user('hi'), says(bulk(55_000))],
      window: 32_000,
      ask: (_request, n) => (n < 4 ? callsTools({ id: `c${n}`, name: 'look' }) : replies('ok')),
      tools: [tool('look', () => 'x')],
    });
    expect(types(events).filter((type) => type === 'context_high')).toHaveLength(1);
  });

  test('stops a turn that refills the context right after each compaction, with figures [C2, C6, O16, X6]', async () => {
    const { end, requests } = await turn({
      window: 16_000,
      config: { offload: { enabled: false } },
      ask: (_request, n) => callsTools({ id: `c${n}`, name: 'look', input: { n } }),
      tools: [tool('look', (input) => bulk(30_000, JSON.stringify(input)))],
    });
    expect(end).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/full again right after 3 compactions.*\(\d+,\d{3} tokens now/),
    });
    expect(requests.length).toBeLessThan(20);
  });

  test('refuses a window that the system prompt and tools alone fill, and names the largest part [P34, C5]', async () => {
    const { end, requests } = await turn({
      window: 2_000,
      tools: [{ ...tool('look', () => ''), spec: { name: 'look', description: bulk(9_000), inputSchema: {} } }],
    });
    expect(end).toMatchObject({ kind: 'failed', error: expect.stringMatching(/tool descriptions take [\d,]+/) });
    expect(requests).toEqual([]);
  });

  test('with compaction switched off offloads all the same and never compacts', async () => {
    const { events } = await turn({ messages: exchanges(24, 3_800), window: 32_000, config: { compaction: { enabled: false } } });
    expect(types(events)).toContain('offloaded');
    expect(types(events)).not.toContain('compaction_started');
  });

  test('asks first when it shall, takes no for an answer while the request can be sent, and does not ask twice in a turn', async () => {
    const asked: string[] = [];
    const talk = Array.from({ length: 30 }, (_, i) => [user(bulk(1_200, `ask${i}`)), says(bulk(1_200, `tell${i}`))]).flat();
    const { events, end } = await turn({
      messages: talk,
      window: 40_000,
      config: { compaction: { askFirst: true, maxTokenRatio: 0.6, softTokenRatio: 0.5, reserveTokens: 2_000 } },
      ask: (_request, n) => (n < 3 ? callsTools({ id: `c${n}`, name: 'look' }) : replies('ok')),
      tools: [tool('look', () => 'x')],
      deps: {
        person: {
          confirm: async (question) => {
            asked.push(question);
            return false;
          },
        },
      },
    });
    expect(end.kind).toBe('ended');
    expect(asked).toHaveLength(1);
    expect(types(events)).not.toContain('compaction_started');
  });

  test('offloads voluntarily on a cold cache, and not on a warm one [O22, C57]', async () => {
    const messages = exchanges(9, 6_000);
    expect(types((await turn({ messages, window: 48_000 })).events)).not.toContain('offloaded');
    const world = createAgentWorld({ messages, window: 48_000 });
    world.clock.now = new Date('2026-01-02T04:04:05.000Z');
    await runTurn('go', world.session, world.deps, { signal: new AbortController().signal, maxSteps: 3, tools: [] });
    expect(world.events.filter((event) => event.type === 'offloaded').map((event) => event.when)).toEqual(['voluntary']);
  });
});

describe('an overflow answer', () => {
  const overflow: ModelAnswer = { kind: 'overflow', limitTokens: undefined, sentTokens: undefined };

  test('in mid-turn compacts and goes on with the same turn [O19, C31, C50, B5]', async () => {
    const ran: string[] = [];
    const { end, events, requests } = await turn({
      messages: exchanges(20, 900),
      ask: (_request, n) => (n === 1 ? callsTools({ id: 'c', name: 'look' }) : n === 2 ? overflow : replies('there')),
      tools: [tool('look', () => String(ran.push('x')))],
    });
    expect(end).toMatchObject({ kind: 'ended', value: { text: 'there' } });
    expect(types(events)).toContain('overflow');
    expect(ran).toEqual(['x']);
    expect(JSON.stringify(requests[2]).length).toBeLessThan(JSON.stringify(requests[1]).length);
  });

  test('is recovered from even when compaction is switched off [P23]', async () => {
    const { end } = await turn({
      messages: exchanges(20, 900),
      config: { compaction: { enabled: false } },
      ask: (_request, n) => (n === 1 ? overflow : replies('ok')),
    });
    expect(end.kind).toBe('ended');
  });

  test('that never ends is given up after two recoveries, and no request is sent twice [C15, O16, C14]', async () => {
    const { end, requests } = await turn({ messages: exchanges(20, 900), ask: () => overflow });
    expect(end).toMatchObject({ kind: 'failed', error: expect.stringContaining('window') });
    const sent = requests.map((request) => JSON.stringify(request));
    expect(sent.length).toBeLessThanOrEqual(3);
    expect(new Set(sent).size).toBe(sent.length);
  });

  test('states a limit, and the limit is believed from then on [C38, F11]', async () => {
    const { session, deps } = await turn({
      messages: exchanges(20, 900),
      window: 200_000,
      ask: (_request, n) => (n === 1 ? { kind: 'overflow', limitTokens: 9_000, sentTokens: 12_000 } : replies('ok')),
    });
    expect(session.estimate.statedWindow).toBe(9_000);
    expect(session.estimate.count().tokens).toBeLessThan(9_000);
    expect(deps.model.facts('test').windowTokens).toBe(200_000);
  });

  test('of a single message that nothing can shrink ends with a clear error', async () => {
    const { end, requests } = await turn({ ask: () => overflow }, 'hi');
    expect(end.kind).toBe('failed');
    expect(requests).toHaveLength(1);
  });

  test('inside a reply (model_context_window_exceeded) counts as one', async () => {
    const { end, events } = await turn({
      messages: exchanges(20, 900),
      ask: (_request, n) => (n === 1 ? replies('half a', 'model_context_window_exceeded') : replies('whole')),
    });
    expect(end).toMatchObject({ kind: 'ended', value: { text: 'whole' } });
    expect(types(events)).toContain('overflow');
  });

  test('that the server hides by cutting the request to its window counts as one: no word, and no room for any', async () => {
    const usage = { inputTokens: 4_090, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
    const cut: ModelAnswer = { kind: 'reply', content: [], stopReason: 'max_tokens', model: 'test', usage };
    const { end, events, requests } = await turn({
      messages: exchanges(20, 900),
      ask: (_request, n) => (n === 1 ? cut : replies('whole')),
    });
    expect(end).toMatchObject({ kind: 'ended', value: { text: 'whole' } });
    expect(types(events)).toContain('overflow');
    expect(JSON.stringify(requests[1]).length).toBeLessThan(JSON.stringify(requests[0]).length);
    const spent = await turn({ ask: () => ({ ...cut, usage: { ...usage, outputTokens: 900 } }) });
    expect(types(spent.events)).not.toContain('overflow');
  });

  test('that the server hides by dropping the beginning is told, once, when its own count falls [F11]', async () => {
    const counted = (inputTokens: number) => ({ inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 5 });
    const told = async (...counts: readonly number[]) => {
      const { events } = await turn({
        ask: (_request, n) =>
          n < counts.length
            ? { ...callsTools({ id: `c${n}`, name: 'look' }), usage: counted(counts[n - 1] ?? 0) }
            : { ...replies('ok'), usage: counted(counts[n - 1] ?? 0) },
        tools: [tool('look', () => 'x')],
      });
      return events.flatMap((event) => (event.type === 'warning' ? [event.message.en] : []));
    };
    expect(await told(3_974, 2_051, 1_000)).toEqual([expect.stringMatching(/counts 2051 tokens.*counted 3974.*model\.contextWindow/)]);
    expect(await told(3_974, 4_051, 4_100)).toEqual([]);
    expect(await told(0, 4_051, 0)).toEqual([]);
  });

  test('that the server answered all the same makes room before the next request: its own figure is believed', async () => {
    const usage = { inputTokens: 40_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 10 };
    const { events, end, requests } = await turn({
      messages: exchanges(20, 900),
      ask: (_request, n) => (n === 1 ? { ...callsTools({ id: 'c', name: 'look' }), usage } : replies('ok')),
      tools: [tool('look', () => 'x')],
    });
    expect(end.kind).toBe('ended');
    expect(types(events)).toContain('compacted');
    expect(JSON.stringify(requests[1]).length).toBeLessThan(JSON.stringify(requests[0]).length * 0.8);
  });

  test('flushes memories on its path too [O6]', async () => {
    const { store } = await turn({
      messages: [user('I prefer tabs over spaces.'), says('Noted.'), ...exchanges(20, 900)],
      config: { offload: { enabled: false } },
      ask: (_request, n) => (n === 1 ? overflow : replies('ok')),
    });
    expect(store.memories.entries.map((entry) => entry.kind)).toContain('preferences');
  });
});

test('thinking that the provider no longer accepts is left out, once, and the turn goes on [C65, C66]', async () => {
  const thinker = {
    ...says('ok'),
    content: [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'ok' },
    ],
  };
  const { end, session, requests } = await turn({
    messages: [user('a'), thinker],
    ask: (_request, n) => (n === 1 ? { kind: 'stale_thinking' } : replies('fine')),
  });
  expect(end.kind).toBe('ended');
  expect(requests).toHaveLength(2);
  expect(session.context.messages.some((message) => message.content.some(isThinking))).toBe(false);
});

test('a base that leaves no room is told with its largest tools by name, before anything is sent or changed [P34, C5]', async () => {
  const named = (name: string, chars: number) => {
    const made = tool(name, () => '');
    return { ...made, spec: { ...made.spec, description: bulk(chars) } };
  };
  const tools = [named('tiny', 40), named('huge_search', 60_000), named('small', 400), named('big_browser', 9_000)];
  const { end, requests, store } = await turn({ window: 16_000, tools });
  expect(end).toMatchObject({
    kind: 'failed',
    error: expect.stringMatching(
      /the tool descriptions take [\d,]+, .*\(largest tools: huge_search [\d,]+, big_browser [\d,]+, small \d+\)/,
    ),
  });
  expect(requests).toEqual([]);
  expect(store.records.filter(({ type }) => type === 'checkpoint')).toEqual([]);
});
