import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { editorWith } from '../../../support/acp.ts';
import { afterThisTest } from '../../../support/clean-up.ts';
import { createSandbox } from '../../../support/sanbot.ts';
import { callsTool, replies } from '../../../support/scenario.ts';
import { visibleFolder } from '../../../support/visible-folder.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const edit = callsTool('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }, 'call_1', { thinking: 'Easy.' });

test('a prompt streams what is thought and said, and shows a call with its kind, place, input and difference', async () => {
  const { world, open, updates, text } = await editorWith([edit, replies('Done.')]);
  const path = join(world.cwd, 'a.txt');
  writeFileSync(path, 'one\n');
  const { prompt } = await open();
  expect(await prompt('change it')).toEqual({ stopReason: 'end_turn' });
  expect(readFileSync(path, 'utf8')).toBe('two\n');
  expect([text('agent_thought_chunk'), text('agent_message_chunk')]).toEqual(['Easy.', 'Done.']);
  const calls = updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'));
  expect(calls).toEqual([
    {
      ...{ sessionUpdate: 'tool_call', toolCallId: 'call_1', name: 'edit_file', title: 'Edit a.txt', kind: 'edit', status: 'pending' },
      ...{ locations: [{ path }], rawInput: { path: 'a.txt', old_string: 'one', new_string: 'two' } },
    },
    { sessionUpdate: 'tool_call_update', toolCallId: 'call_1', status: 'in_progress', title: 'Edit a.txt' },
    {
      ...{ sessionUpdate: 'tool_call_update', toolCallId: 'call_1', status: 'completed' },
      content: [{ type: 'diff', path, oldText: 'one\n', newText: 'two\n' }],
    },
  ]);
  expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'session_info_update', title: 'change it' }));
  expect(updates.findLast(({ sessionUpdate }) => sessionUpdate === 'usage_update')).toMatchObject({
    size: 1_000_000,
    cost: { currency: 'USD' },
  });
});

test('folders that an editor adds are read and written like the first, in that session alone', async () => {
  const added = mkdtempSync(join(visibleFolder ?? '/tmp', 'sanbot-added-'));
  afterThisTest(() => rmSync(added, { recursive: true, force: true }));
  const path = join(added, 'a.txt');
  writeFileSync(path, 'one\n');
  const call = (id: string) => callsTool('edit_file', { path, old_string: 'one', new_string: 'two' }, id);
  const { agent, open, asked } = await editorWith([call('call_1'), replies('Done.'), call('call_2'), replies('Not there.')]);
  const told = await agent.request(methods.agent.initialize, { protocolVersion: 1 });
  expect(told.agentCapabilities?.sessionCapabilities).toMatchObject({ additionalDirectories: {} });
  const wide = await open([], [added]);
  await agent.request(methods.agent.session.setMode, { sessionId: wide.sessionId, modeId: 'accept-edits' });
  await wide.prompt('change it');
  expect([readFileSync(path, 'utf8'), asked]).toEqual(['two\n', []]);
  const narrow = await open();
  await agent.request(methods.agent.session.setMode, { sessionId: narrow.sessionId, modeId: 'accept-edits' });
  await narrow.prompt('change it again');
  expect(asked).toHaveLength(1);
});

test('a cancelled prompt is a no to what is asked meanwhile', async () => {
  let asking = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asking = resolve;
  });
  const { world, open } = await editorWith([edit], {
    answer: () => {
      asking();
      return new Promise(() => undefined);
    },
  });
  writeFileSync(join(world.cwd, 'a.txt'), 'one\n');
  const { prompt, cancel } = await open();
  const answer = prompt('change it');
  await isAsked;
  await cancel();
  expect(await answer).toEqual({ stopReason: 'cancelled' });
  expect(readFileSync(join(world.cwd, 'a.txt'), 'utf8')).toBe('one\n');
});

test('a session goes on in a second process, played back whole, and is listed, closed and deleted there', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, 'a.txt'), 'one\n');
  const first = await editorWith([edit, replies('Done.')], { world });
  const { sessionId, prompt } = await first.open();
  await prompt([
    { type: 'text', text: 'change it' },
    { type: 'image', data: png, mimeType: 'image/png' },
  ]);
  expect(await first.leave()).toBe(0);

  const second = await editorWith([replies('On it.')], { world });
  const listed = await second.agent.request(methods.agent.session.list, { cwd: world.cwd });
  expect(listed.sessions).toMatchObject([{ sessionId, cwd: world.cwd, title: expect.stringContaining('change it') }]);
  expect((await second.agent.request(methods.agent.session.list, { cwd: '/elsewhere' })).sessions).toEqual([]);
  const loaded = await second.load(sessionId);
  const kinds = second.updates.map(({ sessionUpdate }) => sessionUpdate);
  expect(kinds.slice(0, 6)).toEqual([
    ...['user_message_chunk', 'user_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'agent_message_chunk'],
  ]);
  expect(second.text('user_message_chunk')).toContain('change it');
  expect(JSON.stringify(second.updates)).toContain(png);
  expect(second.updates[4]).toMatchObject({ status: 'completed', content: [{ type: 'diff', oldText: 'one', newText: 'two' }] });
  expect(await loaded.prompt('go on')).toEqual({ stopReason: 'end_turn' });

  await second.agent.request(methods.agent.session.close, { sessionId });
  await expect(loaded.prompt('hello?')).rejects.toMatchObject({ code: -32_002 });
  const before = second.updates.length;
  await second.resume(sessionId);
  expect(second.updates.slice(before).map(({ sessionUpdate }) => sessionUpdate)).not.toContain('user_message_chunk');
  await second.agent.request(methods.agent.session.delete, { sessionId });
  expect((await second.agent.request(methods.agent.session.list, {})).sessions).toEqual([]);
  expect(world.names('sessions')).not.toContain(sessionId);
});

test('an editor is told which models the endpoint has, once nothing runs', async () => {
  const models = { 'claude-of-tomorrow': { max_input_tokens: 500_000, max_tokens: 32_000 } };
  const { open, comes } = await editorWith([replies('Yes.')], { models });
  const { prompt } = await open();
  await prompt('hello');
  const told = await comes(({ sessionUpdate }) => sessionUpdate === 'config_option_update');
  expect(JSON.stringify(told)).toContain('claude-of-tomorrow');
});
