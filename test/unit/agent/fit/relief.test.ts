import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { createFit } from '../../../../src/agent/fit/fit.ts';
import type { ModelFacts } from '../../../../src/agent/ports/model.ts';
import { createMeasure } from '../../../../src/context/measure/measure.ts';
import { sectionNames } from '../../../../src/context/summary/summary-sections.ts';
import type { CompactionConfig } from '../../../../src/domain/config/config.ts';
import type { SanbotEvent } from '../../../../src/domain/event.ts';
import type { Message, Usage } from '../../../../src/domain/session/message.ts';
import { type AgentWish, createAgentWorld, replies, roughCount } from '../../../support/agent-world.ts';
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

/** Most of it is talk, which no offload makes shorter. */
const mostlyTalk = [...talkAndResults(2_200, 2_400, 9), user('go on')];

async function climbOnce(wish: AgentWish, idleMinutes = 0) {
  const world = createAgentWorld(wish);
  world.clock.now = new Date(world.clock.now.getTime() + idleMinutes * 60_000);
  await createFit().makeFit(world.session, world.deps, new AbortController().signal);
  const relief = world.events.flatMap((event) => (event.type === 'offloaded' || event.type === 'compacted' ? [event.type] : []));
  return { ...world, relief };
}

describe('at the hard limit, with a model that summarises at known prices', () => {
  test('a batch that costs more than a compaction is skipped, and the receipt says so', async () => {
    const { relief, store, session } = await climbOnce(priced(mostlyTalk));
    expect(relief).toEqual(['compacted']);
    const receipt = [...store.snapshots.all.values()][0]?.meta.outcome?.receipt;
    expect(receipt).toMatchObject({ skippedOffload: { compact: { costPerStepUsd: expect.any(Number) }, offload: {} } });
    expect(session.estimate.count().tokens).toBeLessThan(24_000);
  });

  test('so it is where rules write in the place of the model', async () => {
    const wish = priced(mostlyTalk);
    const model = { ...wish.deps?.model, canSummarise: false, rulesStandForModel: true };
    expect((await climbOnce({ ...wish, canSummarise: false, deps: { model } })).relief).toEqual(['compacted']);
  });

  test.each([
    ['the setting says so', priced(mostlyTalk, { relief: 'offload-first' }), 0],
    ['the cache is cold', priced(mostlyTalk), 6],
    ['no price is known', priced(mostlyTalk, {}, () => undefined), 0],
    ['the summary would be made by rule', { ...priced(mostlyTalk), canSummarise: false }, 0],
    ['rules are asked for', priced(mostlyTalk, { useLLMSummary: false }), 0],
  ])('results go to files first where %s', async (_why, wish, idleMinutes) => {
    const { relief, requests } = await climbOnce(wish, idleMinutes);
    expect(relief).toEqual(['offloaded']);
    expect(requests).toEqual([]);
  });

  test('results go to files first where nothing but the newest part changes', async () => {
    const messages = [...talkAndResults(0, 1_700, 16), user('read'), calls({ id: 'a' }), answers({ id: 'a', content: bulk(9_000, 'a') })];
    const { relief } = await climbOnce(priced(messages));
    expect(relief).toEqual(['offloaded']);
  });

  test('the batch is made after all where the compaction is blocked', async () => {
    const world = priced(mostlyTalk);
    const runHooks = async () => ({ blocked: 'not now' });
    const { relief } = await climbOnce({ ...world, deps: { ...world.deps, person: { runHooks } } });
    expect(relief).toEqual(['offloaded']);
  });
});

test('a cache that keeps an hour is not cold after six minutes, and is after an hour', async () => {
  const usage = { inputTokens: 1, cacheReadTokens: 30_000, cacheWriteTokens: 500, outputTokens: 50 };
  const reliefAfter = async (minutes: number, cacheWrite1hTokens: number) => {
    const kept = mostlyTalk.map((message, i) =>
      i === mostlyTalk.length - 2 ? { ...message, usage: { ...usage, cacheWrite1hTokens } } : message,
    );
    return (await climbOnce(priced(kept), minutes)).relief;
  };
  expect(await reliefAfter(6, 500)).toEqual(['compacted']);
  expect(await reliefAfter(61, 500)).toEqual(['offloaded']);
  expect(await reliefAfter(6, 0)).toEqual(['offloaded']);
});

