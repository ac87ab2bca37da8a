import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { codeOf, editorWith, startAcp } from '../../../../support/acp.ts';
import { createSandbox } from '../../../../support/sanbot.ts';
import { callsTool, replies } from '../../../../support/scenario.ts';

const edit = callsTool('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }, 'call_1', { thinking: 'Easy.' });

describe('initialize', () => {
  test('says what the agent can do, in its own version whatever is asked for', async () => {
    const { agent } = await startAcp({ later: true });
    const answer = await agent.request(methods.agent.initialize, { protocolVersion: 99 });
    expect(answer).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'sanbot' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
      },
      authMethods: [],
    });
  });

  test('offers setup where no model is set: in a terminal of the editor where it has one', async () => {
    const { agent, world } = await startAcp({ env: {}, later: true });
    const plain = await agent.request(methods.agent.initialize, { protocolVersion: 1 });
    expect(plain.authMethods).toMatchObject([{ id: 'setup' }]);
    expect(plain.authMethods?.[0]).not.toHaveProperty('type');
    const able = await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: { auth: { terminal: true } } });
    expect(able.authMethods).toMatchObject([{ id: 'setup', type: 'terminal', args: ['--setup'] }]);
    expect(await codeOf(agent.request(methods.agent.authenticate, { methodId: 'setup' }))).toBe(-32_000);
    expect(await codeOf(agent.request(methods.agent.authenticate, { methodId: 'other' }))).toBe(-32_602);
    expect(await codeOf(agent.request(methods.agent.session.new, { cwd: world.cwd, mcpServers: [] }))).toBe(-32_000);
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ model: { provider: 'offline' } }));
    expect(await codeOf(agent.request(methods.agent.authenticate, { methodId: 'setup' }))).toBe('no failure');
    expect(await codeOf(agent.request(methods.agent.session.new, { cwd: world.cwd, mcpServers: [] }))).toBe('no failure');
  });
});

test('a folder that is none, a session that is none and an unknown page are refused', async () => {
  const { agent, world } = await startAcp();
  const place = { mcpServers: [], cwd: world.cwd };
  const { session } = methods.agent;
  expect(await codeOf(agent.request(session.new, { ...place, cwd: 'here' }))).toBe(-32_602);
  expect(await codeOf(agent.request(session.new, { ...place, cwd: join(world.cwd, 'none') }))).toBe(-32_602);
  expect(await codeOf(agent.request(session.new, { ...place, additionalDirectories: ['side'] }))).toBe(-32_602);
  expect(await codeOf(agent.request(session.new, { ...place, additionalDirectories: [join(world.cwd, 'none')] }))).toBe(-32_602);
  expect(await codeOf(agent.request(session.new, { ...place, additionalDirectories: ['/proc'] }))).toBe(-32_602);
  expect(await codeOf(agent.request(session.new, { mcpServers: [], cwd: null as unknown as string }))).toBe(-32_602);
  expect(await codeOf(agent.request(session.load, { ...place, sessionId: 'none' }))).toBe(-32_002);
  expect(await codeOf(agent.request(session.resume, { ...place, sessionId: 'none' }))).toBe(-32_002);
  expect(await codeOf(agent.request(session.prompt, { sessionId: 'none', prompt: [] }))).toBe(-32_002);
  expect(await codeOf(agent.request('session/prompt', { sessionId: 5, prompt: [] } as unknown))).toBe(-32_602);
  expect(await codeOf(agent.request(session.setMode, { sessionId: 'none', modeId: 'ask' }))).toBe(-32_002);
  expect(await codeOf(agent.request(session.list, { cursor: 'none' }))).toBe(-32_602);
  expect(await codeOf(agent.request('session/none', {}))).toBe(-32_601);
});

test('a session that another editor has open is not opened a second time, and that is said', async () => {
  const world = createSandbox();
  const first = await editorWith([replies('Yes.')], { world });
  const { sessionId, prompt } = await first.open();
  await prompt('hello');
  const second = await editorWith([], { world });
  await expect(second.load(sessionId)).rejects.toMatchObject({
    data: { code: 'session_locked' },
    message: expect.stringContaining(sessionId),
  });
  await first.leave();
  await second.load(sessionId);
  expect(second.text('agent_message_chunk')).toBe('Yes.');
});

test('an editor that goes in the middle of a question ends the turn, and the session goes on in the next', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, 'a.txt'), 'one\n');
  let asking = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asking = resolve;
  });
  const first = await editorWith([edit], {
    world,
    answer: () => {
      asking();
      return new Promise(() => undefined);
    },
  });
  const { sessionId, prompt } = await first.open();
  void prompt('change it').catch(() => undefined);
  await isAsked;
  expect(await first.leave()).toBe(0);
  expect(readFileSync(join(world.cwd, 'a.txt'), 'utf8')).toBe('one\n');
  const second = await editorWith([replies('Not changed yet.')], { world });
  const loaded = await second.load(sessionId);
  expect(second.text('user_message_chunk')).toBe('change it');
  expect(await loaded.prompt('and now?')).toEqual({ stopReason: 'end_turn' });
});

test('two sessions in two folders work side by side', async () => {
  const { agent, world, updates } = await startAcp();
  const other = createSandbox().cwd;
  writeFileSync(join(world.cwd, 'here.txt'), 'here');
  writeFileSync(join(other, 'there.txt'), 'there');
  const ids = await Promise.all(
    [world.cwd, other].map(async (cwd) => (await agent.request(methods.agent.session.new, { cwd, mcpServers: [] })).sessionId),
  );
  const say = (sessionId: string, text: string) =>
    agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
  const [first = '', second = ''] = ids;
  await Promise.all([say(first, 'read here.txt'), say(second, 'read there.txt')]);
  const places = updates.flatMap((update) => (update.sessionUpdate === 'tool_call' ? (update.locations ?? []) : []));
  expect(places.map(({ path }) => path).toSorted()).toEqual([join(other, 'there.txt'), join(world.cwd, 'here.txt')].toSorted());
});
