import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../../../../src/domain/language.ts';
import { callName, nameOfCall } from '../../../../src/domain/session/call-name.ts';
import { calledTool } from '../../../../src/domain/session/called-tool.ts';

afterEach(() => setLanguage('en'));

test.each([
  ['run_command npm test', '$ npm test', '$ npm test'],
  ['run_command (background) npm run dev', '$ npm run dev (background)', '$ npm run dev（后台）'],
  ['job-1: run_command (background) sleep 9', 'job-1: $ sleep 9 (background)', 'job-1：$ sleep 9（后台）'],
  ['read_file src/a b.js', 'Read src/a b.js', '读取 src/a b.js'],
  ['edit_file src/文件.js (changed by a hook)', 'Edit src/文件.js (changed by a hook)', '修改 src/文件.js（已由钩子更改）'],
  ['h1: write_file a.js', 'h1: Write a.js', 'h1：写入 a.js'],
  ['search total in .', 'Search "total"', '搜索“total”'],
  ['search a in b in src', 'Search "a in b" in src', '在 src 中搜索“a in b”'],
  ['mcp__desk__echo {"text":"x"}', 'desk: echo {"text":"x"}', 'desk：echo {"text":"x"}'],
  ['mcp__desk__echo {}', 'desk: echo', 'desk：echo'],
  ['todo find the leak', 'Tasks', '任务列表'],
])('a call that is recorded as %j is named as a person would', (title, en, zh) => {
  expect(callName(title)).toBe(en);
  setLanguage('zh');
  expect(callName(title)).toBe(zh);
});

test.each([['!ls -la'], ['PostToolUse: npm run lint'], ['no_such_tool'], [''], ['search']])('%j is not lost', (title) => {
  expect(callName(title)).toBe(title === 'search' ? 'Search' : title);
});

test.each([
  ['run_command', { command: 'npm test\n  --watch', timeout_ms: 5 }, '$ npm test --watch'],
  ['edit_file', { path: 'src/cart.js', old_string: 'a', new_string: 'b' }, 'Edit src/cart.js'],
  ['search', { pattern: 'total', path: 'src' }, 'Search "total" in src'],
  ['search', { pattern: 'total' }, 'Search "total"'],
  ['list_files', 'no object', 'List'],
])('a call of %s with %j is named the same way', (name, input, text) => {
  expect(nameOfCall(name, input)).toBe(text);
});

test('a call that was written where its arguments belong is the call; other arguments of these names are arguments [W5]', () => {
  const call = (name: string, input: unknown) => calledTool({ type: 'tool_use', id: 'c', name, input });
  const whole = { name: 'run_command', arguments: { command: 'ls' } };
  expect(call('run_command', whole)).toMatchObject({ name: 'run_command', input: { command: 'ls' } });
  for (const input of [
    { ...whole, more: 1 },
    { ...whole, name: 'read_file' },
    { ...whole, arguments: 'ls' },
  ])
    expect(call('run_command', input)).toMatchObject({ input });
  expect(call('call_tool', { name: 'mcp__desk__echo', arguments: { text: 'x' } })).toMatchObject({ name: 'mcp__desk__echo' });
});
