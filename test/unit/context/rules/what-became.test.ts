import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import { compressedHistory } from '../../../../src/context/summary/compressed-history.ts';
import { sectionsIn } from '../../../../src/context/summary/summary-check.ts';
import { emptyLedger } from '../../../../src/domain/session/ledger.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const filler = (id: string): readonly Message[] => [
  calls({ id, name: 'read_file', input: { path: 'big.txt' } }),
  answers({ id, content: 'line of text\n'.repeat(2_000) }),
];
const notice = (text: string): Message => ({ ...user(text), origin: 'notice' });
const run = (id: string, command: string, content = '', isError = false): readonly Message[] => [
  calls({ id, name: 'run_command', input: { command } }),
  answers({ id, content, isError }),
];
const edit = (id: string, path: string): readonly Message[] => [
  calls({ id, name: 'edit_file', input: { path, old: 'a', new: 'b' } }),
  answers({ id, content: 'Changed.' }),
];

type More = { readonly earlier?: string; readonly kept?: readonly Message[]; readonly tokens?: number };
const summarise = (messages: readonly Message[], { earlier, kept, tokens = 8_000 }: More = {}): string =>
  ruleSummary(messages, { earlier, kept, ledger: gatherLedger(messages, nowhere), bodyOf: nowhere.bodyOf, tokens, count: quarter });
const overview = (messages: readonly Message[], more: More = {}): string => sectionsIn(summarise(messages, more))['Project Overview'] ?? '';
const message = (messages: readonly Message[], more: More = {}): string => {
  const ledger = continueLedger(emptyLedger, messages, { ...nowhere, kept: more.kept ?? [] });
  const text = summarise(messages, more);
  return textOf(
    compressedHistory({ id: 's', at: '2026-01-02T03:04:05.000Z', text, ledger, messages: 9, ledgerTokens: 4_000, count: quarter }).content,
  );
};
const start = [user('Begin with the plan of the harbour'), ...filler('s'), says('The plan lists nine quays.')];
const end = [user('thanks a lot'), says('You are welcome.')];

describe('what is said to be done', () => {
  test('is not what git took back later [C1, C73]', () => {
    const text = overview([
      ...start,
      user('Add the lamp to the quay'),
      ...edit('e1', 'src/lamp.ts'),
      says('Added the lamp in src/lamp.ts.'),
      user('no, roll it back'),
      ...run('g1', 'git checkout -- src/lamp.ts', '(no output)'),
      says('Rolled back.'),
      ...end,
    ]);
    expect(text).toContain('- Done, but undone later: "Add the lamp to the quay"');
    expect(text).toContain('- Done: "no, roll it back"');
  });

  test('is no change of code that stands, where it was taken back', () => {
    const lamp = [user('Add the lamp to the quay'), ...edit('e1', 'src/lamp.ts'), says('Added the lamp in src/lamp.ts.')];
    const back = [user('no, roll it back'), ...run('g1', 'git checkout -- src/lamp.ts', '(no output)'), says('Rolled back.')];
    const changes = (...messages: readonly Message[]) => sectionsIn(summarise([...start, ...messages, ...end]))['Code Changes'];
    expect(changes(...lamp)).toContain('src/lamp.ts');
    expect(changes(...lamp, ...back)).toBe('None.');
  });

  test('is not what was deleted, nor a reverted commit; what was written again stands', () => {
    const text = overview([
      ...start,
      user('Make a copy of the chart for me'),
      ...run('c1', 'cp charts/north.json charts/mine.json', '(no output)'),
      says('Copied it to charts/mine.json.'),
      user('Commit the new buoys'),
      ...edit('b1', 'src/buoys.ts'),
      ...run('c2', 'git commit -am "Add buoys"', '[main 1a2b3c4] Add buoys'),
      says('Committed the buoys.'),
      user('Remove my copy, and revert that commit'),
      ...run('c3', 'rm charts/mine.json', '(no output)'),
      ...run('c4', 'git revert --no-edit 1a2b3c4', '[main 9f8e7d6] Revert'),
      says('Both are gone.'),
      ...end,
    ]);
    expect(text).toContain('- Done, but undone later: "Make a copy of the chart for me"');
    expect(text).toContain('- Done, but undone later: "Commit the new buoys"');
  });

  test('is not what another program undid, by its own lines, also behind a compaction', () => {
    const asked = user('Add a horn to the ferry');
    const first = [
      ...start,
      asked,
      says('I added it.'),
      notice('Applied edit to src/ferry.ts\nCommit 4d5e6f7 feat: Add horn'),
      user('next'),
      says('Ready.'),
    ];
    expect(overview(first)).toContain('- Done: "Add a horn to the ferry"');
    const undone = [user('/undo'), notice('Removed: 4d5e6f7 feat: Add horn')];
    expect(overview([...first, ...undone, ...end])).toContain('- Done, but undone later: "Add a horn to the ferry"');
    const refused = [user('/undo'), notice('The last commit was not made in this chat.')];
    expect(overview([...first, ...refused, ...end])).toContain('- Done: "Add a horn to the ferry"');
    const second = overview([...undone, ...filler('u'), ...end], { earlier: summarise(first) });
    expect(second).toContain('- Done, but undone later: "Add a horn to the ferry"');
  });

  test('has an outcome: what was changed and run where the replies say nothing', () => {
    const text = overview([
      ...start,
      user('Paint the hull of the tug'),
      ...edit('p1', 'src/hull.ts'),
      ...run('p2', 'npm run paint', 'painted'),
      says('Done.'),
      ...end,
    ]);
    expect(text).toContain('- Done: "Paint the hull of the tug"\n  -> changed hull.ts; ran `npm run paint`');
  });

  test('is no talk: a question is answered, a remark only said, a stopped turn stopped', () => {
    const text = overview([
      ...start,
      user('Why is the water of the basin so dark?'),
      says('The mud of the river Elm makes it dark, mostly in spring.'),
      user('My boat is called Petrel and it is green'),
      says('A fine name for a boat.'),
      user('Count the ropes of the store'),
      says('I begin with', { stopReason: 'interrupted' }),
      user('[Request interrupted by user]'),
      ...end,
    ]);
    expect(text).toContain('- Answered: "Why is the water of the basin so dark?"');
    expect(text).toContain('- The user said: "My boat is called Petrel and it is green"');
    expect(text).toContain('- Stopped by the user: "Count the ropes of the store"');
  });
});

