import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { choosing, codeOf, editorWith } from '../../../../support/acp.ts';
import { callsMcp, playedServer } from '../../../../support/mcp.ts';
import { createSandbox } from '../../../../support/sanbot.ts';
import { callsTool, replies } from '../../../../support/scenario.ts';

const set = methods.agent.session.setConfigOption;

test('permission modes are modes and an option, and hold from the next call on', async () => {
  const { open, agent, updates, asked, world } = await editorWith([
    callsTool('write_file', { path: 'a.txt', content: 'x' }),
    replies('No.'),
  ]);
  const { sessionId, answer, prompt } = await open();
  expect(answer.modes?.currentModeId).toBe('ask');
  expect(answer.modes?.availableModes.map(({ id }) => id)).toEqual(['ask', 'accept-edits', 'plan', 'read-only']);
  await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'read-only' });
  expect(updates).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'read-only' });
  await prompt('write it');
  expect([asked, existsSync(join(world.cwd, 'a.txt'))]).toEqual([[], false]);
  const { configOptions } = await agent.request(set, { sessionId, configId: 'mode', value: 'accept-edits' });
  expect(configOptions.find(({ id }) => id === 'mode')).toMatchObject({ currentValue: 'accept-edits', category: 'mode' });
  for (const modeId of ['bypass', 'none'])
    expect(await codeOf(agent.request(methods.agent.session.setMode, { sessionId, modeId }))).toBe(-32_602);
});

test('model, effort and group can be chosen; a group only until something was said', async () => {
  const world = createSandbox();
  mkdirSync(join(world.home, 'groups', 'work'), { recursive: true });
  const { open, agent, fake } = await editorWith([replies('Yes.'), replies('Yes.')], { world });
  const { sessionId, answer, prompt } = await open();
  const choose = (configId: string, value: string) => agent.request(set, { sessionId, configId, value });
  expect(answer.configOptions?.map(({ id, category }) => `${id} ${category}`)).toEqual([
    ...['mode mode', 'model model', 'effort thought_level', 'group _group'],
  ]);
  await choose('group', 'work');
  await choose('effort', 'high');
  await prompt('hello');
  expect(world.records(`sessions/${sessionId}/log.jsonl`)[0]).toMatchObject({ sessionId, group: 'work' });
  expect(JSON.stringify(fake.requests[0]?.body)).toContain('"effort":"high"');
  await choose('model', 'claude-opus-5-5');
  await prompt('and now?');
  expect(fake.requests[1]?.body).toMatchObject({ model: 'claude-opus-5-5' });
  for (const [id = '', value = ''] of [
    ['group', 'main'],
    ['effort', 'some'],
    ['none', 'x'],
  ] as const)
    expect(await codeOf(choose(id, value))).toBe(-32_602);
});

test('a server of the editor is called without a second yes to its tools, and stands nowhere on disk', async () => {
  const { open, world, fake } = await editorWith([callsMcp('mcp__given__echo', { text: 'over the wire' }), replies('Done.')], {
    answer: choosing('allow_once'),
  });
  const { command, args } = playedServer();
  const { prompt } = await open([{ name: 'given', command, args, env: [{ name: 'SECRET_OF_EDITOR', value: 'a-secret-value' }] }]);
  await prompt('call it');
  expect(JSON.stringify(fake.requests[1]?.request.messages)).toContain('over the wire');
  const files = readdirSync(world.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  expect(texts.filter((text) => text.includes('SECRET_OF_EDITOR') || text.includes('a-secret-value'))).toEqual([]);
  expect(world.names('mcp')).toEqual([]);
});
