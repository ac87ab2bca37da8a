import { expect, test } from 'vitest';
import { commandsIn, hookSchema, matches } from '../../../../src/domain/hook/hook.ts';
import { ownInput, sdkInput } from '../../../../src/domain/hook/sdk-tools.ts';

test.each([
  [undefined, true],
  ['', true],
  ['*', true],
  ['Bash', true],
  ['run_command', true],
  ['Edit|Bash', true],
  ['Edit | Bash', true],
  ['bash', false],
  ['Bas', false],
  ['Edit|Write', false],
  ['^run_.*', true],
  ['.*', true],
  ['mcp__.*', false],
])('the matcher %j is for a call of Bash, ours run_command: %s', (matcher, isFor) => {
  expect(matches(matcher, ['Bash', 'run_command'])).toBe(isFor);
});

test('a matcher that backtracks for ever elsewhere takes no time, and one with a reference back is refused', () => {
  expect(matches('(\\w+)+$', ['mcp__memory__store_'.repeat(3), `${'a'.repeat(60)}!`])).toBe(true);
  expect(matches('^(\\w+)+$', [`${'a'.repeat(60)}!`])).toBe(false);
  expect(hookSchema.safeParse({ matcher: '(a)\\1', hooks: [] }).success).toBe(false);
  expect(matches('Nothing.', ['a'.repeat(2_000)])).toBe(true);
});

test('a name that is part of another does not match it', () => {
  expect(matches('Edit', ['MultiEdit'])).toBe(false);
  expect(matches('mcp__memory', ['mcp__memory__store'])).toBe(false);
  expect(matches('mcp__memory__.*', ['mcp__memory__store'])).toBe(true);
});

test('commands of every form are read in order, with seconds where the form has seconds', () => {
  const settings = [
    'a',
    { command: 'b', timeoutMs: 5 },
    {
      matcher: 'Bash',
      hooks: [
        { type: 'command', command: 'c', timeout: 2.5 },
        { type: 'command', command: 'd' },
      ],
    },
  ];
  const commands = commandsIn(
    settings.map((setting) => hookSchema.parse(setting)),
    'PreToolUse',
  );
  expect(commands.map(({ command, timeoutMs, matcher }) => [command, timeoutMs, matcher])).toEqual([
    ['a', 60_000, undefined],
    ['b', 5, undefined],
    ['c', 2_500, 'Bash'],
    ['d', 60_000, 'Bash'],
  ]);
});

test.each([
  [{ matcher: '(', hooks: [] }],
  [{ hooks: [{ type: 'prompt', prompt: 'x' }] }],
  [{ hooks: [{ type: 'command', command: 'x', timeout: 601 }] }],
  [{ hooks: [{ type: 'command', command: 'x', async: true }] }],
  [{ command: '' }],
])('%j is refused, and not half obeyed', (setting) => {
  expect(hookSchema.safeParse(setting).success).toBe(false);
});

test('a call is told with the fields of both, and what a hook changed comes back in ours', () => {
  const call = { tool: 'edit_file', input: { path: 'src/a.ts', old_string: 'x', new_string: 'y' } };
  expect(sdkInput(call, '/w')).toEqual({ ...call.input, file_path: '/w/src/a.ts' });
  const told = sdkInput(call, '/w');
  expect(ownInput(told, call, '/w')).toEqual(call.input);
  expect(ownInput({ ...told, file_path: '/w/b.ts' }, call, '/w')).toEqual({ ...call.input, path: '/w/b.ts' });
  expect(ownInput({ ...told, path: 'b.ts' }, call, '/w')).toEqual({ ...call.input, path: 'b.ts' });
  const only = { file_path: '/w/src/a.ts', old_string: 'x', new_string: 'z' };
  expect(ownInput(only, call, '/w')).toEqual({ path: 'src/a.ts', old_string: 'x', new_string: 'z' });
  expect(ownInput({ command: 'ls', timeout: 5 }, { tool: 'run_command', input: { command: 'rm' } }, '/w')).toEqual({
    command: 'ls',
    timeout_ms: 5,
  });
  expect(ownInput({ a: 1 }, { tool: 'mcp__x__y', input: { b: 2 } }, '/w')).toEqual({ a: 1 });
});