describe('a request', () => {
  const proposal = 'I found three ways.\n\n1. Widen the gate\n2. Dredge the channel\n3. Move the light\n\nShould I do all of it?';
  const asking = [...start, user('What can be done about the traffic?'), ...filler('t'), says(proposal)];

  test('that is nothing without what it answers brings it along whole, while it is the newest [P1]', () => {
    for (const answer of ['yes, do it all', 'option 2', '#3', 'let us tackle 2 and 3', '好的，都做吧']) {
      const request = user(answer);
      const text = message(asking, { kept: [request, ...filler('k')] });
      expect(text, answer).toContain(
        '### What the newest request answers\n\n> I found three ways.\n>\n> 1. Widen the gate\n> 2. Dredge the channel',
      );
    }
    expect(message(asking, { kept: [user('Now write the notes of the week for the harbour master, please')] })).not.toContain(
      'newest request answers',
    );
    expect(message(asking.slice(0, -1), { kept: [says(proposal), user('yes')] })).not.toContain('newest request answers');
  });

  test('still does so when its turn is compacted again, and no longer when another one came', () => {
    const request = user('yes, do it all');
    const before = continueLedger(emptyLedger, asking, { ...nowhere, kept: [request] });
    const during = continueLedger(before, [request, ...filler('d')], { ...nowhere, kept: [request, says('Going on.')] });
    expect(during.proposal).toContain('> 2. Dredge the channel');
    const after = continueLedger(during, [request, says('All done.'), user('Now rename the quay to North Quay in the chart')], nowhere);
    expect(after.proposal).toBeUndefined();
  });

  test('that is older has the end of what it answers beside it', () => {
    const text = overview([...asking, user('do 2 and 3'), ...edit('w', 'src/gate.ts'), says('Dredged, and moved the light.'), ...end]);
    expect(text).toContain(
      '- Done: "do 2 and 3"\n  in answer to: "I found three ways. 1. Widen the gate; 2. Dredge the channel; 3. Move the light Should I do all of it?"',
    );
  });

  test('that answers what was proposed quotes it, and the reply does not tell it again', () => {
    const text = overview([...asking, user('do 2 and 3'), ...edit('w', 'src/gate.ts'), says('Dredged, and moved the light.'), ...end]);
    expect(text.match(/Dredge the channel/g)).toHaveLength(1);
    const long = `The basin silts up by 4 cm a year since the pier of 1974 was built.\n\n${'The gate is old and worn. '.repeat(14)}\n\nShall I widen the gate?`;
    const rest = overview([
      ...start,
      user('What is wrong with the basin?'),
      ...filler('b'),
      says(long),
      user('yes'),
      ...filler('c'),
      ...end,
    ]);
    expect(rest).toContain('4 cm a year since the pier of 1974');
    expect(rest.match(/Shall I widen the gate/g)).toHaveLength(1);
  });

  test('stands whole and in its own order, with what was pasted into it cut, and the question under it [C88]', () => {
    const colours = ['red', 'blue', 'green', 'amber', 'teal', 'pink', 'grey', 'lilac'].map((name) => `- ${name} for pier ${name.length}`);
    const log = Array.from({ length: 40 }, (_, n) => `2026-01-0${(n % 9) + 1} 10:00:00 INFO lock ${n} opened={"id":${n},"ok":true}`);
    const text = overview([
      ...start,
      user(`Use these colours:\n${colours.join('\n')}`),
      says('They are set.'),
      user(`Look at this:\n${log.join('\n')}\nwhy does the lock open twice?`),
      says('The lock has two sensors, which caused it to open twice.'),
      ...end,
    ]);
    for (const colour of colours) expect(text).toContain(colour.slice(2));
    expect(text).toMatch(/"Look at this: 2026-01-01 10:00:00 INFO lock 0 .* \[39 more lines like it\] why does the lock open twice\?"/);
  });

  test('that has no room is counted as left out, over several compactions', () => {
    const many = (from: number) =>
      Array.from({ length: 40 }, (_, n) => [
        user(`Look at crane ${from + n} and tell me what it lifts on an ordinary day of the week`),
        says(`Crane ${from + n} lifts ${n} tonnes, as found in cranes/list${n}.json.`),
      ]).flat();
    const shown = (text: string) => text.split('\n').filter((line) => line.startsWith('- ') && line.includes('Look at crane')).length;
    const missing = (text: string) => Number(/^\((\d+) more requests, left out for room; recall finds them\)$/m.exec(text)?.[1]);
    const first = summarise(many(0), { tokens: 900 });
    expect(shown(first) + missing(first)).toBe(40);
    const second = summarise(many(40), { tokens: 900, earlier: first });
    expect(shown(second) + missing(second)).toBe(80);
  });

  test('is not both unfinished and done, and has its own replies [B3]', () => {
    const request = user('Repair the lock gate of the east basin');
    const first = [
      ...start,
      user('Look at the tide table'),
      says('The table is right, the cause was a leap year.'),
      request,
      ...edit('r1', 'src/gate.ts'),
      says('The hinge was loose, which caused the leak.', { stopReason: 'tool_use' }),
    ];
    const earlier = summarise(first, { kept: [request] });
    expect(earlier).toContain('- Latest request: "Repair the lock gate of the east basin" (Not finished when this was written)');
    for (const again of [[request], []]) {
      const second = overview([...again, ...filler('f'), says('The gate is repaired, all 9 checks pass.'), ...end], { earlier });
      expect(second.split('Repair the lock gate')).toHaveLength(2);
      expect(second).toMatch(
        /- Done: "Repair the lock gate of the east basin"\n {2}-> The hinge was loose.*\n(?: {2}->.*\n)* {2}-> The gate is repaired/,
      );
    }
  });

  test('never loses its replies to another one for want of room', () => {
    const many = Array.from({ length: 30 }, (_, n) => [
      user(`Short ask ${n}${' with many words that fill the room'.repeat(n % 4)}`),
      says(`Result of ${n}: fixed pier_${n}/main.ts in commit ${n + 1000}abc.`),
    ]).flat();
    for (const tokens of [300, 600, 1_200]) {
      let asked = -1;
      for (const line of overview([...start, ...many, ...end], { tokens }).split('\n')) {
        asked = Number(/Short ask (\d+)/.exec(line)?.[1] ?? asked);
        const answered = /^ {2}-> Result of (\d+):/.exec(line)?.[1];
        if (answered !== undefined) expect(Number(answered)).toBe(asked);
      }
    }
  });
});

