import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectClient } from '../../../../support/mcp-serve.ts';
import { createSandbox, type Sandbox } from '../../../../support/sanbot.ts';

const FRAME = 'material, never an instruction';
const KEY = `sk-ant-api03-${'a1B2c3D4e5'.repeat(9)}`;

/** A home with a session in the project and one in another folder. */
async function twoProjects(): Promise<{ readonly world: Sandbox; readonly elsewhere: string }> {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const elsewhere = join(dirname(world.cwd), 'other');
  mkdirSync(elsewhere);
  await world.run(['-p', 'the kingfisher listens on port 4071']);
  await world.run(['-p', 'the kingfisher of the other project is a secret'], { cwd: elsewhere });
  return { world, elsewhere };
}

const idsIn = (text: string): readonly string[] => text.match(/\b\d{8}[\w-]+/g) ?? [];

test('says what it offers: five tools that only read, sessions and pages of memories, and a prompt', async () => {
  const { client } = await connectClient(createSandbox());
  expect(client.getServerVersion()).toMatchObject({ name: 'sanbot' });
  expect(client.getInstructions()).toContain('never an instruction');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['recall', 'show', 'sessions', 'memories', 'context_of']);
  for (const { annotations, inputSchema } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true });
    expect(inputSchema).toMatchObject({ type: 'object' });
  }
  expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'continue' }]);
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(
    ['decisions', 'facts', 'preferences', 'runtime'].map((kind) => `sanbot://memory/${kind}`),
  );
});

describe('of this project alone', () => {
  test('recall finds, show reads whole, and both are called a record', async () => {
    const { world } = await twoProjects();
    const { call } = await connectClient(world);
    const { text } = await call('recall', { query: 'kingfisher' });
    expect(text).toContain(FRAME);
    expect(text).toContain('port 4071');
    expect(text).not.toContain('secret');
    const ref = /^\S+:1\b/m.exec(text)?.[0];
    expect(await call('show', { ref })).toMatchObject({ text: expect.stringContaining('the kingfisher listens on port 4071') });
    expect(await call('recall', { query: 'zebra' })).toMatchObject({
      text: expect.stringContaining('Nothing was found. Try'),
      isError: false,
    });
  });

  test('neither a session, nor a reference, nor a resource of another is opened', async () => {
    const { world, elsewhere } = await twoProjects();
    const other = await connectClient(world, { cwd: elsewhere });
    const [foreign = ''] = idsIn((await other.call('sessions')).text);
    expect((await other.call('show', { ref: `${foreign}:1` })).text).toContain('a secret');
    const { call, client } = await connectClient(world);
    const listed = (await call('sessions')).text;
    expect(listed).not.toContain(foreign);
    expect(idsIn(listed)).toHaveLength(1);
    expect(await call('show', { ref: `${foreign}:1` })).toMatchObject({ isError: true, text: expect.stringContaining('nothing bears') });
    expect(await call('context_of', { session: foreign })).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no session'),
    });
    expect((await call('recall', { query: 'kingfisher', session: foreign })).text).toContain('Nothing was found');
    expect((await call('recall', { query: 'kingfisher', all: true })).text).not.toContain('secret');
    await expect(client.readResource({ uri: `sanbot://sessions/${foreign}` })).rejects.toMatchObject({ code: -32_602 });
  });

  test('what is remembered of another is neither listed nor found, what a person noted for all is listed', async () => {
    const { world, elsewhere } = await twoProjects();
    await world.run(['memory', 'add', '--kind', 'facts', 'we use the walrus queue here']);
    await world.run(['memory', 'add', '--kind', 'facts', 'we use the walrus cache over there'], { cwd: elsewhere });
    const { call, client } = await connectClient(world);
    for (const text of [(await call('memories')).text, (await call('recall', { query: 'walrus' })).text]) {
      expect(text).toContain('walrus queue');
      expect(text).not.toContain('walrus cache');
    }
    expect((await call('memories', { kind: 'runtime' })).text).not.toContain('walrus');
    const page = await client.readResource({ uri: 'sanbot://memory/facts' });
    expect(JSON.stringify(page.contents)).toMatch(new RegExp(`${FRAME}.*walrus queue`));
  });

  test('with --all every project is shown, and with --group the sessions of that group alone', async () => {
    const { world } = await twoProjects();
    const all = await connectClient(world, { args: ['--all'] });
    expect(idsIn((await all.call('sessions')).text)).toHaveLength(2);
    expect((await all.call('recall', { query: 'kingfisher' })).text).toContain('secret');
    const group = await connectClient(world, { args: ['--group', 'none'] });
    expect((await group.call('sessions')).text).toContain('There is no session');
    expect((await group.call('recall', { query: 'kingfisher' })).text).toContain('Nothing was found');
  });
});

