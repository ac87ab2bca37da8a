import { describe, expect, test } from 'vitest';
import { ruleSummary } from '../../../../../src/context/rules/rule-summary.ts';
import { keepSpans } from '../../../../../src/context/summary/carried/carried-line.ts';
import { english } from '../../../../../src/context/summary/fit-sections.ts';
import type { Message } from '../../../../../src/domain/session/message.ts';
import { quarter } from '../../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../../support/build.ts';
import { gatherLedger } from '../../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const COLOURS = ['amber', 'beige', 'coral', 'denim', 'ebony', 'frost', 'grape', 'hazel'];
const bound = (colour: string): string => `Use the ${colour} lamp instead of the plain one there.`;
const talk = (colour: string, part: string): string =>
  Array.from({ length: 5 }, (_, n) => `The ${colour} quay has a ${part} number ${n} that looks odd from the water side.`).join(' ');

/** One long request in two says what is to hold, in its middle; each has its outcome. */
const session: readonly Message[] = COLOURS.flatMap((colour, at) => [
  user(`Look at the ${colour} quay. ${talk(colour, 'bollard')} ${bound(colour)} ${talk(colour, 'ladder')}`),
  calls({ id: `a${at}`, name: 'read_file', input: { path: `quays/${colour}.txt` } }),
  answers({ id: `a${at}`, content: 'line of text\n'.repeat(2_000) }),
  says(`Changed the ${colour} quay: the lamp, the ladder and the bollard of \`quays/${colour}.ts\` stand as they should by now.`),
  user(`And ${colour} again? ${talk(colour, 'railing')}`),
  says(`Fixed the railing of the ${colour} quay in \`quays/${colour}-railing.ts\`, and the tests of it pass.`),
]);
const newest = [user('Paint the last quay with the lasting paint'), says('Painted it.')];

const summarise = (messages: readonly Message[], tokens: number, earlier?: string): string =>
  ruleSummary(messages, { earlier, ledger: gatherLedger(messages, nowhere), bodyOf: nowhere.bodyOf, tokens, count: quarter });

describe('in a budget that does not hold all requests', () => {
  test('each that says what is to hold is shortened, with its mark, before what it says is left out', () => {
    const text = summarise([...session, ...newest], 1_400);
    expect(COLOURS.filter((colour) => !text.includes(bound(colour)))).toEqual([]);
    expect(text).toContain('characters left out');
    expect(text).toContain('- Latest request: "Paint the last quay with the lasting paint"');
    expect(quarter(text)).toBeLessThanOrEqual(1_400);
  });

  test('and it stays through later compactions', () => {
    const first = summarise([...session, ...newest], 1_400);
    const second = summarise([user('Now the cranes'), ...session.slice(1, 4), says('Moved the cranes.')], 1_400, first);
    expect(COLOURS.filter((colour) => !second.includes(bound(colour)))).toEqual([]);
    expect(quarter(second)).toBeLessThanOrEqual(1_400);
  });

  test('what fits is quoted whole', () => {
    const text = summarise([...session, ...newest], 12_000);
    expect(text).not.toContain('Look at the amber quay. [');
    expect(COLOURS.slice(1).filter((colour) => !text.includes(`Look at the ${colour} quay. The ${colour} quay`))).toEqual([]);
  });
});

test('a gap between what is kept has its mark, a small one stands', () => {
  const text = `Begin here. ${'x'.repeat(60)} Keep this. ok Keep that.`;
  const at = text.indexOf('Keep this.');
  const spans = [
    { from: 0, to: 11 },
    { from: at, to: at + 10 },
  ];
  expect(keepSpans(text, spans, english)).toBe('Begin here. [… 60 characters left out …] Keep this. ok Keep that.');
});
