import { describe, expect, test } from 'vitest';
import { createEmbed } from '../../../src/model/embeddings.ts';
import { type FakeEmbeddingsOptions, startFakeEmbeddings } from '../../support/fake-embeddings.ts';
import { startJsonServer } from '../../support/json-server.ts';

const unset = { model: 'embed-small', baseUrl: null, apiKey: null, apiKeyEnv: null, headers: {}, dimensions: null };
const never = new AbortController().signal;

const startEmbed = async (options: FakeEmbeddingsOptions = {}, settings: Partial<typeof unset> | object = {}) => {
  const server = await startFakeEmbeddings(options);
  return { server, embed: createEmbed({ NAMED: 'right' }, { ...unset, baseUrl: server.url, ...settings }) };
};

describe('the embeddings API', () => {
  test('gives a vector for each text, in their order, whatever the order of the answer', async () => {
    const { server, embed } = await startEmbed({ key: 'right' }, { apiKeyEnv: 'NAMED' });
    const together = await embed(['one two', 'three'], never);
    expect(together).toEqual([...(await embed(['one two'], never)), ...(await embed(['three'], never))]);
    expect(together.map(({ length }) => length)).toEqual([64, 64]);
    expect(JSON.parse(server.asked[0]?.body ?? '')).toEqual({ model: 'embed-small', input: ['one two', 'three'] });
  });

  test('is asked for a length only where one is set', async () => {
    const { embed } = await startEmbed({ shortens: true }, { dimensions: 16 });
    expect((await embed(['one'], never))[0]).toHaveLength(16);
    const strict = await startEmbed({}, { dimensions: 16 });
    await expect(strict.embed(['one'], never)).rejects.toThrow(/Unrecognized request argument supplied: dimensions/);
  });

  test('takes an address with or without its path', async () => {
    const server = await startFakeEmbeddings();
    for (const baseUrl of [server.url, `${server.url}/`, `${server.url}/embeddings`, server.url.replace('/v1', '')])
      expect(await createEmbed({}, { ...unset, baseUrl })(['x'], never)).toHaveLength(1);
  });

  test('never sends the key of the environment to an address of the settings, nor anything without a key to OpenAI', async () => {
    const server = await startFakeEmbeddings();
    await createEmbed({ OPENAI_API_KEY: 'secret', OPENAI_BASE_URL: 'http://127.0.0.1:1' }, { ...unset, baseUrl: server.url })(['x'], never);
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
    await expect(createEmbed({}, unset)(['x'], never)).rejects.toThrow('No API key is set for api.openai.com.');
  });

  test('follows no redirect', async () => {
    const elsewhere = await startFakeEmbeddings();
    const redirecting = await startJsonServer({
      'POST /v1/embeddings': { status: 307, headers: { location: `${elsewhere.url}/embeddings` }, text: '' },
    });
    const embed = createEmbed({}, { ...unset, baseUrl: `${redirecting.url}/v1`, apiKey: 'k' });
    await expect(embed(['x'], never)).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining('redirects to'),
    });
    expect(elsewhere.asked).toEqual([]);
  });

  const good = { index: 0, embedding: [1, 0] };
  test.each([
    ['nothing', {}],
    ['too few vectors', { data: [] }],
    ['too many', { data: [good, { index: 1, embedding: [1, 0] }] }],
    ['the same place twice', { data: [good, good] }],
    ['another place', { data: [{ ...good, index: 1 }] }],
    ['an empty vector', { data: [{ index: 0, embedding: [] }] }],
    ['a vector of nothing but zeros', { data: [{ index: 0, embedding: [0, 0] }] }],
    ['what is no number', { data: [{ index: 0, embedding: ['1', null] }] }],
    ['base64', { data: [{ index: 0, embedding: 'AACAPw==' }] }],
    ['an endless vector', { data: [{ index: 0, embedding: Array.from({ length: 9_000 }, () => 1) }] }],
    ['no JSON', { text: 'hello' }],
    ['an array', []],
  ])('is no answer with %s', async (_name, answer) => {
    const { embed } = await startEmbed({ misbehaves: () => answer });
    await expect(embed(['x'], never)).rejects.toMatchObject({
      code: 'model_failed',
      message: expect.stringMatching(/did not answer with/),
    });
  });

  test.each([
    ['a refused key', 'model_key', { key: 'right' }, { apiKey: 'wrong' }, /refused the key from recall\.embeddings\.apiKey/],
    ['a key that is not set', 'model_key', {}, { apiKeyEnv: 'NOT_THERE' }, /NOT_THERE is not set/],
    ['another model', 'model_failed', {}, { model: 'none' }, /no model "none", set by recall\.embeddings\.model/],
    ['nobody there', 'model_unreachable', {}, { baseUrl: 'http://127.0.0.1:1/v1' }, /No connection/],
    [
      'a text that is too long',
      'model_failed',
      {
        misbehaves: () => ({
          status: 400,
          text: '{"error":{"message":"This model\'s maximum context length is 512 tokens, however you requested 700 tokens"}}',
        }),
      },
      {},
      /too long for embed-small/,
    ],
    [
      'a page',
      'model_failed',
      { misbehaves: () => ({ text: '<html>', headers: { 'content-type': 'text/html' } }) },
      {},
      /answers with text\/html/,
    ],
    ['a limit', 'model_failed', { misbehaves: () => ({ status: 429, text: '{}' }) }, {}, /cannot answer now \(429/],
  ])('says what is wrong at %s', async (_name, code, options, settings, message) => {
    const { embed } = await startEmbed(options, settings);
    await expect(embed(['x'], never)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
