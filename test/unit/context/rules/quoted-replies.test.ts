import { describe, expect, test } from 'vitest';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import { sectionsIn } from '../../../../src/context/summary/summary-check.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const run = (id: string, command: string, content = 'ok', isError = false): readonly Message[] => [
  calls({ id, name: 'run_command', input: { command } }),
  answers({ id, content, isError }),
];
const summarise = (messages: readonly Message[], earlier?: string): string =>
  ruleSummary(messages, { earlier, ledger: gatherLedger(messages, nowhere), bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter });
const start = [
  user('Begin with the plan of the harbour'),
  ...run('s', 'cat plan', 'a quay\n'.repeat(3_000)),
  says('The plan lists nine quays.'),
];
const end = [user('thanks a lot'), says('You are welcome.')];
const overview = (...messages: readonly Message[]): string =>
  sectionsIn(summarise([...start, ...messages, ...end]))['Project Overview'] ?? '';

describe('a reply is quoted', () => {
  test('without its cheer', () => {
    const text = overview(user('name the lamps'), says('Perfect! Now we have:\n- **north** for the pier\n- **south** for the mole'));
    expect(text).toContain('-> **north** for the pier');
    expect(text).not.toContain('Perfect');
    expect(overview(user('mend the lamp'), ...run('a', 'make lamp'), says('Fixed!'))).not.toContain('-> Fixed!');
  });

  test('without a bold mark whose other half stands in another line', () => {
    expect(overview(user('where to?'), says('**1. Keep the ids in `berth`** (as before)\n\nThe lamp hangs there too.'))).not.toMatch(
      /^[^*]*\*\*[^*]*$/m,
    );
  });

  test('without the question that was answered since; the newest one stays', () => {
    const asked = says('The ropes of the pier are sorted by length. Which of the lamps do you want to see next?');
    expect(overview(user('sort the ropes'), asked)).not.toContain('Which of the lamps');
    const open = summarise([...start, user('sort the ropes'), asked]);
    expect(gatherLedger([user('sort the ropes'), asked], nowhere).open).toEqual(['Which of the lamps do you want to see next?']);
    const later = sectionsIn(summarise([user('the north one'), ...run('n', 'show north'), says('It is green.')], open));
    expect(later['Project Overview']).not.toContain('Which of the lamps');
  });
});

describe('small talk', () => {
  test.each([
    ['我跟了一位新的瑜伽教练，对我来说非常困难。', '如果你有兴趣，可以参加一些课程，所以不要担心这个问题。', '用户说'],
    ['My boss always wants more than I can do.', 'That sounds hard. The problem may be that he does not know your work.', 'The user said'],
  ])('is not called done: %s', (said, reply, state) => {
    const text = overview(user(said), says(reply), user(said.replace('瑜伽', '跑步').replace('boss', 'chief')), says(reply));
    expect(text).not.toMatch(/^- (?:已完成|Done): "(?:我跟|My)/m);
    expect(text).toContain(`- ${state}: "`);
  });

  test('work that a reply tells of is, without a call that shows it', () => {
    expect(overview(user('add the lamp'), says('I added the lamp to the quay in `lamp.ts`.'))).toContain('- Done: "add the lamp"');
  });
});

test('of a request that was made again in the same words the newest stays, before others leave', () => {
  const messages = [
    ...start,
    ...Array.from({ length: 8 }, (_, n) => [user('what about the lamps of the pier?'), says(`Lamp ${n} of the pier is lit.`)]).flat(),
    ...Array.from({ length: 8 }, (_, n) => [user(`what about rope ${n} of the mole?`), says(`Rope ${n} of the mole is dry.`)]).flat(),
    ...end,
  ];
  const text = ruleSummary(messages, {
    earlier: undefined,
    ledger: gatherLedger(messages, nowhere),
    ...nowhere,
    tokens: 300,
    count: quarter,
  });
  expect(text).toMatch(/left out for room/);
  expect(text.match(/what about rope/g)).toHaveLength(8);
  expect(text).toContain('Lamp 7');
  expect(text).not.toContain('Lamp 2');
});

test('a failure is stated by what is wrong, not by the name above it', () => {
  const cycle = 'package harbour/quay\n\timports harbour/lamp from quay.go\n\timports harbour/quay from lamp.go: import cycle not allowed';
  expect(summarise([...start, user('build'), ...run('c', 'go build ./quay', cycle, true), ...end])).toContain('import cycle not allowed');
});
