import { expect, test } from 'vitest';
import { questionLines } from '../../../../src/terminal/input/question-lines.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

const rows = (choices: readonly { readonly name: string; readonly key: string | undefined }[], columns: number) =>
  questionLines({ message: 'Allow it?', choices, selected: 1, tip: 'a tip' }, createPaint(false), columns);

test('what a key decides is shown whole in any window, and a name in a list by its beginning', () => {
  const name = 'Always in this folder: commands that begin with "npm run build --workspace"';
  expect(
    rows(
      [
        { name: 'No', key: 'n' },
        { name, key: '1' },
      ],
      39,
    ),
  ).toEqual([
    'Allow it?',
    '  No (n)',
    '❯ Always in this folder: commands that',
    '  begin with "npm run build',
    '  --workspace" (1)',
    'a tip',
  ]);
  const listed = [
    { name: 'first', key: undefined },
    { name: 'a title that is longer than the window', key: undefined },
  ];
  expect(rows(listed, 20)).toEqual(['Allow it?', '  first', '❯ a title that is l…', 'a tip']);
});
