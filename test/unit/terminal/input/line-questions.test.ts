import { expect, test } from 'vitest';
import type { PermissionRequest } from '../../../../src/domain/permission.ts';
import { createLineQuestions } from '../../../../src/terminal/input/line-questions.ts';
import { askToAllow } from '../../../../src/terminal/input/permission-prompt.ts';
import { decideYesNo } from '../../../../src/terminal/input/questions.ts';

const NEVER = new AbortController().signal;

/** Questions to somebody who types these lines, and then leaves. */
function asked(...lines: readonly string[]) {
  const shown: string[] = [];
  const typed = [...lines];
  const questions = createLineQuestions({
    askLine: async (question) => {
      shown.push(question);
      return typed.shift();
    },
    show: (text) => void shown.push(text),
    columns: () => 80,
  });
  return { questions, shown: () => shown.join('\n') };
}

const request: PermissionRequest = {
  ...{ tool: 'run_command', access: 'run', title: 'run_command npm test', preview: 'npm test', outside: false },
  session: 'exactly this',
  offers: [{ kind: 'rule', rule: { tool: 'run_command', command: 'npm test' } }],
};

test.each([
  [['y'], 'once'],
  [['1'], 'once'],
  [['2', '1'], 'session'],
  [['a', 'a'], 'session'],
  [['2', ''], 'no'],
  [['3'], 'no'],
  [[''], 'no'],
  [[], 'no'],
  [['4', 'use make'], { kind: 'refusal', why: 'use make' }],
  [['4', ' '], 'no'],
  [['use make'], { kind: 'refusal', why: 'use make' }],
])('lines %j answer a question about permission', async (lines, answer) => {
  const { questions, shown } = asked(...lines);
  expect(await askToAllow(request, { ...questions, isWhole: true, stop: () => undefined }, NEVER)).toEqual(answer);
  expect(shown()).toContain('Run it?\n  1 Yes   2 Yes, and do not ask again…   3 No   4 No, because…\n');
});

test('a lasting yes by a line gives its rule', async () => {
  const { questions } = asked('2', '2');
  expect(await askToAllow(request, { ...questions, isWhole: true, stop: () => undefined }, NEVER)).toEqual(request.offers[0]);
});

test.each([
  ['y', true],
  ['1', true],
  ['', false],
  ['what?', false],
])('%j answers yes or no', async (line, answer) => {
  expect(await decideYesNo(asked(line).questions, 'Go back?')).toBe(answer);
});

const many = Array.from({ length: 30 }, (_, at) => ({ name: `${at + 1}  message ${at < 3 ? 'about a cart' : `number ${at}`}`, value: at }));

test.each([
  [['2'], 1],
  [['ABOUT', '3'], 2],
  [['number 29'], 29],
  [['nothing like it'], undefined],
  [['31'], undefined],
  [[''], undefined],
])('a long list is narrowed by lines %j', async (lines, found) => {
  const { questions, shown } = asked(...lines);
  expect(await questions.find('Which?', many)).toBe(found);
  expect(shown()).toContain('  20  message number 19\n  … 10 others; type words to narrow the list\n');
});

test.each([
  [['2'], 'one'],
  [['undo this'], 'one'],
  [['everything'], 'all'],
])('choices without numbers get them, and the whole name is meant before its beginning: lines %j', async (lines, found) => {
  const { questions, shown } = asked(...lines);
  const choices = [
    { name: 'Leave all as it is', value: 'none' },
    { name: 'Undo this', value: 'one' },
    { name: 'Undo this and everything since', value: 'all' },
  ];
  expect(await questions.find('What should be done?', choices)).toBe(found);
  expect(shown()).toContain('  1  Leave all as it is\n  2  Undo this\n  3  Undo this and everything since\n');
});

test.each([
  ['1', 'act'],
  ['f', 'one'],
  ['', 'nothing'],
])('each choice of a question shows what answers it: %j', async (line, chosen) => {
  const { questions, shown } = asked(line);
  const choices = [
    { name: 'Leave it', value: 'nothing', words: ['n', '3'] },
    { name: 'Undo it', value: 'act', words: ['y', '1'] },
    { name: 'Undo it in one file', value: 'one', words: ['f', '4'] },
  ];
  expect(await questions.decide('What should be done?', choices, undefined)).toBe(chosen);
  expect(shown()).toContain('  1 Undo it\n  3 Leave it\n  4 Undo it in one file\n');
});
