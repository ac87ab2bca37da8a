import { expect, test } from 'vitest';
import { factsLine } from '../../../../../src/tools/command/output/command-outcome.ts';

const factsOf = (text: string, code: number, isHeld = true): string => {
  const output = { text, bytes: text.length, omittedBytes: 0, replaced: false };
  return factsLine({ end: { kind: 'exited', code }, output, background: false }, { missing: [], isHeld, isFull: false, states: 0 }).en;
};

test('a refusal to write brings the line on the sandbox, also where the command went on and ended well', () => {
  const refusals = [
    "mkdir: cannot create directory '.vscode': Read-only file system",
    'error: unable to create file .github/workflows/ci.yml: Read-only file system\nSwitched to branch x',
    "Error: EROFS: read-only file system, open '/usr/x'",
    'error: could not write config file .git/config: Device or resource busy\nDeleted branch x (was c2c0c38).',
    "Error: EBUSY: resource busy or locked, rename 'a' -> '.mcp.json'",
  ];
  for (const text of refusals)
    for (const code of [0, 1])
      expect(factsOf(text, code)).toMatch(/^\n\[it ran in the sandbox: .*needs says what a call needs beyond that\]$/);
});

test('outside of the sandbox it does not, nor does what only a failure makes a trace of it', () => {
  expect(factsOf('touch: x: Read-only file system', 1, false)).toBe('');
  expect(factsOf('Operation not permitted', 1)).toContain('it ran in the sandbox');
  for (const text of ['Operation not permitted', 'could not resolve host', 'all good']) expect(factsOf(text, 0)).toBe('');
});
