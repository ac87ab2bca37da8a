import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { configError, resolveConfig } from '../../../../src/domain/config/config-layers.ts';
import { embedPending } from '../../../../src/runtime/conversation/recall/embed-pending.ts';
import { openEmbeddings } from '../../../../src/runtime/conversation/recall/embeddings.ts';
import { processEnvironment } from '../../../../src/runtime/environment.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { type FakeEmbeddings, startFakeEmbeddings } from '../../../support/fake-embeddings.ts';
import { storeOf } from '../files/world.ts';
import { recallIn, session } from './recall-world.ts';

const synonyms = [
  ['login', 'auth', 'authentication', 'signing'],
  ['slow', 'sluggish', 'crawls'],
  ['dog', 'puppy', 'hound'],
];

const never = new AbortController().signal;
const base = { ...processEnvironment(), deadline: () => never };

function settingsWith(recall: object, provider = 'offline') {
  const config = resolveConfig([
    { kind: 'file', path: 'config.json', trust: 'user', text: JSON.stringify({ recall, model: { provider } }) },
  ]);
  if (config.kind === 'bad') throw configError(config.problems);
  return config;
}

function embeddingsAt(server: FakeEmbeddings, more: object = {}, environment: typeof base = base) {
  const settings = settingsWith({ embeddings: { model: 'embed-small', baseUrl: server.url, ...more } }, 'anthropic');
  const embeddings = openEmbeddings(environment, settings);
  if (embeddings === undefined) throw new Error('embeddings are on');
  return embeddings;
}

type Made = ReturnType<typeof storeOf>;

async function meaning(
  made: Made,
  { group = 'main', more = {}, server: given }: { group?: string; more?: object; server?: FakeEmbeddings } = {},
) {
  const server = given ?? (await startFakeEmbeddings({ synonyms, shortens: true }));
  const embeddings = embeddingsAt(server, more);
  const world = recallIn(made, group, embeddings);
  const embed = (most = 1_000) => embedPending({ ...world.place, embeddings }, { most }, never);
  return { ...world, server, embed };
}

const sent = ({ inputs }: FakeEmbeddings): readonly string[] => inputs().flat();
const rowsIn = (index: string, table: string): number => {
  const db = new Database(index);
  const { n } = db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number };
  db.close();
  return n;
};

function talk(made: Made) {
  session(made, 's1', [
    user('the authentication page crawls since Tuesday'),
    says('the cache of the session table was cold'),
    user('my puppy ate the manual'),
    says('so sorry to hear'),
  ]);
  return made;
}

test('what means the same is found without one of its words, and by words alone it is not', async () => {
  const made = talk(storeOf());
  const { find, refs, embed } = await meaning(made);
  expect(await refs('sluggish login')).toEqual([]);
  expect(await embed()).toEqual({ made: 4, isDone: true });
  const [best] = await find('sluggish login');
  expect(best).toMatchObject({ ref: 's1:1', kind: 'user', snippet: { text: expect.stringContaining('authentication page crawls') } });
  expect(best?.score).toBeLessThanOrEqual(0.5);
  expect(await recallIn(made).refs('sluggish login')).toEqual([]);
});

test('what has every word stays before what only means the same', async () => {
  const made = talk(storeOf());
  session(made, 's2', [says('one login'), says('the login is sluggish')]);
  const { find, embed } = await meaning(made);
  const byWords = await find('sluggish login');
  await embed();
  const hits = await find('sluggish login');
  expect(hits[0]).toMatchObject({ ref: 's2:2', score: byWords[0]?.score });
  expect(hits.map(({ ref }) => ref)).toContain('s1:1');
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
  expect(new Set(hits.map(({ ref }) => ref)).size).toBe(hits.length);
});

test('of what is only near, at most half is shown, so that it crowds nothing out', async () => {
  const made = storeOf();
  session(
    made,
    's1',
    Array.from({ length: 30 }, (_, i) => says(`puppy ${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${i}`)),
    { cwd: '/here' },
  );
  session(made, 's2', [says('hound of the moor')], { cwd: '/there' });
  const { find, embed } = await meaning(made);
  await embed();
  const hits = await find('hound moor', { project: '/here', limit: 8 });
  expect(hits).toHaveLength(5);
  expect(hits.filter(({ folder }) => folder === undefined).length).toBe(4);
  expect(hits.map(({ ref }) => ref)).toContain('s2:1');
});

test('filters, groups and what the asking agent sees hold for what is near too', async () => {
  const made = storeOf();
  session(made, 's1', [user('the puppy sleeps'), says('a puppy barks')]);
  session(made, 's2', [user('the hound of another group')], { group: 'other' });
  const { refs, embed, server } = await meaning(made);
  await embed();
  expect(sent(server)).toEqual(['a puppy barks', 'the puppy sleeps']);
  expect(await refs('dog', { role: 'user' })).toEqual(['s1:1']);
  expect(await refs('dog', { until: new Date(0) })).toEqual([]);
  expect(await refs('dog', { session: 's2' })).toEqual([]);
  expect(await refs('dog', { beside: { sessionId: 's1', texts: new Set(['the puppy sleeps']) } })).toEqual(['s1:2']);
  const other = await meaning(made, { group: 'other', server });
  expect(await other.embed()).toEqual({ made: 1, isDone: true });
  expect(await other.refs('dog')).toEqual(['s2:1']);
  expect((await refs('dog')).toSorted()).toEqual(['s1:1', 's1:2']);
});

