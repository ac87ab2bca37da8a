import { describe, expect, test } from 'vitest';
import { disputes } from '../../../../src/context/sentence/asks.ts';
import { isGuess, withoutCheer } from '../../../../src/context/sentence/work.ts';

describe('thinking aloud', () => {
  test.each([
    ['Wait, the quay has no lamp.', 'the quay has no lamp.'],
    ['Hmm — the pier is closed at night.', 'the pier is closed at night.'],
    ['Ah! The cache of the lamp is stale.', 'The cache of the lamp is stale.'],
    ['I see - the pier **is** closed.', 'the pier **is** closed.'],
    ['Now I see: two lamps share a fuse.', 'two lamps share a fuse.'],
    ['Let me see. The fuse is blown.', 'The fuse is blown.'],
    ['嗯，让我看看。灯的保险丝断了。', '灯的保险丝断了。'],
    [
      'Now I can see the code. The lamp is lit in two places: 1. the quay; 2. the pier',
      'The lamp is lit in two places: 1. the quay; 2. the pier',
    ],
  ])('before a finding goes, and the finding stays: %s', (text, left) => expect(withoutCheer(text)).toBe(left));

  test.each([
    'I see two failing lamps on the quay.',
    'Waiting for the lamp takes a minute.',
    'Wait times are above a second.',
    'Oh-oh is the name of the ship.',
    'I see that the lamp is off.',
    'So the pier is closed.',
    '等待时间超过一秒。',
  ])('is not what says something itself: %s', (text) => expect(withoutCheer(text)).toBe(text));

  test('a guess is told from what is known', () => {
    for (const text of [
      'The lamp might be off.',
      'This is likely a loose wire.',
      'Probably the fuse.',
      'It looks like the fuse.',
      '可能是保险丝断了。',
    ])
      expect(isGuess(text), text).toBe(true);
    for (const text of ['The fuse is blown.', 'The lamp is off since May.', '保险丝断了。', 'He likes the likely winner.'])
      expect(isGuess(text), text).toBe(false);
  });
});

describe('a reply is disputed', () => {
  const reply = 'The lamp is mended.';
  test.each([
    'no, the lamp should stay red',
    "that's not it, the fuse is fine",
    'it still fails with the same error',
    "that doesn't work",
    'you forgot the pier',
    'hmm, still broken',
    'not what i asked for',
    '不对，灯应该是红的',
    '还是不行',
  ])('by: %s', (request) => expect(disputes(request, reply)).toBe(true));

  test.each([
    'no, this is fine. now the docs',
    'no problem, go on with the pier',
    'now mend the other lamp',
    'not sure yet, show me the lamps',
    'is that not the wrong lamp?',
    'nothing else, thanks',
    'the lamp still burns at night, by design',
    '不错，继续',
    '没问题，继续吧',
  ])('not by: %s', (request) => expect(disputes(request, reply)).toBe(false));

  test('not by the "no" that answers its question', () => {
    expect(disputes('no, leave it', 'Mended. Shall I paint it too?')).toBe(false);
    expect(disputes("no, that's wrong", 'Mended. Shall I paint it too?')).toBe(true);
  });
});
