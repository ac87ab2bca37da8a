import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compact } from '../../src/agent/compact.ts';
import { limitsOf } from '../../src/agent/deps.ts';
import type { ModelFacts, ModelRequest } from '../../src/agent/ports.ts';
import { clearContext, findSnapshot, rollBack } from '../../src/agent/rollback.ts';
import type { Session } from '../../src/agent/session.ts';
import { runTurn } from '../../src/agent/turn.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import type { SanbotEvent } from '../../src/domain/event.ts';
import { requestBody } from '../../src/model/request.ts';
import { createAgentWorld, roughCount, tool } from '../support/agent-world.ts';
import { callsTools, fakeModel, replies } from '../support/fake-model.ts';
import { cacheOf } from '../support/prompt-cache.ts';

/** What happens in a conversation, in any order. */
type Act =
  | { readonly type: 'turn'; readonly chars: number; readonly thinks: boolean; readonly results: readonly (readonly number[])[] }
  | { readonly type: 'pause' | 'compact' | 'clear' | 'reopen' }
  | { readonly type: 'rollback'; readonly pick: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('turn' as const),
      chars: fc.integer({ min: 1, max: 1_500 }),
      thinks: fc.boolean(),
      results: fc.array(fc.array(fc.integer({ min: 0, max: 6_000 }), { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constantFrom('pause' as const, 'pause' as const, 'reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('compact' as const, 'clear' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('rollback' as const), pick: fc.nat(9) }) },
);

const settings = fc.record({
  window: fc.constantFrom(12_000, 24_000),
  offload: fc.boolean(),
  keepLastAssistants: fc.nat(4),
  pruneAboveChars: fc.constantFrom(600, 4_000),
});

/** After one of these the past may be another one. */
const isReset = (event: SanbotEvent): boolean =>
  ['compacted', 'trimmed', 'window_slid', 'pruned', 'rolled_back', 'cleared'].includes(event.type) ||
  (event.type === 'offloaded' && event.when !== 'arrival');

test('the model always finds its own prefix again, byte for byte, but after a planned reset; thinking never follows a changed past [C57, C58, C65, C66, O2, O22, B5]', async () => {
  let steady = 0;
  const resets = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 22 }), settings, async (acts, wish) => {
      const { events, requests } = await play(acts, wish);
      const cache = cacheOf();
      let since: string[] = [];
      let n = 0;
      for (const event of events) {
        if (isReset(event)) since.push(event.type);
        if (event.type !== 'request' || event.purpose !== 'turn') continue;
        const request = requests[n++];
        if (request === undefined) throw new Error('a request that never left');
        const body = requestBody(request, { facts, thinking: 'always' });
        const { before, shared, read } = cache.send(body);
        if (since.length === 0 && n > 1) {
          steady += 1;
          expect(shared).toBe(before);
          expect(read).toBe(before);
        }
        for (const reset of since) resets.set(reset, (resets.get(reset) ?? 0) + 1);
        since = [];
      }
      expect(n).toBe(requests.length);
    }),
    { numRuns: 80 },
  );
  expect(steady).toBeGreaterThan(200);
  expect([...resets.keys()].sort()).toEqual(expect.arrayContaining(['compacted', 'offloaded', 'pruned', 'rolled_back']));
}, 240_000);

const facts: ModelFacts = { windowTokens: 24_000, assumed: false, maxOutputTokens: 4_000, costUsd: () => 0 };

type Wish = {
  readonly window: number;
  readonly offload: boolean;
  readonly keepLastAssistants: number;
  readonly pruneAboveChars: number;
};

/** Plays it through the real loop against the strict fake, which refuses thinking behind a changed past, broken pairs and overflows. */
async function play(
  acts: readonly Act[],
  wish: Wish,
): Promise<{ readonly events: readonly SanbotEvent[]; readonly requests: readonly ModelRequest[] }> {
  let plan: Extract<Act, { type: 'turn' }> | undefined;
  let step = 0;
  let calls = 0;
  const model = fakeModel(
    () => {
      const sizes = plan?.results[step++];
      const more = plan?.thinks === true ? { thinking: `I think of ${step}.` } : {};
      return sizes === undefined
        ? replies('That is done.', more)
        : callsTools(
            sizes.map((chars) => ({ name: 'look', input: { chars }, id: `c${++calls}` })),
            more,
          );
    },
    { windowTokens: wish.window, countTokens: roughCount },
  );
  const look = tool('look', (input) => `${++calls} `.repeat(3_000).slice(0, charsOf(input)));
  const world = createAgentWorld({
    tools: [look],
    config: {
      compaction: { softTokenRatio: 0.5 },
      offload: { enabled: wish.offload },
      pruning: { keepLastAssistants: wish.keepLastAssistants, maxToolResultChars: wish.pruneAboveChars },
    },
    deps: { model: { ask: model.ask, facts: () => ({ ...facts, windowTokens: wish.window }) } },
  });
  const { deps, clock, events } = world;
  let session: Session = world.session;
  const signal = new AbortController().signal;
  for (const each of acts) {
    clock.now = new Date(clock.now.getTime() + (each.type === 'pause' ? 3_600_000 : 1_000));
    switch (each.type) {
      case 'turn':
        plan = each;
        step = 0;
        await runTurn('ask '.repeat(each.chars / 4 + 1), session, deps, { signal, maxSteps: 50 }).catch(mayNotFit);
        break;
      case 'reopen':
        session = world.reopened();
        break;
      case 'compact':
        await compact({ trigger: 'manual', reasons: [], instructions: undefined, limits: limitsOf(session, deps), signal }, session, deps);
        break;
      case 'clear':
        clearContext(session, deps);
        break;
      case 'rollback': {
        const ids = events.flatMap((event) => (event.type === 'snapshot_written' ? [event.snapshotId] : []));
        const id = ids[each.pick % Math.max(1, ids.length)];
        if (id !== undefined) rollBack(findSnapshot(id, deps.snapshots), session, deps);
        break;
      }
      case 'pause':
        break;
    }
  }
  model.done();
  return { events, requests: model.requests };
}

/** A single exchange may be larger than so small a window. */
const mayNotFit = (error: unknown): void => {
  if (!(error instanceof SanbotError) || error.code !== 'context_cannot_fit') throw error;
};

const charsOf = (input: unknown): number =>
  typeof input === 'object' && input !== null && 'chars' in input && typeof input.chars === 'number' ? input.chars : 0;
