import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import { compressedHistory } from '../../../../src/context/summary/compressed-history.ts';
import { sectionsIn } from '../../../../src/context/summary/summary-check.ts';
import { emptyLedger } from '../../../../src/domain/session/ledger.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { says, user } from '../../../support/build.ts';
import { edit, run } from '../../../support/work-calls.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const start = [
  user('Begin with the plan of the harbour'),
  ...run('cat plan', 'a quay\n'.repeat(3_000)),
  says('The plan lists nine quays.'),
];

/** The sections of the whole message that stands in the context. */
function sectionsOf(...messages: readonly Message[]) {
  const all = [...start, ...messages];
  const ledger = continueLedger(emptyLedger, all, { ...nowhere, kept: [] });
  const text = ruleSummary(all, { earlier: undefined, ledger, bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter });
  const whole = { id: 's', at: '2026-01-02T03:04:05.000Z', text, ledger, messages: all.length, ledgerTokens: 2_000, count: quarter };
  return sectionsIn(textOf(compressedHistory(whole).content));
}

const failing = (): readonly Message[] => run('npm test', 'FAIL lamp.test.ts: expected 2 lamps\nExit code 1', true);
const done = /Done|已完成/;

describe('done is never said of what says it is not', () => {
  test.each([
    ['mend the lamp', 'I changed the lamp. One lamp still fails.'],
    ['mend the lamp', 'I have rewritten the switch, but I could not test it.'],
    ['修好码头页面', '改了两处，但这个问题还没解决。'],
    ['修好码头页面', '已经改了，测试仍然失败。'],
  ])('%s: %s', (request, reply) => {
    const status = sectionsOf(user(request), ...edit('lamp.ts'), says(reply))['Current Status'] ?? '';
    expect(status.split('\n')[0]).toContain(`"${request}"`);
    expect(status.split('\n')[0]).not.toMatch(done);
  });

  test('but of what was mended', () => {
    const status = sectionsOf(user('修好码头页面'), ...edit('lamp.ts'), says('码头页面已经修好了。'))['Current Status'] ?? '';
    expect(status.split('\n')[0]).toMatch(done);
  });
});

test('a check that failed last is pending, and one that works by now is not', () => {
  expect(sectionsOf(user('mend the lamp'), ...edit('lamp.ts'), ...failing(), says('I changed it.'))['Pending Tasks']).toContain(
    'Failed when last run: `npm test`',
  );
  expect(
    sectionsOf(user('mend the lamp'), ...failing(), ...edit('lamp.ts'), ...run('npm test'), says('I changed it.'))['Pending Tasks'],
  ).toBe('None.');
});

test('a failure that was solved stays solved when the same check fails in another way later', () => {
  const other = run('npm test', 'FAIL quay.test.ts: no quay\nExit code 1', true);
  const found = sectionsOf(user('mend the lamp'), ...failing(), ...edit('lamp.ts'), ...run('npm test', '2 passed'), ...other)[
    'Debugging & Issues'
  ];
  expect(found).toContain('expected 2 lamps (worked after edits of lamp.ts)');
  expect(found).not.toContain('not seen to work since');
  const again = sectionsOf(user('mend the lamp'), ...failing(), ...edit('lamp.ts'), ...run('npm test', '2 passed'), ...failing());
  expect(again['Debugging & Issues']).toContain('expected 2 lamps (not seen to work since)');
});

test('an error takes its whole line while it is unsolved, and one line in all once it is solved', () => {
  const whole = (...messages: readonly Message[]): string => Object.values(sectionsOf(user('mend the lamp'), ...messages)).join('\n');
  const linesOf = (text: string) => text.split('\n').filter((line) => line.includes('expected 2 lamps'));
  const talk = [user('and the quay?'), says('The quay is next.'), user('go on')];
  expect(linesOf(whole(...failing(), ...talk)).join()).toContain('FAIL lamp.test.ts: expected 2 lamps');
  const solved = [...failing(), ...failing(), ...edit('lamp.ts'), ...run('npm test', '2 passed'), ...talk];
  expect(linesOf(whole(...solved)).length).toBeLessThanOrEqual(1);
  expect(whole(...solved)).not.toContain('Failed when last run');
});

