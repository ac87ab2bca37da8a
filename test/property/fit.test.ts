import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf } from '../../src/agent/deps.ts';
import { createFit } from '../../src/agent/fit/fit.ts';
import { toWire } from '../../src/context/history/pairing.ts';
import { sendableTokens } from '../../src/context/measure/limits.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import type { SessionContext } from '../../src/domain/session/context.ts';
import { createAgentWorld, replies } from '../support/agent-world.ts';
import { anyTranscript } from '../support/arbitrary.ts';
import { user } from '../support/build.ts';
import { apiRefusals } from '../support/pairing-oracle.ts';
import { slowRuns } from '../support/runs.ts';

const settings = fc.record({
  window: fc.constantFrom(2_000, 4_000, 8_000, 32_000, 200_000, 1_000_000),
  maxMessages: fc.integer({ min: 2, max: 100 }),
  keepRecentMessages: fc.nat(30),
  keepRecentTokens: fc.nat(20_000),
  minMessagesBeforeCompact: fc.nat(20),
  canSummarise: fc.boolean(),
  offload: fc.boolean(),
});

test('fit ends in a request that can be sent or in a named error, whatever the conversation and the limits; the log says the same [F2, C10, C49, C60, P2, P30]', async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript(), settings, async (transcript, { window, canSummarise, offload, ...compaction }) => {
      const messages = [...transcript, { ...user('and now?'), id: 'now' }];
      const world = createAgentWorld({
        messages,
        window,
        canSummarise,
        ask: () => replies(''),
        config: { compaction: { ...compaction, retryCount: 0 }, offload: { enabled: offload } },
      });
      const { session, deps } = world;
      const limits = limitsOf(session, deps);
      const before = session.context;
      // One measure for both: usage that does not fit its context, as these have, is no law's matter.
      const size = (context: SessionContext) =>
        deps.measure.context({ ...context, anchorFloor: context.messages.length }, session.estimate.ratio).tokens;
      try {
        await createFit().makeFit(session, deps, new AbortController().signal);
        expect(session.estimate.count().tokens).toBeLessThanOrEqual(sendableTokens(limits));
        expect(apiRefusals(toWire(session.context.messages))).toEqual([]);
        expect(size(session.context)).toBeLessThanOrEqual(size(before));
        expect(session.context.messages.at(-1)?.origin).toBe('user');
      } catch (error) {
        if (!(error instanceof SanbotError) || error.code !== 'context_cannot_fit') throw error;
        expect(error.message).toMatch(/\d/);
      }
      expect(world.reopened().context).toEqual(session.context);
      expect(world.requests.length).toBeLessThanOrEqual(20);
    }),
    { numRuns: slowRuns(150) },
  );
});

test('what was made to fit needs nothing more: a second climb changes not a byte, unless only the messages are too many [C36, C12]', async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript(), fc.constantFrom(4_000, 8_000, 32_000), async (transcript, window) => {
      const world = createAgentWorld({ messages: [...transcript, { ...user('and now?'), id: 'now' }], window });
      const climb = () => createFit().makeFit(world.session, world.deps, new AbortController().signal);
      const fits = await climb().then(
        () => true,
        () => false,
      );
      if (!fits) return;
      const once = JSON.stringify(world.session.context);
      await climb();
      expect(JSON.stringify(world.session.context)).toBe(once);
    }),
    { numRuns: slowRuns(100) },
  );
});
