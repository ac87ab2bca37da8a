import { describe, expect, test } from 'vitest';
import { errorLine, isFailure } from '../../../../src/context/ledger/error-line.ts';

describe('the line that states the error', () => {
  const cases: readonly (readonly [what: string, output: string, line: string])[] = [
    [
      'a compiler',
      'Exit code 2\n> tsc\n\nsrc/a.ts(3,7): error TS2304: Cannot find name "x".\nFound 1 error.',
      'src/a.ts(3,7): error TS2304: Cannot find name "x".',
    ],
    [
      'a Python traceback',
      'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    raise ValueError("no: way")\nValueError: bad port\n',
      'ValueError: bad port',
    ],
    ['a shell', 'bash: frob: command not found', 'bash: frob: command not found'],
    ['a Chinese program', '开始构建\n错误：找不到文件 a.txt\n结束', '错误：找不到文件 a.txt'],
    ['colours', '\u001b[31mError: \u001b[1mboom here\u001b[0m', 'Error: boom here'],
    ['an element of another agent', '<tool_use_error>File does not exist.</tool_use_error>', 'File does not exist.'],
    ['words of success around it', 'ok   errors_test 0.1s\n0 errors so far\npanic: nil map\n', 'panic: nil map'],
    ['nothing that looks like an error', 'Exit code 3\nfoo\nbar', 'foo'],
    ['nothing at all', '', ''],
  ];
  for (const [what, output, line] of cases) test(`is found in the output of ${what}`, () => expect(errorLine(output)).toBe(line));

  test('comes with the line that only says that there is one, and with the name of the failed test', () => {
    expect(errorLine('Exit code 1\n[lint] ERROR task failed\n\nlib/a.go:24:12: Error return value is not checked\n')).toBe(
      '[lint] ERROR task failed | lib/a.go:24:12: Error return value is not checked',
    );
    expect(errorLine('=== RUN   TestSum\n    sum_test.go:9: got 3, want 4\n--- FAIL: TestSum (0.00s)\nFAIL\n')).toBe(
      'sum_test.go:9: got 3, want 4 | --- FAIL: TestSum (0.00s)',
    );
  });

  test('brings the next line when it ends in a colon', () => {
    expect(errorLine('InputError: the call failed because of this:\nAn unexpected parameter `path` was given')).toBe(
      'InputError: the call failed because of this: | An unexpected parameter `path` was given',
    );
  });

  test('is cut between characters when it is long', () => {
    const line = errorLine(`Error: ${'😀'.repeat(400)}`);
    expect(line.length).toBeLessThanOrEqual(180);
    expect(line.isWellFormed()).toBe(true);
  });
});

describe('a result failed', () => {
  test('when it says so itself', () => expect(isFailure('fine', { isError: true, command: undefined })).toBe(true));

  for (const status of [
    'Exit code 1',
    'exit status 2',
    'Process exited with code 137',
    '[exit code: 1]',
    'Command failed with exit code 1',
    '退出码：3',
  ]) {
    test(`when a command reports "${status}"`, () => expect(isFailure(`out\n${status}`, { isError: false, command: 'make' })).toBe(true));
  }

  test('not when the status is 0, when it stands in the middle of a text, or when it is a file', () => {
    expect(isFailure('out\nexit code: 0', { isError: false, command: 'make' })).toBe(false);
    expect(isFailure(`a\nb\nexit status 1\n${'c\n'.repeat(9)}`, { isError: false, command: 'make' })).toBe(false);
    expect(isFailure('exit status 1', { isError: false, command: undefined })).toBe(false);
  });

  test('when a pipe hides the status and the last lines say it', () => {
    expect(
      isFailure('ok a\n--- FAIL: TestSum (0.01s)\nFAIL\tapp\t0.2s', { isError: false, command: 'go test ./... 2>&1 | tail -20' }),
    ).toBe(true);
    expect(isFailure(' Tests  2 failed | 10 passed (12)', { isError: false, command: 'npx vitest run | tail -3' })).toBe(true);
    expect(isFailure(' Tests  0 failed | 12 passed (12)', { isError: false, command: 'npx vitest run | tail -3' })).toBe(false);
    expect(isFailure('error: is only what it prints', { isError: false, command: 'node print.js' })).toBe(false);
  });
});

test('a command recorded without a status has failed when it printed a traceback, and not when it says that it has not', () => {
  const printed = 'starting\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: bad port';
  const asked = { isError: false, command: 'python a.py' };
  expect(isFailure(printed, asked)).toBe(true);
  expect(isFailure(`exit 0\n${printed}`, asked)).toBe(false);
  expect(isFailure(printed, { isError: false, command: undefined })).toBe(false);
});

test('a script that was printed before the error is not the error', () => {
  expect(errorLine('#!/bin/sh\nset -e\necho "error: not this"\nmake all\nlint-staged said no')).toBe('lint-staged said no');
  expect(errorLine('#!/bin/sh\n# fails: never\nexit 1\nhusky: hook stopped, error: 3 files are not formatted')).toContain(
    '3 files are not formatted',
  );
  expect(errorLine('said no\nand no more')).toBe('said no');
});

test('is not a line of the code that an edit did not find', () => {
  const refused =
    'Found 3 matches of the text, but replace_all is false.\nString: \tt.Fatalf("mooring failed: %v", err)\n\tt.Errorf("rope failed")';
  expect(errorLine(refused)).toBe('Found 3 matches of the text, but replace_all is false.');
});
