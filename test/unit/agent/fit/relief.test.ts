import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { createFit } from '../../../../src/agent/fit/fit.ts';
import { isCacheCold } from '../../../../src/agent/fit/offload-results.ts';
import type { ModelFacts } from '../../../../src/agent/ports/model.ts';
import type { Session } from '../../../../src/agent/session/session.ts';
import { sectionNames } from '../../../../src/context/summary/summary-check.ts';
import type { CompactionConfig } from '../../../../src/domain/config/config.ts';
import type { SanbotEvent } from '../../../../src/domain/event.ts';
import type { Message, Usage } from '../../../../src/domain/session/message.ts';
import { type AgentWish, createAgentWorld, replies } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const bulk = (chars: number, about: string) => `${about} `.repeat(Math.ceil(chars / (about.length + 1))).slice(0, chars);

/** Dollars for a million tokens: input 3, read 0.30, written 3.75, output 15. */
const listPrice = ({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Usage): number =>
  (inputTokens * 3 + cacheReadTokens * 0.3 + cacheWriteTokens * 3.75 + outputTokens * 15) / 1_000_000;

const facts = (costUsd: ModelFacts['costUsd'] = listPrice): (() => ModelFacts) => {
  const value = { windowTokens: WINDOW, assumed: false, maxOutputTokens: 8_000, costUsd };
  return () => value;
};

const summary = sectionNames.map((name) => `## ${name}\nAll of it was read.`).join('\n\n');

const WINDOW = 200_000;
/** So that a full context can still be sent. */
const softWindow = 32_000;

/** A model that writes short summaries, at list prices. */
const priced = (messages: readonly Message[], compaction: Partial<CompactionConfig> = {}, costUsd?: ModelFacts['costUsd']): AgentWish => ({
  messages,
  window: WINDOW,
  config: { compaction: { softWindow, ...compaction } },
  canSummarise: true,
  ask: () => replies(summary),
  deps: { model: { facts: facts(costUsd) } },
});

/** Talk with a result after every few words: offloading the results just brings it below the hard limit of 32,000 tokens. */
const talkAndResults = (resultChars: number, talkChars: number, exchanges: number, id = 't') =>
  Array.from({ length: exchanges }, (_, n) => [
    user(bulk(talkChars, `ask${n}`)),
    calls({ id: `${id}${n}` }),
    answers({ id: `${id}${n}`, content: bulk(resultChars, `line${n}`) }),
    says(bulk(talkChars, `tell${n}`)),
  ]).flat();

/** Half of it is talk, which no offload makes shorter. */
const halfTalk = [...talkAndResults(4_200, 1_300, 9), ...talkAndResults(0, 2_400, 3, 'newest'), user('go on')];

/** No batch frees much of it. */
const mostlyTalk = [...talkAndResults(2_200, 2_400, 9), user('go on')];

async function climbOnce(wish: AgentWish, idleMinutes = 0) {
  const world = createAgentWorld(wish);
  world.clock.now = new Date(world.clock.now.getTime() + idleMinutes * 60_000);
  await createFit().makeFit(world.session, world.deps, new AbortController().signal);
  const relief = world.events.flatMap((event) => (event.type === 'offloaded' || event.type === 'compacted' ? [event.type] : []));
  return { ...world, relief };
}

describe('at the hard limit', () => {
  test.each([
    ['with a model that summarises at known prices', priced(halfTalk), 0],
    ['on a cold cache', priced(halfTalk), 6],
    ['where no price is known', priced(halfTalk, {}, () => undefined), 0],
    ['where the summary would be made by rule', { ...priced(halfTalk), canSummarise: false }, 0],
  ])('results go to files, and no model is asked, %s', async (_where, wish, idleMinutes) => {
    const { relief, requests, session, deps } = await climbOnce(wish, idleMinutes);
    expect(relief).toEqual(['offloaded']);
    expect(requests).toEqual([]);
    expect(session.estimate.count().tokens).toBeLessThan(limitsOf(session, deps).hardTokens);
  });

  test('older messages are compacted at once where files would free too little, and the summary is made from whole results', async () => {
    const { relief, requests, session } = await climbOnce(priced(mostlyTalk));
    expect(relief).toEqual(['compacted']);
    expect(JSON.stringify(requests[0]?.messages)).not.toContain('Tool result is at');
    expect(session.estimate.count().tokens).toBeLessThan(24_000);
  });

  test('the batch is made after all where the compaction is blocked', async () => {
    const world = priced(mostlyTalk);
    const runHooks = async () => ({ blocked: 'not now' });
    const { relief } = await climbOnce({ ...world, deps: { ...world.deps, person: { runHooks } } });
    expect(relief).toEqual(['offloaded']);
  });

  test.each([
    ['compacts where a batch frees less', 26_000, 5, ['compacted']],
    ['does not where it frees so much', 12_000, 5, ['offloaded']],
    ['does where so much is not enough', 12_000, 14, ['compacted']],
  ] as const)('%s (triggerThreshold)', async (_what, triggerThreshold, results, expected) => {
    const messages = [...talkAndResults(0, 5_400, 13), ...talkAndResults(9_000, 400, results, 'late'), ...newest, user('go on')];
    const big = results > 5 ? [user(bulk(60_000, 'read this')), says('read')] : [];
    const { relief } = await climbOnce({ messages: [...big, ...messages], window: WINDOW, config: { compaction: { triggerThreshold } } });
    expect(relief).toEqual(expected);
  });
});

/** More than a batch leaves alone, and nothing that it could move. */
const newest = talkAndResults(0, 5_000, 3, 'newest');

describe('a batch', () => {
  /** One after the other, for one request. */
  const results = (count: number, id = 'r') => [
    user('read them'),
    ...Array.from({ length: count }, (_, n) => [
      calls({ id: `${id}${n}` }),
      answers({ id: `${id}${n}`, content: `rows\n${bulk(6_000, `see ${id}Handler${n} in src/shared.ts`)}` }),
    ]).flat(),
    says('read'),
  ];

  test('is made from three quarters of the hard limit on, once it frees enough, and not before', async () => {
    const climb = (count: number) => climbOnce({ messages: [...results(count), user('go on')], window: WINDOW, config: {} });
    expect((await climb(22)).relief).toEqual([]);
    const { relief, session, deps } = await climb(28);
    expect(relief).toEqual(['offloaded']);
    expect(session.estimate.count().tokens).toBeLessThan(limitsOf(session, deps).hardTokens / 3);
  });

  test('leaves the newest part as it is, and what the model has not yet seen', async () => {
    const unseen = [user('look'), calls({ id: 'new' }), answers({ id: 'new', content: bulk(9_000, 'fresh') })];
    const { session } = await climbOnce({ messages: [...results(40), ...unseen], window: WINDOW, config: {} });
    const stubbed = session.context.messages.flatMap(({ stubs = [] }) => stubs.map(({ toolUseId }) => toolUseId));
    expect(stubbed).toContain('r36');
    expect(stubbed).not.toContain('new');
  });

  test('repeats no name of another stub, and the next one changes no stub of it', async () => {
    const { session, deps, reopened } = await climbOnce({ messages: [...results(40), user('go on')], window: WINDOW, config: {} });
    const once = session.context.messages;
    expect(JSON.stringify(once.slice(0, 70)).match(/src\/shared\.ts/g)).toHaveLength(1);
    for (const message of results(34, 'again')) session.append({ type: 'message', message });
    await createFit().makeFit(session, deps, new AbortController().signal);
    const stubs = session.context.messages.flatMap(({ stubs: each = [] }) => each.map(({ toolUseId }) => toolUseId));
    expect(stubs).toContain('again20');
    expect(session.context.messages.slice(0, 70)).toEqual(once.slice(0, 70));
    expect(reopened().context).toEqual(session.context);
  });
});

test('a cache that keeps an hour is not cold after six minutes, and is after an hour', () => {
  const usage = { inputTokens: 1, cacheReadTokens: 30_000, cacheWriteTokens: 500, outputTokens: 50 };
  const isColdAfter = (minutes: number, cacheWrite1hTokens: number): boolean => {
    const kept = halfTalk.map((message, i) =>
      i === halfTalk.length - 2 ? { ...message, usage: { ...usage, cacheWrite1hTokens } } : message,
    );
    const { session, deps, clock } = createAgentWorld(priced(kept));
    clock.now = new Date(clock.now.getTime() + minutes * 60_000);
    return isCacheCold(session, deps);
  };
  expect([isColdAfter(6, 500), isColdAfter(61, 500), isColdAfter(6, 0)]).toEqual([false, true, true]);
});

describe('compactions', () => {
  test.each([
    ['would free nothing, without asking a model', [user('hi'), says('hello'), user(bulk(90_000, 'all of this matters'))], 0],
    ['left the context as full as it was', [...talkAndResults(0, 20, 6), user(bulk(90_000, 'all of this matters')), says('yes')], 1],
  ])('one that %s is not made again until the context has grown by a quarter, in this turn or the next', async (_what, messages, asked) => {
    const { session, deps, events, requests } = createAgentWorld(priced(messages, { minMessagesBeforeCompact: 2 }));
    const climb = () => createFit().makeFit(session, deps, new AbortController().signal);
    const tries = () => events.filter(({ type }) => type === 'compaction_started').length;
    const add = (text: string) => {
      session.append({ type: 'message', message: says(text) });
      session.append({ type: 'message', message: user('go on') });
    };
    await climb();
    expect([tries(), requests.length]).toEqual([1, asked]);
    const { tokens } = session.estimate.count();
    while (session.estimate.count().tokens < tokens * 1.2) {
      await climb();
      add(bulk(1_200, 'step'));
    }
    expect([tries(), requests.length]).toEqual([1, asked]);
    add(bulk(8_000, 'much'));
    await climb();
    expect([tries(), requests.length]).toEqual([2, asked + 1]);
  });
});

describe('an automatic compaction in vain', () => {
  test.each([
    [
      'would have left the context as full as it was',
      [...talkAndResults(0, 20, 6), user(bulk(90_000, 'all of this matters')), says('yes')],
      {},
    ],
    ['got no summary for its money', mostlyTalk, { llmFallbackToRules: false }],
  ])('that %s is not paid for again by the next process, until the context has grown by a quarter', async (_what, messages, compaction) => {
    const usage = { inputTokens: 20_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 50 };
    const wish = priced(messages, { minMessagesBeforeCompact: 2, ...compaction });
    const ask = () => ({ ...replies(messages === mostlyTalk ? 'No idea.' : summary), usage });
    const { session, deps, requests, reopened } = createAgentWorld({ ...wish, ask });
    const climb = (of: Session) => createFit().makeFit(of, deps, new AbortController().signal);
    await climb(session);
    const paid = requests.length;
    expect(paid).toBeGreaterThan(0);
    const next = reopened();
    expect(next.relief.futile).toEqual(session.relief.futile);
    await climb(next);
    expect(requests).toHaveLength(paid);
    next.append({ type: 'message', message: says(bulk(60_000, 'more')) });
    next.append({ type: 'message', message: user('go on') });
    await climb(next);
    expect(requests.length).toBeGreaterThan(paid);
  });
});

describe('a compaction that the user asks for', () => {
  const compactNow = (messages: readonly Message[]) => {
    const world = createAgentWorld(priced(messages));
    const { session, deps } = world;
    const options = { trigger: 'manual' as const, reasons: [], instructions: undefined, limits: limitsOf(session, deps) };
    return { ...world, make: () => compact({ ...options, signal: new AbortController().signal }, session, deps) };
  };
  const told = (events: readonly SanbotEvent[]) =>
    events.flatMap((event) => (event.type === 'warning' || (event.type === 'request' && event.purpose === 'summary') ? [event.type] : []));

  test('says before it asks a model that there is little to free, and asks all the same', async () => {
    const { make, events } = compactNow([...talkAndResults(0, 500, 4), user(bulk(14_000, 'keep'))]);
    await make();
    expect(told(events)).toEqual(['warning', 'request']);
  });

  test('says nothing of the kind where there is much', async () => {
    const { make, events } = compactNow(halfTalk);
    await make();
    expect(told(events)).toEqual(['request']);
  });

  test('is made even where the ladder would not try again', async () => {
    const { make, session, requests } = compactNow(halfTalk);
    const { tokens } = session.estimate.count();
    session.relief.futile = { tokens, model: session.model, freed: false };
    expect((await make()).kind).toBe('compacted');
    expect(requests).toHaveLength(1);
  });
});
