import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { emptyLedger, type Ledger } from '../../../../src/domain/session/ledger.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const gather = (...messages: readonly Message[]): Ledger => gatherLedger(messages, nowhere);
const goOn = (earlier: Ledger, ...messages: readonly Message[]): Ledger => continueLedger(earlier, messages, nowhere);

const english = "let's use Redis for the session cache";
const chinese = '会话缓存就用 Redis';
const accepted = says('I recommend Redis for the session cache, it expires keys by itself. Shall I use Redis for the session cache?');

const givesUp = [
  'no Redis after all',
  'ok, no Redis after all then',
  'on second thought, Redis is not needed',
  'On second thoughts we do not need Redis',
  'on second thought Redis is overkill here',
  "actually, we don't need Redis",
  "actually let's not use Redis",
  "we don't need Redis any more",
  'Redis is no longer needed',
  'I changed my mind about Redis, keep the sessions in memory',
  "let's do without Redis",
  'lets skip Redis for now, memory is fine',
  "we're dropping Redis",
  'let us remove Redis again',
  '不用 Redis 了',
  '还是不用 Redis 了，放内存就行',
  'Redis 不要了',
  'Redis 就算了，用内存吧',
  '想了想，还是不用 Redis',
  '再想想，Redis 没必要',
  'Redis 先不上了',
  '别用 Redis 了',
  '放弃 Redis 吧',
];
const stays = [
  'no Redis in the tests of the lamp please, mock it',
  'do not restart Redis after all these tests',
  'is Redis not needed after all?',
  'why no Redis after all?',
  'we do not need the lamp table any more',
  'on second thought, the lamp table is not needed',
  'Redis does not start on my machine',
  'the tests are not done after all',
  'no tests for the lamp after all',
  '不用重启 Redis 了',
  '灯的表不用了',
  '还要不要用 Redis？',
  'Redis 起不来了',
  '测试先不用跑了',
];

/** The decision for Redis itself; the word that took it back may stand in its place. */
const standing = ({ decisions }: Ledger, later = ''): readonly string[] =>
  decisions.filter((text) => /^(?:let's use Redis|会话缓存就用|Asked: Shall I use)/.test(text) && (later === '' || !text.includes(later)));

describe('a decision that the user takes back', () => {
  const decided: readonly (readonly [string, readonly Message[]])[] = [
    ['told in English', [user(english), says('Done.')]],
    ['told in Chinese', [user(chinese), says('好的。')]],
    ['an accepted proposal', [user('the cache is slow'), accepted, user('yes, do it'), says('Done.')]],
  ];

  describe.each(decided)('%s', (_, messages) => {
    test('stands at first', () => expect(standing(gather(...messages))).toHaveLength(1));

    test.each(givesUp)('no longer stands, and the word is kept in its place: %s', (later) => {
      const { decisions } = gather(...messages, user(later), says('Ok.'));
      expect(standing({ ...emptyLedger, decisions }, later)).toEqual([]);
      expect(decisions.filter((text) => text.includes(later.slice(-12)))).toHaveLength(1);
    });

    test.each(givesUp)('no longer stands after the next compaction: %s', (later) => {
      expect(standing(goOn(gather(...messages), user(later), says('Ok.')), later)).toEqual([]);
    });

    test.each(stays)('stands after: %s', (later) => {
      expect(standing(gather(...messages, user(later), says('Ok.')))).toHaveLength(1);
    });
  });

  test('names what it was for', () => {
    const told = (first: string, later: string) => gather(user(first), says('Done.'), user(later), says('Ok.')).decisions;
    expect(told(english, 'no Redis for the session cache after all')).toEqual(['no Redis for the session cache after all']);
    expect(told(chinese, '不用 Redis 做会话缓存了')).toEqual(['不用 Redis 做会话缓存了']);
    expect(told(english, "we don't need Redis for the lamp table")).toContain(english);
  });

  test('is not the one that decided against the thing', () => {
    const told = (first: string, later: string) => gather(user(first), says('Done.'), user(later), says('Ok.')).decisions;
    for (const first of ["let's use Postgres instead of Redis", "let's skip Redis, memory is enough", '就用内存，不用 Redis'])
      for (const later of ['no Redis after all', '不用 Redis 了']) expect(told(first, later)).toContain(first);
  });

  test('stands no longer in a list of before that holds its end too', () => {
    const { decisions } = goOn({ ...emptyLedger, decisions: [english, 'one lamp per berth', 'no Redis after all'] }, user('go on'));
    expect(decisions).toEqual(['one lamp per berth', 'no Redis after all']);
  });
});

describe('an accepted proposal', () => {
  const messages = [user('the cache is slow'), accepted, user('yes, do it'), says('Done.'), user('the tests fail, fix it')];

  test.each([
    'I removed Redis, since it cannot run in the tests.',
    'I have used an in-memory map instead of Redis, since Redis cannot run here.',
    'I replaced Redis with an in-memory map.',
    'Redis is now gone, and the tests pass.',
    '我把 Redis 换成了内存缓存，测试通过了。',
    '我用内存缓存代替了 Redis。',
    '已移除 Redis，测试通过。',
  ])('ends with the work that contradicts it: %s', (reply) => {
    expect(standing(gather(...messages, says(reply)))).toEqual([]);
    expect(standing(goOn(gather(...messages), says(reply)))).toEqual([]);
  });

  test.each([
    'I removed the Redis import from the lamp test.',
    'I replaced the lamp table with a map.',
    'Redis was restarted, and the tests pass.',
    'I used Redis instead of the map.',
    '我移除了灯的测试里多余的 Redis 引用。',
  ])('stands beside other work: %s', (reply) => {
    expect(standing(gather(...messages, says(reply)))).toHaveLength(1);
  });
});