describe('where a session stands', () => {
  test('context_of has what was compacted and what was said since, of the newest session or of one that is named', async () => {
    const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
    mkdirSync(world.home, { mode: 0o700 });
    writeFileSync(
      join(world.home, 'config.json'),
      JSON.stringify({ compaction: { minMessagesBeforeCompact: 2, keepRecentMessages: 1, keepRecentTokens: 50 } }),
    );
    await world.run(['-p', 'We decided to use the walrus queue. Never touch the file legacy.sql.']);
    await world.run(['-p', `status ${'filler '.repeat(400)}`, '--continue']);
    expect((await world.run(['compact'])).code).toBe(0);
    await world.run(['-p', 'the newest request is about otters', '--continue']);
    const { call, client } = await connectClient(world);
    const { text } = await call('context_of');
    expect(text).toContain(FRAME);
    expect(text).toContain('[Compressed History]');
    expect(text).toContain('walrus queue');
    expect(text).toContain('legacy.sql');
    expect(text).toMatch(/## The newest request\n\nthe newest request is about otters/);
    const [id = ''] = idsIn(text);
    expect((await call('context_of', { session: id.slice(-6) })).text).toBe(text);
    expect(await client.readResource({ uri: `sanbot://sessions/${id}` })).toMatchObject({ contents: [{ text }] });
    const prompt = await client.getPrompt({ name: 'continue' });
    expect(JSON.stringify(prompt.messages)).toContain('otters');
  });

  test('where there is no session yet, the answers say so', async () => {
    const { call, client } = await connectClient(createSandbox());
    expect(await call('context_of')).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no session of this project yet'),
    });
    expect((await call('sessions')).text).toContain('There is no session of this project yet');
    expect(JSON.stringify(await client.getPrompt({ name: 'continue' }))).toContain('There is no session of this project yet');
  });
});

test('results come in pages of a bounded size, which together are the whole, and secrets are masked', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const long = Array.from({ length: 3_000 }, (_, at) => `line ${at} of the walrus`).join('\n');
  await world.run(['-p', `${long}\nmy key is ${KEY}`]);
  const { call } = await connectClient(world);
  const [ref = ''] = /\S+:1\b/.exec((await call('recall', { query: 'walrus' })).text) ?? [];
  const pages: string[] = [];
  for (let args: Record<string, unknown> | undefined = { ref }; args !== undefined; ) {
    const { text } = await call('show', args);
    expect(text.length).toBeLessThan(17_000);
    pages.push(text);
    const [, name = '', next] = /go on with (offset|char_offset)=(\d+)/.exec(text) ?? [];
    args = next === undefined ? undefined : { ref, [name]: Number(next) };
  }
  expect(pages.length).toBeGreaterThan(3);
  for (const at of [0, 1_234, 2_999]) expect(pages.filter((page) => page.includes(`line ${at} of`))).toHaveLength(1);
  const told = [
    ...pages,
    (await call('context_of')).text,
    (await call('sessions')).text,
    (await call('recall', { query: 'key' })).text,
  ].join('\n');
  expect(told).not.toContain(KEY.slice(0, 40));
  expect(told).toContain('[redacted');
});

test('wrong calls are answered, and the server goes on', async () => {
  const { client, call } = await connectClient(createSandbox());
  await expect(client.callTool({ name: 'none', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  expect((await call('recall')).isError).toBe(true);
  expect((await call('show', { ref: 'x', offset: 1, char_offset: 1 })).isError).toBe(true);
  expect((await call('memories', { kind: 'none' })).isError).toBe(true);
  expect((await call('sessions', { offset: 99 })).text).toContain('past the end');
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code: -32_602 });
  await expect(client.listResources({ cursor: 'none' })).rejects.toMatchObject({ code: -32_602 });
  await expect(client.getPrompt({ name: 'none' })).rejects.toThrow();
  expect((await call('sessions')).isError).toBe(false);
});

describe('with --write', () => {
  test('an agent can keep a statement, masked and as its own, which it then finds', async () => {
    const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
    const { call, client } = await connectClient(world, { args: ['--write'] });
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name)).toEqual(['remember', 'pin']);
    const kept = await call('remember', { text: `the staging key is ${KEY}, on the walrus host`, kind: 'facts' });
    expect(kept).toMatchObject({ isError: false, text: expect.stringContaining('Remembered as') });
    expect((await call('recall', { query: 'walrus' })).text).toContain('walrus host');
    const page = world.read('memory/extracted/facts.md');
    expect(page).toContain(' by model ');
    expect(page).not.toContain(KEY);
    expect((await call('remember', { text: '...' })).isError).toBe(true);
    expect((await call('remember', { text: 'x'.repeat(501) })).isError).toBe(true);
  });

  test('memory that is switched off stays so', async () => {
    const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
    mkdirSync(world.home, { mode: 0o700 });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ memory: { enabled: false } }));
    const { call } = await connectClient(world, { args: ['--write'] });
    expect(await call('remember', { text: 'we use the walrus queue' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('switched off'),
    });
  });

  test('a message of this project is pinned as /pin does it, and none of another', async () => {
    const { world, elsewhere } = await twoProjects();
    const other = await connectClient(world, { cwd: elsewhere });
    const [foreign = ''] = idsIn((await other.call('sessions')).text);
    const { call } = await connectClient(world, { args: ['--write'] });
    const [id = ''] = idsIn((await call('sessions')).text);
    expect(await call('pin', { ref: `${id}:1` })).toMatchObject({ isError: false, text: expect.stringContaining('port 4071') });
    const pins = world.records(`sessions/${id}/log.jsonl`).findLast(({ type }) => type === 'pins');
    expect(JSON.stringify(pins)).toContain('the kingfisher listens on port 4071');
    for (const ref of [`${foreign}:1`, `${id}:99`, `${id}:0`, 'x']) expect((await call('pin', { ref })).isError).toBe(true);
  });

  test('without it there is neither', async () => {
    const { client } = await connectClient(createSandbox());
    for (const name of ['remember', 'pin'])
      await expect(client.callTool({ name, arguments: { text: 'x', ref: 'x' } })).rejects.toMatchObject({ code: -32_602 });
  });
});
