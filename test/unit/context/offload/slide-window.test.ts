import { describe, expect, test } from 'vitest';
import { createMeasure } from '../../../../src/context/measure/measure.ts';
import { slideWindow } from '../../../../src/context/offload/trim.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, contextOf, says, user } from '../../../support/build.ts';

const measure = createMeasure((text) => text.length);
const turn = (name: string): Message[] => [
  user(name),
  calls({ id: name }),
  answers({ id: name, content: 'x'.repeat(1_000) }),
  says(`${name} done`),
];
const summary = (): Message => ({ ...user('[Compressed History]'), origin: 'summary' });
const total = (messages: readonly Message[]): number => measure.context(contextOf(messages), 1).tokens;
const slide = (messages: readonly Message[], targetTokens: number) => slideWindow(contextOf(messages), { measure, ratio: 1, targetTokens });

describe('the sliding window', () => {
  test('drops the oldest exchanges whole, no more than needed [C16, F4]', () => {
    const messages = [...turn('a'), ...turn('b'), ...turn('c')];
    expect(slide(messages, total(messages) - 1)).toEqual({ messages: messages.slice(4), dropped: 4 });
    expect(slide(messages, 1_500)).toEqual({ messages: messages.slice(8), dropped: 8 });
  });

  test('inside one long turn drops the oldest steps and keeps the request that all of them serve', () => {
    const steps = ['a', 'b', 'c'].map((id): Message[] => [calls({ id }), answers({ id, content: 'x'.repeat(1_000) })]);
    const messages = [user('do it'), ...steps.flat()];
    expect(slide(messages, 2_500)).toEqual({ messages: [messages[0], ...messages.slice(3)], dropped: 2 });
  });

  test('keeps a leading summary until nothing else is left to drop', () => {
    const messages = [summary(), ...turn('a'), user('now')];
    const least = [messages[0], messages[5]].filter((message) => message !== undefined);
    expect(slide(messages, total(least))?.messages).toEqual(least);
    expect(slide(messages, 1_100)?.messages).toEqual([messages[0], ...messages.slice(4)]);
    expect(slide(messages, 0)?.messages).toEqual([messages[5]]);
  });

  test('says when nothing is left to drop [C19]', () => {
    expect(slide([], 0)).toBeUndefined();
    expect(slide([user('only')], 0)).toBeUndefined();
    expect(slide([user('only'), calls({ id: 'a' }), answers({ id: 'a' })], 0)).toBeUndefined();
  });

  test('passes 10,000 messages with a target that none of them meets', () => {
    const messages = Array.from({ length: 2_500 }, (_, n) => turn(`t${n}`)).flat();
    expect(slide(messages, 0)?.dropped).toBe(9_998);
  });
});
