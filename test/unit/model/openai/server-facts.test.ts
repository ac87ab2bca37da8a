import { describe, expect, test } from 'vitest';
import type { Warn } from '../../../../src/domain/language.ts';
import { openaiEndpoint } from '../../../../src/model/http/choose-endpoint.ts';
import { fetchServerFacts, listServerModels } from '../../../../src/model/openai/server-facts.ts';
import { type JsonAnswers, startJsonServer } from '../../../support/json-server.ts';
import { modelConfig } from '../../../support/model-rig.ts';

const optionsFor = (url: string, warn: Warn = () => undefined) => ({
  endpoint: () => openaiEndpoint({}, { ...modelConfig, baseUrl: `${url}/v1`, apiKey: 'key' }, 'list of models'),
  env: {},
  deadline: () => new AbortController().signal,
  warn,
});

/** What is said of the model `m` by a server that answers so, what was asked of it, and what the person was told. */
async function factsFrom(answers: JsonAnswers, model = 'm') {
  const server = await startJsonServer(answers);
  const told: string[] = [];
  const options = optionsFor(server.url, (line) => void told.push(line.en));
  const facts = await fetchServerFacts(model, options, new AbortController().signal);
  return { facts, told, lines: server.asked.map(({ line }) => line), asked: server.asked };
}

const listing = (...data: readonly object[]) => ({ 'GET /v1/models': { object: 'list', data } });
const plain = listing({ id: 'other', context_length: 1 }, { id: 'm', object: 'model' });
const windowOf = async (answers: JsonAnswers, model?: string): Promise<unknown> => (await factsFrom(answers, model)).facts?.windowTokens;

