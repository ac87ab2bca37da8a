import { expect, test } from 'vitest';
import { needsReferent } from '../../../../src/context/sentence/asks.ts';
import { passagesOf } from '../../../../src/context/text/passages.ts';

const texts = (text: string) => passagesOf(text).map((passage) => passage.text);

test('a list is one passage, with its heading, its numbers and what is nested in it', () => {
  expect(
    texts('We are done.\n\n## Open\n1. the mast\n   - upper part\n   - lower part\n2. the sail\n   of canvas\n\nThat is all.'),
  ).toEqual(['We are done.', 'Open: 1. the mast (upper part; lower part); 2. the sail of canvas', 'That is all.']);
  expect(texts('Missing:\n- a rope\n\n- a hook')).toEqual(['Missing: a rope; a hook']);
});

test('options with a word beside their bold heading keep their numbers', () => {
  expect(texts('## Options\n\n**1. Keep it in `quay`** (revert)\n- no cycle\n\n**2. A new `mast` package**\n- one more')).toEqual([
    'Options: 1. Keep it in `quay` (revert): no cycle',
    '2. A new `mast` package: one more',
  ]);
});

test('what leads to code that is left out is no heading of what follows', () => {
  expect(texts('Here is the order:\n```\nraise();\n```\n\n**The fault:**\nIt sails first.')).toEqual(['The fault: It sails first.']);
  expect(texts('## The fault\nIt only compares:\n```\na === b\n```\nAny rope will do.')).toEqual(['The fault: Any rope will do.']);
  expect(texts('Missing:\n\n- a rope')).toEqual(['Missing: a rope']);
});

test('a row of a table has the names of its columns; code and quotations are left out', () => {
  expect(texts('| Ship | Crew |\n|---|---|\n| Petrel | 4 |\n| Tern | 2 |\n\n```\ncode();\n```\n> quoted')).toEqual([
    'Petrel (Crew 4); Tern (Crew 2)',
  ]);
});

test('a list that is too long says how many items are missing', () => {
  const list = Array.from({ length: 30 }, (_, n) => `- item ${n} of the long list of the store`).join('\n');
  expect(texts(list)[0]).toMatch(/^item 0 of .*; … \(\d+ more\)$/);
});

test('a short answer needs what it answers, a request that says what it wants does not', () => {
  for (const answer of ['yes', 'ok do it', 'option 2', '#3', '2 and 3 please', 'the second one', 'both', '好的', '第二个吧'])
    expect(needsReferent(answer), answer).toBe(true);
  for (const request of [
    '',
    '/undo',
    'Rename the mast to pole in the chart',
    'ok, now write the notes of the week for the harbour master',
    '请把接口改成异步的，并且补上测试用例',
  ])
    expect(needsReferent(request), request).toBe(false);
});
