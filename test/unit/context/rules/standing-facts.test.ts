import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { renderLedger } from '../../../../src/context/ledger/render/render-ledger.ts';
import type { Ledger } from '../../../../src/domain/session/ledger.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const gather = (...messages: readonly Message[]): Ledger => gatherLedger(messages, nowhere);
const goOn = (earlier: Ledger, messages: readonly Message[], kept: readonly Message[] = []): Ledger =>
  continueLedger(earlier, messages, { ...nowhere, kept });

const offer = says(
  'Two ways:\n\n1. **Tide table in memory**, read once\n2. **Tide table on disk**, read each time\n\nWhich one would you prefer?',
);

describe('a decision', () => {
  test('is known when the compaction fell between the offer and the answer [C36]', () => {
    const answer = user('option 2');
    const first = goOn(gather(), [user('make the tide table faster'), offer], [answer]);
    expect(first.proposal).toContain('Tide table on disk');
    expect(goOn(first, [answer, says('Reads from disk now.')]).decisions).toEqual([
      expect.stringContaining('option 2 (Tide table on disk'),
    ]);
  });

  test('that was taken back at once is not carried', () => {
    const decided = [offer, user('option 1'), says('The table is in memory now.')];
    for (const undo of ['hm, undo that, it uses too much memory', 'no, roll it back', 'nah, revert that please', '算了，撤销吧'])
      expect(gather(...decided, user(undo), says('Undone.')).decisions.filter((text) => text.includes('option 1'))).toEqual([]);
    expect(gather(...decided, user('good. undo the change of the lamp'), says('Undone.')).decisions).toHaveLength(1);
  });

  test('of the model says what its option is, and is none without', () => {
    const reasons =
      'For the ropes:\n1. A token for each rope\n2. One token for all ropes\n\nI think option 2 is cleanest - we can use what is there:';
    expect(gather(says(reasons)).decisions).toEqual(['I think option 2 is cleanest - we can use what is there (One token for all ropes)']);
    expect(gather(says('I think option 2 is cleanest - as said above:')).decisions).toEqual([]);
    expect(gather(says(reasons.replace('is cleanest', 'makes more sense'))).decisions).toHaveLength(1);
  });

  test('of the model ends when it does otherwise in the same turn', () => {
    const took = says(
      'For the ropes:\n1. **More tokens** - one for each, as `ropeThin` or `ropeThick`\n2. **The tokens that are there**\n3. **A method** - `harbour.colourOfRope(kind)`\n\nI think option 2 is cleanest - ropes need no colours of their own.',
    );
    const edit = (newText: string, oldText = 'x') =>
      calls({ id: newText, name: 'edit_file', input: { path: 'src/harbour.ts', old_text: oldText, new_text: newText } });
    const decided = (...later: readonly Message[]) => gather(user('make the ropes coloured'), took, ...later).decisions;
    expect(decided(edit('paint(tokens.dark)'))).toHaveLength(1);
    expect(decided(edit('colourOfRope(kind) { return 1; }'))).toEqual([]);
    expect(decided(edit('a colourOfRope()', 'b colourOfRope()'))).toHaveLength(1);
    expect(decided(says('**Best solution**: give the ropes a method for their colours.'))).toEqual([]);
    expect(decided(says('The best way to test the lamp is by hand.'))).toHaveLength(1);
    expect(decided(says('Done.'), user('good'), edit('colourOfRope(kind) { return 1; }'))).toHaveLength(1);
  });
});

describe('a decision that was given up', () => {
  const decided = [user("let's use Redis for the session cache"), says('Done, Redis holds the sessions.')];

  test.each([
    "let's not use Redis for the session cache",
    'scrap the Redis session cache',
    'drop Redis, use an in-memory cache for sessions instead',
    "we won't use Redis for the session cache",
    'forget the Redis cache, we keep sessions in memory',
  ])('by the user stands no longer: %s', (later) => {
    expect(gather(...decided, user(later), says('Ok.')).decisions.filter((text) => text.startsWith("let's use Redis"))).toEqual([]);
  });

  test.each([
    'I reverted the Redis session cache, since it broke the tests.',
    "I've gone back to the in-memory session cache instead of Redis, since Redis was flaky.",
    'The Redis session cache was rolled back.',
  ])('by what the model did stands no longer: %s', (reply) => {
    expect(gather(...decided, user('the tests fail, fix it'), says(reply)).decisions).toEqual([]);
  });

  test('stands beside what is about something else, or only asks', () => {
    for (const later of ['drop the old lamp table', 'should we drop the Redis session cache?', 'revert the colour of the lamp'])
      expect(gather(...decided, user(later), says('Ok.')).decisions[0]).toBe("let's use Redis for the session cache");
    expect(gather(...decided, user('go on'), says('I reverted the colour of the lamp.')).decisions).toHaveLength(1);
    const dropped = [user("let's drop Redis for the session cache"), user('drop the Redis session cache from package.json too')];
    expect(gather(...dropped).decisions[0]).toBe("let's drop Redis for the session cache");
  });
});

