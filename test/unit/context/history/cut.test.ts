import { describe, expect, test } from 'vitest';
import { chooseCut, newestRequest } from '../../../../src/context/history/cut.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const pairs = (count: number): Message[] =>
  Array.from({ length: count }, (_, n) => [calls({ id: `t${n}` }), answers({ id: `t${n}` })]).flat();
const cut = (messages: readonly Message[], sizes: number | readonly number[], keepTokens: number, keepMessages = 1_000) =>
  chooseCut(messages, { sizes: typeof sizes === 'number' ? messages.map(() => sizes) : sizes, keepTokens, keepMessages });
const summary = (): Message => ({ ...user('[Compressed History]'), origin: 'summary' });

describe('a cut', () => {
  test('falls inside one long turn [P2, C49]', () => {
    expect(cut([user(), ...pairs(30)], 500, 5_000)).toEqual({ kind: 'cut', index: 51 });
  });

  test('falls before the last call when its result alone is larger than the tail may be [C10, C49, S9]', () => {
    const messages = [user(), says(), user(), ...pairs(1)];
    expect(cut(messages, [10, 5_000, 10, 10, 30_000], 20_000)).toEqual({ kind: 'cut', index: 3 });
  });

  test('keeps at most keepMessages as they are sent, so that parallel results count as one', () => {
    const step = (n: number): Message[] => [calls({ id: `a${n}` }, { id: `b${n}` }), answers({ id: `a${n}` }), answers({ id: `b${n}` })];
    const messages = [user(), ...Array.from({ length: 10 }, (_, n) => step(n)).flat()];
    expect(cut(messages, 1, 1_000, 4)).toEqual({ kind: 'cut', index: messages.length - 6 });
  });

  test('never falls between parallel results, nor between a call and a message typed meanwhile [S1, C60, C64]', () => {
    const messages = [
      user(),
      says(),
      calls({ id: 'a' }, { id: 'b' }),
      answers({ id: 'a' }),
      user('faster'),
      answers({ id: 'b' }),
      says('done'),
    ];
    for (const keepTokens of [0, 1, 2, 3, 4]) expect(cut(messages, 1, keepTokens)).toEqual({ kind: 'cut', index: 6 });
    expect(cut(messages, 1, 5)).toEqual({ kind: 'cut', index: 2 });
  });

  test('leaves the shortest legal tail for an explicit zero [N6]', () => {
    expect(cut([user(), ...pairs(3), says()], 10, 0, 0)).toEqual({ kind: 'cut', index: 7 });
  });

  test('is impossible with nothing to take out: no messages, only the request, or only a summary and the request [O13, O15]', () => {
    for (const messages of [[], [user()], [summary(), user()], [summary(), user(), says()].slice(0, 2)]) {
      expect(cut(messages, 10, 0)).toEqual({ kind: 'cannot', why: 'too_short' });
    }
  });

  test('is impossible when what could leave is held by one open exchange', () => {
    expect(cut([user(), calls({ id: 'a' }), answers({ id: 'a' })], 10, 0)).toEqual({ kind: 'cannot', why: 'one_open_exchange' });
    expect(cut([summary(), user(), calls({ id: 'a' }), answers({ id: 'a' })], 10, 0)).toEqual({ kind: 'cannot', why: 'one_open_exchange' });
  });

  test('does not count an older summary or the newest request as something taken out, since both are carried over [P30, C2]', () => {
    const messages = [summary(), user('fix it'), ...pairs(2)];
    expect(cut(messages, 10, 1_000)).toEqual({ kind: 'cut', index: 4 });
  });

  test('is made in a session of tools with a single request [O15]', () => {
    expect(cut([user(), ...pairs(100)], 100, 2_000)).toMatchObject({ kind: 'cut', index: 181 });
  });
});

test('the newest request is the newest message of the user’s own', () => {
  expect(
    newestRequest([user('a'), says(), user('b'), calls({ id: 't' }), answers({ id: 't' }), { ...user('date'), origin: 'notice' }]),
  ).toBe(2);
  expect(newestRequest([summary()])).toBe(-1);
});
