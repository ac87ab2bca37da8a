import { expect, test } from 'vitest';
import { modeNotice } from '../../../../src/context/history/notices.ts';
import type { PermissionMode } from '../../../../src/domain/permission.ts';
import { calledTool } from '../../../../src/domain/session/called-tool.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';

/** What a conversation is told that goes through these modes. */
function told(modes: readonly PermissionMode[], tools: readonly string[] = []): readonly string[] {
  const messages: Message[] = [];
  const specs = tools.map((name) => ({ name, description: '', inputSchema: {} }));
  for (const mode of modes) {
    const notice = modeNotice(mode, { messages, tools: specs });
    if (notice !== undefined) messages.push({ id: `${messages.length}`, at: '', role: 'user', origin: 'notice', ...notice });
  }
  return messages.map(({ content }) => textOf(content));
}

test('only plan mode is told, once, and once that it is over', () => {
  expect(told(['ask', 'accept-edits', 'bypass', 'read-only'])).toEqual([]);
  expect(told(['ask', 'plan', 'plan', 'accept-edits', 'ask'])).toEqual([
    expect.stringMatching(/^Plan mode is on\..*write_file with the path sanbot:plan/),
    'Plan mode is over. The permission mode is accept-edits now.',
  ]);
  expect(told(['plan', 'ask', 'plan'])).toHaveLength(3);
});

test('where tools are called through another, so is that of the plan', () => {
  expect(told(['plan'], ['write_file', 'call_tool'])[0]).toContain('call_tool with the name present_plan');
});

test.each([
  ['call_tool', { name: 'present_plan', arguments: { plan: '1. go' } }],
  ['call_tool', { name: 'present_plan', arguments: '{"plan":"1. go"}' }],
  ['write_file', { path: 'sanbot:plan', content: '1. go' }],
])('both ways lead to the same tool: %s %j', (name, input) => {
  expect(calledTool({ type: 'tool_use', id: 'c', name, input })).toMatchObject({ name: 'present_plan', input: { plan: '1. go' } });
  expect(calledTool({ type: 'tool_use', id: 'c', name: 'write_file', input: { path: 'plan.md', content: 'x' } }).name).toBe('write_file');
});