describe('an answer to a question that the model put by a tool', () => {
  const ask = (id: string, name: string) =>
    calls({ id, name, input: { question: 'Where are the tides kept?', choices: ['in a file', 'in memory'] } });
  const result = (id: string, content: string, isError = false) => answers({ id, content, isError });

  test('is a decision of the user, with the question', () => {
    const chosen = gather(user('build it'), ask('q', 'ask_user'), result('q', 'The user chose: in a file'), says('Done.'));
    expect(chosen.decisions).toEqual(['Asked: Where are the tides kept? Answer: in a file']);
    const typed = 'The user chose none of these and says: 在数据库里。绝对不要改动 migrations 目录';
    const own = gather(user('build it'), ask('q', 'ask_user'), result('q', typed));
    expect(own.decisions).toEqual([expect.stringContaining('在数据库里')]);
    expect(own.constraints).toEqual([expect.stringContaining('绝对不要改动 migrations 目录')]);
  });

  test('in the record of another agent is one for each question', () => {
    const both = 'User has answered your questions: "Where are the tides kept?"="in a file", "Which harbour?"="the old one".';
    expect(gather(ask('q', 'AskUserQuestion'), result('q', both)).decisions).toEqual([
      'Asked: Where are the tides kept? Answer: in a file',
      'Asked: Which harbour? Answer: the old one',
    ]);
  });

  test('is none when nobody answered, or when a program prints the same words', () => {
    const words = 'The user chose: in a file';
    expect(gather(ask('q', 'ask_user'), result('q', 'The user gave no answer.', true)).decisions).toEqual([]);
    expect(gather(ask('q', 'mcp__harbour__ask_user'), result('q', words)).decisions).toEqual([]);
    expect(gather(calls({ id: 'r', name: 'run_command', input: { command: 'cat a' } }), result('r', words)).decisions).toEqual([]);
  });
});

describe('a rule', () => {
  test('is not ended by a difference that the user pastes', () => {
    const rule = gather(user('broken charts must NEVER stop the harbour'));
    expect(rule.constraints).toEqual(['broken charts must NEVER stop the harbour']);
    const pasted = '+ 14 - **Charts**: Broken charts no longer stop the harbour.\n+ 15\nremove that line, it says too much';
    expect(goOn(rule, [user(pasted)]).constraints).toEqual(rule.constraints);
    expect(goOn(rule, [user('broken charts may stop the harbour now, no need to catch them any more')]).constraints).toEqual([]);
  });
});

test('a refused call that says nothing but its name is no open work', () => {
  const refused = (name: string, input: Record<string, string>) => [
    calls({ id: name, name, input }),
    answers({ id: name, content: "The user doesn't want to proceed with this tool use.", isError: true }),
  ];
  expect(gather(user('go'), ...refused('ExitPlanMode', {})).open).toEqual([]);
  expect(gather(user('go'), ...refused('run_command', { command: 'rm -rf quay' })).open).toEqual([
    'Not allowed when it was tried: `rm -rf quay`',
  ]);
});

test('a failure that stands beside the ledger already is not in it once more', () => {
  const run = (id: string, command: string, content: string, isError: boolean) => [
    calls({ id, name: 'run_command', input: { command } }),
    answers({ id, content, isError }),
  ];
  const long = `go test ./quay/... -run ${'TestLamp|'.repeat(20)}TestRope`;
  const error = 'lamp_test.go:22: got 1, want 0';
  const ledger = gather(user('test'), ...run('a', long, error, true), ...run('b', 'go test ./...', 'ok  quay 0.3s', false));
  const text = (adjacentText: string) => renderLedger(ledger, { tokens: 2_000, count: quarter, adjacentText });
  expect(text('')).toContain(error);
  expect(text(`- \`${long.slice(0, 120)}…\`: ${error} (worked later)`)).not.toContain(error);
});

test('a decision stands under its heading, though the request that made it is quoted above', () => {
  const words = "let's go with one rope for all berths";
  const ledger = gather(user(words), says('Done.'));
  const text = renderLedger(ledger, { tokens: 2_000, count: quarter, adjacentText: `- Done: "${words}"`, headings: ['Key Decisions'] });
  expect(text).toContain(`## Key Decisions\n\n- ${words}`);
});
