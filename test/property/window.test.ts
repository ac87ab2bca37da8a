import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newestRequest } from '../../src/context/history/cut.ts';
import { toWire } from '../../src/context/history/pairing.ts';
import { createMeasure } from '../../src/context/measure/measure.ts';
import { slideWindow } from '../../src/context/offload/trim.ts';
import type { Message } from '../../src/domain/session/message.ts';
import { anyContext } from '../support/arbitrary.ts';
import { user } from '../support/build.ts';
import { apiRefusals } from '../support/pairing-oracle.ts';
import { runs } from '../support/runs.ts';

const measure = createMeasure((text) => Math.ceil(text.length / 3));
const anyTarget = fc.oneof(fc.constant(0), fc.nat(60_000));
const said = (message: Message | undefined): string => JSON.stringify(message?.content.filter((block) => block.type !== 'thinking'));

describe('the sliding window', () => {
  test('drops at least one message or says that nothing is left to drop, and keeps pairs whole [C16, F2, O1, O16]', () => {
    fc.assert(
      fc.property(anyContext(), anyTarget, (context, targetTokens) => {
        const slid = slideWindow(context, { measure, ratio: 1.5, targetTokens });
        if (slid === undefined) return;
        expect(slid.dropped).toBeGreaterThan(0);
        const lost = context.messages.filter((message) => !slid.messages.some((kept) => kept.id === message.id));
        expect(lost.length).toBeGreaterThanOrEqual(slid.dropped);
        expect(apiRefusals(toWire([...slid.messages, user()]))).toEqual([]);
        expect(slid.messages[0]?.role).toBe('user');
      }),
      { numRuns: runs(100) },
    );
  });

  test('keeps the newest request and the last message verbatim, and everything it keeps in order, without thinking [C66, O2]', () => {
    fc.assert(
      fc.property(anyContext(), anyTarget, (context, targetTokens) => {
        const slid = slideWindow(context, { measure, ratio: 1.5, targetTokens });
        if (slid === undefined) return;
        const { messages } = context;
        const places = slid.messages.map((kept) => messages.findIndex((message) => message.id === kept.id));
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(slid.messages.map(said)).toEqual(places.map((place) => said(messages[place])));
        expect(slid.messages.some((kept) => kept.content.some((block) => block.type === 'thinking'))).toBe(false);
        const request = messages[newestRequest(messages)];
        if (request !== undefined) expect(slid.messages).toContain(request);
      }),
      { numRuns: runs(100) },
    );
  });

  test('drops as little as meets the target, the summary last, and all it can when nothing does [F4]', () => {
    fc.assert(
      fc.property(anyContext(), anyTarget, (context, targetTokens) => {
        const { messages } = context;
        const now = Math.max(
          measure.context(context, 1.5).tokens,
          measure.context({ ...context, anchorFloor: messages.length }, 1.5).tokens,
        );
        const meets = (kept: readonly Message[]): boolean =>
          now - messages.filter((message) => !kept.includes(message)).reduce((sum, message) => sum + measure.message(message, 1.5), 0) <=
          targetTokens;
        const choices = everyChoice(messages);
        const expected = choices.find(meets) ?? choices.at(-1);
        const slid = slideWindow(context, { measure, ratio: 1.5, targetTokens });
        expect(slid?.dropped).toBe(expected === undefined ? undefined : messages.length - expected.length);
        const spoken = (kept: readonly Message[] | undefined) =>
          kept?.filter((message) => message.content.some((block) => block.type !== 'thinking')).map((message) => message.id);
        expect(spoken(slid?.messages)).toEqual(spoken(expected));
      }),
      { numRuns: runs(100) },
    );
  });

  test('comes to an end: sliding again and again never goes on for ever [C2, C16]', () => {
    fc.assert(
      fc.property(anyContext(), (context) => {
        let messages = context.messages;
        let slides = 0;
        for (;;) {
          const slid = slideWindow({ ...context, messages }, { measure, ratio: 1.5, targetTokens: 0 });
          if (slid === undefined) break;
          expect(slid.messages.length).toBeLessThan(messages.length);
          messages = slid.messages;
          slides++;
        }
        expect(slides).toBeLessThanOrEqual(2);
      }),
      { numRuns: runs(100) },
    );
  });
});

/** Everything that may be kept, found by trying: with the summary first, then the shortest without it. */
function everyChoice(messages: readonly Message[]): readonly (readonly Message[])[] {
  const request = messages.findLastIndex((message) => message.origin === 'user');
  const summaries = messages[0]?.origin === 'summary' ? 1 : 0;
  const keeping = (leading: number) =>
    messages
      .map((_, from) => messages.filter((_message, index) => index < leading || index === request || index >= Math.max(from, summaries)))
      .filter((kept, from) => from >= summaries && kept.length < messages.length && isSendable(kept, messages[from]));
  return summaries === 0 ? keeping(0) : [...keeping(1), ...keeping(0).slice(-1)];
}

const isSendable = (kept: readonly Message[], first: Message | undefined): boolean =>
  kept[0]?.role === 'user' &&
  !first?.content.some((block) => block.type === 'tool_result') &&
  apiRefusals(toWire([...kept, user()])).length === 0;
