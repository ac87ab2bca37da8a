import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { dropPreparedSummary } from '../../../../src/agent/compaction/prepared-summary.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { createFit, type Fit } from '../../../../src/agent/fit/fit.ts';
import type { ModelRequest } from '../../../../src/agent/ports/model.ts';
import type { RunHooks } from '../../../../src/agent/ports/tools.ts';
import { clearContext, findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { AbortedError, SanbotError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { textOf } from '../../../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { type AgentWish, type AgentWorld, callsTools, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';
import { says, user } from '../../../support/build.ts';
import { exchange, longSession, words } from '../../../support/long-session.ts';
import { goodSummary } from '../../../support/summary.ts';

const usage = { inputTokens: 4_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 500 };
const made = (text: string): ModelAnswer => {
  const answer = replies(text);
  return answer.kind === 'reply' ? { ...answer, usage } : answer;
};
const AHEAD = goodSummary.replace('key decisions', 'what was prepared ahead');
const LATER = goodSummary.replace('key decisions', 'what came later');

const config = (background = true) => ({
  compaction: {
    background,
    triggerThreshold: 100_000,
    keepRecentMessages: 6,
    keepRecentTokens: 4_000,
    targetTokens: 1_000,
    maxMessages: 1_000,
  },
  offload: { enabled: false },
});

/** A session that stands between its soft and its hard limit. */
function worldAtSoft(
  ask: NonNullable<AgentWish['ask']>,
  more: AgentWish = {},
): AgentWorld & { readonly limits: ReturnType<typeof limitsOf> } {
  const world = createAgentWorld({ ask, canSummarise: true, window: 32_000, config: config(), messages: longSession(4), ...more });
  const limits = limitsOf(world.session, world.deps);
  growTo(world, limits.softTokens);
  expect(world.session.estimate.count().tokens).toBeLessThan(limits.hardTokens);
  return { ...world, limits };
}

function growTo({ session }: AgentWorld, tokens: number): void {
  for (let i = 100; session.estimate.count().tokens <= tokens; i++) {
    session.append({ type: 'message', message: user(`Tell ${i}. ${words(6, `new ${i}`)}`) });
    session.append({ type: 'message', message: says(words(6, `told ${i}`)) });
  }
}

const fitted = async (fit: Fit, { session, deps }: AgentWorld): Promise<void> => fit.makeFit(session, deps, new AbortController().signal);
const typesOf = ({ events }: AgentWorld): readonly string[] => events.map(({ type }) => type);
const summaries = (requests: readonly ModelRequest[]): number => requests.filter(({ purpose }) => purpose === 'summary').length;
const firstText = ({ session }: AgentWorld): string => textOf(session.context.messages[0]?.content ?? []);
const bytesOf = ({ store, session }: AgentWorld): string => JSON.stringify([store.records, session.context]);

describe('a summary prepared beside the turn', () => {
  test('begins at the soft limit, changes nothing, and is told in one quiet event [B6]', async () => {
    const world = worldAtSoft(() => made(AHEAD));
    const before = bytesOf(world);
    const fit = createFit();
    await fitted(fit, world);
    await world.session.summariser.prepared?.result;
    await fitted(fit, world);
    await fitted(fit, world);
    expect(bytesOf(world)).toBe(before);
    expect(summaries(world.requests)).toBe(1);
    expect(typesOf(world)).toEqual(['context_high', 'summary_prepared']);
    expect(world.session.usage.total.compactionUsage).toEqual(usage);
  });

  test('is what the hard limit takes when nothing else has to leave: no request more, and what came later stays as it is', async () => {
    const world = worldAtSoft(() => made(AHEAD));
    const fit = createFit();
    await fitted(fit, world);
    const { signal } = new AbortController();
    const later = world.session.context.messages.slice(-6);
    growTo(world, world.limits.hardTokens);
    const newest = world.session.context.messages.at(-1);
    await fit.makeFit(world.session, world.deps, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(summaries(world.requests)).toBe(1);
    expect(firstText(world)).toContain('what was prepared ahead');
    expect(world.session.context.messages).toEqual(expect.arrayContaining([...later, newest]));
    expect(typesOf(world)).toContain('compacted');
    expect(typesOf(world)).not.toContain('summary_dropped');
    expect(world.reopened().context).toEqual(world.session.context);
  });

  test.each([{ text: 'Keep the colours.' }, { summary: LATER }])(
    'is not used when a PreCompact hook answers %j, which is asked once, and not for what is made ahead',
    async (answer) => {
      const asked: string[] = [];
      const runHooks: RunHooks = async (event) => {
        asked.push(event);
        return event === 'PreCompact' ? answer : {};
      };
      const world = worldAtSoft((_, n) => made(n === 1 ? AHEAD : LATER), { deps: { person: { runHooks } } });
      await fitted(createFit(), world);
      await world.session.summariser.prepared?.result;
      expect(asked).toEqual([]);
      growTo(world, world.limits.hardTokens);
      await fitted(createFit(), world);
      expect(asked).toEqual(['PreCompact', 'PostCompact', 'SessionStart']);
      expect(firstText(world)).toContain('what came later');
      expect(firstText(world)).not.toContain('what was prepared ahead');
      expect(world.session.summariser.prepared).toBe(undefined);
    },
  );

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

  test('that is not ready at the hard limit is waited for, and asked for once', async () => {
    let answer = (_: ModelAnswer): void => undefined;
    const world = worldAtSoft(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const fit = createFit();
    await fitted(fit, world);
    growTo(world, world.limits.hardTokens);
    const fitting = fitted(fit, world);
    answer(made(AHEAD));
    await fitting;
    expect(summaries(world.requests)).toBe(1);
    expect(firstText(world)).toContain('what was prepared ahead');
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
      why: { en: expect.stringContaining('no longer the beginning') },
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

  test('that fails is quiet and changes nothing; the hard limit does what it always does [P8, C85]', async () => {
    const world = worldAtSoft((_, n) =>
      n === 1 ? Promise.reject(new SanbotError('model_failed', sameInBoth('overloaded'))) : made(LATER),
    );
    const before = bytesOf(world);
    const fit = createFit();
    await fitted(fit, world);
    await world.session.summariser.prepared?.result;
    await fitted(fit, world);
    expect(bytesOf(world)).toBe(before);
    expect(typesOf(world)).toEqual(['context_high', 'summary_dropped']);
    growTo(world, world.limits.hardTokens);
    await fitted(fit, world);
    expect(firstText(world)).toContain('what came later');
  });

  test('is not made unless it is wanted, nor where rules would make it', async () => {
    for (const more of [{ config: config(false) }, { canSummarise: false }]) {
      const world = worldAtSoft(() => made(AHEAD), more);
      await fitted(createFit(), world);
      expect(world.requests).toEqual([]);
    }
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
