import { describe, expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { type AgentDeps, limitsOf } from '../../../../src/agent/deps.ts';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { type AgentWish, createAgentWorld, replies } from '../../../support/agent-world.ts';
import { user } from '../../../support/build.ts';
import { bytesOf, cancelledAt } from '../../../support/cancel.ts';
import { exchange, longSession } from '../../../support/long-session.ts';
import { stride } from '../../../support/runs.ts';
import { goodSummary } from '../../../support/summary.ts';

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
});

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
