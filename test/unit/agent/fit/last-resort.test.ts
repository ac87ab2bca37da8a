import { expect, test } from 'vitest';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { trimOrSlide } from '../../../../src/agent/fit/last-resort.ts';
import { createAgentWorld } from '../../../support/agent-world.ts';
import { says, user } from '../../../support/build.ts';

const words = (serial: number): string => `${serial} said `.repeat(200);

test('what an overflow proved wrong does not decide how much has to go: each change of the past brings the context to the target and is told', () => {
  const usage = { inputTokens: 2_000, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const talk = Array.from({ length: 12 }, (_, i) => [user(words(i)), says(words(i))]).flat();
  const world = createAgentWorld({
    messages: [...talk, user('on'), { ...says('yes'), usage, model: 'test-model' }, user('go on')],
    window: 64_000,
  });
  const { session, deps, events } = world;
  const believed = session.estimate.count();
  session.estimate.learnFromOverflow({ limitTokens: undefined, sentTokens: 20_000 }, 64_000);
  const { tokens } = session.estimate.count();
  expect({ anchored: believed.anchored, isMore: tokens > 2 * believed.tokens }).toEqual({ anchored: true, isMore: true });
  const targetTokens = Math.floor((tokens + believed.tokens) / 2);
  trimOrSlide(session, deps, { limits: limitsOf(session, deps), targetTokens });
  expect(session.estimate.count().tokens).toBeLessThanOrEqual(targetTokens);
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['window_slid']));
});
