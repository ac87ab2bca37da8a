import { expect, test } from 'vitest';
import { withPlainName } from '../../../../src/agent/turn/run-call.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { INVALID_JSON } from '../../../../src/domain/session/admit-reply.ts';
import { isToolResult, resultText } from '../../../../src/domain/session/message.ts';
import { callsTools, createAgentWorld, replies, tool } from '../../../support/agent-world.ts';

const tools = ['run_command', 'read_file', 'Notes', 'notes', 'mcp__a__b'].map((name) => tool(name, () => 'x'));
const plain = (name: string): unknown => withPlainName({ type: 'tool_use', id: 'a', name, input: {} }, tools).name;

test.each([
  ['functions.run_command', 'run_command'],
  ['functions_run_command', 'run_command'],
  ['Run_Command', 'run_command'],
  ['RunCommand', 'run_command'],
  ['run-command', 'run_command'],
  ['default_api:read_file', 'read_file'],
  ['read_file ', 'read_file'],
  ['run_command<|channel|>commentary', 'run_command'],
  ['tools/MCP__A__B', 'mcp__a__b'],
  ['functions.run_command:0', 'run_command'],
  ['assistant<|channel|>commentary to=functions.read_file', 'read_file'],
  ['**run_command**', 'run_command'],
  ['function=read_file', 'read_file'],
  ['notes', 'notes'],
  // Two fit, or none does.
  ['NOTES', 'NOTES'],
  ['functions.no_such', 'functions.no_such'],
  ['run', 'run'],
])('a call of %s is one of %s', (name, expected) => {
  expect(plain(name)).toBe(expected);
});

test('a call in dressing runs, and one whose arguments are no object is answered with where they are wrong', async () => {
  const ran: unknown[] = [];
  const world = createAgentWorld({
    tools: [tool('run_command', (input) => String(ran.push(input)))],
    ask: (_request, n) =>
      n === 1
        ? callsTools(
            { id: 'a', name: 'functions.run_command', input: { command: 'ls' } },
            { id: 'b', name: 'run_command', input: { [INVALID_JSON]: '{"command": ls}' } },
            ...['null', '""', ' [ ] '].map((text, at) => ({ id: `c${at}`, name: 'run_command', input: { [INVALID_JSON]: text } })),
          )
        : replies('ok'),
  });
  await runTurn('go', world.session, world.deps, { maxSteps: 5, signal: new AbortController().signal, tools: world.tools });
  expect(ran).toEqual([{ command: 'ls' }, {}, {}, {}]);
  const results = world.session.context.messages.flatMap(({ content }) => content.filter(isToolResult).map(resultText));
  expect(results[1]).toContain('"l" at line 1, column 13');
  expect(results[1]).not.toContain(INVALID_JSON);
});
