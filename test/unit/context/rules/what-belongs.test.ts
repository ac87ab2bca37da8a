import { describe, expect, test } from 'vitest';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import { sectionsIn } from '../../../../src/context/summary/summary-check.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
type More = { readonly earlier?: string; readonly kept?: readonly Message[]; readonly tokens?: number };
const summarise = (messages: readonly Message[], { earlier, kept, tokens = 8_000 }: More = {}): string =>
  ruleSummary(messages, { earlier, kept, ledger: gatherLedger(messages, nowhere), bodyOf: nowhere.bodyOf, tokens, count: quarter });
const notice = (text: string): Message => ({ ...user(text), origin: 'notice' });
const run = (id: string, command = 'make', content = 'line of text\n'.repeat(500), isError = false): readonly Message[] => [
  calls({ id, name: 'run_command', input: { command } }),
  answers({ id, content, isError }),
];

/** The line above a line, without those of the same request. */
const requestAbove = (text: string, part: string): string => {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes(part));
  return lines.slice(0, at + 1).findLast((line) => line.startsWith('- ')) ?? '';
};

describe('what was said', () => {
  const chart = [user('Draw the chart of the harbour'), ...run('a'), says('The chart of the harbour is drawn in 3 colours.')];
  const lamp = [user('Could we have a lamp that follows the ships?'), ...run('b')];
  const rest = [...run('c'), says('The lamp in src/lamp.ts follows the ships now.')];
  const next = [user('Good, now paint the quay'), ...run('d')];

  test('stands under its own request where the cut fell between them and a newer request was there [C73]', () => {
    const first = summarise([...chart, ...lamp], { kept: [...rest, ...next] });
    expect(first).toContain('"Could we have a lamp that follows the ships?" (Done)');
    const second = summarise([...rest, ...next], { earlier: first });
    expect(requestAbove(second, 'follows the ships now')).toContain('Could we have a lamp that follows the ships?');
    expect(second.match(/Could we have a lamp/g)).toHaveLength(1);
  });

  test('stands by itself where its request is not known', () => {
    const earlier = '## Project Overview\n\n- Done: "Draw the chart of the harbour"\n\n## Current Status\n\nAll is drawn.';
    const text = summarise([...rest, ...next], { earlier });
    expect(requestAbove(text, 'follows the ships now')).toBe('- The lamp in src/lamp.ts follows the ships now.');
  });
});

test('each request of a day is told with the day, since the one above may be left out', () => {
  const days = ['2026-03-01', '2026-03-02'].flatMap((day) => [
    notice(day),
    ...['rope', 'mast'].flatMap((thing) => [
      user(`Look at the ${thing} of ${day}`),
      ...run(`${thing}${day}`),
      says(`The ${thing} is fine, 4 knots.`),
    ]),
  ]);
  const text = summarise([...days, user('thanks'), says('Fine.')]);
  for (const day of ['2026-03-01', '2026-03-02']) expect(text).toContain(`- ${day} Done: "Look at the mast of ${day}"`);
});

describe('what is cut says so', () => {
  test('an answer that begins in the middle', () => {
    const long = `The quay is ${'grey and very old and '.repeat(6)}dull.\n\nThe paint is ${'blue and rather cheap and '.repeat(6)}dry.\n\nShall I begin?`;
    const text = summarise([
      user('What about the quay?'),
      ...run('a'),
      says(long),
      user('yes'),
      ...run('b'),
      says('The quay is painted in 2 colours.'),
      user('and the lamp?'),
    ]);
    expect(/in answer to: "(.*)"/.exec(text)?.[1]).toMatch(/^….* Shall I begin\?$/);
  });

  test('names of a change, and programs', () => {
    const made = Array.from({ length: 12 }, (_, i) => `function hoistSail${i}() {}`).join('\n');
    const text = summarise([
      user('Write the sails'),
      calls({ id: 'e', name: 'edit_file', input: { path: 'src/sails.ts', old: 'a', new: made } }),
      answers({ id: 'e', content: 'Changed.' }),
      ...run('p', Array.from({ length: 14 }, (_, i) => `prog${String.fromCharCode(97 + i)} x`).join(' && ')),
      says('Done.'),
    ]);
    expect(text).toMatch(/: new hoistSail0, .*hoistSail9, …$/m);
    expect(text).toMatch(/Programs run: .*progl 1, …/);
  });

  test('failures that found no room, over several summaries', () => {
    const failures = (from: number) =>
      Array.from({ length: 30 }, (_, i) =>
        run(`f${from + i}`, `make part${from + i}`, `error: plank ${from + i} does not fit the hull at all`, true),
      ).flat();
    const first = summarise([user('Build the boat'), ...failures(0), says('Not yet.')], { tokens: 700 });
    const shown = (text: string) =>
      (sectionsIn(text)['Debugging & Issues'] ?? '').split('\n').filter((line) => line.startsWith('- ')).length;
    const left = (text: string) =>
      Number(/^\((\d+) more, left out for room; recall finds them\)$/m.exec(sectionsIn(text)['Debugging & Issues'] ?? '')?.[1]);
    expect(shown(first) + left(first)).toBe(30);
    const second = summarise([user('Go on'), ...failures(30), says('Not yet.')], { earlier: first, tokens: 700 });
    expect(shown(second) + left(second)).toBe(60);
  });
});
