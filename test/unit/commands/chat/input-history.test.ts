import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inputHistoryLine, MAX_INPUT_HISTORY, parseInputHistory } from '../../../../src/commands/chat/input-history.ts';

test('what is kept comes back as it was, of several lines and in any script', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (messages) => {
      const lines = messages.map(inputHistoryLine);
      const kept = messages.filter((_, i) => lines[i] !== undefined);
      expect(parseInputHistory(lines.join(''))).toEqual(kept);
    }),
  );
});

test('a torn or foreign line is left out, the others stay [D-06]', () => {
  expect(parseInputHistory('"one"\nplain text\n{"a":1}\n"two\\nlines"\n"tor')).toEqual(['one', 'two\nlines']);
});

test('only the newest are read', () => {
  const lines = Array.from({ length: MAX_INPUT_HISTORY + 5 }, (_, i) => inputHistoryLine(`message ${i}`)).join('');
  const messages = parseInputHistory(lines);
  expect([messages.length, messages[0]]).toEqual([MAX_INPUT_HISTORY, 'message 5']);
});

test.each([
  ' typed with a blank before it',
  '',
  `use sk-ant-${'a1B2'.repeat(6)} please`,
  'export GITHUB_TOKEN=ghp_abcdefghijklmnop1234',
  'my password: hunter2',
  'AKIAIOSFODNN7EXAMPLE',
  'postgres://user:secret@db.example/x',
  '-----BEGIN PRIVATE KEY-----',
])('%.40s is not kept', (message) => {
  expect(inputHistoryLine(message)).toBeUndefined();
});

test('a paste of 5 MB is kept whole, and is looked through at once', () => {
  const message = 'ab eyJ-'.repeat(750_000);
  expect(parseInputHistory(inputHistoryLine(message) ?? '')).toEqual([message]);
});

test.each(['rename the token counter', 'why does https://example.com/a:b fail?', '密码框的样式', 'what is a secret sharing scheme?'])(
  '%s is kept',
  (message) => {
    expect(inputHistoryLine(message)).toBe(`${JSON.stringify(message)}\n`);
  },
);