describe('the window of a model', () => {
  test.each([
    ['vLLM', { max_model_len: 32_768 }],
    ['OpenRouter', { context_length: 128_000, top_provider: { context_length: 32_768, max_completion_tokens: 4_096 } }],
    ['Groq', { context_window: 32_768, max_completion_tokens: 4_096 }],
    ['Mistral', { max_context_length: 32_768 }],
    ['Together', { context_length: 32_768 }],
    ['llama.cpp, in its list', { meta: { n_ctx: 32_768, n_ctx_train: 262_144 } }],
  ])('is what the list of %s says of it, and nothing else is asked', async (_name, said) => {
    const { facts, lines } = await factsFrom(listing({ id: 'other', max_model_len: 1 }, { id: 'm', ...said }));
    expect(facts?.windowTokens).toBe(32_768);
    expect(facts?.maxOutputTokens).toBe(JSON.stringify(said).includes('4096') ? 4_096 : undefined);
    expect(lines).toEqual(['GET /v1/models']);
  });

  test('is what LM Studio has loaded, never what the model could take', async () => {
    const models = (more: object) => ({ ...plain, 'GET /api/v0/models': { data: [{ id: 'm', max_context_length: 262_144, ...more }] } });
    expect(await windowOf(models({ state: 'loaded', loaded_context_length: 8_192 }))).toBe(8_192);
    expect(await windowOf(models({ state: 'not-loaded' }))).toBeUndefined();
  });

  test('is what Ollama has loaded, by the name with and without its tag', async () => {
    const ps = (entry: object) => ({ ...plain, 'GET /api/ps': { models: [{ name: 'other', context_length: 1 }, entry] } });
    expect(await windowOf(ps({ name: 'm', context_length: 16_384 }))).toBe(16_384);
    expect(await windowOf(ps({ name: 'm:latest', model: 'm:latest', context_length: 16_384 }))).toBe(16_384);
    expect((await factsFrom(ps({ name: 'm', context_length: 16_384 }))).told).toEqual([]);
  });

  test('is the num_ctx that the model of Ollama is set to, while it is not loaded', async () => {
    const show = (body: string) =>
      JSON.parse(body).model === 'm' ? { parameters: 'stop "<|end|>"\nnum_ctx                        12288' } : {};
    const { facts, lines, told } = await factsFrom({ ...plain, 'GET /api/ps': { models: [] }, 'POST /api/show': show });
    expect(facts?.windowTokens).toBe(12_288);
    expect(lines).toEqual(['GET /v1/models', 'GET /api/v0/models', 'GET /api/ps', 'POST /api/show']);
    expect(told).toEqual([]);
  });

  test('is 4,096 where Ollama says nothing of it, never the maximum of the model, and how to raise it is told', async () => {
    const shown = { parameters: 'stop "x"', model_info: { 'qwen3.context_length': 262_144 }, details: { context_length: 262_144 } };
    const { facts, told } = await factsFrom({ ...plain, 'GET /api/ps': { models: [] }, 'POST /api/show': shown });
    expect(facts?.windowTokens).toBe(4_096);
    expect(told).toEqual([expect.stringMatching(/4096 tokens.*OLLAMA_CONTEXT_LENGTH=32768.*contextWindow/)]);
  });

  test('is what llama.cpp gives each of its slots', async () => {
    const props = { default_generation_settings: { n_ctx: 8_192, params: { n_predict: -1 } }, total_slots: 4, n_ctx_train: 262_144 };
    const { facts, lines } = await factsFrom({ ...plain, 'GET /props': props });
    expect(facts?.windowTokens).toBe(8_192);
    expect(lines.at(-1)).toBe('GET /props');
  });

  test.each([
    ['says nothing', {}],
    ['says what is no count', listing({ id: 'm', context_length: 'large', max_model_len: -1, context_window: 0 })],
    ['answers with something else', { 'GET /v1/models': 'models', 'GET /api/ps': [], 'GET /props': null, 'GET /api/v0/models': 7 }],
    ['fails', { 'GET /v1/models': { status: 500 }, 'GET /api/ps': { status: 503 }, 'GET /props': { text: '{"n_ctx":' } }],
  ])('is not known where the server %s', async (_name, answers) => {
    expect(await windowOf(answers)).toBeUndefined();
  });

  test('that needs no more than the list is asked with the key, at the endpoint only', async () => {
    const { asked } = await factsFrom({ ...plain, 'GET /api/ps': { models: [] }, 'POST /api/show': {} });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('Bearer key'));
  });

  test('is nobody’s to wait for: an answer that does not come is none', async () => {
    const server = await startJsonServer({ 'GET /v1/models': () => undefined });
    const controller = new AbortController();
    controller.abort();
    const options = { ...optionsFor(server.url), deadline: () => controller.signal };
    expect(await fetchServerFacts('m', options, new AbortController().signal)).toBeUndefined();
    expect(await listServerModels(options, new AbortController().signal)).toEqual([]);
  });

  test('of a service elsewhere is not looked for beside its list', async () => {
    const server = await startJsonServer({ 'GET http://gate.example/v1/models': { data: [{ id: 'm' }] } });
    const endpoint = () => openaiEndpoint({}, { ...modelConfig, baseUrl: 'http://gate.example/v1' }, 'list of models');
    const options = { ...optionsFor(server.url), endpoint, env: { HTTP_PROXY: server.url } };
    expect((await fetchServerFacts('m', options, new AbortController().signal))?.windowTokens).toBeUndefined();
    expect(server.asked.map(({ line }) => line)).toEqual(['GET http://gate.example/v1/models']);
  });
});

describe('the list of an endpoint', () => {
  test('is found under another name, and may hold names alone', async () => {
    const server = await startJsonServer({ 'GET /v1/models': { models: ['b', { id: 'a' }] } });
    expect(await listServerModels(optionsFor(server.url), new AbortController().signal)).toEqual(['b', 'a']);
  });

  test('has the names in its order, and leaves out what has none', async () => {
    const server = await startJsonServer(listing({ id: 'b' }, { id: 'a' }, { id: '' }, { name: 'x' }));
    expect(await listServerModels(optionsFor(server.url), new AbortController().signal)).toEqual(['b', 'a']);
  });

  test('may be a bare list', async () => {
    const server = await startJsonServer({ 'GET /v1/models': [{ id: 'a' }] });
    expect(await listServerModels(optionsFor(server.url), new AbortController().signal)).toEqual(['a']);
  });

  test('is empty where the endpoint cannot be asked', async () => {
    const endpoint = () => openaiEndpoint({}, { ...modelConfig, apiKeyEnv: 'NOT_SET' }, 'list of models');
    expect(await listServerModels({ ...optionsFor('http://127.0.0.1:1'), endpoint }, new AbortController().signal)).toEqual([]);
  });
});
