import { expect, test } from 'vitest';
import type { Keyboard } from '../../../../src/terminal/input/keyboard.ts';
import { type OpenQuestion, questionLines } from '../../../../src/terminal/input/question-lines.ts';
import { findChoiceAt } from '../../../../src/terminal/input/typed-line.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

test('a list that was narrowed to nothing says so, and Enter chooses nothing there', async () => {
  let press: Parameters<Keyboard['read']>[0] = () => undefined;
  let shown: OpenQuestion | undefined;
  const chosen = findChoiceAt(
    'Which session?',
    [
      { name: 'first', value: 1 },
      { name: 'second', value: 2 },
    ],
    {
      show: (question) => {
        shown = question;
      },
      read: (handler) => {
        press = handler;
        return () => undefined;
      },
    },
  );
  const lines = (): readonly string[] => (shown === undefined ? [] : questionLines(shown, createPaint(false), 80).slice(0, -1));
  press({ type: 'keys', text: 'sx' });
  press({ type: 'keys', text: '\r' });
  expect(lines()).toEqual(['Which session?', '  Nothing matches.', '❯ sx▏']);
  press({ type: 'keys', text: '\x7f' });
  expect(lines()).toEqual(['Which session?', '❯ first', '  second', '❯ s▏']);
  press({ type: 'keys', text: '\r' });
  expect(await chosen).toBe(1);
});
