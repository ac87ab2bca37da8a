import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { renderLedger } from '../../../../src/context/ledger/render/render-ledger.ts';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import { compressedHistory } from '../../../../src/context/summary/compressed-history.ts';
import { emptyLedger, type Ledger, ledgerSchema } from '../../../../src/domain/session/ledger.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const run = (id: string, command: string, content: string, isError = false): readonly Message[] => [
  calls({ id, name: 'run_command', input: { command } }),
  answers({ id, content, isError }),
];
const filler = (id: string): readonly Message[] => run(id, 'cat big.txt', 'line of text\n'.repeat(2_000));
const on = (text: string): Message => ({ ...says(text), stopReason: 'tool_use' });
const summarise = (messages: readonly Message[], ledger: Ledger, earlier?: string): string =>
  ruleSummary(messages, { earlier, ledger, bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter });
const linesWith = (text: string, part: string): readonly string[] => text.split('\n').filter((line) => line.includes(part));

describe('what was overruled', () => {
  const first = [
    user("let's use Redis for the session cache"),
    ...filler('a'),
    says('We will use Redis for the session cache. The cache has a time limit of 30 s.'),
    user('And paint the quay'),
    says('The quay is painted.'),
  ];
  const before = gatherLedger(first, nowhere);
  const byModel = '## Key Decisions\n\n- We will use Redis for the session cache. The pier stays open.';
  const earlier = `${summarise(first, before)}\n\n${byModel}`;
  const second = [
    user('no Redis after all, keep it in memory'),
    ...filler('b'),
    says('The sessions are in memory now.'),
    user('ok'),
    says('Fine.'),
  ];
  const after = continueLedger(before, second, nowhere);

  test('leaves the lines of the earlier summary too, and a request for it is marked', () => {
    expect(before.decisions).toEqual(['We will use Redis for the session cache.']);
    expect(after.overruled).toEqual(before.decisions);
    const text = summarise(second, after, earlier);
    expect(linesWith(text, "let's use Redis")).toEqual(['- Overruled later: "let\'s use Redis for the session cache"']);
    expect(text).not.toContain('We will use Redis');
    expect(text).toContain('- The pier stays open.');
    expect(text).toContain('time limit of 30 s');
  });

  test('counts again once it is decided again, and a ledger of an older version has nothing of the kind', () => {
    const again = continueLedger(after, [user('We will use Redis for the session cache.'), says('Redis it is.')], nowhere);
    expect(again.overruled ?? []).not.toContain('We will use Redis for the session cache.');
    const { overruled: _, ...older } = after;
    expect(ledgerSchema.parse(older)).toEqual(older);
    expect(summarise(second, older, earlier)).toContain('We will use Redis');
  });
});

describe('what did not hold', () => {
  test('is marked where the user said so next, and stands as done where the user went on', () => {
    const text = summarise(
      [
        ...[user('Begin with the chart'), ...filler('x'), says('The chart is read.')],
        ...[user('Mend the lamp on the pier'), ...filler('a'), says('Mended the lamp on the pier.')],
        ...[user('it still fails with the same error'), ...filler('b'), says('Replaced the fuse of the pier.')],
        ...[user('Now the lamp on the quay'), ...filler('c'), says('Mended the lamp on the quay.')],
        ...[user('thanks a lot for that'), says('You are welcome.')],
      ],
      emptyLedger,
    );
    expect(text).toContain('- Done: "it still fails with the same error"');
    expect(text).toContain('- Result not accepted by the user: "Mend the lamp on the pier"');
    expect(text).toContain('- Done: "Now the lamp on the quay"');
  });

  test('guesses on the way to a finding go, the finding stays, without the thinking aloud before it', () => {
    const text = summarise(
      [
        ...[user('Begin with the chart'), ...filler('x'), says('The chart is read.')],
        user('Why is the lamp off?'),
        on('The issue might be the fuse of the lamp.'),
        ...filler('a'),
        on('Wait, the issue is the wire to the pier.'),
        ...filler('b'),
        says('The wire to the pier was broken and is fixed.'),
        ...[user('Then count the boats'), says('Nine boats.')],
      ],
      emptyLedger,
    );
    expect(text).not.toContain('might be the fuse');
    expect(text).toContain('-> the issue is the wire to the pier.');
    expect(text).toContain('The wire to the pier was broken and is fixed.');
  });
});

describe('how a failure stands', () => {
  const failures = (ledger: Ledger): string => renderLedger(ledger, { tokens: 4_000, count: quarter });

  test('names the other command that showed it past, and says nothing once it fails again', () => {
    const fails = run('a', 'npm test -- lamp.test.ts', 'Error: no lamp', true);
    const all = run('b', 'npm test', 'Test Files 12 passed (12)\nTests 90 passed (90)');
    const settled = gatherLedger([user('Test it'), ...fails, ...all], nowhere);
    expect(failures(settled)).toContain('- `npm test -- lamp.test.ts`: Error: no lamp (`npm test` worked later)');
    const again = run('c', 'npm test -- lamp.test.ts', 'Error: no fuse', true);
    const failing = failures(gatherLedger([user('Test it'), ...fails, ...all, ...again], nowhere));
    expect(failing).toContain('- `npm test -- lamp.test.ts`: Error: no fuse');
    expect(failing).not.toContain('worked later');
  });

  test('is not cut off its line when the line is carried on, and is said once', () => {
    const failed = [
      ...[
        user('Mend the lamp'),
        ...run('a', `make lamp ${'x'.repeat(90)}`, `make: *** [lamp] Error 2 ${'because of the fuse '.repeat(9)}`, true),
      ],
      on(`The fuse of the lamp is ${'very '.repeat(20)}old and the wire is missing.`),
      ...[calls({ id: 'e', name: 'edit_file', input: { path: 'src/fuse-of-the-lamp.ts', old_string: 'a', new_string: 'b' } })],
      ...[answers({ id: 'e', content: 'Changed.' }), ...run('b', `make lamp ${'x'.repeat(90)}`, 'lamp built')],
      ...[...filler('c'), says('Mended.'), user('ok'), says('Fine.')],
    ];
    const ledger = gatherLedger(failed, nowhere);
    let earlier = summarise(failed, ledger);
    for (const id of ['x', 'y', 'z']) {
      const more = [user(`Look at ${id}`), ...filler(id), says('Looked.'), user('ok'), says('Fine.')];
      earlier = summarise(more, continueLedger(ledger, more, nowhere), earlier);
      const [line = ''] = linesWith(earlier, '- `make lamp');
      expect(line.match(/worked (?:later|after edits of)/g)).toHaveLength(1);
      expect(line).toContain('(worked after edits of fuse-of-the-lamp.ts)');
    }
  });
});

test('what the newest request answers is told once, and the summary keeps it for the next', () => {
  const messages = [
    ...[user('Look at the pier'), ...filler('a'), says('The pier lacks a lamp and a rail.\n\nShall I build both of them now?')],
    ...[user('yes'), ...filler('b')],
  ];
  const ledger = gatherLedger(messages, nowhere);
  const text = summarise(messages, ledger);
  const history = compressedHistory({ id: 's', at: '', text, ledger, messages: 9, ledgerTokens: 4_000, count: quarter });
  expect(textOf(history.content).match(/Shall I build both of them now\?/g)).toHaveLength(1);
  expect(textOf(history.content)).toContain('> Shall I build both of them now?');
  expect(history.summary?.text).toContain('in answer to: ');
});
