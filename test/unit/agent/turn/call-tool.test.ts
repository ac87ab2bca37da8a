import { expect, test } from 'vitest';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { archivePage } from '../../../../src/context/history/archive-page.ts';
import { renderTranscript } from '../../../../src/context/history/transcript.ts';
import { toolCalls } from '../../../../src/context/ledger/tool-calls.ts';
import { searchableTexts } from '../../../../src/context/search/search-snippet.ts';
import { configSchema } from '../../../../src/domain/config/config.ts';
import type { PermissionRequest } from '../../../../src/domain/permission.ts';
import { calledTool } from '../../../../src/domain/session/called-tool.ts';
import { isToolUse } from '../../../../src/domain/session/message.ts';
import {
  type AgentWish,
  type AgentWorld,
  callsTools,
  createAgentWorld,
  replies,
  type ToolWithSpec,
  tool,
} from '../../../support/agent-world.ts';

const NAME = 'mcp__desk__say';
const INPUT = { text: 'good morning' };
const GOES_THROUGH = { name: 'call_tool', input: { name: NAME, arguments: INPUT } };

/** The tool that others are called through; it has one of them. */
function callTool(run: (input: unknown) => string, access: 'read' | 'run' = 'run'): ToolWithSpec {
  const called = tool(NAME, run, { access });
  return { ...tool('call_tool', () => 'never run by its own name'), find: (name) => (name === NAME ? called : undefined) };
}

async function turnWith(wish: AgentWish, { result = 'said', calls = 1 } = {}): Promise<AgentWorld> {
  const world = createAgentWorld({
    ask: (_, n) => (n > calls ? replies('done') : callsTools({ id: `t${n}`, ...GOES_THROUGH })),
    tools: [callTool((input) => (JSON.stringify(input) === JSON.stringify(INPUT) ? result : `wrong input ${JSON.stringify(input)}`))],
    ...wish,
  });
  await runTurn('go', world.session, world.deps, { tools: world.tools, maxSteps: 50, signal: new AbortController().signal }).catch(
    () => undefined,
  );
  return world;
}

const permissions = (rules: object) => ({ current: () => configSchema.parse({ permissions: rules }).permissions, keep: () => undefined });
const resultOf = ({ session }: AgentWorld): string => JSON.stringify(session.context.messages.find(({ origin }) => origin === 'tools'));

test('the tool that is named runs with its own input, and the stored call stays as the model wrote it', async () => {
  const world = await turnWith({});
  expect(resultOf(world)).toContain('"content":"said"');
  const stored = world.session.context.messages.flatMap(({ content }) => content).find(isToolUse);
  expect(stored).toMatchObject(GOES_THROUGH);
});

test('arguments that a model wrote as a text are read', () => {
  const input = { name: NAME, arguments: JSON.stringify(INPUT) };
  expect(calledTool({ type: 'tool_use', id: 't1', name: 'call_tool', input })).toMatchObject({ name: NAME, input: INPUT });
});

test.each([
  ['another tool', { name: 'run_command', arguments: { command: 'ls' } }],
  ['no name', { arguments: {} }],
  ['a name that is no text', { name: 7 }],
  ['no object', 'mcp__desk__say'],
])('%s cannot be called through it', (_, input) => {
  expect(calledTool({ type: 'tool_use', id: 't1', name: 'call_tool', input })).toMatchObject({ name: 'call_tool', input });
});

test('a deny rule sees the name of the tool', async () => {
  const world = await turnWith({ deps: { person: { permissions: permissions({ deny: [{ tool: 'mcp__desk__*' }] }) } } });
  expect(resultOf(world)).toContain('a deny rule of the user covers it');
});

test('an allow rule sees the name of the tool', async () => {
  const world = await turnWith({ mode: 'ask', deps: { person: { permissions: permissions({ allow: [{ tool: NAME }] }) } } });
  expect(resultOf(world)).toContain('"content":"said"');
  const other = await turnWith({ mode: 'ask', deps: { person: { permissions: permissions({ allow: [{ tool: 'call_tool' }] }) } } });
  expect(resultOf(other)).toContain('the user said no');
});

test('a person is asked about the tool and its input', async () => {
  const asked: PermissionRequest[] = [];
  const askPermission = async (request: PermissionRequest) => {
    asked.push(request);
    return 'once' as const;
  };
  await turnWith({ mode: 'ask', deps: { person: { askPermission } } });
  expect(asked).toMatchObject([{ tool: NAME, title: NAME, preview: JSON.stringify(INPUT) }]);
});

test('the globs of offloading see the name of the tool', async () => {
  const long = { result: 'x'.repeat(50_000) };
  const allowed = await turnWith({ config: { offload: { allow: ['mcp__desk__*'] } } }, long);
  expect(allowed.events).toContainEqual(expect.objectContaining({ type: 'offloaded', results: [expect.objectContaining({ tool: NAME })] }));
  const denied = await turnWith({ config: { offload: { deny: ['mcp__desk__*'] } } }, long);
  expect(denied.events.some(({ type }) => type === 'offloaded')).toBe(false);
});

test('secrets in its result are masked', async () => {
  const key = `sk-ant-api03-${'Ab1'.repeat(30)}`;
  expect(resultOf(await turnWith({}, { result: `the key is ${key}` }))).not.toContain(key);
});

test('the events for screen and audit log carry its name', async () => {
  const { events } = await turnWith({});
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool_started', tool: NAME }));
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool_ended', tool: NAME, ok: true }));
  expect(JSON.stringify(events)).not.toContain('call_tool');
});

test('the loop detector names it', async () => {
  const world = createAgentWorld({
    ask: (_, n) => callsTools({ id: `t${n}`, ...GOES_THROUGH }),
    tools: [callTool(() => 'same')],
  });
  const turn = runTurn('go', world.session, world.deps, { tools: world.tools, maxSteps: 50, signal: new AbortController().signal });
  await expect(turn).rejects.toThrow(NAME);
});

test('the ledger, the archive, a transcript and the search see the tool and its input', async () => {
  const { session } = await turnWith({});
  const { messages } = session.context;
  const bodyOf = () => undefined;
  expect(toolCalls(messages, bodyOf)).toMatchObject([{ tool: NAME, input: INPUT }]);
  const pages = [
    archivePage({ messages, title: 't', at: '2026-01-02T03:04:05.000Z', sessionId: 's1', bodyOf }),
    renderTranscript(messages, { bodyOf }).join('\n'),
    [...searchableTexts(messages)].join('\n'),
  ];
  for (const page of pages) {
    expect(page).toContain(NAME);
    expect(page).toContain('good morning');
    expect(page).not.toContain('call_tool');
  }
});
