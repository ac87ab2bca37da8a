import { expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { createBreaker } from '../../../../src/agent/session/session-state.ts';
import { SanbotError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { createAgentWorld, replies } from '../../../support/agent-world.ts';
import { says, user } from '../../../support/build.ts';

test('opens after failures in a row, lets one try through after its rest, and closes on success [C7, C8]', () => {
  const breaker = createBreaker({ failures: 2, restMs: 1_000 });
  breaker.record('failed', 0);
  expect(breaker.isOpen(0)).toBe(false);
  breaker.record('failed', 10);
  expect([breaker.isOpen(10), breaker.isOpen(1_009), breaker.isOpen(1_010), breaker.isOpen(5)]).toEqual([true, true, false, false]);
  breaker.record('failed', 1_010);
  expect(breaker.isOpen(1_500)).toBe(true);
  breaker.record('worked', 2_100);
  breaker.record('failed', 2_200);
  expect(breaker.isOpen(2_200)).toBe(false);
});

test('a model that keeps failing to summarise is left alone for a while, asked when the user asks, and tried again later [C7, C8, C30, S13]', async () => {
  const world = createAgentWorld({
    canSummarise: true,
    messages: Array.from({ length: 60 }, (_, i) => [
      user(`ask ${i} ${'word '.repeat(60)}`),
      says(`tell ${i} ${'word '.repeat(60)}`),
    ]).flat(),
    config: { compaction: { retryCount: 0, keepRecentMessages: 2 } },
    ask: ({ purpose }) => {
      if (purpose === 'summary') throw new SanbotError('model_unreachable', sameInBoth('down'));
      return replies('ok');
    },
  });
  const { session, deps, requests } = world;
  const signal = new AbortController().signal;
  const round = async (trigger: 'auto' | 'manual') => {
    for (let n = 0; n < 20; n++)
      session.append({ type: 'message', message: n % 2 === 0 ? user(`more ${'word '.repeat(60)}`) : says(`yes ${'word '.repeat(60)}`) });
    const before = requests.length;
    const outcome = await compact(
      { trigger, reasons: [], instructions: undefined, limits: limitsOf(session, deps), signal },
      session,
      deps,
    );
    return [outcome.kind === 'compacted' ? outcome.event.method : outcome.kind, requests.length - before];
  };
  for (let n = 0; n < 3; n++) expect(await round('auto')).toEqual(['rules_degraded', 1]);
  expect(await round('auto')).toEqual(['rules_degraded', 0]);
  expect(await round('manual')).toEqual(['rules_degraded', 1]);
  world.clock.now = new Date(world.clock.now.getTime() + 16 * 60_000);
  expect(await round('auto')).toEqual(['rules_degraded', 1]);
});