test('what was said of a failure that is past is not told beside it', () => {
  const found = sectionsOf(
    user('mend the lamp'),
    ...failing(),
    says('One lamp still fails in the north.', { stopReason: 'tool_use' }),
    ...edit('lamp.ts'),
    ...run('npm test', '2 passed'),
    says('Mended.'),
  );
  expect(found['Debugging & Issues']).toContain('(worked after edits of lamp.ts)');
  expect(found['Debugging & Issues']).not.toContain('still fails');
});

test('code blocks tell of what languages it was', () => {
  const chat = 'So:\n```rust\nfn quay() {}\n```\nand\n```toml\n[quay]\n```\nThe quay is empty by default.';
  expect(sectionsOf(user('how do I write a quay?'), says(chat))['Technical Context']).toContain(
    '- Languages of code blocks: rust 1, toml 1',
  );
});

describe('talk shrinks to 40 %', () => {
  const topics = ['ropes', 'lamps', 'quays', 'cranes', 'ferries', 'tides', 'charts', 'buoys', 'pilots', 'cargo', 'anchors', 'fog'];
  const talk = topics.flatMap((topic, at) => [
    user(`How would you usually keep ${topic} in a harbour like ours? We have three piers and ${at + 2} boats.`),
    says(
      `There are two common ways to keep ${topic}. The first is to keep them on the pier, which is simple but hard to extend. The second is a shed, which is dry but costs more.\n\nWith three piers I would begin with the first, because there is little wind. Above ${at + 4} boats, build the shed. Mind that the doors open for ${at} minutes.`,
    ),
  ]);
  const size = (messages: readonly Message[]): number => messages.reduce((sum, { content }) => sum + quarter(textOf(content)), 0);
  const compact = (messages: readonly Message[], earlier?: Message): Message => {
    const ledger = continueLedger(earlier?.summary?.ledger ?? emptyLedger, messages, { ...nowhere, kept: [] });
    const text = ruleSummary(messages, { earlier: earlier?.summary?.text, ledger, bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter });
    return compressedHistory({ id: 's', at: '2026-01-02T03:04:05.000Z', text, ledger, messages: 1, ledgerTokens: 2_000, count: quarter });
  };

  test('with the ledger and what frames it', () => {
    expect(size([compact(talk)])).toBeLessThanOrEqual(0.4 * size(talk));
  });

  test('and again, and the first request is still there', () => {
    const first = compact([user('Plan the harbour of Skagen for forty boats'), ...talk]);
    const second = compact(talk, first);
    expect(textOf(second.content)).toContain('- First request: "Plan the harbour of Skagen for forty boats"');
    expect(size([second])).toBeLessThanOrEqual(0.4 * size([...talk]) + 0.9 * size([first]));
  });
});

test('what the session is for and what fails outlast a second compaction in a small room', () => {
  const compact = (messages: readonly Message[], earlier?: Message): Message => {
    const ledger = continueLedger(earlier?.summary?.ledger ?? emptyLedger, messages, { ...nowhere, kept: [] });
    const options = { earlier: earlier?.summary?.text, ledger, bodyOf: nowhere.bodyOf, tokens: 500, count: quarter };
    const whole = { text: ruleSummary(messages, options), ledger, messages: 1, ledgerTokens: 450, count: quarter };
    return compressedHistory({ id: 's', at: '2026-01-02T03:04:05.000Z', ...whole });
  };
  const steps = (name: string) =>
    Array.from({ length: 12 }, (_, at) => [
      user(`Now look at ${name} number ${at} and write down its colour`),
      ...run(`cat ${name}-${at}`, `${name} ${at} is red\n`.repeat(60)),
      ...edit(`${name}-${at}.md`),
      says(`The ${name} number ${at} is red, which I wrote down in ${name}-${at}.md for the harbour master.`),
    ]).flat();
  const first = compact([
    user('Plan the harbour of Skagen'),
    ...edit('plan.md'),
    ...failing(),
    says('I wrote the plan.'),
    ...steps('buoy'),
  ]);
  const second = textOf(compact(steps('lamp'), first).content);
  expect(second).toContain('"Plan the harbour of Skagen"');
  expect(second).toContain('`npm test`');
});