test('what tools print is not sent, and of the rest nothing that looks like a secret, also where a text is cut', async () => {
  const made = storeOf();
  const key = `sk-ant-api03-${'Ab1'.repeat(30)}`;
  const long = `${'x '.repeat(983)}token ${key} ${'y '.repeat(7_000)}${key}`;
  session(made, 's1', [
    calls({ id: 'a', name: 'run_command', input: { command: 'cat notes' } }),
    answers({ id: 'a', content: 'the puppy of the tool' }),
    user(long),
    says(`the key is ${key}`),
  ]);
  const { embed, server, find } = await meaning(made);
  await embed();
  await find(`where is ${key}`);
  const all = sent(server).join('\n');
  expect(all).toContain('y y y');
  expect(all).not.toContain('tool');
  for (let at = 0; at + 20 <= key.length; at += 5) expect(all).not.toContain(key.slice(at, at + 20));
});

test('each text is sent once: not again when its page changes, nor for a copy of it', async () => {
  const made = talk(storeOf());
  const memories = made.store.memories('main');
  const remember = (text: string) =>
    memories.remember({ kind: 'facts', text, sessionId: 's1', messageId: 'm', at: '2026-01-01T00:00:00.000Z', by: 'user', cwd: '/' });
  remember('the puppy is called Rex');
  const { embed, server } = await meaning(made);
  await embed();
  const before = sent(server).length;
  remember('the port is 8080');
  session(made, 's2', [user('my puppy ate the manual')]);
  await embed();
  expect(sent(server).slice(before)).toEqual([expect.stringContaining('8080')]);
});

test('the newest come first, no more than asked for at a time, and the next pass goes on', async () => {
  const made = storeOf();
  session(
    made,
    's1',
    Array.from({ length: 150 }, (_, i) => says(`remark number ${i}`)),
  );
  const { embed, server } = await meaning(made);
  expect(await embed(100)).toEqual({ made: 100, isDone: false });
  expect(sent(server)[0]).toBe('remark number 149');
  expect(server.inputs().every((texts) => texts.length <= 64)).toBe(true);
  expect(await embed(100)).toEqual({ made: 50, isDone: true });
  expect(new Set(sent(server)).size).toBe(150);
});

test('another model or another length makes them anew, and until then words alone decide', async () => {
  const made = talk(storeOf());
  const first = await meaning(made);
  await first.embed();
  const shorter = await meaning(made, { more: { dimensions: 32 } });
  expect(await shorter.refs('sluggish login')).toEqual([]);
  expect(await shorter.embed()).toEqual({ made: 4, isDone: true });
  expect(await shorter.refs('sluggish login')).toContain('s1:1');
  expect(rowsIn(first.index, 'vectors')).toBe(4);
  expect(await first.refs('sluggish login')).toEqual([]);
});

test('what is gone takes its vector along', async () => {
  const made = talk(storeOf());
  const { embed, index } = await meaning(made);
  session(made, 's2', [user('the hound of s2')]).close();
  await embed();
  expect(rowsIn(index, 'vectors')).toBe(5);
  rmSync(join(made.world.home, 'sessions', 's2'), { recursive: true });
  await embed();
  expect([rowsIn(index, 'vectors'), rowsIn(index, 'vector_slices')]).toEqual([4, 4]);
});

test('where no vectors come, that is said once, words alone decide, and nothing is asked for a while', async () => {
  const made = talk(storeOf());
  let isDown = true;
  let now = new Date('2026-01-01T00:00:00Z');
  const server = await startFakeEmbeddings({
    synonyms,
    misbehaves: () => (isDown ? { status: 503, text: '{"error":{"message":"loading"}}' } : undefined),
  });
  const embeddings = embeddingsAt(server, {}, { ...base, now: () => now });
  const { place, refs, told } = recallIn(made, 'main', embeddings);
  const embed = () => embedPending({ ...place, embeddings }, { most: 100 }, never);
  expect(await refs('puppy')).toEqual(['s1:3']);
  expect(await refs('puppy')).toEqual(['s1:3']);
  expect(await embed()).toEqual({ made: 0, isDone: false });
  expect(told).toEqual([
    expect.stringMatching(/^No vectors \(.*cannot answer now \(503: loading\)\): for 5 minutes recall goes by words alone\.$/),
  ]);
  expect(server.asked).toHaveLength(1);
  isDown = false;
  now = new Date('2026-01-01T00:06:00Z');
  expect(await embed()).toEqual({ made: 4, isDone: true });
  expect(await refs('sluggish login')).toContain('s1:1');
});

test('an endpoint that is silent is given up, and what waits for it is not kept longer', async () => {
  const made = talk(storeOf());
  const server = await startFakeEmbeddings();
  const timeout = new AbortController();
  const embeddings = embeddingsAt(server, {}, { ...base, deadline: () => timeout.signal });
  timeout.abort();
  const { refs, told } = recallIn(made, 'main', embeddings);
  expect(await refs('puppy')).toEqual(['s1:3']);
  expect(told).toEqual(['No vectors (no answer within 5 s): for 5 minutes recall goes by words alone.']);
});

test('whoever works offline by a setting of their own sends nothing', () => {
  expect(openEmbeddings(base, settingsWith({ embeddings: { model: 'm' } }))).toBeUndefined();
  expect(openEmbeddings(base, settingsWith({ embeddings: { model: 'm' } }, 'anthropic'))).toBeDefined();
});
