import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compact } from '../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../src/agent/deps.ts';
import { createFit } from '../../src/agent/fit/fit.ts';
import { trimOrSlide } from '../../src/agent/fit/last-resort.ts';
import { pinCost, pinMessage } from '../../src/agent/memory/pins.ts';
import { findSnapshot, rollBack } from '../../src/agent/rollback/rollback.ts';
import type { Session } from '../../src/agent/session/session.ts';
import { toWire } from '../../src/context/history/pairing.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import { isText, isToolResult, resultText } from '../../src/domain/session/message.ts';
import { type AgentWorld, createAgentWorld } from '../support/agent-world.ts';
import { anyTranscript } from '../support/arbitrary.ts';
import { says, user } from '../support/build.ts';
import { apiRefusals } from '../support/pairing-oracle.ts';
import { runs } from '../support/runs.ts';

type Step = 'fit' | 'compact' | 'resort' | 'rollback' | 'talk' | 'reopen';
const anyStep = fc.constantFrom<Step>('fit', 'compact', 'resort', 'rollback', 'talk', 'reopen');

/** All text that the model would see, as the API takes it. */
function sent(session: Session): string {
  const blocks = toWire(session.context.messages).flatMap(({ content }) => content);
  return blocks.map((block) => (isText(block) ? block.text : isToolResult(block) ? resultText(block) : '')).join('\n');
}

test('what the user pinned is sent word for word after any number of rungs, rollbacks and new processes, and no pair is parted for it [C69, C120, C60, O1, P1]', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyTranscript(),
      fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      fc.array(anyStep, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(8_000, 32_000),
      async (transcript, picks, steps, window) => {
        const world = createAgentWorld({ messages: [...transcript, { ...user('and now?'), id: 'now' }], window });
        const { deps } = world;
        let { session } = world;
        const texts: string[] = [];
        for (const pick of picks) {
          try {
            texts.push(pinMessage(pick % session.context.messages.length, session, deps).text);
          } catch (error) {
            if (!(error instanceof SanbotError) || error.code !== 'refused') throw error;
          }
        }
        const check = (): void => {
          for (const text of texts) expect(sent(session)).toContain(text);
          expect(apiRefusals(toWire([...session.context.messages, user('go on')]))).toEqual([]);
        };
        check();
        for (const step of steps) {
          session = await take(step, world, session);
          check();
        }
        expect(world.reopened().context).toEqual(session.context);
      },
    ),
    { numRuns: runs(120) },
  );
});

async function take(step: Step, { deps, store, reopened }: AgentWorld, session: Session): Promise<Session> {
  const { signal } = new AbortController();
  const limits = limitsOf(session, deps);
  const { tokens } = session.estimate.count();
  try {
    if (step === 'fit') await createFit().makeFit(session, deps, signal);
    if (step === 'compact') {
      const tight = { ...limits, keepTokens: 100, keepMessages: 2 };
      await compact({ trigger: 'manual', reasons: [], instructions: undefined, limits: tight, signal }, session, deps);
    }
    if (step === 'resort') trimOrSlide(session, deps, { limits, targetTokens: Math.floor(tokens * 0.6) });
    if (step === 'rollback') {
      const [oldest] = store.snapshots.all.keys();
      if (oldest !== undefined) rollBack(findSnapshot(oldest, deps.disk.snapshots), session, deps);
    }
    if (step === 'talk') {
      for (const message of [user('more '.repeat(300)), says('and more '.repeat(300))])
        session.append({ type: 'message', message: { ...message, id: deps.clock.newId() } });
    }
  } catch (error) {
    if (!(error instanceof SanbotError) || error.code !== 'context_cannot_fit') throw error;
  }
  return step === 'reopen' ? reopened() : session;
}

test('pins never take more than their share: what would is refused with figures and changes nothing', () => {
  fc.assert(
    fc.property(
      anyTranscript(),
      fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(4_000, 16_000),
      (transcript, picks, window) => {
        const { session, deps } = createAgentWorld({ messages: [...transcript, { ...user('字'.repeat(3_000)), id: 'now' }], window });
        for (const pick of picks) {
          const before = session.context;
          try {
            pinMessage(pick % session.context.messages.length, session, deps);
          } catch (error) {
            expect(error).toMatchObject({ code: 'refused', message: expect.stringMatching(/\d/) });
            expect(session.context).toBe(before);
          }
          const { tokens, budgetTokens } = pinCost(session, deps);
          expect(tokens).toBeLessThanOrEqual(budgetTokens);
        }
      },
    ),
    { numRuns: runs(100) },
  );
});
