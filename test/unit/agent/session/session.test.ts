import { describe, expect, test } from 'vitest';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { createMeasure, SEED_RATIO } from '../../../../src/context/measure/measure.ts';
import { callsTools, createAgentWorld, replies, roughCount, tool } from '../../../support/agent-world.ts';
import { usageOf } from '../../../support/arbitrary.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const go = { signal: new AbortController().signal, maxSteps: 10 };
/** A model that counts four tokens where we count one. */
const talk = (n: number) =>
  Array.from({ length: n }, (_, i) => [user(`ask ${i} ${'word '.repeat(100)}`), says(`tell ${i} ${'word '.repeat(100)}`)]).flat();

describe('what is known of a model’s tokens', () => {
  test('survives a restart, right after a compaction too, where no usage of this context is left [C36, X10]', async () => {
    const world = createAgentWorld({
      messages: talk(30),
      window: 20_000,
      ask: (request) => {
        const answer = replies('ok');
        const chars = JSON.stringify(request.messages).length;
        return answer.kind === 'reply' ? { ...answer, usage: usageOf(Math.round(chars / 2), 1) } : answer;
      },
    });
    await runTurn('go', world.session, world.deps, { ...go, tools: world.tools });
    await runTurn(`and ${'more '.repeat(4_000)}`, world.session, world.deps, { ...go, tools: [] });
    const compacted = world.events.some(({ type }) => type === 'compacted');
    expect([compacted, world.session.estimate.ratio === SEED_RATIO]).toEqual([true, false]);
    const checkpoint = world.store.records.findLast((record) => record.type === 'checkpoint');
    expect(checkpoint).toMatchObject({ model: 'test', ratio: expect.any(Number) });
    // The log as it stood right after that compaction.
    world.store.records.splice((checkpoint?.n ?? 0) + 1);
    expect(world.reopened().estimate.ratio).toBe(checkpoint?.type === 'checkpoint' ? checkpoint.ratio : undefined);
    expect(world.reopened().estimate.count().anchored).toBe(false);
  });

  test('is kept apart for each model, and the count is made anew at once when another answers [C36, C41, C115]', () => {
    const { session } = createAgentWorld({ messages: [...talk(3), says('ok', { usage: usageOf(9_000, 10) })] });
    expect(session.estimate.count()).toMatchObject({ tokens: 9_010, anchored: true });
    const known = session.estimate.ratio;
    session.switchModel('other');
    expect(session.estimate.count().anchored).toBe(false);
    expect(session.estimate.ratio).toBe(SEED_RATIO);
    session.switchModel('test');
    expect(session.estimate.ratio).toBe(known);
    expect(session.estimate.count().anchored).toBe(false);
  });

  test('belongs to the model that answers after a restart: the log says which, behind a checkpoint as well [D-08, C94]', () => {
    const world = createAgentWorld({ messages: talk(2) });
    world.session.switchModel('other');
    const { context } = world.session;
    world.session.append({ type: 'checkpoint', reason: 'clear', context: { ...context, messages: [], anchorFloor: 0 } });
    expect(world.reopened().model).toBe('other');
  });
});

describe('what a step costs', () => {
  /** Counts calls of the tokenizer and the characters it is given. */
  const counted = () => {
    const asked = { times: 0, chars: 0 };
    const count = (text: string): number => {
      asked.times += 1;
      asked.chars += text.length;
      return roughCount(text);
    };
    return { asked, count };
  };

  test('of a session of 5,000 messages is what the step adds: the same number of calls of the tokenizer as in one of 50 [F12, C127]', async () => {
    const costOf = async (exchanges: number) => {
      const { asked, count } = counted();
      const measure = createMeasure(count);
      const world = createAgentWorld({
        messages: Array.from({ length: exchanges }, (_, i) => [
          { ...user('ok'), origin: 'notice' as const },
          calls({ id: `t${i}` }),
          answers({ id: `t${i}`, content: `line ${i}` }),
        ]).flat(),
        window: 2_000_000,
        config: { compaction: { softWindow: 0 } },
        deps: { measure },
        ask: (_request, n) => (n < 9 ? callsTools({ id: `c${n}`, name: 'look', input: { page: n } }) : replies('done')),
        tools: [tool('look', () => 'x'.repeat(500))],
      });
      world.session.estimate.count();
      const before = { ...asked };
      await runTurn('go', world.session, world.deps, { ...go, tools: world.tools });
      return { times: asked.times - before.times, chars: asked.chars - before.chars };
    };
    expect(await costOf(1_700)).toEqual(await costOf(17));
  });
});