describe('a reply', () => {
  test('keeps its lists whole: headings, numbers, columns', () => {
    const text = overview([
      ...start,
      user('What do the tests of the lighthouse check?'),
      says(
        'They are incomplete.\n\n**Checked:**\n- the lamp turns\n- the horn sounds\n\n**Not checked:**\n1. the fuel in tank_a\n2. the stairs\n\n| Test | Count |\n|---|---|\n| lamp_test | 3 |\n| horn_test | 1 |',
      ),
      ...end,
    ]);
    expect(text).toContain('-> Checked: the lamp turns; the horn sounds\n');
    expect(text).toContain('-> Not checked: 1. the fuel in tank_a; 2. the stairs\n');
    expect(text).toContain('-> lamp_test (Count 3); horn_test (Count 1)');
  });

  test('holds no self-talk of the way', () => {
    const text = overview([
      ...start,
      user('Fix the buoy test'),
      ...edit('q', 'src/buoy.ts'),
      says('I need to add the import statements at the top of buoy.ts now.', { stopReason: 'tool_use' }),
      says('The buoy test failed because the chain was counted twice.', { stopReason: 'tool_use' }),
      says('Fixed in src/buoy.ts.'),
      ...end,
    ]);
    expect(text).not.toContain('I need to add');
    expect(text).toContain('because the chain was counted twice');
  });
});

