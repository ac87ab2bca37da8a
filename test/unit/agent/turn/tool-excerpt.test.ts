import { expect, test } from 'vitest';
import { toolExcerpt } from '../../../../src/agent/turn/tool-excerpt.ts';
import { stopPhaseOf, stoppedMidway, stoppedResults } from '../../../../src/context/history/pairing.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';

const outcome = { ok: true, denied: false, note: sameInBoth(''), content: '' };
const lines = (n: number): string => Array.from({ length: n }, (_, i) => `line ${i + 1}`).join('\n');

test('a command shows both ends of what it printed, without the line that says how it ended', () => {
  expect(toolExcerpt('run_command', { ...outcome, content: `exit 0\n${lines(5)}\n\n` })).toMatchObject({ omitted: 0, first: 5 });
  expect(toolExcerpt('run_command', { ...outcome, ok: false, content: `exit 1\n${lines(60)}\n\n` })).toEqual({
    lines: ['line 1', 'line 2', 'line 59', 'line 60'],
    omitted: 56,
    from: 'end',
    first: 2,
  });
});

test.each([
  [
    'node --test',
    'TAP version 13\n# Subtest: adds\nok 1 - adds\n  ---\n  duration_ms: 1\n  ...\nnot ok 2 - an empty cart\n  ---\n  error: no start\n  ...\n1..2\n# tests 2\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 52.1',
    ['not ok 2 - an empty cart', '  error: no start', '# pass 1', '# fail 1'],
  ],
  [
    'node --test, by its other reporter',
    '✔ adds (1ms)\n✖ an empty cart (1ms)\nℹ tests 2\nℹ suites 0\nℹ pass 1\nℹ fail 1\nℹ duration_ms 52\n\n✖ failing tests:\n\ntest at a.js:1\n✖ an empty cart (1ms)\n  Reduce of empty array',
    ['✖ an empty cart (1ms)', '✖ an empty cart (1ms)', '  Reduce of empty array'],
  ],
  [
    'pytest',
    '=== test session starts ===\nplatform linux\ncollected 2 items\n\na.py .F\nE   assert 1 == 2\nFAILED a.py::test_b - assert 1 == 2\n=== 1 failed, 1 passed in 0.02s ===',
    ['=== test session starts ===', 'platform linux', 'FAILED a.py::test_b - assert 1 == 2', '=== 1 failed, 1 passed in 0.02s ==='],
  ],
  [
    'a compiler',
    'Building\nsrc/a.ts(1,2): error TS2345: no\nmore of it\nyet more\nFound 1 error\nnpm error code 2\nnpm error A complete log of this run can be found in: x',
    ['src/a.ts(1,2): error TS2345: no', 'yet more', 'Found 1 error'],
  ],
])('of a long output what failed is shown, and the last lines that say something: %s', (_, content, shown) => {
  expect(toolExcerpt('run_command', { ...outcome, ok: false, content: `exit 1\n${content}` })?.lines).toEqual(shown);
});

test('a run of tests that all passed shows no durations', () => {
  const content = [
    'TAP version 13',
    ...[1, 2, 3].flatMap((n) => [`ok ${n} - t`, '  ---', '  duration_ms: 1.8', "  type: 'test'", '  ...']),
  ];
  const { lines = [] } = toolExcerpt('run_command', { ...outcome, content: `exit 0\n${content.join('\n')}\n# pass 3\n# fail 0` }) ?? {};
  expect(lines).toEqual(['ok 1 - t', 'ok 2 - t', '# pass 3', '# fail 0']);
});

test('a command that was stopped shows what it had printed', () => {
  const content = stoppedMidway('one\ntwo\n');
  expect(stopPhaseOf(content)).toBe('midway');
  expect(toolExcerpt('run_command', { ...outcome, ok: false, content })?.lines).toEqual(['one', 'two']);
});

test('other tools show the beginning of what they found, and of a failure its reason', () => {
  expect(toolExcerpt('search', { ...outcome, content: `5 matches\n${lines(5)}` })).toMatchObject({ lines: ['line 1', 'line 2', 'line 3'] });
  expect(toolExcerpt('edit_file', { ...outcome, ok: false, content: 'a.txt: old_string is not in it' })).toEqual({
    lines: ['a.txt: old_string is not in it'],
    omitted: 0,
    from: 'start',
  });
});

test.each(['task', 'mcp__desk__echo'])('%s shows the words of others from their first line on', (tool) => {
  expect(toolExcerpt(tool, { ...outcome, content: lines(5) })).toEqual({
    lines: ['line 1', 'line 2', 'line 3'],
    omitted: 2,
    from: 'start',
  });
  expect(toolExcerpt(tool, { ...outcome, content: 'one word' })).toMatchObject({ lines: ['one word'] });
});

test('what SanBot says before an output is shown in both languages, and the output as it is', () => {
  const shown = { en: 'exit 1\n[not all UTF-8]', zh: '退出码 1\n[不全是 UTF-8]' };
  expect(toolExcerpt('run_command', { ...outcome, ok: false, content: `${shown.en}\nline 1\nline 2`, shown })).toEqual({
    lines: [{ en: '[not all UTF-8]', zh: '[不全是 UTF-8]' }, 'line 1', 'line 2'],
    omitted: 0,
    from: 'end',
    first: 3,
  });
});

test('a line is cut before it is a page long, and not within a character', () => {
  const [line = ''] = toolExcerpt('search', { ...outcome, content: `1 match\n${'😀'.repeat(100_000)}` })?.lines ?? [];
  expect(String(line).length).toBeLessThanOrEqual(400);
  expect(String(line).isWellFormed()).toBe(true);
});

test.each([
  ['printed nothing', 'run_command', { content: 'exit 0\n[no output]' }],
  ['said all in one line', 'edit_file', { content: 'a.txt: replaced the text at line 3' }],
  ['read a file', 'read_file', { content: `a.txt: 9 lines\n${lines(9)}`, source: '/p/a.txt' }],
  ['read back what was put away', 'recall', { content: `1 hit\n${lines(9)}`, readBack: true }],
  ['was not allowed', 'run_command', { ok: false, denied: true, content: 'Not allowed: the user said no.' }],
  ['was stopped', 'run_command', { ok: false, content: stoppedResults.midway }],
])('a call that %s shows nothing', (_, tool, more) => {
  expect(toolExcerpt(tool, { ...outcome, ...more })).toBeUndefined();
});

test('a reason that stands in the row of the call does not stand below it too', () => {
  const failed = { ...outcome, ok: false, content: 'edit_file: a.txt: old_string is not in the file' };
  expect(toolExcerpt('edit_file', { ...failed, note: sameInBoth('old_string is not in the file') })).toBeUndefined();
  expect(toolExcerpt('edit_file', { ...failed, note: sameInBoth('invalid call') })).toMatchObject({ lines: [failed.content] });
});

test('nothing stands below a call whose own line says all', () => {
  const refused = { ...outcome, ok: false, note: sameInBoth('not accepted'), content: 'The user did not accept.\nChange it.' };
  expect(toolExcerpt('write_file', { ...refused, shown: sameInBoth('') })).toBeUndefined();
  expect(toolExcerpt('write_file', refused)).toBeDefined();
});
