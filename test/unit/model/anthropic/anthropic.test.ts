import { afterEach, describe, expect, test } from 'vitest';
import type { Bilingual } from '../../../../src/domain/language.ts';
import { INVALID_JSON } from '../../../../src/domain/session/admit-reply.ts';
import { anthropicAt, asks, listen, modelConfig, requestOf } from '../../../support/model-rig.ts';
import { fakeApis, hello } from '../../../support/played-api.ts';
import { answersWith, misbehaves, replies, status } from '../../../support/scenario.ts';

const { api, played, close } = fakeApis();
afterEach(close);

describe('a reply that cannot be taken as it is', () => {
  test('arguments that were cut off are kept as text, under a stop reason that is not tool_use [P16, B-11]', async () => {
    const json = '{"path":"a.txt","content":"half of i';
    const { outcome } = await played([misbehaves({ how: 'cut_tool_json', name: 'write_file', json, stopReason: 'max_tokens' })]);
    expect(outcome).toMatchObject({
      content: [{ type: 'tool_use', name: 'write_file', input: { [INVALID_JSON]: json } }],
      stopReason: 'max_tokens',
    });
  });

  test.each(['null', '[1]', '"so"', '{'])(
    'arguments that are %s are kept as text, so that the history can be sent again [P16]',
    async (json) => {
      const { outcome } = await played([misbehaves({ how: 'cut_tool_json', name: 'read_file', json, stopReason: 'tool_use' })]);
      expect(outcome).toMatchObject({ content: [{ type: 'tool_use', input: { [INVALID_JSON]: json } }] });
    },
  );

  test('a window that is full before a word was said is an overflow', async () => {
    const usage = { inputTokens: 10, cacheReadTokens: 5, cacheWriteTokens: 0, outputTokens: 1 };
    const { outcome } = await played([answersWith([], 'model_context_window_exceeded', { usage })]);
    expect(outcome).toEqual({ kind: 'overflow', limitTokens: undefined, sentTokens: 15 });
    const begun = await played([answersWith([{ type: 'text', text: 'It is' }], 'model_context_window_exceeded')]);
    expect(begun.outcome).toMatchObject({ kind: 'reply', stopReason: 'model_context_window_exceeded' });
  });
});

describe('what is sent', () => {
  test('asks for an hour in the cache until an endpoint refuses that, and from then on for what it gives by itself', async () => {
    const refusal = status(400, 'invalid_request_error', 'messages.0.content.0.cache_control.ttl: Extra inputs are not permitted');
    const server = await api([refusal, replies('ok'), replies('ok')]);
    const ask = anthropicAt(server.url);
    for (const text of ['one', 'two'])
      expect(await ask(requestOf([asks(text)], { cacheTtl: '1h' }), listen())).toMatchObject({ kind: 'reply' });
    expect(server.requests.map(({ body }) => JSON.stringify(body).includes('"ttl":"1h"'))).toEqual([true, false, false]);
  });

  test('tells once that a model takes no effort, and goes on without it', async () => {
    const refusal = status(400, 'invalid_request_error', 'output_config.effort: Extra inputs are not permitted');
    const server = await api([refusal, replies('ok'), replies('ok')]);
    const told: string[] = [];
    const ask = anthropicAt(server.url, { log: ({ en }) => void told.push(en) });
    for (const text of ['one', 'two'])
      expect(await ask(requestOf([asks(text)], { effort: 'high' }), listen())).toMatchObject({ kind: 'reply' });
    expect(server.requests.map(({ body }) => 'output_config' in body)).toEqual([true, false, false]);
    expect(told).toEqual([expect.stringContaining('cannot be told how hard to think')]);
  });

  test('the key as the API wants it, and as other servers want it', async () => {
    const { server } = await played([replies('ok')]);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer key', 'x-api-key': 'key' });
  });

  test('a token, alone', async () => {
    const server = await api([replies('ok')]);
    await anthropicAt(server.url, { env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_AUTH_TOKEN: 'token' } })(hello, listen());
    expect(server.requests[0]?.headers.authorization).toBe('Bearer token');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('no key at all to an endpoint of one’s own that has none', async () => {
    const server = await api([replies('ok')]);
    await anthropicAt(server.url, { env: {}, settings: { ...modelConfig, baseUrl: `${server.url}/v1/` } })(hello, listen());
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('streaming, and no sampling parameters', async () => {
    const { server } = await played([replies('ok')]);
    expect(server.requests[0]?.body).toMatchObject({
      stream: true,
      model: 'claude-sonnet-5-5',
      thinking: { type: 'adaptive', display: 'summarized' },
    });
    server.done();
  });
});

test('what the SDK says goes where it is told to, and only when asked for', async () => {
  const lines: string[] = [];
  const server = await api([replies('ok'), replies('ok')]);
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'secret-key' };
  const log = ({ en }: Bilingual): void => void lines.push(en);
  await anthropicAt(server.url, { env, log })(hello, listen());
  expect(lines).toEqual([]);
  await anthropicAt(server.url, { env: { ...env, ANTHROPIC_LOG: 'debug' }, log })(hello, listen());
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toContain('secret-key');
});

test('nothing is read from the process itself: no other key, address, profile or log level', async () => {
  const server = await api([replies('ok')]);
  const strange = {
    ANTHROPIC_API_KEY: 'p',
    ANTHROPIC_AUTH_TOKEN: 'p',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    ANTHROPIC_PROFILE: 'p',
    ANTHROPIC_LOG: 'debug',
  };
  const before = { ...process.env };
  const lines: string[] = [];
  Object.assign(process.env, strange);
  try {
    const ask = anthropicAt('', { env: {}, settings: { ...modelConfig, baseUrl: server.url }, log: ({ en }) => void lines.push(en) });
    expect(await ask(hello, listen())).toMatchObject({ kind: 'reply' });
  } finally {
    for (const name of Object.keys(strange)) delete process.env[name];
    Object.assign(process.env, before);
  }
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(lines).toEqual([]);
});
