import { describe, expect, test } from 'vitest';
import { compact } from '../../../../../src/agent/compaction/compact.ts';
import { dropPreparedSummary } from '../../../../../src/agent/compaction/prepared-summary.ts';
import { createFit } from '../../../../../src/agent/fit/fit.ts';
import type { ModelRequest } from '../../../../../src/agent/ports/model.ts';
import { clearContext, findSnapshot, rollBack } from '../../../../../src/agent/rollback/rollback.ts';
import { runTurn } from '../../../../../src/agent/turn/turn.ts';
import { AbortedError } from '../../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../../src/domain/language.ts';
import type { ModelAnswer } from '../../../../../src/domain/session/model-answer.ts';
import { callsTools, replies, tool } from '../../../../support/agent-world.ts';
import { exchange, longSession } from '../../../../support/long-session.ts';
import { bytesOf, config, firstText, fitted, growTo, made, typesOf, worldAtSoft } from '../../../../support/prepared-summary.ts';
import { goodSummary } from '../../../../support/summary.ts';

const AHEAD = goodSummary.replace('key decisions', 'what was prepared ahead');
const LATER = goodSummary.replace('key decisions', 'what came later');

describe('a summary prepared beside the turn', () => {
  test('is continued by what came later when that cannot stay [F12]', async () => {
    const world = worldAtSoft((_, n) => made(n === 1 ? AHEAD : LATER));
    await fitted(createFit(), world);
    await world.session.summariser.prepared?.result;
    for (let i = 200; i < 220; i++) for (const message of exchange(i)) world.session.append({ type: 'message', message });
    await fitted(createFit(), world);
    const [first, second, ...more] = world.requests.map(({ messages }) => JSON.stringify(messages));
    expect(first).toContain('matter 0 3 is told');
    expect(second).toContain('what was prepared ahead');
    expect([second, ...more].join()).toContain('matter 205 3 is told');
    expect([second, ...more].join()).not.toContain('matter 0 3 is told');
    expect(firstText(world)).toContain('what came later');
    // The ledger is of all that left, whoever summarised it.
    const constraints = world.session.context.messages[0]?.summary?.ledger.constraints.join();
    for (const path of ['vendor/lib0.ts', 'vendor/lib205.ts']) expect(constraints).toContain(path);
  });

  test('of what no longer is the beginning of what leaves is dropped, told in the audit log, and another is made', async () => {
    const world = worldAtSoft((_, n) => made(n === 1 ? AHEAD : LATER));
    await fitted(createFit(), world);
    const { context } = world.session;
    const messages = [...longSession(1), ...context.messages.slice(4)];
    world.session.append({ type: 'checkpoint', reason: 'mended', context: { ...context, messages } });
    growTo(world, world.limits.hardTokens);
    await fitted(createFit(), world);
    expect(firstText(world)).toContain('what came later');
    expect(world.events.find(({ type }) => type === 'summary_dropped')).toMatchObject({
      why: { en: expect.stringContaining('no longer the oldest part') },
    });
  });

  test('is not for a compaction whose instructions it has not heard', async () => {
    const world = worldAtSoft((_, n) => made(n === 1 ? AHEAD : LATER));
    await fitted(createFit(), world);
    const { session, deps, limits } = world;
    const signal = new AbortController().signal;
    await compact({ trigger: 'manual', reasons: [], instructions: 'the ports', limits, signal }, session, deps);
    expect(firstText(world)).toContain('what came later');
    expect(session.summariser.prepared).toBeUndefined();
  });
});

describe('a summary beside the turn is given up', () => {
  const hanging = () => {
    const stopped: string[] = [];
    const world = worldAtSoft(() => replies('unused'));
    const deps = {
      ...world.deps,
      model: {
        ...world.deps.model,
        ask: (_: ModelRequest, { signal }: { readonly signal: AbortSignal }) =>
          new Promise<ModelAnswer>((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              stopped.push('stopped');
              reject(new AbortedError());
            });
          }),
      },
    };
    return { ...world, deps, stopped };
  };

  test.each<[string, (world: ReturnType<typeof hanging>) => void]>([
    ['by /clear', ({ session, deps }) => void clearContext(session, deps)],
    [
      'by a rollback',
      ({ session, deps, store }) => {
        const id = clearContext(session, deps);
        expect(store.snapshots.all.size).toBe(1);
        rollBack(findSnapshot(id, deps.disk.snapshots), session, deps);
      },
    ],
    ['on leaving', ({ session, deps }) => dropPreparedSummary(sameInBoth('the session was left'), session, deps)],
    ['when the session is closed', ({ session }) => session.close()],
  ])('%s: its request ends, and nothing of it comes later', async (_, act) => {
    const world = hanging();
    await fitted(createFit(), world);
    const { prepared: ahead } = world.session.summariser;
    act(world);
    const after = bytesOf(world);
    expect(await ahead?.result).toBeUndefined();
    expect(world.stopped).toEqual(['stopped']);
    expect(bytesOf(world)).toBe(after);
    expect(typesOf(world)).not.toContain('summary_prepared');
  });

  test('with a turn that is cancelled, and the next turn does without it [P13]', async () => {
    const stop = new AbortController();
    let steps = 0;
    const asked = (request: ModelRequest): ModelAnswer | Promise<ModelAnswer> => {
      if (request.purpose === 'summary') return new Promise(() => undefined);
      steps += 1;
      return steps === 1 ? callsTools({ id: 'c1', name: 'wait' }) : replies('Done.');
    };
    const wait = tool('wait', () => {
      stop.abort();
      return 'waited';
    });
    const world = worldAtSoft(asked, { tools: [wait] });
    const { session, deps } = world;
    const end = await runTurn('Go.', session, deps, { signal: stop.signal, maxSteps: 5, tools: [wait] });
    expect(end.stopReason).toBe('interrupted');
    expect(session.summariser.prepared).toBeUndefined();
    expect(typesOf(world)).toContain('summary_dropped');
    expect(world.store.records.some((record) => record.type === 'checkpoint')).toBe(false);
  });

  test('never writes: a turn with it leaves the bytes of a turn without it', async () => {
    const logs = await Promise.all(
      [true, false].map(async (background) => {
        let steps = 0;
        const asked = (request: ModelRequest): ModelAnswer => {
          if (request.purpose === 'summary') return made(AHEAD);
          steps += 1;
          return steps < 4 ? callsTools({ id: `c${steps}`, name: 'look' }) : replies('Done.');
        };
        const look = tool('look', (): string => 'a short page');
        const world = worldAtSoft(asked, { tools: [look], config: config(background) });
        await runTurn('Go.', world.session, world.deps, { signal: new AbortController().signal, maxSteps: 9, tools: [look] });
        // Ids of test messages count up through the file.
        return world.store.records
          .slice(1)
          .map((record) => JSON.stringify(record.type === 'message' ? record.message.content : record.type));
      }),
    );
    expect(logs[0]).toEqual(logs[1]);
  });
});
