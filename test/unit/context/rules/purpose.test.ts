import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { boundLedger } from '../../../../src/context/ledger/merge-ledger.ts';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import { compressedHistory, summaryOf } from '../../../../src/context/summary/compressed-history.ts';
import { emptyLedger } from '../../../../src/domain/session/ledger.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { goodSummary } from '../../../support/summary.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };

/** One compaction; with a summary, as a model wrote it. */
function compact(
  before: readonly Message[],
  { written, tokens = 1_200 }: { readonly written?: string; readonly tokens?: number } = {},
): Message {
  const earlier = summaryOf(before);
  const material = before.filter((message) => message.summary === undefined);
  const ledger = boundLedger(continueLedger(earlier?.ledger ?? emptyLedger, material, nowhere));
  const rules = { earlier: earlier?.text, ledger, bodyOf: nowhere.bodyOf, tokens, count: quarter };
  const text = written ?? ruleSummary(material, rules);
  return compressedHistory({ id: 's', at: '2026-01-02T03:04:05.000Z', text, ledger, messages: 1, ledgerTokens: tokens, count: quarter });
}

const work = (round: number): readonly Message[] =>
  Array.from({ length: 12 }, (_, k) => [
    user(`Never use colour ${k} in view ${round} and look at case ${k}.`),
    calls({ id: `${round}-${k}`, name: 'run_command', input: { command: `make view-${round}-${k}` } }),
    answers({ id: `${round}-${k}`, content: `view ${round}.${k} built: ${'line '.repeat(40)}` }),
    says(`View ${round}.${k} is built, and its size is ${round * 100 + k} bytes.`),
  ]).flat();

/** The text of the summary after so many rounds of other work. */
function afterRounds(
  first: readonly Message[],
  options: Parameters<typeof compact>[1] = {},
  later: ReadonlyMap<number, Message> = new Map(),
) {
  let context: readonly Message[] = first;
  for (let round = 0; round < 7; round++) {
    const said = later.get(round);
    context = [compact([...context, ...work(round), ...(said === undefined ? [] : [said, says('Understood.')])], options)];
  }
  return textOf(context[0]?.content ?? []);
}

/** Where the purpose has to stand: before every section. */
const beginning = (text: string): string => text.split('\n## ', 1)[0] ?? '';

const stated = [
  'We are building a booking tool for village libraries so that volunteers can lend books alone.',
  'The goal of this work is to get billing off Oracle before the licence ends in March.',
  'The whole point is that nurses can enter a temperature with one hand.',
  '这个项目是为了让社区医院不用再手抄病历。',
  '我想做一个给外婆用的记账小程序，字要大，步骤要少。',
  '整件事的目的，是让仓库的人不用再打电话问库存。',
];

/** Said when the work has begun, in sentences that name no goal. */
const saidLater = [
  'My mother runs a bakery and I want her to see in the morning which cakes were ordered overnight.',
  'This app should replace all the letters that tenants write to me.',
  'All of this is so the fire brigade knows within a minute which hydrant works.',
  "I'm making this for my daughter's class so they can vote on the trip.",
  '背景是这样的：家长每天在群里接龙报名，我想用一个小页面代替接龙。',
  '说白了，做这个就是为了让客服不用再翻三个系统查一张订单。',
  '我做这个东西，主要是想让我爸能自己查公交。',
  '这件事归根到底是要让配送员少跑一趟。',
];
/** Who will read it, which type, which file: not the goal, and never lost. */
const laidDown = [
  'Keep in mind that the people who open this page are mostly on old phones.',
  '看这份文档的人大多不懂技术，是街道办的工作人员。',
  '这本手册给新来的实习护士用。',
  'parseInvoice should take an InvoiceOptions object instead of the five separate parameters.',
  '新写一个 billing2 模块，billing 先留着。',
];
const begun = [user('Look at the repository first and tell me how it is built.'), says('It is built with make.')];

describe('what the work is for', () => {
  test.each(saidLater)('stands first also where it was said later: %s', (sentence) => {
    for (const written of [undefined, goodSummary]) {
      const options = written === undefined ? {} : { written };
      expect(beginning(afterRounds([...begun, user(`Good. ${sentence} Go on with the list.`), says('Begun.')], options))).toContain(
        sentence,
      );
    }
  });

  test.each(laidDown)('has what the user laid down for all of it beside it: %s', (sentence) => {
    const text = afterRounds([...begun, user(`Good. ${sentence} Go on with the list.`), says('Begun.')], { written: goodSummary });
    expect(text).toContain(sentence);
  });

  test.each(stated)('stands first in every summary by rule, seven rounds on: %s', (sentence) => {
    expect(beginning(afterRounds([user(`Hello. ${sentence} Please begin with the list.`), says('Begun.')]))).toContain(sentence);
  });

  test.each(stated)('and in every summary of a model, whatever that says: %s', (sentence) => {
    const text = afterRounds([user(`Hello. ${sentence} Please begin with the list.`), says('Begun.')], { written: goodSummary });
    expect(beginning(text)).toContain(sentence);
  });

  test('stands beside each statement that replaces it, in their order', () => {
    const [first = '', second = '', third = ''] = [
      stated[0],
      'Forget the web page: what we want now is a nightly report that the board can read.',
      '目标变了：我们要做的是一个命令行工具，给志愿者在没有网络时用。',
    ];
    const later = new Map([
      [2, user(second)],
      [4, user(third)],
    ]);
    const text = beginning(afterRounds([user(first), says('Begun.')], {}, later));
    const places = [first, second, third].map((sentence) => text.indexOf(sentence));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('is the first request where nobody states it, and is not said twice', () => {
    const request = 'Port the invoice printer of our workshop to the new label format, all of it.';
    expect(afterRounds([user('hi'), says('Hello.'), user(request), says('Begun.')], { written: goodSummary })).toContain(request);
    expect(textOf(compact([user(request), says('Begun.'), ...work(1)]).content).split(request)).toHaveLength(2);
  });

  test('is not what a model or a tool says, nor a task of the moment', () => {
    const said = [
      says('The goal of this work is to please everybody at once.'),
      user('Fix the plugin.'),
      says('The whole point is that it must be fast.'),
      user('The goal of that test is unclear.'),
    ];
    expect(continueLedger(emptyLedger, said, nowhere).purpose).toEqual(['Fix the plugin.']);
  });

  test('has room in the smallest ledger, and takes no more than its share', () => {
    const long = `The goal of this work is to ${'carry every parcel over the hill and '.repeat(12)}come back.`;
    const text = afterRounds([user(long), says('Begun.')], { tokens: 200 });
    expect(beginning(text)).toContain('The goal of this work is to carry every parcel');
    expect(quarter(text)).toBeLessThanOrEqual(600);
  });
});

test('what a model chose by itself is known as its own after a compaction', () => {
  const chosen = [user('Speed up the lists.'), says('I chose index ix_7b for the lists because they stay short.')];
  const ledger = boundLedger(continueLedger(emptyLedger, chosen, nowhere));
  expect(ledger.chosen).toEqual(ledger.decisions);
  expect(ledger.chosen).toHaveLength(1);
});