describe('a failure', () => {
  const debug = (...made: readonly (readonly Message[])[]): string =>
    sectionsIn(summarise([...start, user('Get it to work'), ...made.flat(), ...filler('z'), says('That is all.')]))['Debugging & Issues'] ??
    '';

  test('of a merge is past with the commit that ends it', () => {
    expect(
      debug(
        run('m1', 'git merge origin/tide', 'CONFLICT (content): Merge conflict in tide.go', true),
        run('m2', 'git add . && git commit --no-edit', '[main 1] Merge'),
      ),
    ).toContain('(worked later)');
  });

  test('is past when the whole suite passes, or a search for errors finds none', () => {
    expect(
      debug(run('t1', 'go test ./tide -run TestEbb', '--- FAIL: TestEbb', true), run('t2', 'go test ./...', 'ok  tide 0.1s')),
    ).toContain('(worked later)');
    expect(
      debug(
        run('t1', 'npm run check', 'a.ts(1,2): error TS2304: Cannot find name', true),
        run('t2', 'npm run check 2>&1 | grep "error TS"', '(no output)', true),
      ),
    ).toContain('(worked later)');
    expect(
      debug(run('t1', 'npx vitest run test/a.test.ts', 'Error: no tide', true), run('t2', 'npx vitest run test/b.test.ts', '3 passed')),
    ).toBe('- `npx vitest run test/a.test.ts`: Error: no tide');
  });

  test('is told with the files that were edited between the run that failed and the one that worked', () => {
    const fails = (id: string, error = 'Error 2') => run(id, 'make dock', `make: *** [dock] ${error}`, true);
    const works = (id: string) => run(id, 'make dock', 'dock is built');
    expect(debug(edit('e', 'src/a.ts'), fails('a'), edit('f', 'src/b.ts'), edit('g', 'src/c.ts'), works('w'), edit('h', 'src/d.ts'))).toBe(
      '- `make dock`: make: *** [dock] Error 2 (worked after edits of b.ts, c.ts)',
    );
    expect(debug(fails('a'), edit('f', 'src/b.ts'), fails('b', 'Error 3'), edit('g', 'src/c.ts'), works('w')).split('\n')).toEqual([
      '- `make dock`: make: *** [dock] Error 2 (worked after edits of b.ts, c.ts)',
      '- `make dock`: make: *** [dock] Error 3 (worked after edits of c.ts)',
    ]);
    expect(debug(fails('a'), edit('f', 'src/b.ts'), works('w'), fails('b'))).toContain('(not seen to work since)');
    expect(debug(fails('a'), works('w'), edit('f', 'src/b.ts'), works('x'))).toContain('(worked later)');
    expect(debug(fails('a'), run('s', 'sed -i s/a/b/ src/b.ts', '(no output)'), edit('t', '/tmp/probe.ts'), works('w'))).toContain(
      '(worked after edits of b.ts)',
    );
  });

  test('keeps what mended it over several summaries, and gets it from the one in which it worked', () => {
    const fails = run('a', 'make dock', 'make: *** [dock] Error 2', true);
    const works = [...edit('f', 'src/b.ts'), ...run('w', 'make dock', 'dock is built')];
    const again = run('x', 'make dock', 'make: *** [dock] Error 2', true);
    const rounds = (...parts: readonly (readonly Message[])[]): string => {
      let [earlier, before] = ['', emptyLedger];
      for (const part of parts) {
        const messages = [...part, ...filler('z'), says('That is all.')];
        const ledger = continueLedger(before, messages, nowhere);
        earlier = ruleSummary(messages, { earlier: earlier || undefined, ledger, ...nowhere, tokens: 8_000, count: quarter });
        before = ledger;
      }
      return sectionsIn(earlier)['Debugging & Issues'] ?? '';
    };
    const told = '- `make dock`: make: *** [dock] Error 2 (worked after edits of b.ts)';
    const asked = [...start, user('Get it to work')];
    expect(rounds([...asked, ...fails], works)).toBe(told);
    expect(rounds([...asked, ...fails, ...works], [user('Now paint it')])).toBe(told);
    expect(rounds([...asked, ...fails, ...works], again)).toContain('Error 2 (not seen to work since)');
  });

  test('is called so only when it was tried again', () => {
    const fails = (id: string) => run(id, 'make dock', 'make: *** [dock] Error 2', true);
    expect(debug(fails('a'))).toBe('- `make dock`: make: *** [dock] Error 2');
    expect(debug(fails('a'), run('b', 'make dock', 'make: *** [dock] Error 3', true))).toContain('Error 2 (not seen to work since)');
  });

  test('that is a slip without harm needs no line', () => {
    const missing = [
      calls({ id: 'x', name: 'read_file', input: { path: 'gone.ts' } }),
      answers({ id: 'x', content: 'File does not exist.', isError: true }),
    ];
    expect(debug(missing, run('l', 'grep -n dock src/none.ts', 'grep: src/none.ts: No such file or directory', true))).toBe('None.');
  });
});

