import { describe, expect, test } from 'vitest';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { pinMessage } from '../../../../src/agent/memory/pins.ts';
import type { ModelFacts, ModelRequest } from '../../../../src/agent/ports/model.ts';
import { changeModel } from '../../../../src/agent/turn/change-model.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { type AgentWish, createAgentWorld, replies } from '../../../support/agent-world.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { goodSummary } from '../../../support/summary.ts';

const windows: Readonly<Record<string, number>> = { test: 400_000, small: 16_000, tiny: 1_000, large: 1_000_000 };
const factsFor = (model: string): ModelFacts => ({
  windowTokens: windows[model] ?? 0,
  assumed: false,
  maxOutputTokens: 8_000,
  costUsd: () => 0.01,
});
const bulk = (chars: number, about: string) => `${about} `.repeat(Math.ceil(chars / (about.length + 1))).slice(0, chars);
const talk = (turns: number, chars: number): readonly Message[] =>
  Array.from({ length: turns }, (_, i) => [
    user(bulk(chars, `ask${i}`)),
    calls({ id: `t${i}` }),
    answers({ id: `t${i}`, content: bulk(chars, `read${i}`) }),
    says(bulk(chars, `tell${i}`)),
  ]).flat();

const { signal } = new AbortController();
function worldOf(messages: readonly Message[], wish: AgentWish = {}) {
  const world = createAgentWorld({ messages, ...wish });
  const asked: ModelRequest[] = [];
  const ask = async (request: ModelRequest): Promise<ModelAnswer> => {
    asked.push(request);
    return (await wish.ask?.(request, asked.length)) ?? replies(goodSummary);
  };
  return { ...world, asked, deps: { ...world.deps, model: { ...world.deps.model, ask, facts: factsFor } } };
}
const failure = (change: Promise<void>) =>
  change.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('another model', () => {
  test('with room for the conversation answers at once, and the past stays as it is [C115]', async () => {
    const { session, deps, asked, events } = worldOf(talk(10, 2_000));
    const { messages } = session.context;
    await changeModel('large', session, deps, signal);
    expect(session.model).toBe('large');
    expect(session.context.messages).toBe(messages);
    expect(asked).toEqual([]);
    expect(events).toEqual([{ type: 'model_changed', model: 'large', windowTokens: 1_000_000, windowAssumed: false }]);
  });

  test('is not changed to when a hook blocks the compaction that would make room: all stays as it was', async () => {
    const world = worldOf(talk(60, 4_000), { canSummarise: true });
    const { messages } = world.session.context;
    const runHooks = async (event: string) => (event === 'PreCompact' ? { blocked: 'not now' } : {});
    const deps = { ...world.deps, person: { ...world.deps.person, runHooks } };
    const error = await failure(changeModel('small', world.session, deps, signal));
    expect(error).toMatchObject({ code: 'context_cannot_fit', message: expect.stringContaining('a PreCompact hook blocked it: not now') });
    expect(world.asked).toEqual([]);
    expect(world.session.model).toBe('test');
    expect(world.session.context.messages).toEqual(messages);
  });

  test('with a smaller window answers once the present one has summarised for it [C24, C114]', async () => {
    const { session, deps, asked, events, reopened } = worldOf(talk(60, 4_000), { canSummarise: true });
    expect(session.estimate.count().tokens).toBeGreaterThan(200_000);
    await changeModel('small', session, deps, signal);
    expect(new Set(asked.map(({ model, purpose }) => `${model} ${purpose}`))).toEqual(new Set(['test summary']));
    expect(events.filter(({ type }) => type === 'compacted').length).toBeGreaterThan(0);
    // The history calls it what it is.
    expect(events.find(({ type }) => type === 'snapshot_written')).toMatchObject({ reason: 'model' });
    expect(session.model).toBe('small');
    expect(session.estimate.count().tokens).toBeLessThanOrEqual(limitsOf(session, deps).hardTokens);
    expect(reopened().model).toBe('small');
  });

  test('takes as many passes as it needs, and one more never undoes one before', async () => {
    const { session, deps, events } = worldOf([...talk(60, 4_000), user(bulk(8_000, 'last'))]);
    await changeModel('small', session, deps, signal);
    const passes = events.flatMap((event) => (event.type === 'compacted' ? [event.tokensAfter] : []));
    expect(passes).toEqual([...passes].sort((a, b) => b - a));
    expect(session.model).toBe('small');
  });

  test('is refused with figures when nothing makes the conversation fit, and nothing has changed', async () => {
    const huge = [...talk(5, 500), user(bulk(200_000, 'word'))];
    const { session, deps, reopened } = worldOf(huge);
    const { context } = session;
    expect(await failure(changeModel('small', session, deps, signal))).toMatchObject({
      code: 'context_cannot_fit',
      message: expect.stringMatching(/The model stays test.*window has 16,000 tokens.*may have [\d,]+.*smaller than [\d,]+/),
    });
    expect(session.model).toBe('test');
    expect(session.context).toEqual(context);
    expect(reopened().context).toEqual(context);
  });

  test('is refused before any summary when the pins alone would take too much of its window', async () => {
    const config = { compaction: { softWindow: 0 } };
    const { session, deps, asked } = worldOf([user(bulk(30_000, 'rule')), ...talk(60, 4_000)], { config });
    pinMessage(0, session, deps);
    expect(await failure(changeModel('small', session, deps, signal))).toMatchObject({
      message: expect.stringMatching(/Pins take [\d,]+ tokens/),
    });
    expect(await failure(changeModel('tiny', session, deps, signal))).toMatchObject({ code: 'context_cannot_fit' });
    expect([asked, session.model]).toEqual([[], 'test']);
  });

  test('stays away when the summary is stopped, and the conversation is as it was [C112, P13]', async () => {
    const stop = new AbortController();
    const { session, deps } = worldOf(talk(60, 4_000), {
      canSummarise: true,
      ask: () => {
        stop.abort();
        return replies(goodSummary);
      },
    });
    const { context } = session;
    expect(await failure(changeModel('small', session, deps, stop.signal))).toMatchObject({ name: 'AbortedError' });
    expect(session.model).toBe('test');
    expect(session.context).toEqual(context);
  });
});