describe('compactions', () => {
  test.each([
    ['follows where a batch frees 13,000 tokens of too many', 5, {}, ['offloaded', 'compacted']],
    ['does not follow where it frees 18,000 and the window has room', 7, {}, ['offloaded']],
    ['does not follow either where 12,000 are enough for the user', 5, { triggerThreshold: 12_000 }, ['offloaded']],
  ] as const)('one %s (triggerThreshold)', async (_what, results, compaction, expected) => {
    const talk = talkAndResults(0, 5_400, 20);
    const messages = [...talk, ...talkAndResults(9_000, 400, results, 'late'), user('go on')];
    const { relief } = await climbOnce({ messages, window: WINDOW, config: { compaction } });
    expect(relief).toEqual(expected);
  });

  test('one that follows in any case finds whole what it keeps', async () => {
    const messages = [...talkAndResults(0, 5_400, 20), ...talkAndResults(9_000, 400, 5, 'late'), user('go on')];
    const { relief, session } = await climbOnce({ messages, window: WINDOW, config: {} });
    expect(relief).toEqual(['offloaded', 'compacted']);
    const [, ...kept] = session.context.messages;
    expect(kept.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result').length).toBeGreaterThan(1);
    expect(kept.flatMap(({ stubs = [] }) => stubs)).toEqual([]);
  });

  test('none follows an offload that has just sufficed', async () => {
    const { relief, session, deps } = await climbOnce({ ...priced(mostlyTalk), canSummarise: false });
    expect(relief).toEqual(['offloaded']);
    const { hardTokens, lowWaterTokens } = limitsOf(session, deps);
    expect(session.estimate.count().tokens).toBeGreaterThan((hardTokens + lowWaterTokens) / 2);
  });

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
    const { make, events } = compactNow(mostlyTalk);
    await make();
    expect(told(events)).toEqual(['request']);
  });

  test('is made even where the ladder would not try again', async () => {
    const { make, session, requests } = compactNow(mostlyTalk);
    const { tokens } = session.estimate.count();
    session.relief.futile = { tokens, model: session.model, freed: false };
    expect((await make()).kind).toBe('compacted');
    expect(requests).toHaveLength(1);
  });
});

describe('an offload that nothing forces', () => {
  /** More than `maxToolOutputBytes` of results that are hardly longer than their stubs would be. */
  const manySmallResults = [
    user('read'),
    ...Array.from({ length: 70 }, (_, n) => [calls({ id: `t${n}` }), answers({ id: `t${n}`, content: bulk(800, `line${n}`) })]).flat(),
  ];

  test('is neither made nor told of where it does not pay, and its plan is not made anew at every step', async () => {
    const base = createMeasure(roughCount);
    let weighed = 0;
    const messages = (...args: Parameters<typeof base.messages>) => {
      weighed += args[0].length;
      return base.messages(...args);
    };
    const config = { compaction: { maxToolOutputBytes: 51_200 } };
    const wish = { messages: manySmallResults, window: WINDOW, config, deps: { measure: { messages } } };
    const { session, deps, events } = createAgentWorld(wish);
    const step = async (n: number): Promise<number> => {
      const before = weighed;
      session.append({ type: 'message', message: calls({ id: `s${n}` }) });
      session.append({ type: 'message', message: answers({ id: `s${n}`, content: bulk(80, 'short') }) });
      await createFit().makeFit(session, deps, new AbortController().signal);
      return weighed - before;
    };
    expect(await step(0)).toBeGreaterThan(manySmallResults.length);
    for (let n = 1; n < 10; n++) expect(await step(n)).toBe(0);
    expect(session.estimate.count().toolOutputBytes).toBeGreaterThan(51_200);
    expect(events.map(({ type }) => type)).toEqual([]);
  });
});
