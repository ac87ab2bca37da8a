import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseCut, newestRequest } from '../../src/context/history/cut.ts';
import { toWire } from '../../src/context/history/pairing.ts';
import type { Message } from '../../src/domain/session/message.ts';
import { anyTranscript } from '../support/arbitrary.ts';
import { user } from '../support/build.ts';
import { apiRefusals } from '../support/pairing-oracle.ts';
import { runs } from '../support/runs.ts';

const anyCut = anyTranscript().chain((messages) =>
  fc.record({
    messages: fc.constant(messages),
    sizes: fc.array(fc.nat(50_000), { minLength: messages.length, maxLength: messages.length }),
    keepTokens: fc.nat(100_000),
    keepMessages: fc.nat(30),
  }),
);

/** A tail is whole when the API takes it after some user message. */
const isWhole = (messages: readonly Message[], index: number): boolean =>
  messages[index]?.content.some((block) => block.type === 'tool_result') === false &&
  apiRefusals(toWire([user(), ...messages.slice(index), user()])).length === 0;

/** What a compaction really takes out: neither an older summary nor the newest request. */
const leaving = (messages: readonly Message[], index: number): number =>
  messages.slice(0, index).filter((message, at) => message.origin !== 'summary' && at !== newestRequest(messages)).length;

const tokensFrom = (sizes: readonly number[], index: number): number => sizes.slice(index).reduce((sum, size) => sum + size, 0);
const sentFrom = (messages: readonly Message[], index: number): number =>
  messages.slice(index).filter((message, at, tail) => at === 0 || message.role !== tail[at - 1]?.role).length;

describe('a cut', () => {
  test('never parts a call from its result, and always takes something out [O1, S1, C60, P26]', () => {
    fc.assert(
      fc.property(anyCut, ({ messages, ...bounds }) => {
        const choice = chooseCut(messages, bounds);
        if (choice.kind !== 'cut') return;
        expect(isWhole(messages, choice.index)).toBe(true);
        expect(leaving(messages, choice.index)).toBeGreaterThan(0);
        expect(choice.index).toBeLessThan(messages.length);
      }),
      { numRuns: runs(100) },
    );
  });

  test('leaves the longest legal tail within both bounds, or the shortest legal one [O14, C10]', () => {
    fc.assert(
      fc.property(anyCut, ({ messages, ...bounds }) => {
        const places = messages.map((_, index) => index).filter((index) => isWhole(messages, index) && leaving(messages, index) > 0);
        const fits = places.filter(
          (index) => tokensFrom(bounds.sizes, index) <= bounds.keepTokens && sentFrom(messages, index) <= bounds.keepMessages,
        );
        const expected = fits[0] ?? places.at(-1);
        const choice = chooseCut(messages, bounds);
        expect(choice.kind === 'cut' ? choice.index : undefined).toBe(expected);
      }),
      { numRuns: runs(100) },
    );
  });

  test('of a conversation with an interrupted end leaves nothing in the tail that lacks its call [C61, C63]', () => {
    fc.assert(
      fc.property(anyTranscript({ open: true }), fc.nat(20_000), (messages, keepTokens) => {
        const choice = chooseCut(messages, { sizes: messages.map(() => 1_000), keepTokens, keepMessages: 10 });
        if (choice.kind !== 'cut') return;
        const tail = messages.slice(choice.index).flatMap((message) => message.content);
        const called = tail.filter((block) => block.type === 'tool_use').map((block) => block.id);
        const answered = tail.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id);
        expect(answered.filter((id) => !called.includes(id))).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });
});
