import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '../../src/domain/session/message.ts';
import { afterThisTest } from '../support/clean-up.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { createSandbox } from '../support/sanbot.ts';
import { replies, type Script, type Step, status } from '../support/scenario.ts';

const ID = '0190a5b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
const schema = { type: 'object', required: ['total'], properties: { total: { type: 'integer' } }, additionalProperties: false };

/** The real binary with a model that plays its steps. */
async function playing(...steps: readonly Step[]) {
  return playingBy((_request, n) => steps[n] ?? replies(`reply ${n}`));
}

async function playingBy(script: Script) {
  const world = createSandbox();
  const api = await startFakeApi(script, { home: world.home, key: 'test-key' });
  afterThisTest(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  writeFileSync(join(world.cwd, 'total.json'), JSON.stringify(schema));
  const say = (...args: readonly string[]) => world.run(['-p', 'count them', ...args], { env });
  const json = async (...args: readonly string[]) => {
    const ran = await say('--output-format', 'json', ...args);
    return { code: ran.code, ...JSON.parse(ran.out) };
  };
  return { ...world, api, say, json };
}

const bodies = (api: { readonly requests: readonly { readonly body: unknown }[] }) => api.requests.map(({ body }) => JSON.stringify(body));

test('a prompt that is the name of a command says its text, and a wrong or unsuited one is told and not sent', async () => {
  const { home, run, api } = await playing();
  const put = (path: string, text: string) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  put('commands/shout.md', '---\ndescription: Loud.\n---\nSay $1 loudly.\n');
  put('commands/broken.md', '---\ndescription: [\n---\nx');
  put('skills/tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies.\n---\nDo it.\n');
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const say = (text: string) => run(['-p', text], { env });
  expect(await say('/broken now')).toMatchObject({ code: 2, err: expect.stringMatching(/broken\.md is left out: .*\n.*nothing was sent/) });
  expect(await say('/compact')).toMatchObject({ code: 2, err: expect.stringContaining('/compact is a command of a conversation') });
  expect(api.requests).toEqual([]);
  for (const text of ['/shout hello', '/tidy the desk', '/etc/hosts is wrong', '/nothing of that name'])
    expect((await say(text)).code).toBe(0);
  const line = JSON.stringify({ type: 'user', message: { role: 'user', content: '/shout streams' } });
  const stream = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
  expect((await run(['-p', ...stream], { env, stdin: `${line}\n` })).code).toBe(0);
  expect(api.requests.map(({ request }) => textOf(request.messages.at(-1)?.content ?? []))).toEqual([
    'Say hello loudly.',
    'Use the skill tidy. the desk',
    '/etc/hosts is wrong',
    '/nothing of that name',
    'Say streams loudly.',
  ]);
});

test('--json-schema gives the answer as a value, also from a block of code, and the model has the schema', async () => {
  const { api, json } = await playing(replies('Here it is:\n```json\n{"total": 3}\n```'));
  expect(await json('--json-schema', 'total.json')).toMatchObject({ code: 0, structured: { total: 3 }, stopReason: 'end_turn', steps: 1 });
  expect(bodies(api)[0]).toContain(JSON.stringify(JSON.stringify(schema)).slice(1, -1));
});

test('--json-schema asks once more where the answer is none, with what is wrong; both turns are counted', async () => {
  const { api, json } = await playing(replies('{"total": "three"}'), replies('{"total": 3}'));
  expect(await json('--json-schema', JSON.stringify(schema))).toMatchObject({ code: 0, structured: { total: 3 }, steps: 2 });
  expect(api.requests).toHaveLength(2);
  expect(bodies(api)[1]).toContain('/total must be integer');
});

test('--json-schema ends with exit code 14 where the answer stays wrong, and the session is there to go on', async () => {
  const { api, json, say } = await playing(replies('three'), replies('{"total": 3, "more": 1}'), replies('{"total": 4}'));
  const ran = await json('--json-schema', 'total.json');
  expect(ran).toMatchObject({ code: 14, error: { code: 'schema_unmet', exitCode: 14 }, result: '{"total": 3, "more": 1}' });
  expect(ran.structured).toBeUndefined();
  expect(ran.error.message).toContain('additional properties');
  expect(api.requests).toHaveLength(2);
  const text = await say('--continue', '--json-schema', 'total.json');
  expect(JSON.parse(text.out)).toEqual({ total: 4 });
});

test.each([
  ['none.json', 'none.json'],
  ['[1, 2]', 'no such file'],
  ['.', 'is a folder; give a file that can be read'],
  ['{"type": "nonsense"}', 'there is no type nonsense; give a JSON Schema'],
  ['{"properties": 5}', 'properties has to be an object; give'],
  ['{"$ref": "#/nowhere"}', '$ref points to nothing here: #/nowhere; give'],
  ['list.json', 'not a JSON object'],
])('--json-schema %s is told in one line, and nothing is asked', async (given, why) => {
  const { api, say, cwd } = await playing();
  writeFileSync(join(cwd, 'list.json'), '[{"type": "object"}]');
  const { code, out, err } = await say('--json-schema', given);
  expect({ code, out, lines: err.split('\n').filter((line) => line.includes(why)).length }).toEqual({ code: 2, out: '', lines: 1 });
  expect(api.requests).toHaveLength(0);
});

test('--session-id is the id of the new session; one that is taken, or is none, is told', async () => {
  const { json, say, home } = await playing();
  expect(await json('--session-id', ID.toUpperCase())).toMatchObject({ code: 0, sessionId: ID });
  expect(readdirSync(join(home, 'sessions'))).toContain(ID);
  expect((await say('--session-id', ID)).err).toContain(`--resume ${ID}`);
  expect(await say('--session-id', '../../x')).toMatchObject({ code: 2, out: '' });
  expect((await say('--session-id', ID, '--continue')).code).toBe(2);
  expect(await json('--resume', ID)).toMatchObject({ code: 0, sessionId: ID });
});

test('--append-system-prompt stands at the end of the system prompt, from a file too, and is told to a session that goes on', async () => {
  const { api, say, cwd } = await playing();
  mkdirSync(join(cwd, 'more texts'));
  writeFileSync(join(cwd, 'more texts', 'rules.md'), 'Answer in rhymes, 押韵.\n');
  await say('--append-system-prompt', '@more texts/rules.md');
  await say('--continue', '--append-system-prompt', '@more texts/rules.md');
  await say('--continue', '--append-system-prompt', 'Be brief.');
  await say('--continue', '--append-system-prompt', 'Be brief.');
  const sent = bodies(api);
  expect(sent.map((body) => body.split('Answer in rhymes, 押韵.').length - 1)).toEqual([1, 1, 1, 1]);
  expect(sent.map((body) => body.split('Be brief.').length - 1)).toEqual([0, 0, 1, 1]);
  const missing = await say('--append-system-prompt', '@nowhere.md');
  expect(missing).toMatchObject({ code: 2, out: '' });
  expect(missing.err).toContain('--append-system-prompt "nowhere.md": ');
  const endless = await say('--append-system-prompt', '@/dev/zero');
  expect([endless.code, endless.err]).toEqual([missing.code, expect.stringContaining('more than 256 KB')]);
});

test('--fallback-model takes over where the model is overloaded: told with the price of reading anew, in the result, and it stays', async () => {
  const busy = status(529, 'overloaded_error', 'Overloaded', { 'retry-after-ms': '1' });
  const { json, say, api } = await playingBy(({ model }) => (model.includes('haiku') ? replies('Mine.') : busy));
  const ran = await say('--fallback-model', 'haiku');
  expect(ran).toMatchObject({ code: 0, out: 'Mine.\n' });
  expect(ran.err).toMatch(
    /cannot answer now .*From here on claude-haiku\S* answers \(--fallback-model\).*about [\d,]+ tokens, \$0\.\d\d\./,
  );
  const asked = api.requests.length;
  expect(asked).toBeGreaterThan(2);
  expect((await json('--continue', '--fallback-model', 'haiku')).result).toBe('Mine.');
  expect(api.requests.length).toBe(asked + 1);
  expect(await json('--fallback-model', 'haiku')).toMatchObject({ code: 0, model: expect.stringContaining('haiku'), result: 'Mine.' });
  expect(await json()).toMatchObject({ code: 4, error: { code: 'model_failed' } });
});

test('--fallback-model does not take over where a request is refused', async () => {
  const { json, api } = await playing(status(401, 'authentication_error', 'no'));
  expect(await json('--fallback-model', 'haiku')).toMatchObject({ code: 4, error: { code: 'model_key' } });
  expect(api.requests).toHaveLength(1);
});
