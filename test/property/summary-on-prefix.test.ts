import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf } from '../../src/agent/deps.ts';
import { createFit } from '../../src/agent/fit/fit.ts';
import { toWire } from '../../src/context/history/pairing.ts';
import type { Message } from '../../src/domain/session/message.ts';
import { createAgentWorld, replies, tool } from '../support/agent-world.ts';
import { answers, calls, user } from '../support/build.ts';
import { words } from '../support/long-session.ts';
import { apiRefusals } from '../support/pairing-oracle.ts';
import { slowRuns } from '../support/runs.ts';
import { goodSummary } from '../support/summary.ts';

/** About as many as the real prompt and tools in their short and in their long form, before the ratio is known. */
const baseChars = (window: number): number => (window < 20_000 ? 3_060 : 9_000);

type Work = { readonly window: number; readonly thinks: boolean; readonly parts: readonly number[]; readonly parallel: number };

const anyWork: fc.Arbitrary<Work> = fc.record({
  window: fc.oneof(
    fc.constantFrom(8_000, 16_000, 32_000, 64_000, 100_000, 128_000, 200_000, 1_000_000),
    fc.integer({ min: 8_000, max: 200_000 }),
  ),
  /** Models that think have no smaller window. */
  thinks: fc.boolean(),
  /** Sizes of results, as parts of the largest that enters whole. */
  parts: fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), { minLength: 70, maxLength: 70 }),
  parallel: fc.integer({ min: 1, max: 3 }),
});

/** A conversation of so few messages that it may grow beyond the limit, until there is no room at its end for a model that thinks. */
const fewLargeMessages: Work = { window: 16_000, thinks: true, parts: [1, 0.37, 0.74, 0.13, 0.55, 0.1], parallel: 3 };

test('from 16,000 tokens on a compaction asks once for its summary, at the end of what was sent before, unless that was of few messages and over the limit; in no window a request goes over it', async () => {
  const compactions = { count: 0 };
  await fc.assert(
    fc.asyncProperty(anyWork, async (work) => {
      compactions.count += await play(work);
    }),
    { numRuns: slowRuns(40), endOnFailure: true, examples: [[fewLargeMessages]] },
  );
  expect(compactions.count).toBeGreaterThan(0);
});

/** Works until the parts are used up; returns how often the context was compacted. */
async function play({ window, thinks, parts, parallel }: Work): Promise<number> {
  const reader = tool('read_file', () => '');
  const thinkingTokens = thinks && window >= 16_000 ? 8_000 : 0;
  const facts = { windowTokens: window, assumed: false, maxOutputTokens: 8_000, thinkingTokens, costUsd: () => undefined };
  const { session, deps, events, requests } = createAgentWorld({
    messages: [user('Go through all the parts, one after the other.')],
    window,
    tools: [{ ...reader, spec: { ...reader.spec, description: 'd'.repeat(baseChars(window)) } }],
    canSummarise: true,
    ask: () => replies(goodSummary),
    config: { offload: { enabled: false } },
    deps: { model: { facts: () => facts } },
  });
  const { resultChars } = limitsOf(session, deps);
  const put = (message: Message): void => session.append({ type: 'message', message });
  const fit = createFit();
  const results = window < 16_000 ? 1 : window > 200_000 ? parallel * 4 : parallel;
  let sent = '';
  let isBeyondLimit = false;
  for (const [step, part] of parts.entries()) {
    const asked = requests.length;
    const compacted = events.filter(({ type }) => type === 'compacted').length;
    const isOnPrefix = window >= 16_000 && !isBeyondLimit;
    await fit.makeFit(session, deps, new AbortController().signal);
    const summaries = requests.slice(asked);
    if (isOnPrefix) expect(summaries.length).toBe(events.filter(({ type }) => type === 'compacted').length - compacted);
    for (const { onPrefix = false, messages } of summaries) {
      if (isOnPrefix) expect(onPrefix).toBe(true);
      expect(apiRefusals(messages)).toEqual([]);
      if (onPrefix) expect(sent.startsWith(JSON.stringify(messages.slice(0, -1)).slice(0, -1))).toBe(true);
    }
    const { tokens } = session.estimate.count();
    expect(tokens).toBeLessThanOrEqual(window);
    const { minMessages, hardTokens } = limitsOf(session, deps);
    isBeyondLimit = session.context.messages.length < minMessages && tokens > hardTokens;
    const wire = toWire(session.context.messages);
    expect(apiRefusals(wire)).toEqual([]);
    const usage = { inputTokens: 10, cacheReadTokens: tokens - 10, cacheWriteTokens: 0, outputTokens: 20 };
    const ids = Array.from({ length: results }, (_, at) => `t${step}.${at}`);
    put({ ...calls(...ids.map((id) => ({ id, name: 'read_file', input: { path: `src/part${id}.ts` } }))), usage, stopReason: 'tool_use' });
    put(
      answers(
        ...ids.map((id) => ({
          id,
          content: words(100, `part ${id}`)
            .repeat(60)
            .slice(0, Math.floor(resultChars * part)),
        })),
      ),
    );
    sent = JSON.stringify(toWire(session.context.messages));
  }
  for (const event of events) if (event.type === 'request') expect(event.tokens).toBeLessThanOrEqual(event.windowTokens);
  return events.filter(({ type }) => type === 'compacted').length;
}
