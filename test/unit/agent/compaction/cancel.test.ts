import { describe, expect, test } from 'vitest';
import { compact, prepareCompaction } from '../../../../src/agent/compaction/compact.ts';
import { type AgentDeps, limitsOf } from '../../../../src/agent/deps.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { pairingProblems } from '../../../../src/context/history/pairing.ts';
import { toWire } from '../../../../src/context/history/wire.ts';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { type AgentWish, type AgentWorld, callsTools, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';
import { user } from '../../../support/build.ts';
import { exchange, longSession, words } from '../../../support/long-session.ts';
import { runs, stride } from '../../../support/runs.ts';
import { goodSummary } from '../../../support/summary.ts';

/** Whatever the agent does outside of itself while it compacts is a point at which the user may cancel. */
function cancelledAt(k: number, world: AgentWorld) {
  const stop = new AbortController();
  let points = 0;
  let counting = false;
  const point = (): void => {
    if (counting && ++points === k) stop.abort();
  };
  const { deps } = world;
  const pointed: AgentDeps = {
    ...deps,
    report: {
      emit: (event) => {
        if (event.type === 'compaction_started') counting = true;
        point();
        deps.report.emit(event);
        if (event.type === 'compacted') counting = false;
      },
    },
    model: {
      ...deps.model,
      ask: async (request, stream) => {
        point();
        if (stream.signal.aborted) throw new AbortedError();
        const answer = await deps.model.ask(request, stream);
        await Promise.resolve();
        point();
        if (stream.signal.aborted) throw new AbortedError();
        return answer;
      },
    },
    disk: {
      ...deps.disk,
      snapshots: { ...deps.disk.snapshots, write: (made) => afterPoint(point, () => deps.disk.snapshots.write(made)) },
      archive: { write: (page) => afterPoint(point, () => deps.disk.archive.write(page)) },
      memories: { ...deps.disk.memories, add: (entries) => afterPoint(point, () => deps.disk.memories.add(entries)) },
    },
  };
  return { deps: pointed, signal: stop.signal, reached: () => points >= k };
}

const afterPoint = <T>(point: () => void, work: () => T): T => {
  point();
  return work();
};

const bytesOf = ({ store, session }: AgentWorld): string => JSON.stringify([store.records, session.context, [...store.bodies.files]]);
const twoParts: AgentWish = { canSummarise: true, ask: () => replies(goodSummary), window: 16_000, messages: longSession(24) };

describe('a cancel at any point', () => {
  test.each([
    ['by the model, in parts', twoParts],
    ['by rule', { messages: longSession() }],
  ])('of a compaction %s leaves log and context as they were, to the byte, until the checkpoint [P13, C112, X12]', async (_, wish) => {
    let cancelled = 0;
    for (let k = 1; ; k += stride) {
      const world = createAgentWorld(wish);
      const { session, events, store } = world;
      const before = bytesOf(world);
      const { deps, signal, reached } = cancelledAt(k, world);
      const limits = limitsOf(session, deps);
      const outcome = await compact({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, session, deps).catch(
        (error: unknown) => error,
      );
      if (outcome instanceof AbortedError) {
        expect(bytesOf(world), `cancelled at point ${k}`).toBe(before);
        expect(events.at(-1)).toMatchObject({ type: 'compaction_cancelled' });
        cancelled += 1;
      } else {
        // The checkpoint is the end of it: what comes after stands.
        expect(outcome).toMatchObject({ kind: 'compacted' });
        expect(store.records.at(-1)?.type).toBe('checkpoint');
      }
      if (!reached()) break;
    }
    expect(cancelled).toBeGreaterThanOrEqual(Math.ceil(7 / stride));
  });

  test('of a preview leaves no snapshot and no page either [P13, S17]', async () => {
    for (let k = 1; ; k += stride) {
      const world = createAgentWorld(twoParts);
      const { session, store } = world;
      const before = bytesOf(world);
      const { deps, signal, reached } = cancelledAt(k, world);
      const limits = limitsOf(session, deps);
      await prepareCompaction({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, session, deps).catch(() => 'no');
      expect(bytesOf(world), `cancelled at point ${k}`).toBe(before);
      expect([store.snapshots.all.size, store.archive.pages.length, store.memories.entries.length]).toEqual([0, 0, 0]);
      if (!reached()) break;
    }
  });

  test('of a compaction in a tool loop ends the turn, changes nothing, and the next turn goes on [P13, P11, O20, B5]', async () => {
    let cancelled = 0;
    for (let k = 1; ; k += stride) {
      let step = 0;
      const ask: AgentWish['ask'] = (request) => {
        if (request.purpose === 'summary') return replies(goodSummary);
        step += 1;
        return step < 60 ? callsTools({ id: `c${step}`, name: 'look' }) : replies('Done.');
      };
      const look = tool('look', () => words(60, `page ${step}`));
      const config = { compaction: { keepRecentMessages: 4, keepRecentTokens: 2_000, triggerThreshold: 100_000 } };
      const world = createAgentWorld({ ask, canSummarise: true, window: 16_000, messages: longSession(5), tools: [look], config });
      const { session, store, events, reopened } = world;
      const { deps, signal, reached } = cancelledAt(k, world);
      const end = await runTurn('Look at all pages.', session, deps, { signal, maxSteps: 80, tools: [look] });
      const committed = store.records.filter((record) => record.type === 'checkpoint' && record.reason === 'compaction').length;
      expect(committed).toBe(events.filter((event) => event.type === 'compacted').length);
      expect(reopened().context).toEqual(session.context);
      if (committed === 0) {
        cancelled += 1;
        expect(end.stopReason).toBe('interrupted');
        expect(session.context.messages[0]).toEqual(longSessionStart(world));
        step = 60;
        const next = await runTurn('Go on.', session, world.deps, { signal: new AbortController().signal, maxSteps: 80, tools: [look] });
        expect(next.stopReason).toBe('end_turn');
        expect(pairingProblems(toWire([...session.context.messages, user('next')]))).toEqual([]);
      }
      if (!reached() || committed > 1) break;
    }
    expect(cancelled).toBeGreaterThanOrEqual(runs(5));
  });
});

/** The first message of the conversation as the log has it. */
const longSessionStart = ({ store }: AgentWorld) => {
  const [header] = store.records;
  return header?.type === 'header' ? header.context.messages[0] : undefined;
};

test('a model that hangs is let go when the user cancels, and its summary never comes [C112, O18]', async () => {
  const world = createAgentWorld({ messages: [...longSession(), ...exchange(99), user('and now?')], canSummarise: true });
  const { session } = world;
  const stop = new AbortController();
  const hanging: AgentDeps = {
    ...world.deps,
    model: {
      ...world.deps.model,
      ask: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new AbortedError()));
          queueMicrotask(() => stop.abort());
        }),
    },
  };
  const before = bytesOf(world);
  const wish = {
    trigger: 'manual' as const,
    reasons: [],
    instructions: undefined,
    limits: limitsOf(session, hanging),
    signal: stop.signal,
  };
  await expect(compact(wish, session, hanging)).rejects.toThrow(AbortedError);
  expect(bytesOf(world)).toBe(before);
});
