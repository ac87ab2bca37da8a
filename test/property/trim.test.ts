import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toWire } from '../../src/context/history/pairing.ts';
import { limitsFor } from '../../src/context/measure/limits.ts';
import { createMeasure } from '../../src/context/measure/measure.ts';
import { planTrim } from '../../src/context/offload/trim.ts';
import { configSchema } from '../../src/domain/config/config.ts';
import type { ContentBlock, Message } from '../../src/domain/session/message.ts';
import { anyContext } from '../support/arbitrary.ts';
import { user } from '../support/build.ts';
import { apiRefusals } from '../support/pairing-oracle.ts';
import { runs } from '../support/runs.ts';

const measure = createMeasure((text) => Math.ceil(text.length / 3));
const anyLimits = fc.constantFrom(4_000, 8_192, 32_000, 200_000).map((window) => limitsFor(configSchema.parse({}), window));
const estimate = (messages: readonly Message[]): number =>
  measure.raw({ system: '', shortTermSummary: '', tools: [], messages, anchorFloor: 0 });
const bones = (messages: readonly Message[]): string =>
  JSON.stringify(
    messages.map(({ id, role, origin, content }) => [
      id,
      role,
      origin,
      content
        .filter((block) => block.type !== 'thinking')
        .map((block: ContentBlock) => [block.type, block.id, block.name, block.tool_use_id, block.is_error]),
    ]),
  );

describe('trimming single messages', () => {
  test('makes the context smaller or says that nothing can be trimmed; pairs, ids and order stay [C12, C19, F3, O1]', () => {
    fc.assert(
      fc.property(anyContext(), anyLimits, fc.nat(50_000), (context, limits, targetTokens) => {
        const messages = planTrim(context, { measure, ratio: 1.5, limits, targetTokens });
        if (messages === undefined) return;
        expect(estimate(messages)).toBeLessThan(estimate(context.messages));
        expect(bones(messages)).toBe(
          bones(
            context.messages.filter(
              (message) => message.content.length === 0 || message.content.some((block) => block.type !== 'thinking'),
            ),
          ),
        );
        expect(apiRefusals(toWire([...messages, user()]))).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });

  test('is done after once: what was trimmed is not trimmed again, and nothing oversized is left when the target asks for all', () => {
    fc.assert(
      fc.property(anyContext(), anyLimits, (context, limits) => {
        const plan = { measure, ratio: 1.5, limits, targetTokens: 0 };
        const messages = planTrim(context, plan);
        if (messages !== undefined) expect(planTrim({ ...context, messages }, plan)).toBeUndefined();
      }),
      { numRuns: runs(100) },
    );
  });

  test('leaves summaries as they are, takes all thinking away and never halves a character [O34, C65, C68]', () => {
    fc.assert(
      fc.property(anyContext(), anyLimits, (context, limits) => {
        const messages = planTrim(context, { measure, ratio: 1.5, limits, targetTokens: 0 });
        if (messages === undefined) return;
        const summary = context.messages.find((message) => message.origin === 'summary');
        if (summary !== undefined) expect(messages).toContain(summary);
        expect(messages.some((message) => message.content.some((block) => block.type === 'thinking'))).toBe(false);
        const sound = context.messages.every((message) => JSON.stringify(message).search(/\\ud[89a-f]/i) === -1);
        if (sound) expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]/i);
      }),
      { numRuns: runs(100) },
    );
  });
});
