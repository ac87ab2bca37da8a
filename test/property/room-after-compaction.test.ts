import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf } from '../../src/agent/deps.ts';
import { createFit } from '../../src/agent/fit/fit.ts';
import type { Message } from '../../src/domain/session/message.ts';
import { createAgentWorld, tool } from '../support/agent-world.ts';
import { answers, calls, user } from '../support/build.ts';
import { words } from '../support/long-session.ts';
import { slowRuns } from '../support/runs.ts';

/** With it the tools take about the 1,836 tokens of the real prompt and tools in their short form, before the ratio is known. */
const BASE_CHARS = 3_060;
const STEPS = 40;

/**
 * Between two compactions there are at least so many steps, each one call and a result of a third of the largest size that enters whole up
 * to that. In 400 sessions of each window the fewest were 3, 3, 3 and 6.
 */
const least = [
  { window: 4_000, steps: 3 },
  { window: 5_000, steps: 3 },
  { window: 6_000, steps: 3 },
  { window: 8_000, steps: 3 },
  { window: 10_000, steps: 6 },
] as const;

test.each(least)(
  'in a window of $window tokens at least $steps steps fit between two compactions, with results of a third of the largest size and more [C2, C5, C6, C36]',
  async ({ window, steps }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: STEPS, maxLength: STEPS }), async (parts) => {
        const compactedAt = await compactions(window, parts);
        expect(compactedAt.length).toBeGreaterThan(0);
        for (const [at, step] of compactedAt.slice(1).entries()) expect(step - (compactedAt[at] ?? 0)).toBeGreaterThanOrEqual(steps);
      }),
      { numRuns: slowRuns(60) },
    );
  },
);

/** The steps before which the ladder compacted, in a session whose results have these parts of the largest size. */
async function compactions(window: number, parts: readonly number[]): Promise<readonly number[]> {
  const reader = tool('read_file', () => '');
  const { session, deps, events } = createAgentWorld({
    messages: [user('Go through all the parts, one after the other, and never touch vendor/lib.ts.')],
    window,
    tools: [{ ...reader, spec: { ...reader.spec, description: 'd'.repeat(BASE_CHARS) } }],
  });
  const { resultChars } = limitsOf(session, deps);
  const put = (message: Message): void => session.append({ type: 'message', message });
  const fit = createFit();
  const compacted = (): number => events.filter(({ type }) => type === 'compacted').length;
  const at: number[] = [];
  for (const [step, part] of parts.entries()) {
    const before = compacted();
    put(calls({ id: `t${step}`, name: 'read_file', input: { path: `src/part${step}.ts` } }));
    put(answers({ id: `t${step}`, content: words(100, `part ${step}`).slice(0, Math.floor(resultChars * part)) }));
    await fit.makeFit(session, deps, new AbortController().signal);
    if (compacted() > before) at.push(step);
  }
  return at;
}
