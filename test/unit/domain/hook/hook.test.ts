import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandsIn, hookSchema, matches } from '../../../../src/domain/hook/hook.ts';
import { ownInput, sdkInput } from '../../../../src/domain/hook/sdk-tools.ts';
import { bestMs } from '../../../support/linear.ts';

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
])('the matcher %j is for a call of Bash, ours run_command: %s', async (matcher, isFor) => {
  expect(await matches(matcher, ['Bash', 'run_command'])).toBe(isFor);
});

test('a matcher that backtracks for ever elsewhere takes no time', async () => {
  expect(await matches('(\\w+)+$', ['mcp__memory__store_'.repeat(3), `${'a'.repeat(60)}!`])).toBe(true);
  expect(await matches('^(\\w+)+$', [`${'a'.repeat(60)}!`])).toBe(false);
  expect(await matches('Nothing.', ['a'.repeat(2_000)])).toBe(true);
});

// Each of them backtracks for longer than a life in JavaScript's own engine.
test.each(['(a+)+$', '(a|a)*$', '(a|aa)+$', '(.*)*x', `${'.*'.repeat(100)}x`, '(?:(?:a*)*)*$'])(
  '%s is compared before anybody notices',
  async (matcher) => {
    expect(isTaken(matcher)).toBe(true);
    expect(await bestMs(() => matches(matcher, [`${'a'.repeat(64)}!`]), 1_000)).toBeLessThan(1_000);
  },
);

const isTaken = (matcher: string): boolean => hookSchema.safeParse({ command: 'x', matcher }).success;

test.each(['(', '[', '*a', '(a)\\1', '(?<n>a)\\k<n>', '(?<=a)b', '(?<!a)b', '^(?!Bash)', '(?=a)b', '\\cA', '[]', '[^]', '\\_', '\\0'])(
  'the matcher %s is refused in a line that says why',
  (matcher) => {
    const { error } = hookSchema.safeParse({ command: 'x', matcher });
    expect(JSON.stringify(error)).toContain('that looks neither ahead nor behind and has no references back');
  },
);

test('what only looks like what is left out is taken', () => {
  expect(['\\(?=', '\\\\(a)', '\\[]', '[?=]', '\\\\1', '(?<n>a)'].map((matcher) => [matcher, isTaken(matcher)])).toEqual(
    ['\\(?=', '\\\\(a)', '\\[]', '[?=]', '\\\\1', '(?<n>a)'].map((matcher) => [matcher, true]),
  );
});

test('a name that is part of another does not match it', async () => {
  expect(await matches('Edit', ['MultiEdit'])).toBe(false);
  expect(await matches('mcp__memory', ['mcp__memory__store'])).toBe(false);
  expect(await matches('mcp__memory__.*', ['mcp__memory__store'])).toBe(true);
});

const atom = fc.constantFrom(
  ...['a', 'b', '.', '\\w', '\\d', '\\W', '\\.', '[ab]', '[^a_]', '\\x61', '\\u0062', '\\\\', '\\b', '\\B', '^', '$', ']', '-'],
);
const count = fc.constantFrom('', '*', '+', '?', '*?', '+?', '{2}', '{0,2}', '{1,}', '{0}');
const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string }>((tie) => ({
  item: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(atom, count).map(([text, times]) => (/^(?:\\[bB]|[\^$])$/.test(text) ? text : text + times)) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern'), count).map(([open, inner, times]) => `${open}${inner})${times}`),
    },
  ),
  sequence: fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join('')),
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
}));
const name = fc.string({ unit: fc.constantFrom('a', 'b', '1', '_', '-', '.', ']', ' ', '\\'), maxLength: 8 });

test('a regular expression means what JavaScript means by it', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(pattern, fc.array(name, { maxLength: 5 }), async (source, names) => {
      if (/^[\w |-]*$/.test(source) || !isTaken(source)) return;
      compared += 1;
      for (const each of names)
        expect([source, each, await matches(source, [each])]).toEqual([source, each, new RegExp(source).test(each)]);
    }),
    { numRuns: 1_000 },
  );
  expect(compared).toBeGreaterThan(700);
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