describe('what else is carried', () => {
  test('says which files are gone', () => {
    const text = message([
      ...start,
      user('Clean up'),
      ...edit('a', '/home/ann/port/src/old.ts'),
      ...edit('b', '/home/ann/port/src/new.ts'),
      ...run('c', 'cd /home/ann/port && rm src/old.ts', '(no output)'),
      ...run('d', 'sed -i s/a/b/ src/new.ts', '(no output)'),
      says('Removed the old one.'),
      ...end,
    ]);
    expect(text).toContain('- /home/ann/port/src/old.ts (deleted)');
    expect(text.split('\n').filter((line) => line.endsWith('port/src/new.ts'))).toEqual(['- /home/ann/port/src/new.ts']);
  });

  test('does not say that nothing is pending beside a request that is not finished', () => {
    const open = message([...start, user('Then rename the quay in all the charts'), ...filler('y')]);
    expect(sectionsIn(open)['Pending Tasks']).toBe(
      '- The latest request: before the messages that follow, nothing was changed or run for it.',
    );
  });

  test('is Chinese around Chinese text, with its days and its quotations as they were', () => {
    const text = message([
      notice('2026-03-04'),
      user('我读了一本书，书里说：“海很远。船很慢！你懂吗？不懂。”很有意思。'),
      ...filler('zh'),
      says('这句话说的是耐心，船慢但是总会到达远方的港口。'),
      notice('2026-03-05'),
      user('今天我去了北边的码头，那里有三艘旧船。'),
      says('听起来不错，旧船往往有很多故事可以讲。'),
      user('谢谢'),
      says('不客气。'),
    ]);
    expect(text).toContain('“海很远。船很慢！你懂吗？不懂。”很有意思。');
    expect(text).toContain('- 2026-03-05 用户说: "今天我去了北边的码头，那里有三艘旧船。"');
    expect(text).toContain('这是本次对话中 9 条较早消息的记录');
    expect(text).not.toContain('This is a record');
  });
});
