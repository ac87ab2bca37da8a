import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputJsonSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { afterThisTest } from '../support/clean-up.ts';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { type FakeEmbeddings, type FakeEmbeddingsOptions, startFakeEmbeddings } from '../support/fake-embeddings.ts';
import { HANGS } from '../support/json-server.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { callsTool, replies, type Script, type Step } from '../support/scenario.ts';
import { goodSummary } from '../support/summary.ts';

const synonyms = [['dog', 'puppy', 'hound']];
const KEY = `sk-ant-api03-${'Ab1'.repeat(30)}`;

type World = { readonly world: Sandbox; readonly server: FakeEmbeddings; readonly api: FakeApi };

async function start(script: Script | readonly Step[], options: FakeEmbeddingsOptions = {}, recall: object = {}): Promise<World> {
  const api = await startFakeApi(script);
  afterThisTest(() => api.close());
  const server = await startFakeEmbeddings({ synonyms, ...options });
  const world = createSandbox({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: api.url });
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  configure(world, {
    compaction: { keepRecentMessages: 2, keepRecentTokens: 10 },
    recall: { embeddings: { model: 'embed-small', baseUrl: server.url, ...recall } },
  });
  return { world, server, api };
}

const configure = (world: Sandbox, settings: object): void =>
  writeFileSync(join(world.home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });

const sent = ({ inputs }: FakeEmbeddings): readonly string[] => inputs().flat();

test('vectors are made at once by a command, found by a search, checked by the doctor, and removed by clean and purge', async () => {
  const { world, server } = await start(() => replies('fine'));
  await world.run(['-p', `the hound is called Rex, and the key is ${KEY}`]);
  expect(sent(server)).toEqual([]);
  const asked = async () => JSON.parse((await world.run(['search', 'puppy', '--json'])).out);
  expect(await asked()).toEqual([]);
  const made = await world.run(['memory', 'embed']);
  expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^\d+ vectors made; none is missing\.\n$/)]);
  expect((await asked())[0]).toMatchObject({ snippet: expect.stringContaining('the hound is called Rex') });
  expect(sent(server).join('\n')).not.toContain(KEY.slice(0, 20));

  const doctor = await world.run(['doctor']);
  expect(doctor.out).toContain('ok        embeddings: embed-small answers with vectors of 64 numbers\n');
  const index = join(world.home, 'index.db');
  const bytes = () => (existsSync(index) ? readFileSync(index).toString('latin1') : '');
  expect(bytes()).toContain('embed-small');

  expect((await world.run(['purge', '--match', 'hound is called Rex', '--yes'])).code).toBe(0);
  expect(bytes()).not.toContain('embed-small');
  await world.run(['memory', 'embed']);
  expect(bytes()).toContain('embed-small');
  configure(world, {});
  expect((await world.run(['clean'])).code).toBe(0);
  const before = sent(server).length;
  expect(await asked()).toEqual([]);
  expect(sent(server)).toHaveLength(before);
  expect(await world.run(['memory', 'embed'])).toMatchObject({ code: 9, out: '', err: expect.stringContaining('recall.embeddings') });
});

test('the agent looks up by meaning what a compaction put away, and the vectors of it were made meanwhile', async () => {
  const script: Script = ({ messages, purpose }) => {
    if (purpose === 'summary') return replies(goodSummary);
    const last = JSON.stringify(messages.at(-1));
    return last.includes('Which dog') ? callsTool('recall', { query: 'puppy' }) : replies('noted');
  };
  const { world, server, api } = await start(script);
  const chat = await world.runAtTerminal([]);
  await chat.waitFor('> ');
  for (const text of ['the gate is green', 'the hound of the moor is called Rex', 'the roof is red', 'the door is blue']) {
    chat.send(`${text} ${'and so it went on '.repeat(30)}\r`);
    await chat.waitFor(/noted[\s\S]*> $/);
  }
  await expect.poll(() => sent(server).join('\n')).toContain('hound of the moor');
  chat.send('/compact\r');
  await chat.waitFor(/Compacted [\d,]+ -> /);
  chat.send('Which dog was it?\r');
  await chat.waitFor(/noted[\s\S]*> $/);
  const [asked, answered] = api.requests.slice(-2).map(({ body }) => JSON.stringify(body.messages));
  expect(asked).not.toContain('hound of the moor is called Rex');
  expect(answered).toContain('hound of the moor is called Rex');
  chat.send('/quit\r');
  expect((await chat.exit).exitCode).toBe(0);
});

test('an endpoint that hangs holds up neither the answer, nor the prompt, nor the end', async () => {
  const { world, server } = await start(() => replies('noted'), { misbehaves: () => HANGS });
  const chat = await world.runAtTerminal([]);
  await chat.waitFor('> ');
  for (const text of ['one', 'two']) {
    chat.send(`${text}\r`);
    await chat.waitFor(/noted[\s\S]*> $/);
  }
  await expect.poll(() => server.asked.length).toBe(1);
  chat.send('/quit\r');
  expect((await chat.exit).exitCode).toBe(0);
});

test('a script sends nothing after its answer, and one line says where recall has no vectors', async () => {
  const script: Script = ({ messages }) =>
    JSON.stringify(messages.at(-1)).includes('tool_result') ? replies('found') : callsTool('recall', { query: 'puppy' });
  const { world, server } = await start(script, { misbehaves: () => ({ status: 503, text: '{}' }) });
  const ran = await world.run(['-p', 'which dog?']);
  expect(ran).toMatchObject({ code: 0, out: 'found\n' });
  expect(ran.err.match(/No vectors \(.*503.*\): for 5 minutes recall goes by words alone\./g)).toHaveLength(1);
  expect(sent(server)).toEqual(['puppy']);
});

test('a project cannot say where texts are sent, trusted or not', async () => {
  const { world, server } = await start(() => replies('fine'));
  configure(world, {});
  outputJsonSync(join(world.cwd, '.sanbot.json'), { recall: { embeddings: { model: 'embed-small', baseUrl: server.url } } });
  const ran = await world.run(['-p', 'hello', '--trust']);
  expect(ran.err).toContain('recall.embeddings is ignored: a project may not decide where texts are sent for vectors.');
  await world.run(['search', 'hello']);
  expect(server.asked).toEqual([]);
});

test('the doctor says what is wrong with it, and a wrong setting where it stands, without the key', async () => {
  const { world } = await start(() => replies('ok'), { key: 'right' }, { apiKey: 'wrong-and-long-enough-key' });
  const doctor = await world.run(['doctor']);
  expect([doctor.code, doctor.out]).toEqual([
    4,
    expect.stringMatching(/wrong {5}embeddings: .*refused the key from recall\.embeddings\.apiKey.*Check recall\.embeddings/),
  ]);
  const shown = await world.run(['config', 'show']);
  expect(shown.out).toContain('embed-small');
  expect(shown.out).not.toContain('long-enough');
  for (const [embeddings, key] of [
    [{}, 'recall.embeddings.model'],
    [{ model: 'm', dimensions: 0 }, 'recall.embeddings.dimensions'],
    [{ model: 'm', baseUrl: 'ftp://x' }, 'recall.embeddings.baseUrl'],
    [{ model: 'm', extra: 1 }, 'recall.embeddings'],
    ['m', 'recall.embeddings'],
  ] as const) {
    configure(world, { recall: { embeddings } });
    expect(await world.run(['config', 'validate'])).toMatchObject({ code: 2, err: expect.stringContaining(key) });
  }
});
