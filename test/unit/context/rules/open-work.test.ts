import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { isOrder, judge } from '../../../../src/context/sentence/judge.ts';
import { emptyLedger, type Ledger } from '../../../../src/domain/session/ledger.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const openAfter = (messages: readonly Message[], kept: readonly Message[] = [], before: Ledger = emptyLedger): readonly string[] =>
  continueLedger(before, messages, { ...nowhere, kept }).open;

describe('what was said to be open is open until it is closed', () => {
  test.each([
    'TODO: add an index',
    'I need your decision on the pier.',
    'Next step: run it on the ferry',
    'One lamp still fails.',
    'Waiting for your approval.',
    'The last two charts are not translated yet.',
    'I could not reproduce the crash of the crane.',
    '码头页面还没修好',
    '还剩：给 piers.opened_at 加索引',
    '下一步：在渡轮上跑一遍。',
    '测试仍然失败。',
    '请你确认一下用哪个方案',
  ])('by the model, also after newer replies about other things: %s', (said) => {
    expect(openAfter([user('mend the quay'), says(`The quay is mended. ${said}`)])).toEqual([said]);
    expect(openAfter([user('mend the quay'), says(said), user('what colour has the buoy? I forgot'), says('The buoy is red.')])).toEqual([
      said,
    ]);
  });

  test.each(['TODO: add an index', '码头页面还没修好', '还剩：给 piers.opened_at 加索引', 'The charts are not translated yet.'])(
    'by the user: %s',
    (said) => expect(openAfter([user(`mend the quay\n${said}`), says('The quay has two lamps.')])).toEqual([said]),
  );

  test.each([
    'Later we must also update the changelog.',
    'later we must also update the changelog',
    'We must also update the changelog later.',
    '之后还必须更新 changelog',
    '稍后必须补上测试',
  ])('put off, and no order: %s', (said) => {
    expect(openAfter([user(`mend the quay\n${said}`), says('Mended it.')])).toEqual([said]);
    expect(isOrder(judge(said))).toBe(false);
  });

  test('by what stays in the context, below the summary', () => {
    expect(openAfter([user('mend the quay'), says('Mended.')], [user('and the pier?'), says('TODO: add an index')])).toEqual([
      'TODO: add an index',
    ]);
  });

  test('a choice that leaves something for later is both', () => {
    const found = continueLedger(emptyLedger, [user('支付先接微信，支付宝以后再说'), says('好。')], nowhere);
    expect([found.decisions, found.open]).toEqual([['支付先接微信，支付宝以后再说'], ['支付先接微信，支付宝以后再说']]);
  });
});

describe('it is closed', () => {
  const first = [user('mend the quay'), says('The quay is mended. Still to do: the charts of the pier. TODO: add an index to ropes.')];
  const left = (...then: readonly Message[]): readonly string[] => openAfter(then, [], continueLedger(emptyLedger, first, nowhere));

  test('by a reply that says so, and the other point stays', () => {
    expect(left(user('go on with the rest'), says('I updated the charts of the pier.'))).toEqual(['TODO: add an index to ropes.']);
    expect(left(user('what about the buoy?'), says('I added the index to ropes.'))).toEqual(['Still to do: the charts of the pier.']);
  });

  test('by the user who names it, and takes it up or drops it', () => {
    expect(left(user('skip the charts of the pier'))).toEqual(['TODO: add an index to ropes.']);
  });

  test('by a reply that says that nothing is left', () => {
    expect(left(user('go on'), says('Everything is done.'))).toEqual([]);
    expect(left(user('继续'), says('没有遗留问题。'))).toEqual([]);
  });

  test('where the user said to go on with it and it was done, in whatever words', () => {
    expect(left(user('go on'), says('I wrote and merged all three.'))).toEqual([]);
    expect(left(user('go on'), says('I wrote one of them, and the other still fails.'))).not.toEqual([]);
  });

  test('not by a reply that tells of what is wrong with it', () => {
    expect(left(user('why?'), says('The index on ropes failed because the column is missing.'))).toContain('TODO: add an index to ropes.');
  });

  test('a decision that is waited for, by the answer', () => {
    const asked = [user('which pier?'), says('I need your decision on the pier.')];
    const before = continueLedger(emptyLedger, asked, nowhere);
    expect(openAfter([user('the north one'), says('Taken.')], [], before)).toEqual([]);
  });

  test('what is no open point opens nothing', () => {
    const said = 'The crane is fixed. Nothing is left to do. All open points are closed. 全部做完了，没有待办。';
    expect(openAfter([user('mend the crane'), says(said)])).toEqual([]);
    const narrated = says('The lamp is not wired yet.', { stopReason: 'tool_use' });
    const work = [calls({ id: 'w', name: 'edit_file', input: { path: 'lamp.ts' } }), answers({ id: 'w', content: 'Edited lamp.ts' })];
    expect(openAfter([user('wire the lamp'), narrated, ...work, says('Wired the lamp.')])).toEqual([]);
  });
});
