import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { UnexplainedRefusal } from '../../../../src/domain/errors.ts';
import { createAgentWorld, replies } from '../../../support/agent-world.ts';
import { says, user } from '../../../support/build.ts';

const refused = () => new UnexplainedRefusal('model_failed', { en: 'host refused the request (400)', zh: '拒绝' });
const conversation = (pairs: number) =>
  Array.from({ length: pairs }, (_, at) => [user(`q${at} ${'word '.repeat(400)}`), says(`a${at} ${'word '.repeat(400)}`)]).flat();

const talk = async (pairs: number, isRefused: (n: number) => boolean) => {
  let turns = 0;
  const world = createAgentWorld({
    messages: conversation(pairs),
    ask: (request) => {
      if (request.purpose === 'turn' && isRefused(++turns)) throw refused();
      return replies('ok');
    },
  });
  const say = () => runTurn('go on', world.session, world.deps, { maxSteps: 3, signal: new AbortController().signal, tools: [] });
  return { world, say, asked: () => turns };
};

describe('a refusal without a reason', () => {
  test('of a request that fills more than half of the window is tried once as one that was too long', async () => {
    const { world, say, asked } = await talk(14, (n) => n === 1);
    expect(await say()).toMatchObject({ text: 'ok' });
    expect(asked()).toBe(2);
    const [first, second] = world.requests.filter(({ purpose }) => purpose === 'turn');
    expect(JSON.stringify(second?.messages).length).toBeLessThan(JSON.stringify(first?.messages).length);
    expect(world.events.filter(({ type }) => type === 'overflow')).toHaveLength(1);
  });

  test('is the end of the turn when it comes again, and of every turn after it', async () => {
    const { world, say, asked } = await talk(14, () => true);
    await expect(say()).rejects.toThrow('host refused the request (400)');
    expect(asked()).toBe(2);
    await expect(say()).rejects.toThrow('host refused the request (400)');
    expect(asked()).toBe(3);
    expect(world.events.filter(({ type }) => type === 'overflow')).toHaveLength(1);
  });

  test('of a small request is no such thing', async () => {
    const { world, say, asked } = await talk(1, () => true);
    await expect(say()).rejects.toThrow('host refused the request (400)');
    expect(asked()).toBe(1);
    expect(world.events.filter(({ type }) => type === 'overflow')).toEqual([]);
  });

  test('of the request for a summary is tried once as one that was too long, in smaller parts [W6]', async () => {
    let asked = 0;
    const sizes: number[] = [];
    const world = createAgentWorld({
      ...{ messages: conversation(14), canSummarise: true },
      ask: (request) => {
        sizes.push(JSON.stringify(request.messages).length);
        if (asked++ === 0) throw refused();
        return replies('no summary');
      },
    });
    const { signal } = new AbortController();
    const limits = limitsOf(world.session, world.deps);
    await compact({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, world.session, world.deps);
    expect(asked).toBeGreaterThan(1);
    expect(Math.max(...sizes.slice(1))).toBeLessThan(sizes[0] ?? 0);
  });
});
