import { expect, test } from 'vitest';
import type { Keyboard } from '../../../../src/terminal/input/keyboard.ts';
import type { Choice } from '../../../../src/terminal/input/prompts.ts';
import { type OpenQuestion, questionLines } from '../../../../src/terminal/input/question-lines.ts';
import { findChoiceAt } from '../../../../src/terminal/input/typed-line.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

test('a number chooses the row that begins with it, not another that has it somewhere', async () => {
  const rows = ['4   5 s ago  1 new', '13  1 min ago  1 new', '1   35 s ago  1 file deleted'];
  const { press, lines, chosen } = openList(rows.map((name, value) => ({ name, value })));
  press({ type: 'keys', text: '1' });
  expect(lines()).toEqual(['Which?', '❯ 1   35 s ago  1 file deleted', '❯ 1▏']);
  press({ type: 'keys', text: '3' });
  expect(lines()).toEqual(['Which?', '❯ 13  1 min ago  1 new', '❯ 13▏']);
  press({ type: 'keys', text: '\x7f\r' });
  expect(await chosen).toBe(2);
  const words = openList([
    { name: '4  5 s ago  build 7', value: 1 },
    { name: '3  9 s ago  build 8', value: 2 },
  ]);
  words.press({ type: 'keys', text: '8\r' });
  expect(await words.chosen).toBe(2);
});

test('a list that was narrowed to nothing says so, and Enter chooses nothing there', async () => {
  const { press, lines, chosen } = openList([
    { name: 'first', value: 1 },
    { name: 'second', value: 2 },
  ]);
  press({ type: 'keys', text: 'sx' });
  press({ type: 'keys', text: '\r' });
  expect(lines()).toEqual(['Which?', '  Nothing matches.', '❯ sx▏']);
  press({ type: 'keys', text: '\x7f' });
  expect(lines()).toEqual(['Which?', '❯ first', '  second', '❯ s▏']);
  press({ type: 'keys', text: '\r' });
  expect(await chosen).toBe(1);
});

function openList(choices: readonly Choice<number>[]) {
  let press: Parameters<Keyboard['read']>[0] = () => undefined;
  let shown: OpenQuestion | undefined;
  const chosen = findChoiceAt('Which?', choices, {
    show: (question) => {
      shown = question;
    },
    read: (handler) => {
      press = handler;
      return () => undefined;
    },
  });
  const lines = (): readonly string[] => (shown === undefined ? [] : questionLines(shown, createPaint(false), 80).slice(0, -1));
  return { press, lines, chosen };
}
