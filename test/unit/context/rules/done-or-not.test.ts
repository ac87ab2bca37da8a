import { describe, expect, test } from 'vitest';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import { sectionsIn } from '../../../../src/context/summary/summary-check.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';
import { edit, run } from '../../../support/work-calls.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const failing = (): readonly Message[] => run('npm test', 'FAIL lamp.test.ts: expected 2 lamps\nExit code 1', true);
const start = [
  user('Begin with the plan of the harbour'),
  ...run('cat plan', 'a quay\n'.repeat(3_000)),
  says('The plan lists nine quays.'),
];
const end = [user('thanks a lot'), says('You are welcome.')];
const summarise = (messages: readonly Message[], kept: readonly Message[] = []): string => {
  const ledger = gatherLedger(messages, { ...nowhere, kept });
  return ruleSummary(messages, { earlier: undefined, kept, ledger, bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter });
};
const overview = (...messages: readonly Message[]): string =>
  sectionsIn(summarise([...start, ...messages, ...end]))['Project Overview'] ?? '';
const problems = (text: string): string => sectionsIn(text)['Debugging & Issues'] ?? '';

describe('work is told as done only where it is', () => {
  test('not where its newest check failed', () => {
    expect(overview(user('mend the lamp'), ...edit('lamp.ts'), ...failing(), says('I changed the lamp.'))).toContain(
      '- Worked on, its last check failed: "mend the lamp"',
    );
    expect(overview(user('mend the lamp'), ...failing(), ...edit('lamp.ts'), ...run('npm test'), says('I changed it.'))).toContain(
      '- Done: "mend the lamp"',
    );
  });

  test('not where the user went on before the turn ended', () => {
    expect(overview(user('mend the lamp'), ...edit('lamp.ts'))).toContain('- Begun, then the user went on: "mend the lamp"');
    expect(overview(user('look at the lamp'), ...run('cat lamp.ts'), user('and'), says('It is red.'))).not.toContain('Begun');
  });

  test('not where the reply was cut off', () => {
    const cut: Message = { ...says('I have changed the'), stopReason: 'interrupted' };
    expect(overview(user('mend the lamp'), ...edit('lamp.ts'), cut)).toContain('- Stopped by the user: "mend the lamp"');
  });

  test('judged with the messages that stay', () => {
    const before = [...start, user('mend the lamp'), ...edit('lamp.ts'), ...failing()];
    const then = [...edit('lamp.ts'), ...run('npm test'), says('It is mended.')];
    const status = (kept: readonly Message[]): string => sectionsIn(summarise(before, kept))['Current Status'] ?? '';
    expect(status([...then, user('next the quay')])).toContain('"mend the lamp" (Done)');
    expect(status([says('I leave it so.'), user('next the quay')])).toContain('"mend the lamp" (Worked on, its last check failed)');
    expect(status([says('I leave it so.'), user('next'), ...run('npm test')])).toContain('(Worked on, its last check failed)');
  });

  test('and what a program carries out by itself has no turn to end', () => {
    const undo: Message = { ...user('> Removed: 1234567 mend the lamp'), origin: 'notice' };
    expect(overview(user('/undo the lamp'), undo)).not.toContain('Begun');
  });

  test('and a question for which something was only looked up is answered', () => {
    const looks = [...run('grep -rn lamp src', 'src/lamp.ts:1: lamp'), says('The lamp is lit in `lamp.ts` alone.')];
    expect(overview(user('where is the lamp lit?'), ...looks)).toContain('- Answered: "where is the lamp lit?"');
    expect(overview(user('can you light the lamp?'), ...edit('lamp.ts'), says('I changed it.'))).toContain('- Done: "can you light');
  });

  test.each([
    'why does the lamp test fail?',
    'I see a red light. is that the lamp or the quay?',
    'how many lamps does the harbour have?',
    'does it still blink after the last change?',
    'the lamp is tested somewhere, right?',
    '这盏灯为什么不亮？',
    '现在有几盏灯是亮的吗？',
  ])('and a question for which a test was run is answered, and neither done nor failed: %s', (question) => {
    const tried = [
      ...run('npm test 2>&1 | tail -5', 'FAIL lamp.test.ts', true),
      ...failing(),
      says('The lamp has no power: `lamp.ts` never calls `light`.'),
    ];
    expect(overview(user(question), ...tried)).toContain(`- Answered: "${question}"`);
  });

  test.each([
    'can you run the tests?',
    'what about a release of the lamp?',
    'why not light it at once?',
    'is it ready? then commit it, ok?',
    '可以跑一下测试吗？',
  ])('but what was done for an order in the form of a question is done: %s', (order) => {
    const done = [...run('npm test'), ...run('git commit -m lamp'), says('The lamp is in.')];
    expect(overview(user(order), ...done)).toContain(`- Done: "${order}"`);
  });

  test('and in Chinese', () => {
    const messages = [
      user('从港口的计划开始'),
      ...start.slice(1),
      user('修好这盏灯'),
      ...edit('lamp.ts'),
      ...failing(),
      says('灯改好了。'),
    ];
    expect(summarise([...messages, user('谢谢'), says('不客气。')])).toContain('- 做过，最后一次检查未通过: "修好这盏灯"');
  });
});

test('a failure that was mended in the messages that stay is told as mended', () => {
  const before = [...start, user('mend the lamp'), ...edit('lamp.ts'), ...failing()];
  expect(problems(summarise(before))).not.toContain('worked');
  expect(problems(summarise(before, [...edit('quay.ts'), ...run('npm test'), says('All green.')]))).toContain(
    '(worked after edits of quay.ts)',
  );
});
